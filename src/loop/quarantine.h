#pragma once
#include "os/os.h"

// Files like settings or programs, and directories that hold programs, that came up in an agent's
// program's own directory while an agent ran. They are moved here, out of the reach of that
// program, until the human has looked.
namespace pf {

struct QuarantinedFile {
  std::string id;
  Path from;       // where it was
  std::string at;  // when it was moved, ISO 8601
  std::string by;  // the loop whose agent was the last one there
  Path kept;       // where it is
};

// With the lock of the held names. Recorded first; what a kill leaves behind of it is cleared by
// the next one.
Status put_in_quarantine(Os& os, const Path& file, const std::string& loop);

// Oldest first.
Result<std::vector<QuarantinedFile>> quarantined(Os& os);
// By its id; refuses one that is not there with those that are.
Result<QuarantinedFile> quarantined(Os& os, const std::string& id);
// Puts it back, and has it count as what was there before. Refuses when its place is taken.
Status restore_quarantined(Os& os, const std::string& id);
// Removes it for good.
Status forget_quarantined(Os& os, const std::string& id);

}  // namespace pf
