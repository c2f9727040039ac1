#include <fmt/format.h>

#include "agents/launch_parts.h"
#include "agents/scripted/player.h"
#include "agents/stream_lines.h"
#include "base/codec.h"

// Our own program, playing a scenario.
namespace pf {
namespace {

// A scenario file is looked for from the top of the repository: the pane begins elsewhere.
Result<AgentLaunch> plan_scripted(const AgentSettings& agent, const LaunchContext& context) {
  if (agent.scenario.empty())
    return fail(Exit::usage, fmt::format("[agents.{}] has no scenario", agent.name.str()),
                "an agent of kind scripted plays one", "add scenario = \"demo\" or a file");
  const std::string scenario = is_built_in(agent.scenario)
                                   ? agent.scenario
                                   : (context.repo / agent.scenario).lexically_normal().string();
  AgentLaunch launch{{context.executable.string(), "agent-script", "--scenario", scenario}, {}};
  launch.takes_prompt = false;
  if (!context.headless) return launch;
  launch.argv.emplace_back("--headless");
  // The prompt is not for it; what it played already is what its conversation is.
  launch.takes_prompt = true;
  if (context.continues) launch.conversation = context.conversation;
  if (context.continues)
    launch.argv.insert(launch.argv.end(), {"--conversation", context.conversation});
  return launch;
}

// Items as line_of writes them; other lines are what it says.
class ScriptedLines : public StreamLines {
 public:
  void read(std::string_view line, std::vector<StreamItem>& items) override {
    StreamItem item;
    const auto json = parse_json(line);
    items.push_back(json && codec::decode(*json, item) ? std::move(item) : said(line));
  }
};

std::unique_ptr<StreamLines> scripted_lines(const AgentKind&) {
  return std::make_unique<ScriptedLines>();
}

}  // namespace

std::string line_of(const StreamItem& item) { return dump(codec::encode(item)) + "\n"; }

extern constexpr AgentKind kScripted = {
    {.name = "scripted", .takes_command = false, .takes_scenario = true},
    plan_scripted,
    scripted_lines};

}  // namespace pf
