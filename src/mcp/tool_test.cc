#include "mcp/tool.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "verbs/verbs.h"

namespace pf::mcp {
namespace {

// One parameter of every kind.
constexpr ObjectForm kPair{
    [] { return JsonArray{JsonObject{{"type", "object"}}}; },
    [](const JsonObject& object) -> Result<std::string> { return dump(object); }};
constexpr Verb kSample(
    "do-it", Audience::agent, nullptr, "Does it.", "",
    {{"id", Type::word, "which"},
     {"long-text", Type::text, "a text; - reads it", true, false, 99, {.help = "a text"}},
     {"word", Type::word, "a word"},
     {"count", Type::number, "how many"},
     {"dry-run", Type::flag, "only look"},
     {"tag", Type::word, "a tag", false, true, kMaxText, {.name = "tags"}},
     {"pair", Type::text, "a=b", false, true, 9, {"pairs", "some pairs", &kPair}}});

const Verb& verb_named(std::string_view name) {
  const Verb* verb = find_verb(verbs(), "", name);
  REQUIRE_MESSAGE(verb != nullptr, name);
  return *verb;
}

std::string reason(const Verb& verb, std::string_view arguments) {
  const auto args = args_of(verb, parse_json(arguments).value().get_object());
  REQUIRE_MESSAGE(!args.has_value(), arguments);
  CHECK(args.error().exit == Exit::usage);
  return args.error().what;
}

TEST_CASE("a row becomes a tool with its schema") {
  const std::string expected =
      R"({"name":"do_it","description":"Does it.","inputSchema":{"type":"object","properties":{)"
      R"("long_text":{"type":"string","maxLength":99,"description":"a text"},)"
      R"("word":{"type":"string","description":"a word"},)"
      R"("count":{"type":"integer","minimum":1,"maximum":9999,"description":"how many"},)"
      R"("dry_run":{"type":"boolean","description":"only look"},)"
      R"("tags":{"type":"array","items":{"type":"string"},"maxItems":50,"description":"a tag"},)"
      R"("pairs":{"type":"array","items":{"anyOf":[{"type":"object"},)"
      R"({"type":"string","maxLength":9,"description":"a=b"}]},"maxItems":50,"description":"some pairs"}},)"
      R"("required":["long_text"],"additionalProperties":false},)"
      R"("annotations":{"readOnlyHint":false,"destructiveHint":false,"openWorldHint":false}})";
  CHECK(dump(tool_of(kSample)) == expected);
}

TEST_CASE("arguments become the options of the row") {
  const auto args = args_of(kSample, parse_json(R"({"long_text":"-","count":12,"dry_run":true,
    "tags":["a","-"],"pairs":["a=b",{"a":"b"}],"word":null})")
                                         .value()
                                         .get_object());
  REQUIRE(args);
  CHECK(args->text("long-text") == "-");
  CHECK(args->number("count", 0) == 12);
  CHECK(args->has("dry-run"));
  CHECK(args->all("tag") == std::vector<std::string>{"a", "-"});
  CHECK(args->all("pair") == std::vector<std::string>{"a=b", "{\"a\":\"b\"}"});
  CHECK_FALSE(args->has("word"));
  const auto none = args_of(kSample, {{"dry_run", false}, {"tags", JsonArray{}}});
  REQUIRE(none);
  CHECK_FALSE(none->has("dry-run"));
  CHECK_FALSE(none->has("tag"));
}

TEST_CASE("what the schema does not allow is refused by name") {
  const Verb verb = kSample;
  CHECK(reason(verb, R"({"long_text":7})") == "long_text is not a string");
  CHECK(reason(verb, R"({"long_text":{}})") == "long_text is not a string");
  CHECK(reason(verb, R"({"count":"7"})") == "count is not a whole number");
  CHECK(reason(verb, R"({"count":7.5})") == "count is not a whole number");
  CHECK(reason(verb, R"({"dry_run":"yes"})") == "dry_run is not true or false");
  CHECK(reason(verb, R"({"tags":"a"})") == "tags is not an array");
  CHECK(reason(verb, R"({"tags":[["a"]]})") == "tags is not a string");
  CHECK(reason(verb, R"({"pairs":[7]})") == "pairs is not an object or a string");
  for (const char* name : {"id", "repo", "request", "json", "long-text", "tag", "LONG_TEXT", ""})
    CHECK(reason(verb, "{\"" + std::string(name) + "\":\"x\"}") ==
          "do_it has no argument '" + std::string(name) + "'");
}

TEST_CASE("the agents' verbs are tools, and no other") {
  const Table table = verbs();
  std::vector<std::string> names;
  for (const Verb& verb : each(table))
    if (is_tool(verb, "")) names.push_back(tool_name(verb));
  CHECK(names == std::vector<std::string>{"pass", "ask_human", "converged", "turn"});
  for (const Verb& verb : each(table))
    CHECK(is_tool(verb, "") == (verb.who == Audience::agent && verb.group.empty()));
}

TEST_CASE("no description speaks of standard input or files to read from") {
  const Table table = verbs();
  for (const Verb& verb : each(table))
    if (is_tool(verb, "")) {
      const std::string tool = dump(tool_of(verb));
      CHECK_MESSAGE(tool.find("standard input") == std::string::npos, tool);
      CHECK_MESSAGE(tool.find("or -") == std::string::npos, tool);
    }
}

TEST_CASE("every text arrives as it is") {
  const Verb pass = verb_named("pass");
  CHECK(rc::check([&](const std::string& summary, const std::vector<std::string>& fixed) {
    JsonArray list;
    for (const std::string& id : fixed) list.push_back(Json(id));
    const auto args = args_of(pass, {{"summary", summary}, {"fixed", list}, {"package", summary}});
    RC_ASSERT(args.has_value());
    RC_ASSERT(args->text("summary") == summary);
    RC_ASSERT(args->text("package") == summary);
    RC_ASSERT(args->all("fixed") == fixed);
  }));
}

}  // namespace
}  // namespace pf::mcp
