#include "plan/host/launch.h"

#include "agents/kind.h"
#include "base/codec.h"

namespace pf {
namespace {

// The step as plan.md has it; one that is gone from it by now has its id alone.
Result<document::Step> step_of(PlanLoop& loop, const plan::State& state, const std::string& id) {
  for (document::Step& step : TRY(loop.steps(state)))
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

Result<StartedRun> start_run(PlanLoop& loop, const plan::State& state, const plan::Run& run,
                             bool afresh) {
  const PlanPaths& paths = loop.paths();
  const std::string role(name_of(run.role));
  HeadlessRun wanted{run.number, role, run.agent, run.role != plan::Role::reviewer,
                     paths.top(state.policy.workspace)};
  if (run.role == plan::Role::explainer) wanted.editable = wanted.worktree / paths.documents;
  wanted.variables = {{"PAIRFLOW_PLAN", paths.feature.str()},
                      {"PAIRFLOW_RUN", std::to_string(run.number)},
                      {"PAIRFLOW_ROLE", role},
                      {"PAIRFLOW_STEP", run.step},
                      {"PAIRFLOW_ROUND", std::to_string(1 + requests_on(state, run.step))}};
  if (!state.policy.check.empty()) wanted.checks = {state.policy.check};
  plan::Run told = run;
  if (afresh) told.continues = false;
  if (told.continues) wanted.conversation = run.conversation;
  const Settings settings = TRY(loop.settings());
  plan::Sources sources = TRY(loop.sources(state.policy.workspace));
  if (run.role == plan::Role::reviewer) sources.build = build_place(loop.os(), settings);
  wanted.prompt = plan::prompt_for(state, told, TRY(step_of(loop, state, run.step)), sources);
  return start_headless(loop.os(), paths, settings, wanted);
}

std::string conversation_of_lost(PlanLoop& loop, const plan::Run& run) {
  const auto settings = loop.settings();
  const auto text = loop.os().files.read_if_there(loop.paths().run_file(run, "ndjson"));
  const AgentSettings* agent = settings ? find_agent(*settings, run.agent) : nullptr;
  if (agent == nullptr || !text || !*text) return {};
  std::string conversation;
  for (const StreamItem& item : StreamReader(kind_of(*agent)).feed(**text))
    if (item.kind == StreamItem::Kind::conversation) conversation = item.text;
  return conversation;
}

}  // namespace pf
