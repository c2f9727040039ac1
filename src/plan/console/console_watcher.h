#pragma once
#include "os/os.h"
#include "plan/console/console.h"
#include "screen/terminal.h"

namespace pf::console {

// The console on a terminal.
class ConsoleWatcher : public PlanWatcher {
 public:
  ConsoleWatcher(Os& os, std::unique_ptr<Terminal> terminal);
  void show(const PlanView& view) override;
  void say(const StreamLine& line) override;
  void complain(const std::string& text) override;
  int input() const override { return terminal_->input(); }
  std::vector<PlanWish> heard() override;
  void resized() override;

 private:
  void draw();
  void draw_soon();  // a flood of lines is not drawn one by one

  Os& os_;
  std::unique_ptr<Terminal> terminal_;
  Console console_;
  std::optional<MonoTime> drawn_;
};

}  // namespace pf::console
