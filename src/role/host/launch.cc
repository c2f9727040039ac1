#include "role/host/launch.h"

#include <fmt/format.h>

#include "agents/program.h"
#include "base/codec.h"
#include "base/text.h"
#include "git/filters.h"
#include "loop/agent_sandbox.h"
#include "role/domain/views.h"

namespace pf {
namespace {

Result<AgentSettings> agent_of(const Settings& settings, role::Role role, const AgentName& name) {
  if (const AgentSettings* agent = find_agent(settings, name)) return *agent;
  return fail(
      Exit::usage,
      fmt::format("[role.agents] {} names the unknown agent '{}'", lower(name_of(role)),
                  printable(name.str())),
      "",
      fmt::format("add [agents.{}] with a kind to .pairflow/config.toml, or name another one",
                  printable(name.str())));
}

}  // namespace

role::Around around(RoleLoop& loop, const role::State& state) {
  const auto files = loop.documents();
  return files ? role::around_of(state, role::read_files(state, *files)) : role::Around{};
}

Status check_role_agents(RoleLoop& loop, const role::Policy& policy) {
  const Settings settings = TRY(loop.settings());
  for (const role::Role role : {role::Role::planner, role::Role::coder, role::Role::reviewer}) {
    if (role == role::Role::coder && policy.coder_by != role::CoderBy::agent) continue;
    if (policy.agent_of(role).empty()) continue;
    const AgentSettings agent = TRY(agent_of(settings, role, policy.agent_of(role)));
    TRY(check_program(loop.os(), agent, true));
  }
  return check_confinement(loop.os(), settings, loop.paths().repository);
}

Status check_role_filters(RoleLoop& loop) {
  const RolePaths& paths = loop.paths();
  return refuse_unconfined_filters(loop.os(), paths.repository, TRY(loop.git().head()).str(),
                                   role_workspace(paths).index);
}

Result<StartedRun> start_role_run(RoleLoop& loop, const role::State& state,
                                  const role::LaunchAgent& wanted) {
  const Settings settings = TRY(loop.settings());
  TRY(agent_of(settings, wanted.role, wanted.agent));
  HeadlessRun run{wanted.run, lower(name_of(wanted.role)), wanted.agent,
                  wanted.role != role::Role::reviewer, loop.paths().repository.top};
  run.variables = {{"PAIRFLOW_LOOP", "role"},
                   {"PAIRFLOW_RUN", std::to_string(wanted.run)},
                   {"PAIRFLOW_ROLE", run.role},
                   {"PAIRFLOW_STEP", state.work ? state.work->task : ""}};
  role::Around found = around(loop, state);
  found.build = build_place(loop.os(), settings);
  for (const NamedCommand& check : settings.commands) found.checks.push_back(check.command);
  run.prompt = role::briefing_for(state, wanted.role, wanted.sent_back, found);
  return start_headless(loop.os(), loop.paths(), settings, run);
}

}  // namespace pf
