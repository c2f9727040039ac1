#include "plan/console/console_watcher.h"

namespace pf::console {
namespace {

using namespace std::chrono_literals;

constexpr Duration kFrame = 30ms;  // the shortest time between two pictures
constexpr Duration kSecond = 1s;   // the time that has passed is shown in seconds

}  // namespace

ConsoleWatcher::ConsoleWatcher(Os& os, std::unique_ptr<Terminal> terminal)
    : os_(os),
      terminal_(std::move(terminal)),
      console_(os.env.terminal_columns(), os.env.terminal_rows()) {}

void ConsoleWatcher::draw() {
  console_.resize(os_.env.terminal_columns(), os_.env.terminal_rows());
  console_.tick(os_.clock.wall());
  terminal_->draw(console_.screen());
  terminal_->wake_after(kSecond);
  drawn_ = os_.clock.mono();
}

void ConsoleWatcher::draw_soon() {
  const Duration passed = drawn_ ? os_.clock.mono() - *drawn_ : kFrame;
  if (passed >= kFrame)
    draw();
  else
    terminal_->wake_after(kFrame - passed);
}

void ConsoleWatcher::show(const PlanView& view) {
  console_.show(view);
  draw_soon();
}

void ConsoleWatcher::say(const StreamLine& line) {
  console_.say(line);
  draw_soon();
}

void ConsoleWatcher::complain(const std::string& text) {
  console_.complain(text);
  draw();
}

std::vector<PlanWish> ConsoleWatcher::heard() {
  std::vector<PlanWish> wishes;
  for (const Key& key : terminal_->keys()) {
    if (key.kind == Key::Kind::redraw) terminal_->forget();
    for (PlanWish& wish : console_.key(key)) wishes.push_back(std::move(wish));
  }
  draw();
  return wishes;
}

void ConsoleWatcher::resized() {
  terminal_->forget();
  draw();
}

}  // namespace pf::console
