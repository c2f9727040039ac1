#include "plan/host/run_process.h"

#include "base/codec.h"
#include "plan/host/launch.h"

namespace pf {

Result<std::unique_ptr<LiveRun>> RunProcess::start(PlanLoop& loop, const plan::State& state,
                                                   const plan::Run& run, bool afresh) {
  const PlanPaths& paths = loop.paths();
  RunLaunch launch = TRY(prepare_run(loop, state, run, afresh));
  AgentFiles files{paths.run_file(run, "ndjson"), paths.run_file(run, "log"),
                   paths.channel(run.number), paths.errors, paths.repository.top};
  files.served_as = {{"PAIRFLOW_REPO", paths.repository.top.string()},
                     {"PAIRFLOW_PLAN", paths.feature.str()},
                     {"PAIRFLOW_RUN", std::to_string(run.number)},
                     {"PAIRFLOW_ROLE", std::string(name_of(run.role))},
                     {"PAIRFLOW_AGENT", run.agent.str()},
                     {"PAIRFLOW_LOOP", std::nullopt},
                     {"PAIRFLOW_BUBBLE", std::nullopt}};
  std::unique_ptr<RunProcess> process(new RunProcess(
      run, TRY(AgentProcess::start(loop.os(), launch.command, *launch.kind, std::move(files)))));
  process->started_.transcript =
      paths.run_file(run, "ndjson").lexically_relative(paths.directory).string();
  process->started_.conversation = launch.continues ? launch.conversation : "";
  process->started_.program = launch.program;
  process->started_.enforcement = launch.enforcement;
  return process;
}

plan::ReportRunEnded RunProcess::end_report(std::optional<int> exit) const {
  plan::ReportRunEnded report{started_.run};
  report.lost = !exit;
  report.exit = process_->code(exit);
  report.conversation = process_->conversation();
  report.input_tokens = process_->input_tokens();
  report.output_tokens = process_->output_tokens();
  report.what = process_->last_words(report.exit);
  return report;
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
