// Whatever stands in a file: it is read without a crash, and saving changes nothing else.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <random>

#include "base/codec.h"
#include "base/seeds.h"
#include "document/plan/plan_document.h"

namespace pf::document {
namespace {

void must(bool condition, const std::string& what) {
  if (!condition) throw std::logic_error(what);
}

// Documents out of the pieces that decide something, in any order.
class Writer {
 public:
  explicit Writer(unsigned seed) : dice_(seed) {}
  int at_most(int n) { return std::uniform_int_distribution<int>(0, n)(dice_); }
  bool chance(int percent) { return at_most(99) < percent; }

  std::string bytes(int most) {
    std::string out;
    for (int i = at_most(most); i > 0; --i) out += static_cast<char>(at_most(255));
    return out;
  }
  std::string scraps(int most) {
    static constexpr std::array<std::string_view, 30> kScraps = {"---\n",
                                                                 "---",
                                                                 "...\n",
                                                                 "\n",
                                                                 "\r\n",
                                                                 "active_step:",
                                                                 " 1",
                                                                 " \"2\"",
                                                                 "#",
                                                                 "## Step 1: a\n",
                                                                 "- ",
                                                                 "  ",
                                                                 "Step 2",
                                                                 ": ",
                                                                 "\t",
                                                                 "```\n",
                                                                 "[",
                                                                 "]",
                                                                 "{",
                                                                 "}",
                                                                 "&a ",
                                                                 "*a",
                                                                 "!!str ",
                                                                 "|\n",
                                                                 "'",
                                                                 "step_status:\n",
                                                                 "\xEF\xBB\xBF",
                                                                 "\xff",
                                                                 "1. x\n",
                                                                 "Acceptance:\n"};
    std::string out;
    for (int i = at_most(most); i > 0; --i) {
      out += kScraps[static_cast<std::size_t>(at_most(kScraps.size() - 1))];
      if (chance(3)) out += bytes(3);
    }
    return out;
  }

  // A sound plan of five steps with other keys, comments and either line end.
  std::string plan() {
    end_ = chance(50) ? "\r\n" : "\n";
    std::string out = chance(30) ? "\xEF\xBB\xBF" : "";
    if (chance(80)) {
      std::vector<std::string> keys;
      if (chance(80)) keys.push_back(active_line());
      if (chance(50)) keys.push_back("title: \"ünï: code\" # why not");
      if (chance(50)) keys.push_back("tags: [a, 'b', \"c\"]   ");
      if (chance(30)) keys.push_back("text: |" + end_ + "  active_step: 9" + end_ + "  ---");
      if (chance(30)) keys.push_back("# active_step: 4");
      if (chance(40)) keys.push_back(status_lines());
      std::ranges::shuffle(keys, dice_);
      out += "---" + end_;
      for (const auto& key : keys) out += key + end_;
      out += "---" + end_;
    }
    for (int i = 1; i <= 5; ++i)
      out += fmt::format("## Step {}: part {}{}text {}{}{}", i, i, end_, at_most(99), end_,
                         chance(30) ? "```" + end_ + "## Step 9" + end_ + "```" + end_ : "");
    if (chance(50)) out += "active_step: 3";  // no line end, no frontmatter
    return out;
  }

 private:
  std::string active_line() {
    static constexpr std::array<std::string_view, 8> kForms = {
        "active_step: {}",      "active_step: \"{}\"", "active_step:   '{}' # now",
        "active_step: step-{}", "\"active_step\": {}", "active_step: part-{}",
        "active_step: # {}",    "active_step:"};
    const auto form = kForms[static_cast<std::size_t>(at_most(kForms.size() - 1))];
    return fmt::format(fmt::runtime(form), 1 + at_most(4));
  }
  std::string status_lines() {
    if (chance(30)) return "step_status: {1: pending, \"2\": 'done'}";
    std::string out = "step_status: # of the steps";
    for (int i = 1; i <= 5; ++i)
      if (i == 1 || chance(70))
        out += fmt::format("{}  {}{}: {}", end_, chance(30) ? "step-" : "", i,
                           chance(50) ? "pending # x" : "\"done\"");
    return out;
  }

  std::mt19937 dice_;
  std::string end_ = "\n";
};

// The lines that hold neither of our two keys nor an entry of the map.
std::string others(std::string_view text) {
  std::string out;
  bool in_map = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto newline = std::min(text.find('\n', at), text.size() - 1);
    const std::string_view line = text.substr(at, newline + 1 - at);
    at = newline + 1;
    const bool entry = in_map && line.starts_with("  ");
    in_map = line.starts_with("step_status") || entry;
    if (!in_map && line.find("active_step\":") == std::string_view::npos &&
        !line.starts_with("active_step:"))
      out += line;
  }
  return out;
}

std::string anything(Writer& writer) {
  std::string text = writer.chance(50) ? writer.scraps(60) : writer.bytes(200);
  if (writer.chance(50)) text = "---\n" + text + "\n---\n## Step 1\n## Step 2\n";
  return text;
}

TEST_CASE("the loader and the validators take any bytes") {
  CHECK(rc::check([&] {
    Writer writer(pf::testing::any_seed());
    for (int i = 0; i < 20; ++i) {
      const std::string text = anything(writer);
      const auto plan = read_plan(text);
      validate_plan(text), validate_spec(text);
      if (!plan) must(plan.error().line >= 1 && !plan.error().what.empty(), "a refusal says why");
      for (const auto* step : {"1", "2"})
        if (const auto saved = rewrite_plan(text, {step, {}})) {
          must(read_plan(*saved)->active == step, "what was saved is read");
          must(*rewrite_plan(*saved, {step, {}}) == *saved, "saving twice changes nothing");
        }
    }
  }));
  int read = 0;
  for (const unsigned seed : pf::testing::known_seeds()) {
    Writer writer(seed);
    for (int i = 0; i < 20; ++i) read += read_plan(anything(writer)).has_value();
  }
  CHECK(read > 0);
}

TEST_CASE("a mebibyte of anything is read in time") {
  for (const std::string_view unit : {"- Step 1: x\n",
                                      "## Step 1\n",
                                      "[",
                                      "{",
                                      "- ",
                                      "1. x\n",
                                      "```\n",
                                      "a: b\n",
                                      "? ",
                                      "\n",
                                      "Acceptance:\n",
                                      "<!--",
                                      "&a *a ",
                                      "  - Acceptance: x\n",
                                      "> ",
                                      ">",
                                      "1. ",
                                      "- [ ] x\n",
                                      "**Step 1:** x\n",
                                      "**Step 1:** x\n\n",
                                      "## 1. x\n1. y\n",
                                      "a|b\n-|-\n",
                                      "|",
                                      "*a_",
                                      "`",
                                      "<!A",
                                      "![[",
                                      "Step 1: x\n---\n",
                                      "## Phase 1\n### Task 1\n- Step 1: x\n1. y\n",
                                      "  - ```x\n",
                                      "ä",
                                      "- a\n  <!--\n"}) {
    std::string text;
    while (text.size() + unit.size() <= std::size_t{1} << 20) text += unit;
    read_plan(text), validate_plan(text), validate_spec(text);
    const std::string inner = text.substr(0, 60 * 1024);
    read_plan("---\n" + inner + "\n---\n");
  }
}

TEST_CASE("save(load(x)): every byte but the value stays") {
  CHECK(rc::check([] {
    Writer writer(pf::testing::any_seed());
    const std::string text = writer.plan();
    const auto plan = read_plan(text);
    must(plan.has_value() && plan->steps.size() == 5, "a sound plan");
    must(*rewrite_plan(text, {plan->active, {}}) == text || !plan->named,
         "what it says already stays");
    const std::string wanted = std::to_string(1 + writer.at_most(4));
    const auto saved = rewrite_plan(text, {wanted, {}});
    must(saved.has_value(), "it can be saved");
    must(read_plan(*saved)->active == wanted, "it is read back");
    if (!plan->named) return;
    // One place differs, and it is no longer than the value.
    const auto front = std::ranges::mismatch(text, *saved).in1 - text.begin();
    const auto rest = std::string_view(text).substr(static_cast<std::size_t>(front));
    constexpr std::size_t kLongestValue = 6;
    must(rest.size() <= kLongestValue ||
             saved->ends_with(rest.substr(std::min(rest.size(), kLongestValue))),
         "nothing behind the value differs");
  }));
}

TEST_CASE("other keys, comments, order and line ends survive a hundred status changes") {
  CHECK(rc::check([] {
    Writer writer(pf::testing::any_seed());
    std::string text = *rewrite_plan(writer.plan(), {"1", {}});
    const std::string before = others(text);
    for (int i = 0; i < 100; ++i) {
      const std::string step = std::to_string(1 + writer.at_most(4));
      const auto status = static_cast<StepStatus>(writer.at_most(2));
      const auto saved = rewrite_plan(text, {step, {{step, status}}});
      must(saved.has_value(), "it can be saved");
      const auto plan = read_plan(*saved);
      must(plan->active == step, "the step is read back");
      if (!plan->marks.empty()) must(plan->mark_of(step) == status, "the status is read back");
      text = *saved;
    }
    must(others(text) == before, "every other line is as it was");
    must((text.find('\r') == std::string::npos) == (before.find('\r') == std::string::npos),
         "one kind of line end");
  }));
}

}  // namespace
}  // namespace pf::document
