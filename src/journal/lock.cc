#include "journal/lock.h"

#include <fmt/format.h>

#include "base/text.h"

namespace pf {
namespace {

constexpr std::size_t kMaxPidText = 32;  // a lock file holds a pid and nothing else

Result<std::unique_ptr<File>> open_lock_file(Os& os, const Path& path) {
  TRY(os.files.make_directories(path.parent_path()));
  return os.files.open(path, Open::create);
}

// The pid is a courtesy: a full disk must not keep anybody from taking a lock.
void name_holder(Os& os, File& file) {
  (void)file.truncate(0);
  (void)file.write_at(0, fmt::format("{}\n", os.env.pid()));
}

std::string holder_of(File& file) {
  const auto text = file.read_at(0, kMaxPidText);
  const auto pid = text ? printable(trim(*text)) : std::string();
  return pid.empty() ? "another process" : fmt::format("process {}", pid);
}

}  // namespace

Result<Lock> Lock::take(Os& os, const Path& path, Duration wait) {
  auto file = TRY(open_lock_file(os, path));
  if (!TRY(file->lock(wait))) {
    const auto holder = holder_of(*file);
    return fail(Exit::machine,
                fmt::format("'{}' is locked by {}", printable(path.string()), holder),
                fmt::format("it was still held after {}", human_duration(wait)),
                fmt::format("let {} finish, then run the same command again", holder));
  }
  name_holder(os, *file);
  return Lock(std::move(file));
}

Result<std::optional<Lock>> Lock::try_take(Os& os, const Path& path) {
  auto file = TRY(open_lock_file(os, path));
  if (!TRY(file->lock(Duration::zero()))) return std::nullopt;
  name_holder(os, *file);
  return Lock(std::move(file));
}

Result<bool> Lock::is_held(Os& os, const Path& path) {
  if (!TRY(os.files.exists(path))) return false;
  const auto file = TRY(os.files.open(path, Open::read));
  return file->is_locked();
}

}  // namespace pf
