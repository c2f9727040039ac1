#include "agents/enter.h"

#include <algorithm>

#include "base/codec.h"

namespace pf {

std::string text_of(const LaunchPlan& plan) { return dump(codec::encode(plan)) + "\n"; }

Result<LaunchPlan> parse_launch_plan(std::string_view text) {
  LaunchPlan plan;
  TRY(codec::decode(TRY(parse_json(text)), plan));
  if (plan.argv.empty()) return fail(Exit::damaged, "a launch plan without a program");
  return plan;
}

std::vector<std::string> variables_for(const LaunchPlan& plan,
                                       const std::vector<std::string>& all) {
  std::vector<std::string> kept;
  for (const std::string& entry : all) {
    const auto name = std::string_view(entry).substr(0, entry.find('='));
    const bool stays = std::ranges::any_of(plan.keep, [&](std::string_view pattern) {
      if (!pattern.ends_with('*')) return name == pattern;
      return name.starts_with(pattern.substr(0, pattern.size() - 1));
    });
    const bool replaced =
        std::ranges::find(plan.set, name, &LaunchPlan::Variable::name) != plan.set.end();
    if (stays && !replaced) kept.push_back(entry);
  }
  for (const auto& [name, value] : plan.set) kept.push_back(name + "=" + value);
  return kept;
}

}  // namespace pf
