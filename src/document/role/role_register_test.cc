#include "document/role/role_register.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>

#include "base/codec.h"
#include "base/text.h"
#include "base/time.h"
#include "document/role/handoff_note.h"

namespace pf::document {
namespace {

const std::string kDefaults =
    "{\n"
    "  \"plan_slug\": null,\n"
    "  \"current_role\": \"PLANNER\",\n"
    "  \"state\": \"in_progress\",\n"
    "  \"branch\": null,\n"
    "  \"msg\": \"Determine which feature/task should be worked on next\",\n"
    "  \"autopilot\": \"off\",\n"
    "  \"last_updated\": \"2026-02-21T12:00:00Z\"\n"
    "}\n";

RoleRegister full_register() {
  RoleRegister reg = default_register("2026-02-21T12:00:00Z");
  reg.plan_slug = "login";
  reg.branch = "feat/F001-login";
  reg.current_role = AgentRole::coder;
  reg.state = Lifecycle::handoff;
  reg.msg = "T01 is next\ndocs/current/T01-form.md";
  reg.run_id = "r-1", reg.last_agent = "PLANNER", reg.ci_status = CiStatus::green;
  reg.tests_passed = true;
  reg.artifacts = std::vector<std::string>{"logs/a.log", "b"};
  return reg;
}

// "key: rule", …
std::string wrong(std::string_view text) {
  const auto read = read_register(text);
  if (read) return "";
  std::vector<std::string> all;
  for (const FieldProblem& p : read.error()) all.push_back(p.key + "@" + std::to_string(p.line));
  return join(all, ", ");
}

TEST_CASE("the seed's defaults, byte for byte") {
  CHECK(render_register(default_register("2026-02-21T12:00:00Z")) == kDefaults);
  CHECK(read_register(kDefaults) == default_register("2026-02-21T12:00:00Z"));
}

TEST_CASE("every field survives, in the seed's order") {
  const std::string text = render_register(full_register());
  CHECK(read_register(text) == full_register());
  CHECK(render_register(*read_register(text)) == text);
  const std::string end =
      "  \"run_id\": \"r-1\",\n  \"last_agent\": \"PLANNER\",\n  \"ci_status\": \"green\",\n"
      "  \"tests_passed\": true,\n  \"artifacts\": [\n    \"logs/a.log\",\n    \"b\"\n  ]\n}\n";
  CHECK(text.ends_with(end));
}

TEST_CASE("unknown fields stay where they were, as they were written") {
  const std::string text =
      "\xEF\xBB\xBF{\"note\": 1.50, \"msg\": \"x\", \"team\": {\"a\": [1,  2]},\r\n"
      "\"state\": \"in_progress\", \"plan_slug\": null, \"current_role\": \"CODER\",\n"
      "\"branch\": null, \"last_updated\": \"2026-02-21T12:00:00+01:00\", \"end\": \"}\\\"\"}";
  const auto reg = read_register(text);
  REQUIRE(reg);
  CHECK(render_register(*reg) ==
        "{\n  \"note\": 1.50,\n  \"plan_slug\": null,\n  \"current_role\": \"CODER\",\n"
        "  \"state\": \"in_progress\",\n  \"branch\": null,\n  \"msg\": \"x\",\n"
        "  \"team\": {\"a\": [1,  2]},\n  \"last_updated\": \"2026-02-21T12:00:00+01:00\",\n"
        "  \"end\": \"}\\\"\"\n}\n");
  CHECK(read_register(render_register(*reg))->foreign == reg->foreign);
}

TEST_CASE("what is wrong is named with key, value, rule, line and fix") {
  std::string text = kDefaults;
  text.replace(text.find("in_progress"), 11, "In-Progress");
  const auto read = read_register(text);
  REQUIRE_FALSE(read);
  const Problem problem = read.error().at(0).problem();
  CHECK(problem.line == 4);
  CHECK(
      problem.what ==
      "state is \"In-Progress\", but it must be one of init, in_progress, handoff, blocked, done");
  CHECK(problem.fix == "write \"in_progress\"");
  CHECK(wrong("") == "@1");
  CHECK(wrong("{\n\"a\": 1,\n}\n") == "@3");
  CHECK(wrong("[]") == "@1");
  CHECK(wrong("{\"state\": 1, \"state\": 2}") == "@1");
  CHECK(wrong(std::string(70'000, ' ') + kDefaults) == "@1");
  const auto misspelt = read_register("{\"plan_slg\": null}");
  CHECK(misspelt.error().at(0).fix == "write \"plan_slug\" instead of \"plan_slg\"");
  CHECK(misspelt.error().size() == 6);
}

TEST_CASE("rules that join two keys") {
  RoleRegister reg = default_register("2026-02-21T12:00:00Z");
  const auto key = [](const RoleRegister& r) { return wrong(render_register(r)); };
  reg.state = Lifecycle::init;
  CHECK(key(reg).empty());
  reg.current_role = AgentRole::coder;
  CHECK(key(reg) == "current_role@3");
  reg.state = Lifecycle::done;
  CHECK(key(reg) == "current_role@3");
  reg.state = Lifecycle::blocked, reg.msg = " ";
  CHECK(key(reg) == "msg@6");
  reg = full_register();
  reg.plan_slug.reset();
  CHECK(key(reg) == "branch@5");
  reg.plan_slug = "logout";
  CHECK(key(reg) == "branch@5");
  reg.plan_slug = "f001-login";
  CHECK(key(reg).empty());
}

TEST_CASE("notes are short and hold no code") {
  const auto line = [](std::size_t n) { return std::string(n, 'a'); };
  std::string twelve;
  for (int i = 0; i < 12; ++i) twelve += "line\n";
  CHECK_FALSE(note_problem(twelve));
  CHECK(note_problem(twelve + "x").value().find("12 lines") != std::string::npos);
  CHECK_FALSE(note_problem(line(200)));
  CHECK(note_problem(line(201)));
  CHECK_FALSE(note_problem("see `src/a.cc`, T01; - one\n+ two"));
  CHECK(note_problem("x\n  ```cpp").value() == "it must have no code fence (its line 2)");
  CHECK(note_problem("diff --git a/x b/x"));
  CHECK(note_problem("@@ -1,2 +1,3 @@ int main"));
  CHECK(note_problem("--- a/x\n+++ b/x"));
  CHECK_FALSE(note_problem("--- one\ntwo"));
  CHECK(note_problem("bell\a"));
  std::string umlauts;
  for (int i = 0; i < 200; ++i) umlauts += "ü";
  CHECK_FALSE(note_problem(umlauts));
}

TEST_CASE("times are ISO-8601 with a zone") {
  for (const auto* good :
       {"2026-02-21T12:34:56Z", "2026-02-21T12:34:56.789+05:30", "2024-02-29T23:59:60-00:00"})
    CHECK_MESSAGE(is_iso8601(good), good);
  for (const auto* bad :
       {"", "<NOW>", "2026-02-21", "2026-02-21 12:34:56Z", "2026-02-21T12:34:56",
        "2026-02-30T12:34:56Z", "2026-13-01T12:34:56Z", "2026-02-21T24:00:00Z",
        "2026-02-21T12:34:56.Z", "2026-02-21T12:34:56Zx", "2026-02-21T12:34:56+1:00"})
    CHECK_MESSAGE(!is_iso8601(bad), bad);
}

// One value of a sound register made wrong, in a way that is wrong for it by itself.
std::string corrupted(std::mt19937& dice, std::string& key) {
  const auto pick = [&](const std::vector<std::string>& from) {
    return from[std::uniform_int_distribution<std::size_t>(0, from.size() - 1)(dice)];
  };
  static constexpr std::array kAll = {"plan_slug",  "current_role", "state",        "branch",
                                      "msg",        "autopilot",    "last_updated", "run_id",
                                      "last_agent", "ci_status",    "tests_passed", "artifacts"};
  key = kAll[std::uniform_int_distribution<std::size_t>(0, kAll.size() - 1)(dice)];
  std::vector<std::string> values = {"17", "-0.5", "{}", "[1]", "[[]]", "{\"a\": \"b\"}"};
  const bool names = key != "msg" && key != "run_id" && key != "last_agent";
  if (key != "plan_slug" && key != "branch") values.emplace_back("null");
  if (key != "tests_passed") values.insert(values.end(), {"true", "false"});
  if (names)
    values.insert(values.end(),
                  {"\"\"", "\"?\"", "\"coder\"", "\"DONE\"", "\"2026-02-31T00:00:00Z\"", "\"main\"",
                   "\"feat/F1-x\"", "\"a b\"", "\"tab\\t\"", "\"\\u0007\""});
  else
    values.insert(values.end(),
                  {"\"\\u001b[31m\"", "\"\\r\"", "\"" + std::string(201, 'x') + "\""});
  if (key == "artifacts") values.insert(values.end(), {"[\"\"]", "[\"a\", 1]", "[\"a\\nb\"]"});
  if (key == "msg")
    values.insert(values.end(),
                  {"\"```\"", "\"1\\n2\\n3\\n4\\n5\\n6\\n7\\n8\\n9\\n10\\n11\\n12\\n13\"",
                   "\"diff --git a b\"", "\"@@ -1 +1 @@\""});
  if (key == "plan_slug") std::erase(values, "\"main\""), std::erase(values, "\"coder\"");
  std::string out;
  const Json whole = *parse_json(render_register(full_register()));
  for (const auto& [name, value] : whole.get_object()) {
    const std::string text = name == key ? pick(values) : dump(value);
    out += fmt::format("{}\"{}\":{}", out.empty() ? "{" : ",\n", std::string_view(name), text);
  }
  return out + "}";
}

TEST_CASE("two hundred corruptions are each refused with the right key") {
  std::mt19937 dice(6);
  for (int i = 0; i < 200; ++i) {
    std::string key;
    const std::string text = corrupted(dice, key);
    const auto read = read_register(text);
    REQUIRE_MESSAGE(!read, text);
    CHECK_MESSAGE(read.error().size() == 1, text);
    CHECK_MESSAGE(read.error()[0].key == key, text);
    CHECK_FALSE(read.error()[0].rule.empty());
    CHECK_FALSE(read.error()[0].fix.empty());
    CHECK(text.find(read.error()[0].value.substr(0, 5)) != std::string::npos);
  }
}

TEST_CASE("a register cut anywhere is refused, never misread") {
  const std::string text = render_register(full_register());
  for (std::size_t i = 0; i + 2 < text.size(); ++i) CHECK_FALSE(read_register(text.substr(0, i)));
}

}  // namespace
}  // namespace pf::document
