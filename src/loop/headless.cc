#include "loop/headless.h"

#include <fmt/format.h>

#include "agents/kind.h"
#include "agents/program.h"

namespace pf {
namespace {

// Of the commands that the run's agent calls by its channel.
ServedFor served_for(const DrivenPaths& paths, const HeadlessRun& run) {
  ServedFor whom{paths.repository.top,
                 paths.errors,
                 {{"PAIRFLOW_LOOP", std::nullopt},
                  {"PAIRFLOW_PLAN", std::nullopt},
                  {"PAIRFLOW_BUBBLE", std::nullopt},
                  {"PAIRFLOW_REPO", paths.repository.top.string()},
                  {"PAIRFLOW_AGENT", run.agent.str()}}};
  whom.variables.insert(whom.variables.end(), run.variables.begin(), run.variables.end());
  return whom;
}

}  // namespace

Result<StartedRun> start_headless(Os& os, const DrivenPaths& paths, const Settings& settings,
                                  const HeadlessRun& run) {
  const AgentSettings* agent = find_agent(settings, run.agent);
  if (agent == nullptr)
    return fail(Exit::usage, fmt::format("agent '{}' is not configured", run.agent.str()), "",
                fmt::format("add [agents.{}] to .pairflow/config.toml", run.agent.str()));
  const auto file = [&](std::string_view ending) {
    return paths.run_file(run.number, run.role, ending);
  };
  const Path channel = paths.channel(run.number);
  AgentPlace place{paths, run.worktree, channel, paths.copies, run.editable};
  TRY(clear_away(os, paths.build));
  if (!run.edits && !build_place(os, settings).empty()) {
    TRY(os.files.make_directories(paths.build));
    place.build = paths.build;
  }
  AgentLaunching launching(os, place, settings, *agent, run.edits);
  LaunchContext& context = launching.context;
  context.loop = run.variables;
  context.headless = true;
  context.role = run.role;
  context.briefing = file("prompt.md");
  context.artifacts = paths.runs;
  context.checks.insert(context.checks.end(), run.checks.begin(), run.checks.end());
  launching.converse(run.conversation);
  context.prompt = run.prompt;
  auto [launch, plan] = TRY(launching.plan());
  plan.ends_with_parent = true;

  TRY(os.files.make_directories(paths.runs));
  TRY(os.files.replace(context.briefing, context.prompt, Durable::no));
  Command command{TRY(entering(os, file("launch"), plan)), run.worktree};
  command.input = launch.input;
  command.environment = {{"PAIRFLOW_AGENT", run.agent.str()}};
  StartedRun started;
  started.transcript = file("ndjson").lexically_relative(paths.directory).string();
  if (context.continues) started.conversation = launch.conversation;
  started.program = ask_version(os, *agent).in_words();
  started.enforcement = plan.enforcement;
  started.process = TRY(
      AgentProcess::start(os, command, kind_of(*agent),
                          {file("ndjson"), file("log"), channel, served_for(paths, run),
                           run.worktree, run.edits ? launching.editable() : Path(), place.build}));
  return started;
}

}  // namespace pf
