#include "tmux/testing.h"

namespace pf {
namespace {

using testing::Lab;
using testing::launched;
using testing::seen;

constexpr const char* kLayout =
    "#{pane_index} #{@pf_holder} #{pane_left},#{pane_top} #{pane_width}x#{pane_height}";

std::string layout(Lab& lab) {
  return lab.tmux({"list-panes", "-s", "-t", "=pf-abc:", "-F", kLayout});
}
const std::string kWhole = "0 status 0,1 200x14\n1 codex 0,16 99x34\n2 claude 100,16 100x34";

TEST_CASE("session: three panes in order, the agents' empty, and a second run changes nothing") {
  Lab lab;
  auto terminal = lab.terminal("abc");
  CHECK(terminal.observe()->empty());
  const auto made = terminal.ensure_session();
  REQUIRE_MESSAGE(made, (made ? "" : made.error().why));
  CHECK(layout(lab) == kWhole);
  const auto panes = *terminal.observe();
  REQUIRE(panes.size() == 3);
  CHECK_FALSE(panes[0].dead);
  for (std::size_t i : {1u, 2u}) {
    CHECK(panes[i].dead);
    CHECK(panes[i].key.empty());
    CHECK(panes[i].pid == 0);
  }
  REQUIRE(terminal.ensure_session());
  CHECK(seen(terminal, "status").pid == panes[0].pid);
  CHECK(layout(lab) == kWhole);
  CHECK(lab.tmux({"display-message", "-p", "-t", "=pf-abc:", "#{@pf_holder}"}) == "status");
}

TEST_CASE("session: a pane that a person killed comes back in its place, the others live on") {
  for (const std::string holder : {"status", "codex", "claude"}) {
    CAPTURE(holder);
    Lab lab;
    auto terminal = lab.terminal("abc");
    REQUIRE(terminal.ensure_session());
    const int codex = launched(terminal, "codex", "a1").pid;
    const int claude = launched(terminal, "claude", "a2").pid;
    lab.tmux({"kill-pane", "-t", seen(terminal, holder).pane});
    CHECK(terminal.observe()->size() == 2);
    REQUIRE(terminal.ensure_session());
    CHECK(layout(lab) == kWhole);
    if (holder != "codex") CHECK(seen(terminal, "codex").pid == codex);
    if (holder != "claude") CHECK(seen(terminal, "claude").pid == claude);
    CHECK(seen(terminal, holder).key.empty());
  }
}

TEST_CASE("session: restored after the server died, and after the last window was closed") {
  Lab lab;
  auto terminal = lab.terminal("abc");
  REQUIRE(terminal.ensure_session());
  launched(terminal, "codex", "a1");
  lab.tmux({"kill-server"});
  CHECK(terminal.observe()->empty());
  REQUIRE(terminal.ensure_session());
  CHECK(layout(lab) == kWhole);
  lab.tmux({"new-window", "-t", "=pf-abc:", "-n", "mine", "cat"});
  lab.tmux({"kill-window", "-t", "=pf-abc:pairflow"});
  CHECK(terminal.observe()->empty());
  REQUIRE(terminal.ensure_session());
  CHECK(terminal.observe()->size() == 3);
  CHECK(lab.tmux({"display-message", "-p", "-t", "=pf-abc:", "#{window_name}"}) == "mine");
  REQUIRE(terminal.close_session());
  REQUIRE(terminal.close_session());
  CHECK(terminal.observe()->empty());
}

TEST_CASE("session: a dead status view is started again") {
  Lab lab;
  auto terminal = lab.terminal("abc");
  REQUIRE(terminal.ensure_session());
  const auto before = seen(terminal, "status");
  const std::string places = lab.places();
  lab.os.processes.terminate(before.pid);
  CHECK(lab.wait_for([&] { return seen(terminal, "status").dead; }));
  REQUIRE(terminal.ensure_session());
  CHECK_FALSE(seen(terminal, "status").dead);
  CHECK(lab.places() == places);
}

TEST_CASE("session: a status view that ends at once does not take the session with it") {
  Lab lab;
  auto spec = lab.spec("abc");
  spec.status_command = {"true"};
  TmuxSession terminal(lab.os, spec);
  REQUIRE(terminal.ensure_session());
  CHECK(lab.wait_for([&] { return seen(terminal, "status").dead; }));
  CHECK(terminal.observe()->size() == 3);
}

TEST_CASE("session: panes that a person made, also with copied tags, are not ours") {
  Lab lab;
  auto terminal = lab.terminal("abc");
  REQUIRE(terminal.ensure_session());
  const auto codex = launched(terminal, "codex", "a1");
  const auto mine =
      lab.tmux({"split-window", "-d", "-P", "-F", "#{pane_id}", "-t", codex.pane, "cat"});
  CHECK(terminal.observe()->size() == 3);
  for (const auto& [name, value] : {std::pair<const char*, std::string>{"@pf_bubble", "abc"},
                                    {"@pf_holder", "codex"},
                                    {"@pf_key", "a1"},
                                    {"@pf_pane", codex.pane}})
    lab.tmux({"set-option", "-p", "-t", mine, name, value});
  CHECK(terminal.observe()->size() == 3);
  CHECK(seen(terminal, "codex").pane == codex.pane);
  auto copied = codex;
  copied.pane = mine;
  CHECK(*terminal.deliver(copied, "x", Seq{2}) == Sent::gone);
  lab.tmux({"kill-pane", "-t", codex.pane});
  REQUIRE(terminal.ensure_session());
  CHECK(seen(terminal, "codex").pane != mine);
  CHECK(seen(terminal, "codex").key.empty());
}

TEST_CASE("session: the status view keeps its rows when somebody attaches with another size") {
  Lab lab;
  auto terminal = lab.terminal("abc");
  REQUIRE(terminal.ensure_session());
  lab.tmux({"resize-window", "-t", "=pf-abc:", "-x", "120", "-y", "40"});
  CHECK(lab.wait_for([&] { return layout(lab).starts_with("0 status 0,1 120x14\n"); }));
}

TEST_CASE("session: a directory that is missing or has a hostile name") {
  Lab lab;
  auto spec = lab.spec("abc");
  spec.directory = lab.directory / "gone";
  const auto refused = TmuxSession(lab.os, spec).ensure_session();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().exit == Exit::machine);
  CHECK(refused.error().what.contains("gone"));

  spec.directory = lab.directory / "#(touch x) %d $HOME;'\"";
  REQUIRE(lab.os.files.make_directories(spec.directory));
  TmuxSession terminal(lab.os, spec);
  REQUIRE(terminal.ensure_session());
  const auto pane = launched(terminal, "codex", "a1", {"sh", "-c", "pwd > here; exec cat"}).pane;
  CHECK(lab.wait_for([&] { return lab.os.files.read(spec.directory / "here").has_value(); }));
  CHECK(lab.wait_for([&] {
    return *lab.os.files.read(spec.directory / "here") == spec.directory.string() + "\n";
  }));
}

TEST_CASE("session: wrong names are refused before tmux is asked") {
  Lab lab;
  for (const auto& agents : {std::vector<std::string>{"status"}, {"codex", "codex"}, {"#(id)"}}) {
    auto spec = lab.spec("abc");
    spec.agents = agents;
    CHECK(TmuxSession(lab.os, spec).ensure_session().error().exit == Exit::usage);
  }
  CHECK(lab.terminal("a.b:c").ensure_session().error().exit == Exit::usage);
  CHECK(lab.terminal("a.b:c").observe().error().exit == Exit::usage);
  CHECK(lab.terminal("a.b:c").close_session().error().exit == Exit::usage);
}

TEST_CASE("session: no room for a killed pane is an error that says so") {
  Lab lab;
  auto terminal = lab.terminal("abc");
  REQUIRE(terminal.ensure_session());
  lab.tmux({"kill-pane", "-t", seen(terminal, "claude").pane});
  lab.tmux({"resize-window", "-t", "=pf-abc:", "-x", "2", "-y", "4"});
  const auto refused = terminal.ensure_session();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().fix.contains("larger"));
  lab.tmux({"resize-window", "-t", "=pf-abc:", "-x", "200", "-y", "50"});
  REQUIRE(terminal.ensure_session());
  CHECK(layout(lab) == kWhole);
}

TEST_CASE("session: a socket in a place that cannot be is a machine error with a fix") {
  Lab lab;
  auto spec = lab.spec("abc");
  for (const auto& socket : {lab.directory / "none" / "s", lab.directory / std::string(200, 'l')}) {
    spec.socket = socket.string();
    const auto refused = TmuxSession(lab.os, spec).ensure_session();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().exit == Exit::machine);
    CHECK_FALSE(refused.error().why.empty());
    CHECK_MESSAGE(refused.error().fix.contains("TMUX_TMPDIR"), refused.error().why);
  }
}

TEST_CASE("the same bubble id in two repositories is two sessions that do not touch each other") {
  Lab lab;
  const auto of = [&](const char* owner) {
    SessionSpec spec = lab.spec("abc");
    spec.owner = owner;
    return TmuxSession(lab.os, spec);
  };
  TmuxSession one = of("0123456789abcdef");
  TmuxSession two = of("fedcba9876543210");
  REQUIRE(one.ensure_session());
  CHECK(two.observe()->empty());
  REQUIRE(two.ensure_session());
  CHECK(lab.tmux({"list-sessions", "-F", "#{session_name}"}) == "pf-abc\npf-abc-fedcba98");
  const auto pane = launched(two, "codex", "aa");
  CHECK(seen(one, "codex").key.empty());
  CHECK(seen(one, "codex").pane != pane.pane);
  REQUIRE(one.close_session());
  CHECK(seen(two, "codex").key == "aa");
  // The second one keeps its name and is found by a newcomer, also when the plain one is free.
  TmuxSession again = of("fedcba9876543210");
  CHECK(seen(again, "codex").key == "aa");
  CHECK(again.attach_command().argv.back() == "=pf-abc-fedcba98:");
  REQUIRE(one.ensure_session());
  REQUIRE(again.close_session());
  CHECK(lab.tmux({"list-sessions", "-F", "#{session_name}"}) == "pf-abc");
}

}  // namespace
}  // namespace pf
