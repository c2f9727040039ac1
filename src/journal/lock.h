#pragma once
#include <memory>
#include <optional>
#include <string>

#include "os/os.h"

namespace pf {

// An exclusive flock on a file that we never unlink; released by the destructor or by death. Where
// somebody else removes or replaces the file, the one who takes a lock takes that of the new file,
// and the holder of the old one is told by in_place().
// The file names the holder, for people, and may carry a note from one holder to the next.
class Lock {
 public:
  // Waits up to `wait`. A machine error that names the holder (pid in the file, for people) when it
  // is still held then. Makes the file and its directories when missing.
  static Result<Lock> take(Os& os, const Path& path, Duration wait);
  // Nothing when somebody holds it.
  static Result<std::optional<Lock>> try_take(Os& os, const Path& path);
  // The pid its last holder wrote into it; 0 when there is none.
  static Result<int> last_holder(Os& os, const Path& path);
  // Whether somebody holds it; the file stays as it is, also when there is none.
  static Result<bool> is_held(Os& os, const Path& path);

  // False only after it was moved from.
  bool held() const { return file_ != nullptr; }
  // Whether it still excludes others: its file is where they look for it.
  Result<bool> in_place() const { return file_->in_place(); }

  // One line that the next holder finds, also when this one is killed; a loss of power may take it
  // or leave a part of it. Stays until somebody leaves another.
  const std::string& note() const { return note_; }
  Status leave_note(std::string note);

  // One more line, which outlives the notes. Leaving one takes the note back in the same write.
  const std::string& head() const { return head_; }
  Status leave_head(std::string head);
  // The head in the file now, held or not; "" when there is none.
  static Result<std::string> head_in(Os& os, const Path& path);

 private:
  Lock(std::unique_ptr<File> file, std::string holder, std::string note, std::string head)
      : file_(std::move(file)),
        holder_(std::move(holder)),
        note_(std::move(note)),
        head_(std::move(head)) {}
  static Result<std::unique_ptr<File>> lock_file(Os& os, const Path& path, Duration wait,
                                                 std::string* holder = nullptr);
  static Result<Lock> enter(Os& os, std::unique_ptr<File> file);
  Status write();

  std::unique_ptr<File> file_;
  std::string holder_;
  std::string note_;
  std::string head_;
};

}  // namespace pf
