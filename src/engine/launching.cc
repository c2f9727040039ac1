#include "engine/launching.h"

#include <fmt/format.h>

#include <algorithm>

#include "agents/enter.h"
#include "agents/launch.h"
#include "base/codec.h"
#include "channel/message.h"
#include "engine/agent_sandbox.h"

namespace pf {
namespace {

// One argument of a program may be 128 KiB long; the rest is read by `pairflow turn`.
constexpr std::size_t kLongestBriefing = 48u << 10;

std::string uuid(Random& random) {
  std::string hex = random.token(16);
  hex[12] = '4';
  hex[16] = '8';
  return fmt::format("{}-{}-{}-{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4),
                     hex.substr(16, 4), hex.substr(20, 12));
}

// What the process is told when it begins; nothing is due for one that only has to wait.
struct FirstWords {
  std::string prompt;
  Seq cause = Seq::none;  // of the delivery that they are
};

FirstWords first_words(const bubble::State& state, const bubble::Agent& agent, bool continues,
                       const bubble::Places& places) {
  if (agent.deliveries.empty()) return {};
  const bubble::Delivery& delivery = agent.deliveries.front();
  const bool on_turn = state.phase == bubble::Phase::running && state.active_agent == agent.name;
  if (delivery.message == Seq::none && !on_turn) return {"", delivery.cause};
  std::string prompt = bubble::delivery_line(state, agent.name, delivery, places);
  const std::string briefing = bubble::briefing_text(state, agent.name, places);
  if (!continues && briefing.size() <= kLongestBriefing) prompt += "\n\n" + briefing;
  return {std::move(prompt), delivery.cause};
}

LaunchContext context_of(BubbleLoop& loop, const bubble::State& state, const Settings& settings,
                         const AgentSettings& agent, const bubble::LaunchAgent& effect) {
  Os& os = loop.os();
  const BubblePaths& paths = loop.paths();
  const bool reviews = effect.role == bubble::Role::reviewer;
  LaunchContext context;
  context.repo = paths.repository.top;
  context.loop = {{"PAIRFLOW_BUBBLE", paths.id.str()}};
  context.role = std::string(name_of(effect.role));
  context.edits = !reviews;
  context.worktree = state.place.worktree;
  context.briefing = paths.artifacts / ("briefing-" + effect.agent.str() + ".md");
  context.executable = os.env.executable();
  context.path = os.env.get("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
  context.tmux_socket = os.env.get("PAIRFLOW_TMUX_SOCKET").value_or("");
  context.artifacts = paths.artifacts;
  context.home = os.env.get("HOME").value_or("");
  context.environment = os.env.all();
  const std::string& for_role = reviews ? agent.reviewer_model : agent.implementer_model;
  context.model = for_role.empty() ? agent.model : for_role;
  for (const NamedCommand& command : settings.commands) context.checks.push_back(command.command);
  return context;
}

// The agent's copies of the user's files, and where they lie for it.
Result<std::vector<std::pair<Path, Path>>> make_copies(BubbleLoop& loop, const AgentLaunch& launch,
                                                       const LaunchContext& context,
                                                       const AgentName& agent) {
  Files& files = loop.os().files;
  std::vector<std::pair<Path, Path>> bound;
  for (const PrivateCopy& copy : launch.copies) {
    const auto text = TRY(files.read_if_there(copy.file));
    if (!text) continue;  // the program was never used: it has questions of its own
    auto changed = copy.changed(*text, context);
    if (!changed) continue;  // damaged: the program says so itself, in its pane
    const Path kept = loop.paths().copies(agent) / copy.file.filename();
    TRY(files.make_directories(kept.parent_path()));
    TRY(files.replace(kept, *changed, Durable::no));
    bound.emplace_back(kept, copy.file);
  }
  return bound;
}

// How the process begins: in the sandbox, where there is one.
Result<LaunchPlan> plan_of(BubbleLoop& loop, const bubble::State& state, const Settings& settings,
                           const AgentLaunch& launch, const LaunchContext& context,
                           const Enforcement& enforcement, const bubble::LaunchAgent& effect) {
  const BubblePaths& paths = loop.paths();
  LaunchPlan plan;
  plan.keep = launch.keep;
  for (const auto& [name, value] : launch.environment)
    if (!context.confined || name != "PAIRFLOW_TMUX_SOCKET") plan.set.push_back({name, value});
  plan.confined = context.confined;
  plan.enforcement = context.confined ? "sandbox" : "advisory: " + enforcement.why_not;
  plan.conversation = launch.conversation;
  plan.confirms = launch.confirms;
  if (context.confined) {
    TRY(loop.os().files.make_directories(paths.channel(effect.agent).parent_path()));
    Confinement confinement = confinement_of_agent(paths, state, settings, launch, context,
                                                   effect.role, effect.agent, context.home);
    for (auto& copy : TRY(make_copies(loop, launch, context, effect.agent)))
      confinement.bound.push_back(std::move(copy));
    plan.argv = bubblewrap(*enforcement.program, confinement);
  }
  plan.argv.insert(plan.argv.end(), launch.argv.begin(), launch.argv.end());
  return plan;
}

bubble::FileLaunch report_of(const LaunchPlan& plan, const AgentName& agent, bubble::Role role,
                             Seq cause, const std::string& key) {
  bubble::FileLaunch report{agent, role, cause, "", key, plan.enforcement};
  report.conversation = plan.conversation;
  report.program = plan.program;
  report.confirms = plan.confirms;
  if (plan.covers > 0) report.covers = Seq{plan.covers};
  return report;
}

}  // namespace

Result<PreparedLaunch> prepare_launch(BubbleLoop& loop, const bubble::State& state,
                                      const bubble::LaunchAgent& effect,
                                      const ProgramVersion& version) {
  Os& os = loop.os();
  const BubblePaths& paths = loop.paths();
  const Settings settings = TRY(loop.settings());
  const AgentSettings* agent = find_agent(settings, effect.agent);
  const bubble::Agent* known = state.agent(effect.agent);
  if (agent == nullptr || known == nullptr)
    return fail(Exit::usage, fmt::format("agent '{}' is not configured", effect.agent.str()), "",
                "add [agents." + effect.agent.str() + "] to bubble.toml");
  LaunchContext context = context_of(loop, state, settings, *agent, effect);
  TRY(os.files.make_directories(paths.artifacts));
  TRY(os.files.replace(context.briefing, bubble::briefing_text(state, effect.agent, paths.places()),
                       Durable::no));
  const Enforcement enforcement = enforcement_for_agents(os, settings);
  context.confined = enforcement.program.has_value();
  context.channel =
      context.confined ? std::string(kChannelInside) : paths.channel(effect.agent).string();
  context.continues = known->spoken && !known->conversation.empty();
  context.conversation = context.continues ? known->conversation : uuid(os.random);
  const FirstWords words = first_words(state, *known, context.continues, paths.places());
  context.prompt = words.prompt;
  const AgentLaunch launch = TRY(plan_launch(*agent, context));

  LaunchPlan plan = TRY(plan_of(loop, state, settings, launch, context, enforcement, effect));
  plan.program = version.in_words();
  const bool told = launch.takes_prompt && words.cause != Seq::none;
  if (told && words.prompt.empty()) plan.covers = number(words.cause);
  const Path file = paths.plan(effect.agent);
  TRY(os.files.make_directories(file.parent_path()));
  TRY(os.files.remove(paths.presence(effect.agent)));  // of the process before
  TRY(os.files.replace(file, text_of(plan), Durable::no));

  PreparedLaunch prepared;
  prepared.spec = {effect.agent.str(),
                   context.role,
                   os.random.token(),
                   effect.cause,
                   {os.env.executable().string(), "enter", "--plan", file.string()},
                   {{"PAIRFLOW_AGENT", effect.agent.str()}}};
  if (told) prepared.spec.submitted = words.cause;
  if (settings.capture_panes) {
    const Path capture = paths.capture(effect.agent);
    TRY(os.files.make_directories(capture.parent_path()));
    prepared.spec.tap = {os.env.executable().string(), "tap", "--file", capture.string()};
  }
  prepared.report = report_of(plan, effect.agent, effect.role, effect.cause, prepared.spec.key);
  return prepared;
}

Result<bubble::FileLaunch> launched_by_plan(BubbleLoop& loop, const bubble::RecordLaunch& effect) {
  const auto text = TRY(loop.os().files.read_if_there(loop.paths().plan(effect.agent)));
  LaunchPlan plan;
  if (text)
    if (auto read = parse_launch_plan(*text)) plan = std::move(*read);
  auto report = report_of(plan, effect.agent, effect.role, effect.cause, effect.key);
  report.pane = effect.pane;
  return report;
}

}  // namespace pf
