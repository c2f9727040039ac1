// Whole screens, as tests/golden/console has them: the same files that tests/e2e/console.bats
// compares with a real terminal.
#include "plan/console/console.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "base/text.h"
#include "plan/console/testing.h"

namespace pf::console {
namespace {

using namespace testing;
using Wish = PlanWish::Kind;

std::string golden(const std::string& name) {
  std::ifstream file(fmt::format("{}/tests/golden/console/{}.txt", PAIRFLOW_SOURCE_DIR, name));
  std::stringstream text;
  text << "\n" << file.rdbuf();
  return text.str();
}

std::string first_row(const Console& console) { return console.screen().rows.front().text(); }

// The field in the header: whose turn it is.
Span turn_of(const Console& console) {
  const Picture picture = console.screen();
  for (const Span& span : picture.rows.front().spans())
    if (span.style.inverse) return span;
  return {};
}

StreamLine numbered(int i) { return {"said", "", "[coder]", fmt::format("line {}", i)}; }

}  // namespace

TEST_CASE("the screens at 80×24") {
  CHECK(text_of(console(80, 24, working())) == golden("working-80x24"));
  CHECK(text_of(console(80, 24, asking())) == golden("asking-80x24"));
  CHECK(text_of(console(80, 24, parked())) == golden("parked-80x24"));
  Console palette = console(80, 24, working());
  type(palette, ":force");
  CHECK(text_of(palette) == golden("palette-80x24"));
}

TEST_CASE("the screens at 200×60") {
  CHECK(text_of(console(200, 60, working())) == golden("working-200x60"));
  CHECK(text_of(console(200, 60, asking())) == golden("asking-200x60"));
  CHECK(text_of(console(200, 60, parked())) == golden("parked-200x60"));
}

TEST_CASE("active agent indicator switches on events") {
  Console console(80, 24);
  console.show(working());
  CHECK(turn_of(console) == Span{" CODER claude ", kCoder.inverted()});
  console.show(reviewing());
  CHECK(turn_of(console) == Span{" REVIEWER codex ", kReviewer.inverted()});
  console.show(asking());
  CHECK(turn_of(console) == Span{" YOUR TURN ", kUser.inverted()});
  console.show(parked());
  CHECK(turn_of(console) == Span{" PARKED ", kAlarm.inverted()});
  PlanView view = working();
  view.phase = plan::Phase::error;
  view.agent.clear();
  console.show(view);
  CHECK(turn_of(console).text == " ERROR ");
  view.phase = plan::Phase::done;
  console.show(view);
  CHECK(turn_of(console) == Span{" DONE ", Style::good.inverted()});
}

TEST_CASE("ask-user renders blocking state") {
  Console console = testing::console(80, 24, working());
  console.say({"agent.ask_user", "", "[coder:ask-user]", "Which hash should I take?"});
  CHECK(!text_of(console).contains("the coder asks"));
  console.show(asking());
  const std::string text = text_of(console);
  CHECK(text.contains("[coder:ask-user] Which hash should I take?"));
  CHECK(text.contains("the coder asks  — type your answer, Enter sends"));
  CHECK(text.contains("▌ Which hash should I take? argon2id needs libsodium"));
  CHECK(type(console, "\r").empty());
  CHECK(text_of(console).contains("type an answer first"));
  const auto wishes = type(console, "argon2id, please\r");
  REQUIRE(wishes.size() == 1);
  CHECK(wishes[0].kind == Wish::reply);
  CHECK(wishes[0].text == "argon2id, please");
  CHECK(text_of(console).contains("the coder asks"));  // until the plan goes on
  console.show(working());
  CHECK(!text_of(console).contains("the coder asks"));
  CHECK(type(console, "and now?\r").empty());
  CHECK(text_of(console).contains("nobody asks now; : has the commands"));
}

TEST_CASE("active_step display reflects frontmatter changes") {
  for (const std::size_t columns : {80u, 200u}) {
    Console console = testing::console(columns, 24, working());
    CHECK(text_of(console).contains("step 2 of 4: Check the password (needs-changes)"));
    PlanView moved = working();
    moved.steps[1].active = false, moved.steps[2].active = true;
    moved.steps[2].acceptance = {"a cookie is set"};
    moved.step = "step 3 of 4: Remember the session (pending)";
    console.show(moved);
    const std::string text = text_of(console);
    CHECK(text.contains("step 3 of 4: Remember the session (pending)"));
    CHECK(text.contains(columns == 80 ? "✓ ! ● ·" : "● 3 Remember the session"));
    CHECK(text.contains("a cookie is set"));
    CHECK(!text.contains("a wrong password is refused"));
  }
}

TEST_CASE("answers of several lines, by Alt-Enter and by a paste") {
  Console console = testing::console(80, 24, asking());
  type(console, "one\x1b\rtwo");
  const auto wishes = type(console, "\x1b[200~\rthree\r\n\x1b[2Jfour\x1b[201~\r");
  REQUIRE(wishes.size() == 1);
  CHECK(wishes[0].text == "one\ntwo\nthree\n[2Jfour");
}

TEST_CASE("a refused reply is there again") {
  Console console = testing::console(80, 24, asking());
  type(console, "yes\r");
  console.complain("nothing waits for a reply");
  CHECK(text_of(console).contains(" ❯ yes"));
  CHECK(text_of(console).contains("[pairflow] nothing waits for a reply"));
}

TEST_CASE("an answer that is being typed when another question comes") {
  Console console = testing::console(80, 24, asking());
  type(console, "yes, delete it");
  PlanView other = asking();
  other.question->id = "msg_9", other.question->text = "Something else?";
  console.show(other);
  CHECK(text_of(console).contains("something else is asked now"));
  CHECK(text_of(console).contains("❯ yes, delete it"));
  CHECK(type(console, "\r").empty());
  CHECK(text_of(console).contains("typed before the question came"));
  const auto wishes = type(console, "\r");
  REQUIRE(wishes.size() == 1);
  CHECK(wishes[0].text == "yes, delete it");
}

TEST_CASE("what was typed while nobody asked is no answer to what is asked then") {
  Console console = testing::console(80, 24, working());
  type(console, "what is going on?\r");
  CHECK(text_of(console).contains("nobody asks now"));
  console.show(parked());
  CHECK_FALSE(text_of(console).contains("nobody asks now"));
  CHECK(text_of(console).contains("something is asked now: is this the answer to it?"));
  CHECK(type(console, "\r").empty());
  type(console, "\x15no, take argon2id");
  CHECK(type(console, "\r").size() == 1);  // typed since
}

TEST_CASE("an empty line has nothing to ask back about when a question comes") {
  Console console = testing::console(80, 24, working());
  type(console, "\r");
  CHECK(text_of(console).contains("nobody asks now"));
  console.show(asking());
  CHECK_FALSE(text_of(console).contains("nobody asks now"));
  CHECK(type(console, "argon2id\r").size() == 1);
}

TEST_CASE("a failure is left by a command") {
  PlanView view = asking();
  view.phase = plan::Phase::error;
  view.question->kind = plan::HaltKind::failed;
  Console console = testing::console(80, 24, view);
  CHECK(text_of(console).contains(":resume goes on, :reset begins the step anew"));
  CHECK(type(console, "hello\r").empty());
  CHECK(text_of(console).contains("a failure is left by a command"));
}

TEST_CASE("the palette") {
  Console console = testing::console(80, 24, working());
  const auto only = [&](std::string_view keys) {
    const auto wishes = type(console, keys);
    REQUIRE(wishes.size() == 1);
    return wishes[0];
  };
  CHECK(only(":force coder\r").kind == Wish::force_coder);
  const PlanWish told = only(
      "\x10"
      "force reviewer look at the tests \r");
  CHECK(told.kind == Wish::force_reviewer);
  CHECK(told.text == "look at the tests");
  CHECK(only(":guard\r").kind == Wish::reset_guard);
  CHECK(only(":\x1b[B\x1b[B\x1b[B\r").kind == Wish::pause);
  CHECK(only(":resu\r").kind == Wish::resume);
  CHECK(only(":f\t now\r").text == "now");
  CHECK(type(console, ":nonsense\r").empty());
  CHECK(text_of(console).contains("no such command"));
  type(console, "\x1b");
  CHECK(type(console, ":help\r").empty());
  CHECK(text_of(console).contains("Any key goes back."));
  type(console, "x");
  CHECK(!text_of(console).contains("Any key goes back."));
}

TEST_CASE("reset asks back") {
  Console console = testing::console(80, 24, working());
  CHECK(type(console, ":reset\r").empty());
  CHECK(text_of(console).contains("the step begins anew: y or n?"));
  CHECK(type(console, "n").empty());
  CHECK(type(console, ":reset\r").empty());
  const auto wishes = type(console, "y");
  REQUIRE(wishes.size() == 1);
  CHECK(wishes[0].kind == Wish::reset);
}

TEST_CASE("a command is about the turn that is shown, a reply about its question") {
  PlanView view = working();
  view.opened = Seq{7};
  Console console = testing::console(80, 24, view);
  CHECK(type(console, ":pause\r").at(0).turn == Seq{7});
  CHECK(type(console, ":reset\r").empty());
  view.opened = Seq{9};
  console.show(view);
  CHECK(text_of(console).contains("the plan has moved on: no reset"));
  CHECK(type(console, "y").empty());
  type(console, "\x15");
  console.show(asking());
  CHECK(type(console, "argon2id\r").at(0).question == "msg_1");
}

TEST_CASE("Ctrl-C leaves and says what happens, wherever one is") {
  Console console = testing::console(80, 24, working());
  for (const auto* before : {"", "half an answer", ":force", "\x1b"}) {
    type(console, before);
    const auto wishes = type(console, "\x03");
    REQUIRE(wishes.size() == 1);
    CHECK(wishes[0].kind == Wish::leave);
    CHECK(text_of(console).contains("pairflow plan run login shows it again"));
  }
}

TEST_CASE("scrolling keeps what is seen; a mark tells how much is newer") {
  Console console(80, 24);
  console.show(working());
  for (int i = 1; i <= 100; ++i) console.say(numbered(i));
  CHECK(text_of(console).contains("line 100\n"));
  type(console, "\x1b[5~");
  const std::string before = text_of(console);
  CHECK(!before.contains("line 100\n"));
  CHECK(before.contains("↓ 15 newer"));
  console.say(numbered(101));
  std::string after = text_of(console);
  CHECK(after.contains("↓ 16 newer"));
  CHECK(after.substr(0, after.find("↓")) == before.substr(0, before.find("↓")));
  console.resize(60, 24);
  CHECK(text_of(console).contains("line 84\n"));
  console.resize(80, 24);
  type(console, "\x1b[H");
  CHECK(text_of(console).contains("line 1\n"));
  type(console, "\x1b");
  CHECK(text_of(console).contains("line 101\n"));
  CHECK(!text_of(console).contains("newer"));
}

TEST_CASE("the scrollback is bounded") {
  Console console(80, 24);
  for (int i = 0; i < 6000; ++i) console.say(numbered(i));
  type(console, "\x1b[H");
  CHECK(text_of(console).contains("line 1000\n"));
}

TEST_CASE("problems of the documents are shown") {
  PlanView view = working();
  view.problems = {"plan.md line 2: no such step; name one of 1 to 4", "spec.md line 9: empty"};
  CHECK(text_of(console(80, 24, view)).contains(" ! plan.md line 2: no such step"));
  CHECK(text_of(console(200, 60, view)).contains("! spec.md line 9: empty"));
}

TEST_CASE("time passes in the header") {
  Console console = testing::console(80, 24, working());
  CHECK(first_row(console).contains(" 4m 12s "));
  console.tick({kNow.ms + 3000});
  CHECK(first_row(console).contains(" 4m 15s "));
}

}  // namespace pf::console
