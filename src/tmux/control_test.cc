#include "tmux/control.h"

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

TEST_CASE("control: a real control client tells of modes, panes and the end") {
  testing::Lab lab;
  auto terminal = lab.terminal("control");
  REQUIRE(terminal.ensure_session());
  const auto pane = testing::launched(terminal, "codex", "aa").pane;

  const Path log = lab.directory / "log";
  Command command = terminal.control_command();
  // A shell that holds standard input open as the supervisor does.
  command.argv.insert(command.argv.begin(), {"sh", "-c", "sleep 100000 | exec \"$@\"", "sh"});
  auto child = lab.os.processes.start(command, log);
  REQUIRE(child);
  const auto heard = [&](std::string_view line) {
    return testing::count(lab.os.files.read(log).value_or(""), line);
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
  (*child)->kill_group();
}

}  // namespace
}  // namespace pf
