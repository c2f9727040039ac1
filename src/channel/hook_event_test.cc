#include "channel/hook_event.h"

#include <doctest/doctest.h>

#include "base/json.h"

namespace pf {

using Kind = HookEvent::Kind;

TEST_CASE("what both programs tell by their hooks") {
  const auto prompt = parse_hook_event(
      R"({"session_id":"c-1","hook_event_name":"UserPromptSubmit","prompt":"[pairflow #3] go"})");
  REQUIRE(prompt);
  CHECK(prompt->kind == Kind::prompt);
  CHECK(prompt->conversation == "c-1");
  CHECK(prompt->text == "[pairflow #3] go");
  const auto kind_of = [](const char* text) { return parse_hook_event(text).value().kind; };
  CHECK(kind_of(R"({"hook_event_name":"PreToolUse","tool_name":"Bash"})") == Kind::tool);
  CHECK(kind_of(R"({"hook_event_name":"PermissionRequest"})") == Kind::dialog);
  CHECK(kind_of(R"({"hook_event_name":"Stop"})") == Kind::stop);
  CHECK(kind_of(R"({"hook_event_name":"SomethingNew"})") == Kind::other);
  CHECK(parse_hook_event(R"({"hook_event_name":"StopFailure","error":"overloaded"})")->text ==
        "overloaded");
}

TEST_CASE("anything else is no event") {
  for (const char* text : {"", "x", "[]", "{}", R"({"hook_event_name":3})", "{", "\xff"})
    CHECK_FALSE(parse_hook_event(text));
}

TEST_CASE("an event survives its way through the channel") {
  const HookEvent event = hook_event("Stop", "c", "bye");
  CHECK(event.kind == Kind::stop);
  CHECK(event.text == "bye");
}

TEST_CASE("an agent is sent back by one JSON object, whatever the reason says") {
  const auto json = parse_json(sent_back("say \"pass\"\nor ask"));
  REQUIRE(json);
  CHECK(text_of(json->as_object(), "decision") == "block");
  CHECK(text_of(json->as_object(), "reason") == "say \"pass\"\nor ask");
}

}  // namespace pf
