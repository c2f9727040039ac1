#pragma once
#include "os/os.h"
#include "plan/host/watcher.h"

namespace pf::console {

// One line of text for each line of the stream; a question as a block with the command that answers
// it. Hears nothing.
class PlainWatcher : public PlanWatcher {
 public:
  explicit PlainWatcher(Os& os) : os_(os) {}
  void show(const PlanView& view) override;
  void say(const StreamLine& line) override;
  void complain(const std::string& text) override;
  int input() const override { return -1; }
  std::vector<PlanWish> heard() override { return {}; }
  void resized() override {}

 private:
  Os& os_;
  std::string asked_;  // id of the question that was printed
  std::string turn_;   // as it was printed
};

}  // namespace pf::console
