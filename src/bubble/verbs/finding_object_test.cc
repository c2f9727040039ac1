#include "bubble/verbs/finding_object.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "base/codec.h"
#include "bubble/domain/ledger.h"

namespace pf {
namespace {

std::string text_or_reason(std::string_view json) {
  const auto text = finding_text(parse_json(json).value().get_object());
  if (text) return *text;
  CHECK(text.error().exit == Exit::usage);
  return text.error().why;
}

TEST_CASE("an object becomes what --finding takes") {
  CHECK(text_or_reason(R"({"severity":"P1","title":"Title"})") == "P1:Title");
  CHECK(text_or_reason(R"({"severity":"P3","title":"T","path":"src/a.cc"})") == "P3:T @src/a.cc");
  CHECK(text_or_reason(R"({"line":7,"path":"a","title":"T: u","severity":"P0"})") ==
        "P0:T: u @a:7");
  CHECK(text_or_reason(R"({"severity":"P1","title":"T","path":null,"line":null})") == "P1:T");
  CHECK(text_or_reason(R"({"repeat":"F1.2"})") == "F1.2");
}

TEST_CASE("an object that says too little, too much or something else is refused") {
  CHECK(text_or_reason("{}") == "severity is missing");
  CHECK(text_or_reason(R"({"severity":"P1"})") == "title is missing");
  CHECK(text_or_reason(R"({"title":"T"})") == "severity is missing");
  CHECK(text_or_reason(R"({"severity":"P4","title":"T"})") == "severity: unknown value 'P4'");
  CHECK(text_or_reason(R"({"severity":1,"title":"T"})") == "severity: not a name");
  CHECK(text_or_reason(R"({"severity":"P1","title":["T"]})") == "title: not a string");
  CHECK(text_or_reason(R"({"severity":"P1","title":"T","path":"a","line":0})") ==
        "a line is at least 1");
  CHECK(text_or_reason(R"({"severity":"P1","title":"T","path":"a","line":1.5})") ==
        "line: not a number in range");
  CHECK(text_or_reason(R"({"severity":"P1","title":"T","file":"a"})") ==
        "there is no member 'file'");
  CHECK(text_or_reason(R"({"repeat":"F1.2","severity":"P1","title":"T"})") ==
        "repeat stands alone");
  CHECK(text_or_reason(R"({"repeat":"P1:T"})") == "this is no finding's id");
  CHECK(text_or_reason(R"({"severity":"P1","title":"ask @them"})") ==
        "the title's end reads as a place: @them");
}

TEST_CASE("whatever the object says arrives exactly, or is refused") {
  const auto words = rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("ab  @@::.12\n\t/\"\\$\xc3\xa4")));
  CHECK(rc::check([&] {
    const std::string title = *words, path = *words, severity = *rc::gen::element("P0", "P2");
    const int line = *rc::gen::inRange(1, 100);
    JsonObject object{{"severity", severity}, {"title", title}};
    const bool placed = *rc::gen::arbitrary<bool>();
    if (placed) object["path"] = path, object["line"] = line;
    const auto text = finding_text(object);
    if (!text) return;
    const auto read = bubble::parse_reported(*text).value();
    RC_ASSERT(name_of(read.severity) == severity);
    RC_ASSERT(read.title == title);
    RC_ASSERT(read.path == (placed ? path : ""));
    RC_ASSERT(read.line == (placed ? line : 0));
  }));
}

TEST_CASE("the schema names the severities there are") {
  const JsonArray shapes = finding_schemas();
  const Json& severities = shapes.at(0).at("properties").at("severity").at("enum");
  const auto names = names_of(bubble::Severity{});
  REQUIRE(severities.get_array().size() == names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    CHECK(severities.at(i).get_string() == names[i].second);
}

}  // namespace
}  // namespace pf
