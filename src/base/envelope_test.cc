#include "base/envelope.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "base/hash.h"
#include "base/ids.h"

namespace pf {
namespace {

Line example() {
  Line line;
  line.id = message_id({1771677296000}, Seq{7});
  line.ts = iso8601({1771677296000});
  line.loop_id = "b_legal_search_01";
  line.draft = {"codex", "claude", "PASS", 3, {{"summary", "done"}}, {"artifact://x"}};
  line.seq = Seq{7};
  line.left = 1;
  line.prev = hash_of("before");
  line.request = RequestId("r1");
  line.moment = {"abcd1234", 99};
  return line;
}

}  // namespace

TEST_CASE("an envelope has the seed's keys in the seed's order, then ours") {
  const std::string text = encode_line(example());
  std::size_t last = 0;
  for (const char* key : {"id", "ts", "bubble_id", "sender", "recipient", "type", "round",
                          "payload", "refs", "seq", "left", "prev", "req", "clock"}) {
    const auto at = text.find(std::string("\"") + key + "\":");
    REQUIRE_MESSAGE(at != std::string::npos, key);
    CHECK_MESSAGE(at >= last, key);
    last = at;
  }
  CHECK(text.find('\n') == std::string::npos);
  CHECK(example().id.str() == "msg_20260221_007");
  CHECK(example().ts == "2026-02-21T12:34:56Z");
}

TEST_CASE("an envelope survives its text") {
  CHECK(rc::check([](const std::string& summary, std::uint16_t seq, std::uint8_t left) {
    Line line = example();
    line.seq = Seq{static_cast<std::uint64_t>(seq) + 1};
    line.left = left;
    line.draft.payload["n"] = summary.size();
    const auto again = decode_line(encode_line(line));
    RC_ASSERT(again.has_value());
    RC_ASSERT(encode_line(*again) == encode_line(line));
    RC_ASSERT(again->moment == line.moment);
  }));
}

TEST_CASE("what is no envelope is refused with a reason") {
  for (const char* text : {"", "[]", "{}", "null", "{\"id\":1}", "{\"a\":", "\xff"}) {
    const auto line = decode_line(text);
    REQUIRE_FALSE(line.has_value());
    CHECK(line.error().exit == Exit::damaged);
    CHECK_FALSE(line.error().what.empty());
  }
  std::string zero = encode_line(example());
  zero.replace(zero.find("\"seq\":7"), 7, "\"seq\":0");
  CHECK_FALSE(decode_line(zero).has_value());
}

TEST_CASE("ids follow their patterns") {
  for (const char* good : {"abc", "b_legal_search_01", "a-1"}) CHECK(parse_bubble_id(good));
  for (const char* bad : {"", "ab", "Abc", "1abc", "a/b", "../x", "a b", "abc\n",
                          "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}) {
    const auto id = parse_bubble_id(bad);
    REQUIRE_FALSE(id.has_value());
    CHECK(id.error().exit == Exit::usage);
  }
  CHECK(parse_agent_name("codex"));
  for (const char* bad : {"", "human", "orchestrator", "both", "Codex", "a b"})
    CHECK_FALSE(parse_agent_name(bad).has_value());
}

TEST_CASE("times in words") {
  CHECK(human_duration(std::chrono::seconds(59)) == "59s");
  CHECK(human_duration(std::chrono::seconds(250)) == "4m 10s");
  CHECK(human_duration(std::chrono::minutes(125)) == "2h 5m");
  CHECK(human_duration(std::chrono::hours(76)) == "3d 4h");
  CHECK(human_duration(std::chrono::seconds(-5)) == "0s");
  CHECK(parse_iso8601(iso8601({1771677296000})) == WallTime{1771677296000});
}

}  // namespace pf
