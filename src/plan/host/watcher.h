#pragma once
#include "loop/live_stream.h"
#include "plan/host/view.h"

namespace pf {

// What a user at the console wants; it is carried out through the door.
struct PlanWish {
  enum class Kind { reply, force_coder, force_reviewer, reset_guard, pause, resume, reset, leave };
  Kind kind = Kind::reply;
  std::string text = {};      // of reply, and a word to the agent that is forced
  Seq turn = Seq::none;       // the turn that was shown
  std::string question = {};  // the one that a reply answers
};

// How a plan is shown while it is driven.
enum class Showing { best, plain, json };  // best: the console, where there is a terminal

// The screen, or the lines, on which a plan is shown while it is driven.
class PlanWatcher {
 public:
  virtual ~PlanWatcher() = default;
  virtual void show(const PlanView& view) = 0;         // after every change
  virtual void say(const StreamLine& line) = 0;        // in order
  virtual void complain(const std::string& text) = 0;  // a wish was refused, something went wrong
  // A descriptor to be waited for, -1 for none; then what is wanted.
  virtual int input() const { return -1; }
  virtual std::vector<PlanWish> heard() { return {}; }
  virtual void resized() {}  // SIGWINCH came
};

}  // namespace pf
