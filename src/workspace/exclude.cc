#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "workspace/repository.h"

namespace pf {
namespace {

constexpr std::size_t kExcludeBytes = 8u << 20;
constexpr std::size_t kHookBytes = 64u << 20;

bool excludes_control_directory(std::string_view text) {
  return std::ranges::any_of(split(text, '\n'), [](std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line == ".pairflow/" || line == ".pairflow" || line == "/.pairflow/" ||
           line == "/.pairflow";
  });
}

// One entry of the fingerprint, its parts told apart by their lengths.
void add(std::string& all, std::string_view name, std::string_view kind, std::string_view bytes) {
  all += fmt::format("{}:{}:{}:", name.size(), kind, bytes.size());
  all.append(name).append(bytes);
}

Status add_file(Os& os, std::string& all, const Path& directory, const std::string& name) {
  const auto info = TRY(os.files.info(directory / name));
  if (!info) return {};
  const auto bytes = TRY(os.files.read_if_there(directory / name, kHookBytes));
  add(all, name, info->executable ? "x" : "-", bytes.value_or(""));
  return {};
}

Status add_hooks(Os& os, std::string& all, const Path& common, const std::string& below) {
  for (const auto& entry : TRY(os.files.list(common / below))) {
    const auto name = below + "/" + entry.name;
    if (entry.kind == FileKind::directory)
      TRY(add_hooks(os, all, common, name));
    else if (entry.kind != FileKind::other && !entry.name.ends_with(".sample"))
      TRY(add_file(os, all, common, name));
  }
  return {};
}

}  // namespace

Status exclude_control_directory(Os& os, const Repository& repository) {
  const Path info = repository.common / "info";
  const Path exclude = info / "exclude";
  const auto text = TRY(os.files.read_if_there(exclude, kExcludeBytes)).value_or("");
  if (excludes_control_directory(text)) return {};
  TRY(os.files.make_directories(info));
  const std::string line = text.empty() || text.ends_with('\n') ? ".pairflow/\n" : "\n.pairflow/\n";
  const auto file = TRY(os.files.open(exclude, Open::create));
  const auto written = TRY(file->write_at(text.size(), line));
  if (written == line.size()) return {};
  TRY(file->truncate(text.size()));
  return fail(Exit::machine, fmt::format("cannot add a line to {}", exclude.string()),
              "the disk is full", "make room and run the command again");
}

Result<Hash> git_fingerprint(Os& os, const Repository& repository) {
  std::string all;
  for (const auto* name : {"config", "config.worktree", "info/attributes", "info/exclude"})
    TRY(add_file(os, all, repository.common, name));
  TRY(add_hooks(os, all, repository.common, "hooks"));
  return hash_of(all);
}

}  // namespace pf
