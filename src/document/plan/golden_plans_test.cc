// Plans as people write them, with the steps that a person would name: tests/golden/plans.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "document/plan/plan_document.h"

namespace pf::document {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string listed(const StepsRead& way) {
  std::string out = way.form + "\n";
  for (const Step& step : way.steps) {
    out += fmt::format("{} {}{}\n", step.id, step.title, step.checked ? " (ticked)" : "");
    for (const std::string& criterion : step.acceptance) out += fmt::format("  - {}\n", criterion);
  }
  return out;
}

// What is found: one family, or each one that is asked about, and what is wrong.
std::string found_in(const std::string& text) {
  const auto plan = read_plan(text);
  REQUIRE(plan);
  std::string out;
  for (const StepsRead& way : plan->ways) out += "ask " + listed(way);
  if (!plan->ways.empty()) return out;
  out = plan->steps.empty() ? "none\n" : listed({plan->form, plan->count, plan->steps});
  for (const Problem& problem : validate_plan(text))
    out += fmt::format("! line {}: {}\n", problem.line, problem.what);
  return out;
}

std::vector<fs::path> golden_plans() {
  std::vector<fs::path> plans;
  for (const auto& entry :
       fs::directory_iterator(fs::path(PAIRFLOW_SOURCE_DIR) / "tests/golden/plans"))
    if (entry.path().extension() == ".md") plans.push_back(entry.path());
  std::ranges::sort(plans);
  return plans;
}

TEST_CASE("plans in the shapes of the wild have the steps that a person would name") {
  const auto plans = golden_plans();
  CHECK(plans.size() >= 40);
  std::size_t is_long = 0, asked = 0;
  for (const fs::path& path : plans) {
    CAPTURE(path.filename().string());
    const std::string text = text_of(path);
    const std::string found = found_in(text);
    CHECK(found == text_of(fs::path(path).replace_extension(".steps")));
    is_long += std::ranges::count(text, '\n') >= 100;
    asked += found.starts_with("ask ");
  }
  CHECK(is_long >= 10);
  CHECK(asked >= 5);
}

TEST_CASE("a plan that was asked about is read by the user's word, and stays so when it is saved") {
  for (const fs::path& path : golden_plans()) {
    CAPTURE(path.filename().string());
    const std::string text = text_of(path);
    const auto ways = read_plan(text)->ways;
    if (!ways.empty()) CHECK(validate_plan(text).size() == 1);
    for (const StepsRead& way : ways) {
      const auto form = form_meant(text, word_for(ways, way));
      REQUIRE(form);
      CHECK(*form == way.form);
      CHECK(validate_plan(text, *form).empty());
      const std::string last = way.steps.back().id;
      const auto saved = rewrite_plan(text, {last, {}}, *form);
      REQUIRE(saved);
      const auto again = read_plan(*saved, *form);
      CHECK(again->active == last);
      CHECK(again->steps.size() == way.count);
      CHECK(saved->ends_with(text.substr(text.starts_with("\xEF\xBB\xBF") ? 3 : 0)));
    }
  }
}

}  // namespace
}  // namespace pf::document
