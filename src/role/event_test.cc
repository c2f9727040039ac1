#include "role/event.h"

#include "role/describe.h"
#include "role/testing.h"

namespace pf::role {
namespace {

using namespace testing;

Line line_of(Draft draft) {
  Line line;
  line.id = MessageId("msg_20260221_007");
  line.ts = "2026-02-21T12:00:00Z";
  line.loop_id = "role";
  line.draft = std::move(draft);
  line.seq = Seq{7};
  return line;
}

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
  event.then = Standing{Taken{"codex", Role::coder, ""}, Role::reviewer};
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
