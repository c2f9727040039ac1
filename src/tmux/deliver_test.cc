#include "tmux/testing.h"

namespace pf {
namespace {

using testing::count;
using testing::Lab;
using testing::launched;
using testing::seen;

constexpr Seq kCause{5};

// A terminal with `cat` as codex: what is delivered shows twice, as typed and as printed by cat.
struct CatLab : Lab {
  CatLab() { REQUIRE(terminal.ensure_session()); }
  TmuxSession terminal = Lab::terminal("abc");
  PaneSeen pane = launched(terminal, "codex", "a1");

  Sent deliver(std::string_view line, Seq cause = kCause) {
    auto sent = terminal.deliver(pane, line, cause);
    if (sent && *sent == Sent::pasted) sent = terminal.deliver(pane, line, cause);
    REQUIRE_MESSAGE(sent, (sent ? "" : sent.error().what + sent.error().why));
    return *sent;
  }
};

TEST_CASE("deliver: one line arrives once, however often it is asked for") {
  CatLab lab;
  CHECK(lab.deliver("round 1: hello") == Sent::yes);
  CHECK(lab.wait_for([&] { return count(lab.screen(lab.pane.pane), "round 1: hello") == 2; }));
  CHECK(seen(lab.terminal, "codex").pasted == kCause);
  CHECK(seen(lab.terminal, "codex").submitted == kCause);
  CHECK(lab.deliver("round 1: hello") == Sent::yes);
  CHECK(lab.deliver("an older cause", Seq{4}) == Sent::yes);
  CHECK(lab.deliver("next", Seq{6}) == Sent::yes);
  CHECK(lab.shows(lab.pane.pane, "next"));
  CHECK(lab.screen(lab.pane.pane) == "round 1: hello\nround 1: hello\nnext\nnext");
  CHECK(lab.tmux({"list-buffers"}).empty());
}

TEST_CASE("deliver: special text arrives literally and runs nothing") {
  CatLab lab;
  const auto touched = (lab.directory / "x").string();
  int cause = 10;
  for (const std::string& line :
       {std::string("-t %0 x"), std::string("# comment"), "#(touch " + touched + ") #{pid}",
        "a; touch " + touched + " ;", "$(touch " + touched + ") `x` ${HOME} ~ %d \\n \"q\" 'r'",
        std::string("žluťoučký 漢字 🙂"), std::string("Enter"), std::string("ends in ;")}) {
    CHECK(lab.deliver(line, Seq(cause++)) == Sent::yes);
    CHECK(lab.wait_for([&] { return count(lab.screen(lab.pane.pane), line) >= 2; }));
  }
  CHECK_FALSE(*lab.os.files.exists(touched));
}

TEST_CASE("deliver: control characters never arrive") {
  CatLab lab;
  CHECK(lab.deliver("one\ntwo\rthree\x1b[201~\x1b[31m\x03\xc2\x9b four\x7f") == Sent::yes);
  CHECK(lab.wait_for(
      [&] { return count(lab.screen(lab.pane.pane), "one twothree[201~[31m four") == 2; }));
  CHECK_FALSE(seen(lab.terminal, "codex").dead);
}

TEST_CASE("deliver: lines that cannot be delivered are errors and change nothing") {
  CatLab lab;
  for (const auto& line : {std::string(), std::string(" \n"), std::string("/quit"),
                           std::string("\x1b!rm -rf x"), std::string(5000, 'x')}) {
    const auto sent = lab.terminal.deliver(lab.pane, line, kCause);
    REQUIRE_FALSE(sent);
    CHECK(sent.error().exit == Exit::usage);
  }
  CHECK(seen(lab.terminal, "codex").pasted == Seq::none);
  CHECK(lab.deliver(std::string(4000, 'y')) == Sent::yes);
}

TEST_CASE("deliver: nothing in copy mode, all of it afterwards") {
  CatLab lab;
  lab.tmux({"copy-mode", "-t", lab.pane.pane});
  CHECK(seen(lab.terminal, "codex").in_mode);
  CHECK(lab.deliver("later") == Sent::in_mode);
  CHECK(seen(lab.terminal, "codex").pasted == Seq::none);
  CHECK(lab.tmux({"list-buffers"}).empty());
  lab.tmux({"send-keys", "-t", lab.pane.pane, "-X", "cancel"});
  CHECK(lab.screen(lab.pane.pane).empty());
  CHECK(lab.deliver("later") == Sent::yes);
  CHECK(lab.wait_for([&] { return count(lab.screen(lab.pane.pane), "later") == 2; }));
}

TEST_CASE("deliver: nothing while input is off or goes to all panes") {
  CatLab lab;
  lab.tmux({"select-pane", "-d", "-t", lab.pane.pane});
  CHECK(lab.deliver("off") == Sent::in_mode);
  lab.tmux({"select-pane", "-e", "-t", lab.pane.pane});
  lab.tmux({"set-option", "-w", "-t", lab.pane.pane, "synchronize-panes", "on"});
  CHECK(lab.deliver("all") == Sent::in_mode);
  CHECK(lab.screen(lab.pane.pane).empty());
}

TEST_CASE("deliver: interrupted between paste and Enter, only Enter follows") {
  CatLab lab;
  lab.tmux({"send-keys", "-t", lab.pane.pane, "-l", "pasted before"});
  lab.tmux({"set-option", "-p", "-t", lab.pane.pane, "@pf_pasted", "5"});
  CHECK(lab.deliver("pasted again") == Sent::yes);
  CHECK(lab.wait_for([&] { return count(lab.screen(lab.pane.pane), "pasted before") == 2; }));
  CHECK(count(lab.screen(lab.pane.pane), "again") == 0);
  CHECK(seen(lab.terminal, "codex").submitted == kCause);
}

TEST_CASE("deliver: nothing reaches a relaunched agent by the old pane or the old key") {
  CatLab lab;
  const auto now = launched(lab.terminal, "codex", "b2");
  CHECK(lab.deliver("for the old one") == Sent::gone);
  lab.pane.pane = now.pane;
  CHECK(lab.deliver("for the old one") == Sent::foreign);
  lab.pane.key = "b2' ; kill-server";
  CHECK(lab.deliver("hostile key") == Sent::foreign);
  CHECK(lab.screen(now.pane).empty());
}

TEST_CASE("deliver: a relaunch forgets what was delivered to the process before") {
  CatLab lab;
  CHECK(lab.deliver("first") == Sent::yes);
  lab.pane = launched(lab.terminal, "codex", "b2");
  CHECK(lab.pane.submitted == Seq::none);
  CHECK(lab.deliver("second") == Sent::yes);
  CHECK(lab.wait_for([&] { return count(lab.screen(lab.pane.pane), "second") == 2; }));
}

TEST_CASE("deliver: dead, closed, and no server") {
  CatLab lab;
  CHECK(lab.deliver("alive", Seq{4}) == Sent::yes);
  CHECK(lab.wait_for([&] { return count(lab.screen(lab.pane.pane), "alive") == 2; }));
  lab.tmux({"send-keys", "-t", lab.pane.pane, "C-c"});
  CHECK(lab.wait_for([&] { return seen(lab.terminal, "codex").dead; }));
  CHECK(lab.deliver("x") == Sent::dead);
  CHECK(*lab.terminal.deliver(seen(lab.terminal, "claude"), "x", kCause) == Sent::dead);
  lab.tmux({"kill-pane", "-t", lab.pane.pane});
  CHECK(lab.deliver("x") == Sent::gone);
  lab.tmux({"kill-server"});
  CHECK(lab.deliver("x") == Sent::gone);
}

TEST_CASE("deliver: bubbles on one server, one a prefix of the other, do not hear each other") {
  Lab lab;
  TmuxSession one = lab.terminal("abc");
  TmuxSession two = lab.terminal("abcd");
  REQUIRE(two.ensure_session());
  CHECK(one.observe()->empty());
  REQUIRE(one.ensure_session());
  const auto pane_one = launched(one, "codex", "a1");
  const auto pane_two = launched(two, "codex", "a2");
  for (const Sent sent : {Sent::pasted, Sent::yes}) {
    CHECK(*one.deliver(pane_one, "for one", kCause) == sent);
    CHECK(*two.deliver(pane_two, "for two", kCause) == sent);
  }
  CHECK(lab.shows(pane_one.pane, "for one"));
  CHECK(lab.shows(pane_two.pane, "for two"));
  CHECK_FALSE(lab.screen(pane_two.pane).contains("for one"));
  CHECK_FALSE(lab.screen(pane_one.pane).contains("for two"));
  CHECK(*one.deliver(pane_two, "astray", kCause) == Sent::gone);
  REQUIRE(one.close_session());
  CHECK(one.observe()->empty());
  CHECK(two.observe()->size() == 3);
}

}  // namespace
}  // namespace pf
