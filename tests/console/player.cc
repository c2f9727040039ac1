// The console on the terminal it is started at, with a recorded plan: console_player SCENE
// [plain|json]. A wish changes the scene; what was wished is printed at the end.
#include <fmt/format.h>
#include <poll.h>

#include <array>

#include "os/fake/clock.h"
#include "os/posix/os.h"
#include "plan/console/make_watcher.h"
#include "plan/console/testing.h"

namespace {

using namespace pf;
using namespace pf::console;
using namespace pf::console::testing;
using Wish = PlanWish::Kind;

PlanView scene(std::string_view name) {
  return name == "asking" ? asking() : name == "parked" ? parked() : working();
}

void carry_out(PlanWatcher& watcher, const PlanWish& wish) {
  switch (wish.kind) {
    case Wish::reply:
      watcher.say({"user.reply", "", "[user]", wish.text});
      return watcher.show(working());
    case Wish::force_reviewer: return watcher.show(reviewing());
    case Wish::resume: return watcher.complain("an answer is waited for");
    default: return;
  }
}

std::string play(Os& os, std::string_view name, Showing showing) {
  const auto screen = os.env.watch_signals().value();
  const auto watcher = make_watcher(os, showing);
  watcher->show(scene(name));
  for (const StreamLine& line : story()) watcher->say(line);
  std::string wished;
  while (watcher->input() >= 0) {
    std::array<pollfd, 2> waiting = {{{watcher->input(), POLLIN, 0}, {screen->fd(), POLLIN, 0}}};
    ::poll(waiting.data(), waiting.size(), -1);
    const auto news = screen->take_news();
    if (news.resized) watcher->resized();
    if (news.end) return wished + "ended\n";
    for (const PlanWish& wish : watcher->heard()) {
      if (wish.kind == Wish::leave) return wished + "left\n";
      wished += fmt::format("wish {} {}\n", static_cast<int>(wish.kind), wish.text);
      carry_out(*watcher, wish);
    }
  }
  return wished;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 2 ? argv[2] : "";
  PosixOs posix;
  Os real = posix.os();
  FakeClock clock;
  clock.set_wall(kNow);
  Os os{real.files, real.processes, clock, real.random, real.env};
  os.env.print(pf::Stream::out, play(os, argc > 1 ? argv[1] : "working",
                                     mode == "plain"  ? Showing::plain
                                     : mode == "json" ? Showing::json
                                                      : Showing::best));
}
