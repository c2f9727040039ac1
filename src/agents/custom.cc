#include <algorithm>

#include "agents/kinds.h"

namespace pf {
namespace {

bool mentions(const std::vector<std::string>& words, std::string_view name) {
  return std::ranges::any_of(words, [&](const std::string& word) { return word.contains(name); });
}

}  // namespace

// The configured words with their {names} filled in. One that is {prompt} alone is left out when
// there is nothing to say yet.
Result<AgentLaunch> plan_custom(const AgentSettings& agent, const LaunchContext& context) {
  AgentLaunch launch = TRY(configured_command(agent));
  const bool goes_on = context.continues && !agent.resume.empty();
  const std::vector<std::string> words = goes_on ? agent.resume : launch.argv;
  launch.argv.clear();
  const Fillings fillings = usual_fillings(context);
  for (const std::string& word : words)
    if (word != "{prompt}" || !context.prompt.empty())
      launch.argv.push_back(filled_in(word, fillings));
  launch.takes_prompt = mentions(words, "{prompt}");
  // Without a template there is nothing by which it could be continued.
  if (!agent.resume.empty()) launch.conversation = context.conversation;
  return launch;
}

}  // namespace pf
