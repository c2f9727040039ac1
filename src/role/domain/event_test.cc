#include "role/domain/event.h"

#include "base/fields_check.h"
#include "role/domain/testing.h"
#include "role/domain/views.h"

namespace pf::role {
namespace {

using namespace testing;
using pf::testing::line_of;

// With all that any event may carry.
template <class B>
void round_trip(B body) {
  Event event{"claude", "codex", 3, std::move(body)};
  event.now = document::default_register("2026-02-21T12:00:00Z");
  event.now->foreign = {{"msg", "quote \"", "{\"a\": 1.50}"}};
  event.write = RegisterWrite{{Hash("a"), Hash("b")}, *event.now};
  event.task_write = TaskWrite{"docs/current/T01-x.md", Hash("a"), Hash("b")};
  event.work = Work{"F001", "t", "feat/F001-t", "T01", "", "", {"T02"}};
  event.ends_work = true;
  event.clean = true;
  event.branch = BranchWanted{"feat/F001-t", CommitId("c"), ""};
  event.landing = Landing{};
  event.landing->reset = *event.now;
  event.then = Standing{Taken{"codex", Role::coder, ""}, Role::reviewer, true};
  event.effort = Effort{3, 1, 0};
  CHECK_FALSE(describe(pf::testing::read_back(event, decode)).empty());
}

TEST_CASE("nothing of an event or of the state is left out of the journal and the snapshot") {
  pf::testing::each_alternative<Body>([](auto body) { pf::testing::check_fields(body); });
  pf::testing::check_fields(StateFields{});
  pf::testing::check_fields(Standing{});
}

TEST_CASE("every kind of event survives the codec, empty and with an outcome") {
  pf::testing::each_alternative<Body>([](auto body) { round_trip(std::move(body)); });
}

TEST_CASE("damaged and newer events are refused with the member's name") {
  Draft draft = encode(Event{"codex", "claude", 1, Started{Role::coder}});
  draft.payload["role"] = "BOSS";
  CHECK(decode(line_of(draft)).error().what.find("role") != std::string::npos);
  draft.type = "role.shrugged";
  CHECK(decode(line_of(draft)).error().exit == Exit::damaged);
}

TEST_CASE("the story tells who did what, and whose turn it is") {
  Repo r = Repo::coding();
  CHECK(r.state.actions.at(2).text ==
        "[claude] PLANNER hands over to CODER for T01: T01 is next; CODER handoff");
  r.code(Block{Role::planner, "Which\x1b port?"});
  r.code(Block{Role::planner, "Which port?"});
  CHECK(r.state.actions.back().text ==
        "[codex] CODER is blocked, PLANNER can unblock it: Which port?; PLANNER blocked");
}

}  // namespace
}  // namespace pf::role
