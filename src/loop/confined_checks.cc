#include "loop/confined_checks.h"

#include "base/text.h"
#include "sandbox/bubblewrap.h"

namespace pf {
namespace {

// The usual variables, and nothing that could hold a secret.
std::vector<std::pair<std::string, std::string>> environment_of(Os& os, const Settings& settings,
                                                                const std::string& who) {
  std::vector<std::string> names = {"PATH",   "HOME", "USER",  "LOGNAME", "LANG",
                                    "LC_ALL", "TZ",   "SHELL", "TERM"};
  names.insert(names.end(), settings.checks_env.begin(), settings.checks_env.end());
  std::vector<std::pair<std::string, std::string>> environment;
  for (const std::string& name : names)
    if (const auto value = os.env.get(name)) environment.emplace_back(name, *value);
  environment.emplace_back("PAIRFLOW_CHECK", who);
  environment.emplace_back("CI", "1");
  return environment;
}

Confinement confinement_of(Os& os, const LoopPaths& loop, const std::string& name,
                           const Settings& settings, const Path& directory) {
  Confinement c;
  c.home = os.env.get("HOME").value_or("");
  c.visible = {loop.repository.top, loop.repository.common};
  for (const std::string& kept : settings.checks_home) c.visible.push_back(c.home / kept);
  c.writable = {directory};
  c.sealed = {directory / ".git"};
  c.hidden = {loop.control};
  c.directory = directory;
  c.environment = environment_of(os, settings, name);
  return c;
}

}  // namespace

std::string failed_checks(const std::vector<CheckDone>& checks) {
  std::vector<std::string> failed;
  for (const CheckDone& check : checks)
    if (!check.ok())
      failed.push_back(check.command + (check.timed_out ? " (out of time)"
                                        : check.no_room ? " (stopped: the disk is nearly full)"
                                                        : ""));
  return join(failed, ", ");
}

Result<ConfinedChecks> run_confined_checks(Os& os, const LoopPaths& loop, const std::string& name,
                                           const Settings& settings, const Path& directory,
                                           const std::vector<CheckToRun>& wanted) {
  const Enforcement enforcement = find_enforcement(os);
  std::vector<std::string> wrapper;
  if (enforcement.program)
    wrapper = bubblewrap(*enforcement.program, confinement_of(os, loop, name, settings, directory));
  RunLimits limits;
  limits.timeout = std::chrono::minutes(settings.evidence_timeout_minutes);
  limits.keep_free = static_cast<std::uint64_t>(settings.checks_keep_free_mb) << 20;
  ConfinedChecks checks;
  checks.enforcement = enforcement.program ? "sandbox" : "advisory: " + enforcement.why_not;
  checks.done = TRY(run_checks(os, wanted, directory, wrapper, {{"PAIRFLOW_CHECK", name}}, limits));
  return checks;
}

}  // namespace pf
