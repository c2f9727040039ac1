#pragma once
#include "os/os.h"
#include "plan/host/watcher.h"

namespace pf::console {

// One JSON object for each line of the stream, each state and each complaint; see docs/plan.md.
// Hears nothing.
class JsonWatcher : public PlanWatcher {
 public:
  explicit JsonWatcher(Os& os) : os_(os) {}
  void show(const PlanView& view) override;
  void say(const StreamLine& line) override;
  void complain(const std::string& text) override;
  int input() const override { return -1; }
  std::vector<PlanWish> heard() override { return {}; }
  void resized() override {}

 private:
  Os& os_;
  std::string shown_;
};

}  // namespace pf::console
