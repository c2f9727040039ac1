#include "plan/host/launch.h"

#include <fmt/format.h>

#include "agents/version.h"
#include "base/codec.h"
#include "base/text.h"
#include "loop/agent_sandbox.h"

namespace pf {
namespace {

// The step as plan.md has it; one that is gone from it by now has its id alone.
Result<document::Step> step_of(PlanLoop& loop, const plan::State& state, const std::string& id) {
  for (document::Step& step : TRY(loop.steps(state.policy.workspace)))
    if (step.id == id) return std::move(step);
  document::Step gone;
  gone.id = id;
  return gone;
}

int requests_on(const plan::State& state, const std::string& step) {
  const plan::StepState* found = state.find(step);
  return found == nullptr ? 0 : found->change_requests;
}

}  // namespace

Result<RunLaunch> prepare_run(PlanLoop& loop, const plan::State& state, const plan::Run& run,
                              bool afresh) {
  Os& os = loop.os();
  const PlanPaths& paths = loop.paths();
  const Settings settings = TRY(loop.settings());
  const AgentSettings* agent = find_agent(settings, run.agent);
  if (agent == nullptr)
    return fail(Exit::usage, fmt::format("agent '{}' is not configured", run.agent.str()), "",
                fmt::format("add [agents.{}] to .pairflow/config.toml", run.agent.str()));
  AgentPlace place{paths.repository, paths.control, paths.top(state.policy.workspace),
                   paths.channel(run.number),
                   paths.runtime / fmt::format("plan.{}.home", paths.feature.str())};
  if (run.role == plan::Role::explainer) place.editable = place.worktree / paths.documents;
  const Enforcement enforcement = enforcement_for_agents(os, settings);
  LaunchContext context =
      launch_context(os, place, settings, *agent, run.role != plan::Role::reviewer, enforcement);
  plan::Run told = run;
  if (afresh) told.continues = false;
  context.loop = {{"PAIRFLOW_PLAN", paths.feature.str()},
                  {"PAIRFLOW_RUN", std::to_string(run.number)},
                  {"PAIRFLOW_ROLE", std::string(name_of(run.role))},
                  {"PAIRFLOW_STEP", run.step},
                  {"PAIRFLOW_ROUND", std::to_string(1 + requests_on(state, run.step))}};
  context.headless = true;
  context.role = std::string(name_of(run.role));
  context.briefing = paths.run_file(run, "prompt.md");
  context.artifacts = paths.runs;
  if (!state.policy.check.empty()) context.checks.push_back(state.policy.check);
  context.continues = told.continues && !run.conversation.empty();
  context.conversation = context.continues ? run.conversation : new_uuid(os.random);
  context.prompt = plan::prompt_for(state, told, TRY(step_of(loop, state, run.step)),
                                    TRY(loop.sources(state.policy.workspace)));
  const AgentLaunch launch = TRY(plan_launch(*agent, context));
  LaunchPlan plan = TRY(plan_process(os, place, settings, launch, context, enforcement));
  plan.ends_with_parent = true;

  TRY(os.files.make_directories(paths.runs));
  TRY(os.files.replace(context.briefing, context.prompt, Durable::no));
  const Path file = paths.run_file(run, "launch");
  TRY(os.files.replace(file, text_of(plan), Durable::no));
  RunLaunch prepared;
  prepared.command = {{os.env.executable().string(), "enter", "--plan", file.string()},
                      place.worktree};
  prepared.command.input = launch.input;
  prepared.command.environment = {{"PAIRFLOW_AGENT", run.agent.str()}};
  prepared.kind = &kind_of(*agent);
  prepared.conversation = launch.conversation;
  prepared.program = ask_version(os, *agent).in_words();
  prepared.enforcement = plan.enforcement;
  prepared.continues = context.continues;
  return prepared;
}

}  // namespace pf
