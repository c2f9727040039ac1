#include "role/host/launch.h"

#include <fmt/format.h>

#include "agents/program.h"
#include "base/codec.h"
#include "base/text.h"
#include "loop/agent_sandbox.h"
#include "role/domain/briefing.h"

namespace pf {
namespace {

Result<AgentSettings> agent_of(const Settings& settings, role::Role role, const AgentName& name) {
  if (const AgentSettings* agent = find_agent(settings, name)) return *agent;
  constexpr std::string_view kKeys[] = {"planner", "coder", "reviewer"};
  return fail(
      Exit::usage,
      fmt::format("[role.agents] {} names the unknown agent '{}'",
                  kKeys[static_cast<std::size_t>(role)], printable(name.str())),
      "",
      fmt::format("add [agents.{}] with a kind to .pairflow/config.toml, or name another one",
                  printable(name.str())));
}

}  // namespace

Status check_role_agents(RoleLoop& loop, const role::Policy& policy) {
  const Settings settings = TRY(loop.settings());
  for (const role::Role role : {role::Role::planner, role::Role::coder, role::Role::reviewer}) {
    if (role == role::Role::coder && policy.coder_by != role::CoderBy::agent) continue;
    if (policy.agent_of(role).empty()) continue;
    const AgentSettings agent = TRY(agent_of(settings, role, policy.agent_of(role)));
    TRY(check_program(loop.os(), agent, true));
  }
  return {};
}

Result<RoleLaunch> prepare_role_run(RoleLoop& loop, const role::State& state,
                                    const role::LaunchAgent& wanted) {
  Os& os = loop.os();
  const RolePaths& paths = loop.paths();
  const Settings settings = TRY(loop.settings());
  const AgentSettings agent = TRY(agent_of(settings, wanted.role, wanted.agent));
  const AgentPlace place{paths.repository, paths.control, paths.repository.top,
                         paths.channel(wanted.run),
                         paths.runtime / fmt::format("{}.home", kRoleLoop)};
  const Enforcement enforcement = enforcement_for_agents(os, settings);
  LaunchContext context =
      launch_context(os, place, settings, agent, wanted.role != role::Role::reviewer, enforcement);
  context.loop = {{"PAIRFLOW_LOOP", "role"},
                  {"PAIRFLOW_RUN", std::to_string(wanted.run)},
                  {"PAIRFLOW_ROLE", lower(name_of(wanted.role))},
                  {"PAIRFLOW_STEP", state.work ? state.work->task : ""}};
  context.headless = true;
  context.role = lower(name_of(wanted.role));
  context.briefing = paths.run_file(wanted.run, wanted.role, "prompt.md");
  context.artifacts = paths.runs;
  context.conversation = new_uuid(os.random);
  context.prompt = role::briefing_for(state, wanted.role, wanted.sent_back);
  const AgentLaunch launch = TRY(plan_launch(agent, context));
  LaunchPlan plan = TRY(plan_process(os, place, settings, launch, context, enforcement));
  plan.ends_with_parent = true;

  TRY(os.files.make_directories(paths.runs));
  TRY(os.files.replace(context.briefing, context.prompt, Durable::no));
  const Path file = paths.run_file(wanted.run, wanted.role, "launch");
  TRY(os.files.replace(file, text_of(plan), Durable::no));
  RoleLaunch prepared;
  prepared.command = {{os.env.executable().string(), "enter", "--plan", file.string()},
                      place.worktree};
  prepared.command.input = launch.input;
  prepared.command.environment = {{"PAIRFLOW_AGENT", wanted.agent.str()}};
  prepared.kind = &kind_of(agent);
  return prepared;
}

}  // namespace pf
