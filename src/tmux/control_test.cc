#include "tmux/control.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <thread>

#include "tmux/testing.h"

namespace pf {
namespace {

using Kind = ControlEvent::Kind;

TEST_CASE("control: lines as tmux 3.3a writes them") {
  CHECK(parse_control_line("%pane-mode-changed %1") == ControlEvent{Kind::mode_changed, "%1"});
  CHECK(parse_control_line("%output %1 %exit") == ControlEvent{Kind::painted, "%1"});
  CHECK(parse_control_line("%exit") == ControlEvent{Kind::ended});
  CHECK(parse_control_line("%exit server exited unexpectedly") == ControlEvent{Kind::ended});
  CHECK(parse_control_line("%window-pane-changed @0 %2") == ControlEvent{Kind::layout_changed});
  CHECK(parse_control_line("%unlinked-window-close @2") == ControlEvent{Kind::layout_changed});
  CHECK(parse_control_line(
            "%layout-change @0 81f9,200x50,0,0[200x14,0,0,0,200x35,0,15{99x35,0,15,1,100x35,100,15,"
            "2}] 81f9,200x50,0,0[200x14,0,0,0,200x35,0,15{99x35,0,15,1,100x35,100,15,2}] *") ==
        ControlEvent{Kind::layout_changed});
}

TEST_CASE("control: what does not concern us, and garbage") {
  for (const auto* line :
       {"", "%begin 1794731987 283 0", "%end 1794731987 283 0", "%session-changed $0 pf-abc",
        "%sessions-changed", "%unlinked-window-renamed @1 [tmux]", "%exits", "exit",
        "%pane-mode-changed", "%pane-mode-changed 1", "%pane-mode-changed %x", "%output"})
    CHECK_FALSE(parse_control_line(line));
}

TEST_CASE("control: lines are put together from pieces, and a long one still says what it is") {
  ControlReader reader;
  CHECK(reader.feed("%exi").empty());
  CHECK(reader.feed("t\n%output %3 ab") == std::vector{ControlEvent{Kind::ended}});
  CHECK(reader.feed(std::string(100'000, 'x')).empty());
  CHECK(reader.feed("\n%output %4 \n") ==
        std::vector{ControlEvent{Kind::painted, "%3"}, ControlEvent{Kind::painted, "%4"}});
  CHECK(reader.feed("").empty());
}

TEST_CASE("control: a real control client tells of modes, panes and the end") {
  testing::Lab lab;
  auto terminal = lab.terminal("control");
  REQUIRE(terminal.ensure_session());
  const auto pane = testing::launched(terminal, "codex", "aa").pane;

  auto client = terminal.listen();
  REQUIRE(client);
  std::string said;
  const auto heard = [&](std::string_view line) {
    std::array<char, 4096> bytes{};
    while (true) {
      const auto got = ::read((*client)->output(), bytes.data(), bytes.size());
      if (got <= 0) return testing::count(said, line);
      said.append(bytes.data(), std::size_t(got));
    }
  };
  CHECK(lab.wait_for([&] { return heard("%session-changed") == 1; }));
  lab.tmux({"copy-mode", "-t", pane});
  CHECK(lab.wait_for([&] { return heard("%pane-mode-changed " + pane) == 1; }));
  lab.tmux({"send-keys", "-t", pane, "-X", "cancel"});
  CHECK(lab.wait_for([&] { return heard("%pane-mode-changed " + pane) == 2; }));
  lab.tmux({"kill-pane", "-t", pane});
  CHECK(lab.wait_for([&] { return heard("%layout-change") >= 1; }));
  CHECK(terminal.close_session());
  CHECK(lab.wait_for([&] { return heard("%exit") == 1; }));
}

TEST_CASE("control: a server survives sessions that come and go while clients come and go") {
  testing::Lab lab;
  auto anchor = lab.terminal("anchor");
  REQUIRE(anchor.ensure_session());
  const auto server = lab.tmux({"display-message", "-p", "#{pid}"});
  std::atomic<bool> over = false;
  std::vector<std::jthread> others;
  for (const char* name : {"one", "two"})
    others.emplace_back([&, name] {
      PosixOs posix;
      Os os = posix.os();
      TmuxSession terminal(os, lab.spec(name));
      while (!over) (void)(terminal.ensure_session() && terminal.close_session());
    });
  for (int round = 0; round < 60; ++round) CHECK(anchor.listen());
  over = true;
  others.clear();
  CHECK(lab.tmux({"display-message", "-p", "#{pid}"}) == server);
}

}  // namespace
}  // namespace pf
