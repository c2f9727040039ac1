#include "plan/event.h"

#include "plan/describe.h"
#include "plan/testing.h"

namespace pf::plan {
namespace {

using namespace testing;

Line line_of(Draft draft) {
  Line line;
  line.id = MessageId("msg_20260221_007");
  line.ts = "2026-02-21T12:00:00Z";
  line.loop_id = "login";
  line.draft = std::move(draft);
  line.seq = Seq{7};
  return line;
}

template <class B>
void round_trip(B body) {
  Event event{"claude", "codex", 3, std::move(body)};
  event.steps = {{"1", "quote \" backslash \\ tab \t", StepStatus::needs_changes, 2}};
  event.write = RegisterWrite{{Hash("a"), Hash("b")}, "2", "1", {{"1", StepStatus::done}}};
  event.start = RunWanted{4, Role::reviewer, kCodex, "1", Why::review, "talk", true};
  event.then =
      Standing{Phase::error, "1", 4, Halting{HaltKind::failed, Role::reviewer, "why"}, true};
  const Line line = line_of(encode(event));
  const auto read = decode(*decode_line(encode_line(line)));
  REQUIRE(read);
  CHECK(std::holds_alternative<B>(read->body));
  CHECK(dump(encode(*read).payload) == dump(line.draft.payload));
  CHECK(read->seq == Seq{7});
  CHECK_FALSE(describe(*read).empty());
}

template <std::size_t... I>
void each(std::index_sequence<I...>) {
  (round_trip(std::variant_alternative_t<I, Body>{}), ...);
}

TEST_CASE("every kind of event survives the codec, empty and with an outcome") {
  each(std::make_index_sequence<std::variant_size_v<Body>>());
}

TEST_CASE(
    "step 6, acceptance: the log has transitions, tool calls, prompts and errors with times") {
  Plan p = Plan::opened();
  p.request_review(), p.request_changes("no"), p.ask_user("?");
  p.orchestrator(FileError{"x"});
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
