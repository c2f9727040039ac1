#include "bubble/host/launch.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "bubble/host/review_checkout.h"
#include "channel/message.h"
#include "loop/agent_sandbox.h"

namespace pf {
namespace {

// One argument of a program may be 128 KiB long; the rest is read by `pairflow turn`.
constexpr std::size_t kLongestBriefing = 48u << 10;

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

bubble::ReportLaunch report_of(const LaunchPlan& plan, const AgentName& agent, bubble::Role role,
                               Seq cause, const std::string& key) {
  bubble::ReportLaunch report{agent, role, cause, "", key, plan.enforcement};
  report.conversation = plan.conversation;
  report.program = plan.program;
  report.confirms = plan.confirms;
  report.apart = plan.apart;
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
  AgentPlace place{paths, state.place.worktree, paths.channel(effect.agent),
                   paths.copies(effect.agent)};
  place.shown = paths.review;
  place.build = paths.build(effect.agent);
  AgentLaunching launching(os, place, settings, *agent, effect.role == bubble::Role::implementer);
  LaunchContext& context = launching.context;
  context.loop = {{"PAIRFLOW_BUBBLE", paths.id.str()}};
  context.role = std::string(name_of(effect.role));
  context.briefing = paths.artifacts / ("briefing-" + effect.agent.str() + ".md");
  context.artifacts = paths.artifacts;
  context.tmux_socket = os.env.get("PAIRFLOW_TMUX_SOCKET").value_or("");
  if (launching.is_apart()) {
    TRY(show_tree(loop, state));
    TRY(make_build_place(os, paths, effect.agent));
  }
  TRY(os.files.make_directories(paths.artifacts));
  TRY(os.files.replace(context.briefing, bubble::briefing_text(state, effect.agent, paths.places()),
                       Durable::no));
  launching.converse(known->spoken ? known->conversation : "");
  const FirstWords words = first_words(state, *known, context.continues, paths.places());
  context.prompt = words.prompt;

  auto [launch, plan] = TRY(launching.plan());
  plan.program = version.in_words();
  const bool told = launch.takes_prompt && words.cause != Seq::none;
  if (told && words.prompt.empty()) plan.covers = number(words.cause);
  TRY(os.files.remove(paths.presence(effect.agent)));  // of the process before

  PreparedLaunch prepared;
  prepared.spec = {effect.agent.str(),
                   context.role,
                   os.random.token(),
                   effect.cause,
                   TRY(entering(os, paths.plan(effect.agent), plan)),
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

Result<bubble::ReportLaunch> launched_by_plan(BubbleLoop& loop,
                                              const bubble::RecordLaunch& effect) {
  const auto text = TRY(loop.os().files.read_if_there(loop.paths().plan(effect.agent)));
  LaunchPlan plan;
  if (text)
    if (auto read = parse_launch_plan(*text)) plan = std::move(*read);
  auto report = report_of(plan, effect.agent, effect.role, effect.cause, effect.key);
  report.pane = effect.pane;
  return report;
}

}  // namespace pf
