#include <algorithm>
#include <utility>

#include "agents/launch_parts.h"
#include "agents/stream.h"

// Any program, as the configuration describes it.
namespace pf {
namespace {

bool mentions(const std::vector<std::string>& words, std::string_view name) {
  return std::ranges::any_of(words, [&](const std::string& word) { return word.contains(name); });
}

// The configured words with their {names} filled in. One that is {prompt} alone is left out when
// there is nothing to say yet. A headless program that does not mention the prompt reads it.
Result<AgentLaunch> plan_custom(const AgentSettings& agent, const LaunchContext& context) {
  AgentLaunch launch = TRY(configured_command(agent, context.headless));
  const std::vector<std::string>& again = context.headless ? agent.headless_resume : agent.resume;
  const std::vector<std::string> words =
      context.continues && !again.empty() ? again : std::exchange(launch.argv, {});
  launch.argv.clear();
  const Fillings fillings = usual_fillings(context);
  for (const std::string& word : words)
    if (word != "{prompt}" || !context.prompt.empty())
      launch.argv.push_back(filled_in(word, fillings));
  const bool told = mentions(words, "{prompt}");
  if (context.headless && !told) launch.input = context.prompt;
  launch.takes_prompt = context.headless || told;
  // Without a template there is nothing by which it could be continued.
  if (!again.empty()) launch.conversation = context.conversation;
  return launch;
}

}  // namespace

extern constexpr AgentKind kCustom = {
    {.name = "custom", .takes_templates = true}, plan_custom, [](const AgentKind&) {
      return std::make_unique<StreamLines>();
    }};

}  // namespace pf
