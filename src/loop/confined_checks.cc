#include "loop/confined_checks.h"

#include <fmt/format.h>

#include "base/text.h"
#include "loop/confined_command.h"
#include "sandbox/bubblewrap.h"
#include "sandbox/seccomp.h"

namespace pf {
namespace {

constexpr const char* kMark = "PAIRFLOW_CHECK_OF";

std::string mark_of(const LoopPaths& loop) {
  return fmt::format("{}={}", kMark, loop.directory.string());
}

}  // namespace

std::string failed_checks(const std::vector<CheckDone>& checks) {
  std::vector<std::string> failed;
  for (const CheckDone& check : checks)
    if (!check.ok())
      failed.push_back(check.command +
                       (check.unable().empty() ? "" : fmt::format(" ({})", check.unable())));
  return join(failed, ", ");
}

std::string flaky_checks(const std::vector<CheckDone>& checks) {
  std::vector<std::string> flaky;
  for (const CheckDone& check : checks)
    if (check.flaky) flaky.push_back(check.name);
  return flaky.empty() ? "" : "flaky, red at first and then green: " + join(flaky, ", ");
}

Result<ConfinedChecks> run_confined_checks(Os& os, const LoopPaths& loop, const std::string& name,
                                           const Settings& settings, const Path& directory,
                                           const std::vector<CheckToRun>& wanted,
                                           std::function<Status()> restore) {
  const Enforcement enforcement = find_enforcement(os);
  std::function<std::vector<std::string>()> wrapper;
  RunLimits limits;
  std::vector<std::pair<std::string, std::optional<std::string>>> variables = {
      {"PAIRFLOW_CHECK", name}};
  if (enforcement.program) {
    const auto argv = bubblewrap(*enforcement.program,
                                 TRY(confinement_of_check(os, loop, name, settings, directory)));
    wrapper = [&os, argv] { return on_what_is_there(os, argv); };
    limits.filter = confined_filter();
    os.processes.leave_abstract_sockets(*enforcement.program);
  } else {  // no process namespace holds what it starts together
    end_left_checks(os, loop);
    limits.mark = mark_of(loop);
    variables.emplace_back(kMark, loop.directory.string());
  }
  limits.timeout = std::chrono::minutes(settings.evidence_timeout_minutes);
  limits.retries = settings.checks_retries;
  limits.restore = std::move(restore);
  limits.keep_free = static_cast<std::uint64_t>(settings.checks_keep_free_mb) << 20;
  ConfinedChecks checks;
  checks.enforcement = enforcement.program ? "sandbox" : "advisory: " + enforcement.why_not;
  checks.done = TRY(run_checks(os, wanted, directory, wrapper, variables, limits));
  return checks;
}

void end_left_checks(Os& os, const LoopPaths& loop) {
  if (!find_enforcement(os).program) os.processes.end_marked(mark_of(loop));
}

}  // namespace pf
