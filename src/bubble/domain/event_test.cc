#include "bubble/domain/event.h"

#include "base/fields_check.h"
#include "bubble/domain/testing.h"

namespace pf::bubble {
namespace {

using namespace testing;
using pf::testing::line_of;

// With all that any event may carry.
template <class B>
void round_trip(B body) {
  Event event{"codex", "claude", 3, std::move(body)};
  Finding finding;
  finding.id = FindingId("F1.1");
  finding.title = "quote \" backslash \\ tab \t";
  finding.confirmed = true;
  event.ledger = {finding};
  event.tell = {kCodex};
  event.relaunch = {kClaude, kCodex};
  event.clears = true;
  event.then = Standing{Phase::running, 4, 8, {kCodex, kClaude}, kCodex, Role::implementer};
  event.refs = {"artifact://diff/round-3.patch"};
  CHECK(pf::testing::read_back(event, decode).refs == event.refs);
}

TEST_CASE("nothing of an event or of the state is left out of the journal and the snapshot") {
  pf::testing::each_alternative<Body>([](auto body) {
    if constexpr (std::same_as<decltype(body), Passed>) body.role = Role::reviewer;
    pf::testing::check_fields(body);
  });
  pf::testing::check_fields(StateFields{});
  pf::testing::check_fields(Standing{});
}

TEST_CASE("every kind of event survives the codec, empty and with an outcome") {
  pf::testing::each_alternative<Body>([](auto body) { round_trip(std::move(body)); });
}

TEST_CASE("what the transcript shows: the specification's keys and types") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.review({"P1:one"});
  const Json line = *parse_json(b.log.back());
  const auto& object = line.as_object();
  std::string keys;
  for (const auto& [key, value] : object) keys += std::string(key) + " ";
  CHECK(keys.starts_with("id ts bubble_id sender recipient type round payload refs seq left prev"));
  CHECK(object.at("type").as_string() == "PASS");
  const auto& payload = object.at("payload").as_object();
  CHECK(payload.at("pass_intent").as_string() == "fix_request");
  CHECK(payload.at("findings").as_array().size() == 1);
  CHECK(payload.at("findings").at(0).at("severity").as_string() == "P1");
}

TEST_CASE("a batch counts down and carries its request") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.review({"P2:x"});
  const Line first = *decode_line(b.log[b.log.size() - 2]);
  const Line second = *decode_line(b.log.back());
  CHECK(first.left == 1);
  CHECK(second.left == 0);
  CHECK(first.request == second.request);
  CHECK(b.state.requests.find(first.request) != nullptr);
  CHECK(b.state.requests.find(first.request)->before.seq == Seq{number(first.seq) - 1});
}

TEST_CASE("a refused request is not taken for a done one") {
  Bubble b = Bubble::running();
  CHECK(b.implement(kBase).warned);
  CHECK(b.state.requests.find(decode_line(b.log.back())->request) == nullptr);
}

TEST_CASE("damaged and newer events are refused with the member's name") {
  Draft draft = encode(Event{"human", "both", 1, Waived{FindingId("F1.1"), "x"}});
  draft.payload["event"] = "from_the_future";
  CHECK(decode(line_of(draft)).error().exit == Exit::damaged);
  draft = encode(Event{"human", "both", 1, Waived{FindingId("F1.1"), "x"}});
  draft.payload["finding"] = 7;
  CHECK(decode(line_of(draft)).error().what.find("finding") != std::string::npos);
  draft = encode(Event{"codex", "human", 1, Asked{}});
  draft.payload["kind"] = "riddle";
  CHECK(decode(line_of(draft)).error().what.find("riddle") != std::string::npos);
  draft.payload["kind"] = "ask";
  draft.type = "NOISE";
  CHECK_FALSE(decode(line_of(draft)));
}

TEST_CASE("the story and the deliveries are kept short") {
  Bubble b = Bubble::running();
  b.implement(1);
  for (int i = 0; i < 40; ++i) b.evidence(EvidenceStatus::green);
  CHECK(b.state.actions.size() == 12);
  CHECK(b.state.agent(kClaude)->deliveries.size() == 8);
  CHECK(b.state.agent(kClaude)->deliveries.back().message == b.state.last_seq);
}

}  // namespace
}  // namespace pf::bubble
