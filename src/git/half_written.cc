#include "git/half_written.h"

#include <fmt/format.h>

#include "git/repository.h"

namespace pf {
namespace {

// Its arguments: a path, the blob that was to be written there, and how many bytes there are.
constexpr const char* kIsBeginning =
    R"sh(git cat-file --filters --path="$1" "$2" | head -c "$3" | cmp -s - "./$1")sh";

}  // namespace

HalfWritten::HalfWritten(Os& os, const Path& scratch, Path where, std::string tree)
    : os_(os),
      mark_(Path(scratch) += ".moving"),
      where_(std::move(where)),
      text_(fmt::format("{}\n{}\n", where_.string(), tree)) {}

Status HalfWritten::begin() const {
  TRY(os_.files.make_directories(mark_.parent_path()));
  return os_.files.replace(mark_, text_, Durable::yes);
}

Status HalfWritten::end() const {
  if (!TRY(was_cut_off())) return {};
  return os_.files.remove(mark_);
}

Result<bool> HalfWritten::was_cut_off() const {
  return TRY(os_.files.read_if_there(mark_, kPointerBytes)) == text_;
}

Result<bool> HalfWritten::is_at(const Git& git, const std::string& path,
                                const std::string& blob) const {
  const auto info = TRY(os_.files.info(where_ / path));
  if (!info) return true;
  if (info->kind != FileKind::file || !is_object_id(blob)) return false;
  return TRY(git.run_script(kIsBeginning, {path, blob, std::to_string(info->size)})).ok();
}

}  // namespace pf
