#include "plan/domain/event.h"

#include "base/fields_check.h"
#include "plan/domain/testing.h"
#include "plan/domain/views.h"

namespace pf::plan {
namespace {

using namespace testing;
using pf::testing::line_of;

// With all that any event may carry.
template <class B>
void round_trip(B body) {
  Event event{"claude", "codex", 3, std::move(body)};
  event.steps = {{"1", "quote \" backslash \\ tab \t", StepStatus::needs_changes, 2}};
  event.write = RegisterWrite{{Hash("a"), Hash("b")}, "2", "1", {{"1", StepStatus::done}}};
  event.start = RunWanted{4, Role::reviewer, kCodex, "1", Why::review, "talk", true};
  event.then =
      Standing{Phase::error, "1", 4, Halting{HaltKind::failed, Role::reviewer, "why"}, true};
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

TEST_CASE(
    "step 6, acceptance: the log has transitions, tool calls, prompts and errors with times") {
  Plan p = Plan::opened();
  p.request_review(), p.request_changes("no"), p.ask_user("?");
  p.orchestrator(ReportError{"x"});
  for (const std::string& text : p.log) {
    const Json json = *parse_json(text);
    const auto& object = json.as_object();
    CHECK_FALSE(object.at("ts").as_string().empty());
    CHECK_FALSE(object.at("type").as_string().empty());
  }
  const Json json = *parse_json(p.log.at(2));
  CHECK(json.at("type").as_string() == "coder.request_review");
  CHECK(json.at("payload").at("then").at("state").as_string() == "reviewer_active");
}

TEST_CASE("damaged and newer events are refused with the member's name") {
  Draft draft = encode(Event{"codex", "claude", 1, ChangesRequested{1, "1", "x", 1}});
  draft.payload["count"] = "many";
  CHECK(decode(line_of(draft)).error().what.find("count") != std::string::npos);
  draft.type = "reviewer.shrug";
  CHECK(decode(line_of(draft)).error().exit == Exit::damaged);
}

TEST_CASE("the story, the runs and the notes are kept short") {
  Policy policy = test_policy();
  policy.max_change_requests = 1000;
  Plan p = Plan::opened(policy);
  for (int i = 0; i < 120; ++i) p.request_review(), p.request_changes();
  CHECK(p.state.actions.size() == 12);
  CHECK(p.state.runs.size() == 100);
  CHECK(p.state.notes.size() == 60);
  CHECK(p.state.current()->number == 241);
}

}  // namespace
}  // namespace pf::plan
