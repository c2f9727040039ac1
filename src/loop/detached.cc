#include "loop/detached.h"

#include <fmt/format.h>

namespace pf {
namespace {

constexpr Duration kStart = std::chrono::seconds(60);
constexpr Duration kEnd = std::chrono::seconds(10);

// What says of our own process which loop and whose agent it belongs to.
constexpr const char* kNotInherited[] = {
    "PAIRFLOW_AGENT", "PAIRFLOW_BUBBLE", "PAIRFLOW_PLAN",    "PAIRFLOW_LOOP",
    "PAIRFLOW_RUN",   "PAIRFLOW_ROLE",   "PAIRFLOW_REPO",    "PAIRFLOW_CHECK",
    "TMUX",           "TMUX_PANE",       "PAIRFLOW_CHANNEL", "PAIRFLOW_SUPERVISOR"};

}  // namespace

Status end_deaf(Os& os, const Detached& process) {
  if (TRY(os.files.exists(process.paths.bells)) || !TRY(Lock::is_held(os, process.paths.lease)))
    return {};
  const int holder = TRY(Lock::last_holder(os, process.paths.lease));
  if (holder <= 0 || holder == os.env.pid()) return {};
  os.processes.terminate(holder);
  os.processes.wait_gone(holder, kEnd);
  return {};
}

Status ensure_running(Os& os, const Detached& process) {
  TRY(end_deaf(os, process));
  if (TRY(Lock::is_held(os, process.paths.lease))) return {};
  Command command{process.words, process.paths.repository.top};
  command.argv.insert(command.argv.begin(), os.env.executable().string());
  for (const char* name : kNotInherited) command.environment.emplace_back(name, std::nullopt);
  if (!process.marker.empty())
    command.environment.emplace_back("PAIRFLOW_SUPERVISOR", process.marker);
  command.timeout = kStart;
  TRY(os.files.make_directories(process.paths.errors.parent_path()));
  const std::string ready = TRY(os.processes.start_detached(command, process.paths.errors));
  if (ready == "ready" || ready == "held") return {};
  return fail(Exit::machine, fmt::format("the {} did not start", process.what), ready,
              fmt::format("look at {}", process.paths.errors.string()));
}

}  // namespace pf
