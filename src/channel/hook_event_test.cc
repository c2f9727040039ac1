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

TEST_CASE("the use of a tool is a sign of life, and nothing else is") {
  const Ask used{"hook", {{"event", {"PreToolUse"}}, {"text", {"Bash"}}, {"request", {"r"}}}};
  REQUIRE(sign_of_life(used));
  CHECK(sign_of_life(used)->text == "Bash");
  const auto with = [&](std::string name, std::vector<std::string> values) {
    Ask ask = used;
    ask.options.push_back({std::move(name), std::move(values)});
    return ask;
  };
  CHECK(sign_of_life(with("conversation", {"c"}))->conversation == "c");
  for (const Ask& ask :
       {with("event", {"Stop"}), with("event", {"UserPromptSubmit"}), with("id", {"x"}),
        with("text", {}), with("text", {"a", "b"}), with("text", {"\x1b[31m"}),
        with("conversation", {"\xff"}), with("text", {std::string(201, 'x')}),
        Ask{"pass", used.options}, Ask{"hook", {}}})
    CHECK_FALSE(sign_of_life(ask));
}

TEST_CASE("an agent is sent back by one JSON object, whatever the reason says") {
  const auto json = parse_json(sent_back("say \"pass\"\nor ask"));
  REQUIRE(json);
  CHECK(text_of(json->as_object(), "decision") == "block");
  CHECK(text_of(json->as_object(), "reason") == "say \"pass\"\nor ask");
}

}  // namespace pf
