#include "git/large_files.h"

#include <fmt/format.h>

#include "base/sha256.h"
#include "base/text.h"
#include "git/changes.h"

namespace pf {
namespace {

constexpr std::size_t kChunk = 4u << 20;
constexpr std::size_t kPointerLimit = 1024;  // as git-lfs has it
constexpr std::string_view kPointerStart = "version https://git-lfs.github.com/spec/";

bool is_sha256(std::string_view name) {
  return name.size() == 64 && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Path place_in(const Path& store, const std::string& name) {
  return store / "objects" / name.substr(0, 2) / name.substr(2, 2) / name;
}

Result<std::string> sha256_of(Os& os, const Path& path) {
  const auto file = TRY(os.files.open(path, Open::read));
  Sha256 hash;
  for (std::uint64_t at = 0;;) {
    const std::string bytes = TRY(file->read_at(at, kChunk));
    hash.add(bytes);
    at += bytes.size();
    if (bytes.size() < kChunk) return hash.hex();
  }
}

// By rename, or beside its place first where that is on another disk.
Status put(Os& os, const Path& from, const Path& to) {
  TRY(os.files.make_directories(to.parent_path()));
  if (os.files.rename(from, to)) return {};
  const Path part = Path(to) += fmt::format(".{}", os.random.token());
  TRY(os.files.copy(from, part));
  return os.files.rename(part, to);
}

// What a pointer names; "" for any other text.
std::string named_by(std::string_view text) {
  if (!text.starts_with(kPointerStart)) return "";
  constexpr std::string_view kName = "oid sha256:";
  for (const auto line : split(text, '\n'))
    if (line.starts_with(kName) && is_sha256(line.substr(kName.size())))
      return std::string(line.substr(kName.size()));
  return "";
}

}  // namespace

Result<Path> large_file_store(const Git& rules, const Repository& repository) {
  const auto named = TRY(rules.run({"config", "--type=path", "--get", "lfs.storage"}));
  const std::string_view path = trim(named.out);
  return repository.common / (path.empty() ? Path("lfs") : Path(path));
}

Status import_large_files(Os& os, const Path& from, const Path& store) {
  for (const Entry& one : TRY(os.files.list(from / "objects"))) {
    if (one.kind != FileKind::directory) continue;
    for (const Entry& two : TRY(os.files.list(from / "objects" / one.name))) {
      if (two.kind != FileKind::directory) continue;
      const Path directory = from / "objects" / one.name / two.name;
      for (const Entry& entry : TRY(os.files.list(directory))) {
        if (entry.kind != FileKind::file || !is_sha256(entry.name)) continue;
        const Path to = place_in(store, entry.name);
        if (TRY(os.files.exists(to)) || TRY(sha256_of(os, directory / entry.name)) != entry.name)
          continue;
        TRY(put(os, directory / entry.name, to));
      }
    }
  }
  return {};
}

Result<std::vector<std::string>> missing_large_files(const Git& rules, const Path& store,
                                                     const std::string& tree) {
  struct Small {
    std::string path, id;
  };
  std::vector<Small> small;
  GitOptions asked;
  // "<mode> <type> <object> <size>\t<path>"
  for (const std::string& entry :
       TRY(rules.pieces("list the tree", {"ls-tree", "-r", "-l", "-z", tree}))) {
    const auto tab = entry.find('\t');
    if (tab == std::string::npos || !entry.starts_with("100")) continue;
    const auto size = parse_number<std::size_t>(
        trim(std::string_view(entry).substr(entry.rfind(' ', tab), tab - entry.rfind(' ', tab))));
    if (!size || *size > kPointerLimit) continue;
    small.push_back({entry.substr(tab + 1), std::string(split(entry, ' ')[2])});
    asked.input += small.back().id + "\n";
  }
  std::vector<std::string> missing;
  if (small.empty()) return missing;
  const std::string said = TRY(rules.output("read small files", {"cat-file", "--batch"}, asked));
  std::string_view rest = said;
  for (const Small& file : small) {  // "<object> blob <size>\n<content>\n"
    const auto line = rest.substr(0, rest.find('\n'));
    const auto size = parse_number<std::size_t>(line.substr(line.rfind(' ') + 1));
    if (!size || rest.size() < line.size() + 1 + *size) break;
    const std::string name = named_by(rest.substr(line.size() + 1, *size));
    rest.remove_prefix(std::min(rest.size(), line.size() + *size + 2));
    if (name.empty()) continue;
    const auto info = rules.os().files.info(place_in(store, name));
    if (!info || !*info) missing.push_back(shown_path(file.path));
  }
  return missing;
}

}  // namespace pf
