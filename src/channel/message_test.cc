#include "channel/message.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

namespace pf {

TEST_CASE("messages come back as they were, on one line") {
  const Ask ask{"pass", {{"summary", {"costs $5 \"now\"\n\xc3\xa4"}}, {"no-findings", {}}}, true};
  const std::string line = line_of(ask);
  CHECK(line.find('\n') == line.size() - 1);
  const auto again = parse_ask(line);
  REQUIRE(again);
  CHECK(again->verb == "pass");
  REQUIRE(again->options.size() == 2);
  CHECK(again->options[0].values == ask.options[0].values);
  CHECK(again->options[1].values.empty());
  CHECK(again->json);
  const auto answered = parse_answered(line_of(Answered{3, "out\n", "err\n"}));
  REQUIRE(answered);
  CHECK(answered->exit == 3);
  CHECK(answered->err == "err\n");
}

TEST_CASE("anything else is refused, and crashes nobody") {
  for (const char* text : {"", "{", "[]", "7", "{\"verb\":7}", "{\"options\":[1]}"})
    CHECK_MESSAGE(!parse_ask(text).has_value(), text);
  CHECK(rc::check(
      [](const std::string& text) { (void)parse_ask(text), (void)parse_answered(text); }));
}

}  // namespace pf
