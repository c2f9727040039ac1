#include <poll.h>
#include <sys/ioctl.h>

#include <algorithm>

#include "tmux/testing.h"

namespace pf {
namespace {

using testing::Lab;
using testing::launched;
using testing::seen;

// The environment that a process wrote with `env -0`.
std::vector<std::string> environment_in(Lab& lab, const Path& file) {
  std::vector<std::string> lines;
  CHECK(lab.wait_for([&] {
    const auto text = lab.os.files.read(file).value_or("");
    lines.clear();
    for (const auto line : split(text, '\0')) lines.emplace_back(line);
    return lines.size() > 1 && lines.back().empty();
  }));
  return lines;
}

bool has(const std::vector<std::string>& lines, std::string_view line) {
  return std::ranges::find(lines, line) != lines.end();
}
bool has_name(const std::vector<std::string>& lines, const std::string& name) {
  return std::ranges::any_of(lines, [&](auto& line) { return line.starts_with(name + "="); });
}

TEST_CASE("launch: environment and arguments reach the process byte for byte") {
  Lab lab;
  auto terminal = lab.terminal("abc");
  REQUIRE(terminal.ensure_session());
  const std::string hostile = "a b;\n  c \"d\" 'e' $HOME #(id) #{pid} %d \\n ;";
  const auto path = "/nowhere:" + lab.os.env.get("PATH").value_or("/usr/bin:/bin");
  const auto pane = terminal.launch(
      {"codex",
       "reviewer",
       "a1",
       Seq{7},
       {"sh", "-c", "env -0 > env; printf %s \"$1\" > arg; exec cat", "sh", hostile},
       {{"PF_TEST", hostile}, {"PATH", path}, {"EMPTY", ""}}});
  REQUIRE(pane);
  const auto lines = environment_in(lab, lab.directory / "work" / "env");
  CHECK(has(lines, "PF_TEST=" + hostile));
  CHECK(has(lines, "PATH=" + path));
  CHECK(has(lines, "EMPTY="));
  CHECK(has(lines, "TMUX_PANE=" + *pane));
  CHECK(lab.wait_for(
      [&] { return lab.os.files.read(lab.directory / "work" / "arg").value_or("") == hostile; }));

  const auto now = seen(terminal, "codex");
  CHECK(now.pane == *pane);
  CHECK(now.key == "a1");
  CHECK(now.launch == Seq{7});
  CHECK_FALSE(now.dead);
  CHECK(lab.tmux({"display-message", "-p", "-t", *pane, "#{@pf_role}"}) == "reviewer");
}

TEST_CASE("launch: the server never carries the variables of the process that started it") {
  Lab lab;
  auto terminal = lab.terminal("abc");
  const Command command = terminal.attach_command();
  for (const auto* name : {"TMUX", "TMUX_PANE", "PAIRFLOW_AGENT", "PAIRFLOW_BUBBLE",
                           "PAIRFLOW_REPO", "PAIRFLOW_READY_FD"}) {
    const std::pair<std::string, std::optional<std::string>> removed{name, std::nullopt};
    CHECK(std::ranges::find(command.environment, removed) != command.environment.end());
  }
  REQUIRE(terminal.ensure_session());
  launched(terminal, "codex", "a1", {"sh", "-c", "env -0 > env; exec cat"});
  const auto lines = environment_in(lab, lab.directory / "work" / "env");
  CHECK_FALSE(has_name(lines, "PAIRFLOW_READY_FD"));
  CHECK_FALSE(has_name(lines, "PAIRFLOW_BUBBLE"));
}

// tmux itself crashes here when the pane is respawned.
TEST_CASE("launch: again in a pane whose output nobody has read, nothing else is touched") {
  Lab lab;
  auto terminal = lab.terminal("abc");
  REQUIRE(terminal.ensure_session());
  const auto other = launched(terminal, "claude", "b1");
  const auto loud = launched(terminal, "codex", "a1", {"yes", "never read"});
  lab.tmux({"select-pane", "-t", loud.pane});
  const auto behind = terminal.listen();
  REQUIRE(behind);
  REQUIRE(lab.shows(loud.pane, "never read"));
  const auto pipe_fills = [&] {
    pollfd out{(*behind)->output(), POLLIN, 0};
    int bytes = 0;
    return poll(&out, 1, 0) == 1 && ioctl(out.fd, FIONREAD, &bytes) == 0 && bytes > 40'000;
  };
  REQUIRE(lab.wait_for(pipe_fills));
  const std::string before = lab.places();
  for (const std::string key : {"a2", "a3"}) {
    const auto again = launched(terminal, "codex", key, {"sh", "-c", "echo heard; exec cat"});
    CHECK(lab.shows(again.pane, "heard"));
  }
  CHECK(lab.places() == before);
  CHECK(lab.tmux({"list-windows", "-t", "pf-abc", "-F", "#{window_panes}"}) == "3");
  CHECK(seen(terminal, "claude").pid == other.pid);
}

TEST_CASE("launch: arguments of any length, and a command of one word is no shell line") {
  Lab lab;
  auto terminal = lab.terminal("abc");
  REQUIRE(terminal.ensure_session());
  const std::string huge(100000, 'x');
  launched(terminal, "codex", "a1", {"sh", "-c", "printf %s \"$1\" > arg; exec cat", "sh", huge});
  CHECK(lab.wait_for(
      [&] { return lab.os.files.read(lab.directory / "work" / "arg").value_or("") == huge; }));

  const auto pane = launched(terminal, "claude", "a2", {"touch shelled; cat"}).pane;
  CHECK(lab.wait_for([&] { return seen(terminal, "claude").dead; }));
  CHECK(lab.shows(pane, "not found"));
  CHECK_FALSE(*lab.os.files.exists(lab.directory / "work" / "shelled"));
}

TEST_CASE("launch: replaces what runs in the pane, also in copy mode, and keeps its place") {
  Lab lab;
  auto terminal = lab.terminal("abc");
  REQUIRE(terminal.ensure_session());
  const auto first = launched(terminal, "codex", "a1");
  lab.tmux({"copy-mode", "-t", first.pane});
  const std::string before = lab.places();
  const auto second = launched(terminal, "codex", "a2");
  CHECK(lab.places() == before);
  CHECK(second.pid != first.pid);
  CHECK_FALSE(second.in_mode);
  CHECK(lab.os.processes.wait_gone(first.pid, std::chrono::seconds(10)));
}

TEST_CASE("launch: makes the session when there is none") {
  Lab lab;
  auto terminal = lab.terminal("abc");
  CHECK_FALSE(launched(terminal, "claude", "a1").dead);
  CHECK(terminal.observe()->size() == 3);
}

TEST_CASE("launch: what cannot be launched is refused and leaves the pane alone") {
  Lab lab;
  auto terminal = lab.terminal("abc");
  REQUIRE(terminal.ensure_session());
  const int pid = launched(terminal, "codex", "a1").pid;
  const LaunchSpec good{"codex", "reviewer", "a2", Seq{2}, {"cat"}, {}};
  std::vector<LaunchSpec> bad(7, good);
  bad[0].role = "#(id)";
  bad[1].key = "";
  bad[2].argv = {};
  bad[3].argv = {std::string("a\0b", 3)};
  bad[4].environment = {{"A=B", "c"}};
  bad[5].holder = "nobody";
  bad[6].holder = "status";
  for (const auto& launch : bad) CHECK(terminal.launch(launch).error().exit == Exit::usage);
  CHECK(seen(terminal, "codex").pid == pid);
  CHECK(seen(terminal, "codex").key == "a1");
}

}  // namespace
}  // namespace pf
