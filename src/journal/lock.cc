#include "journal/lock.h"

#include <fmt/format.h>

#include "base/text.h"

namespace pf {
namespace {

constexpr std::size_t kMaxText = 256;  // a pid, a note and a head
constexpr std::string_view kHead = "head ";
constexpr int kMostReplaced = 100;  // times that a lock's file vanishes while it is being taken

Result<std::unique_ptr<File>> open_lock_file(Os& os, const Path& path) {
  TRY(os.files.make_directories(path.parent_path()));
  return os.files.open(path, Open::create);
}

std::string_view line_of(std::string_view text, int number) {
  for (; number > 0; --number) {
    const auto newline = text.find('\n');
    if (newline == text.npos) return {};
    text.remove_prefix(newline + 1);
  }
  return text.substr(0, text.find('\n'));
}

// Something else may stand there: the rest of a longer text that a killed process did not cut.
std::string head_line(std::string_view text) {
  const auto line = line_of(text, 2);
  return std::string(line.starts_with(kHead) ? line.substr(kHead.size()) : "");
}

std::string holder_of(File& file) {
  const auto text = file.read_at(0, kMaxText);
  const auto pid = text ? printable(trim(line_of(*text, 0))) : std::string();
  return pid.empty() ? "another process" : fmt::format("process {}", pid);
}

}  // namespace

// The pid is a courtesy: a full disk must not keep anybody from taking a lock.
Result<Lock> Lock::enter(Os& os, std::unique_ptr<File> file) {
  const auto text = TRY(file->read_at(0, kMaxText));
  Lock lock(std::move(file), std::to_string(os.env.pid()), std::string(line_of(text, 1)),
            head_line(text));
  (void)lock.write();
  return lock;
}

Status Lock::leave_note(std::string note) {
  note_ = std::move(note);
  return write();
}

Status Lock::leave_head(std::string head) {
  head_ = std::move(head);
  return leave_note("");
}

Result<std::string> Lock::head_in(Os& os, const Path& path) {
  if (!TRY(os.files.exists(path))) return "";
  const auto text = TRY(TRY(os.files.open(path, Open::read))->read_at(0, kMaxText));
  return head_line(text);
}

// Written over before it is cut: a process that dies in between leaves the whole note.
Status Lock::write() {
  std::string text = holder_ + "\n";
  if (!note_.empty() || !head_.empty()) text += note_ + "\n";
  if (!head_.empty()) text += fmt::format("{}{}\n", kHead, head_);
  if (TRY(file_->write_at(0, text)) < text.size())
    return fail(Exit::machine, "cannot write into the lock's file", "the disk is full",
                "free some disk space, then run the same command again");
  return file_->truncate(text.size());
}

// Locked and where others look for it; nothing when somebody holds it beyond `wait`.
Result<std::unique_ptr<File>> Lock::lock_file(Os& os, const Path& path, Duration wait,
                                              std::string* holder) {
  for (int replaced = 0; replaced < kMostReplaced; ++replaced) {
    auto file = TRY(open_lock_file(os, path));
    if (!TRY(file->lock(wait))) {
      if (holder != nullptr) *holder = holder_of(*file);
      return nullptr;
    }
    if (TRY(file->in_place())) return file;
  }
  return fail(Exit::machine,
              fmt::format("'{}' is removed again and again", printable(path.string())),
              "without it two commands could write at once",
              "stop what removes it, then run the same command again");
}

Result<Lock> Lock::take(Os& os, const Path& path, Duration wait) {
  std::string holder;
  auto file = TRY(lock_file(os, path, wait, &holder));
  if (!file)
    return fail(Exit::machine,
                fmt::format("'{}' is locked by {}", printable(path.string()), holder),
                fmt::format("it was still held after {}", human_duration(wait)),
                fmt::format("let {} finish, then run the same command again", holder));
  return enter(os, std::move(file));
}

Result<std::optional<Lock>> Lock::try_take(Os& os, const Path& path) {
  auto file = TRY(lock_file(os, path, Duration::zero()));
  if (!file) return std::nullopt;
  return TRY(enter(os, std::move(file)));
}

Result<int> Lock::last_holder(Os& os, const Path& path) {
  const std::string text = TRY(os.files.read_if_there(path, kMaxText)).value_or("");
  return parse_number<int>(line_of(text, 0)).value_or(0);
}

Result<bool> Lock::is_held(Os& os, const Path& path) {
  if (!TRY(os.files.exists(path))) return false;
  const auto file = TRY(os.files.open(path, Open::read));
  return file->is_locked();
}

}  // namespace pf
