#pragma once
#include "loop/detached.h"
#include "loop/live_stream.h"

namespace pf {

// What a viewer asks of the loop it shows, and of the terminal it shows it on.
class Viewed {
 public:
  virtual ~Viewed() = default;
  struct Look {
    Mark mark;
    bool wants_driver = false;
    bool over = false;  // there is nothing more to see
  };
  virtual Result<Look> look() = 0;
  // The events after `from`, as they are shown.
  virtual Result<std::vector<StreamLine>> events(const Mark& from) = 0;
  virtual void say(const StreamLine& line) = 0;
  // After what was new was said.
  virtual Status show() { return {}; }
  virtual void complain(const std::string& text) = 0;  // something went wrong
  // A descriptor to be waited for, -1 for none; then whether the user wants to leave.
  virtual int input() const { return -1; }
  virtual bool heard() { return false; }
  virtual void resized() {}
};

enum class Left { over, by_user };

// Starts the driver unless one runs, and shows the loop until there is nothing more to see, or the
// user leaves: a wish, the interrupt key, nobody who reads standard output any more. The driver
// goes on then. One that dies meanwhile is started again, one that keeps dying ever more rarely.
Result<Left> attach(Os& os, const Detached& driver, StreamTail tail, Viewed& viewed);

}  // namespace pf
