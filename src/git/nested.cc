#include "git/nested.h"

#include <optional>

#include "base/text.h"
#include "git/git.h"
#include "git/repository.h"

namespace pf {
namespace {

constexpr std::size_t kRefBytes = 8u << 20;  // packed-refs
constexpr int kMaxLinks = 5;                 // from one symbolic ref to the next

// The object of a ref, loose or packed.
Result<std::string> object_of(Os& os, const Path& git_dir, const std::string& ref) {
  const auto loose = os.files.read_if_there(git_dir / ref, kPointerBytes);
  if (loose && *loose) return std::string(trim(**loose));
  const auto packed = TRY(os.files.read_if_there(git_dir / "packed-refs", kRefBytes));
  for (const auto line : split(packed.value_or(""), '\n'))
    if (const auto space = line.find(' ');
        space != std::string_view::npos && line.substr(space + 1) == ref)
      return std::string(line.substr(0, space));
  return "";
}

bool is_ref(std::string_view name) {
  return name.starts_with("refs/") && !name.contains("..") && !name.contains('\0');
}

}  // namespace

Result<Nested> look_at_nested(Os& os, const Path& directory) {
  const auto info = TRY(os.files.info(directory));
  if (!info) return Nested{};
  if (info->kind != FileKind::directory) return Nested{Nested::Kind::file};
  const auto git = TRY(os.files.info(directory / ".git"));
  if (!git) return Nested{Nested::Kind::directory};
  Path git_dir = directory / ".git";
  if (git->kind == FileKind::file) {
    const auto text = TRY(os.files.read(git_dir, kPointerBytes));
    const auto named = pointer(text, "gitdir: ", directory);
    if (!named) return Nested{Nested::Kind::directory};
    git_dir = *named;
  }
  std::string value = "ref: HEAD";
  for (int i = 0; i < kMaxLinks && value.starts_with("ref: "); ++i) {
    const std::string ref(trim(std::string_view(value).substr(5)));
    if (ref != "HEAD" && !is_ref(ref)) break;
    value = TRY(object_of(os, git_dir, ref));
  }
  return Nested{Nested::Kind::repository, is_object_id(value) ? value : ""};
}

}  // namespace pf
