#pragma once
#include "checks/runner.h"
#include "config/settings.h"
#include "loop/paths.h"

namespace pf {

struct ConfinedChecks {
  std::vector<CheckDone> done;
  std::string enforcement;  // "sandbox", or why there is none
};

// Runs them in `directory`, which alone they can write, confined where this machine can. They find
// `name`, their loop's, in PAIRFLOW_CHECK. `restore` is called before red ones are tried again:
// what a first try left must not make the second one green. What one left behind ends with it.
Result<ConfinedChecks> run_confined_checks(Os& os, const LoopPaths& loop, const std::string& name,
                                           const Settings& settings, const Path& directory,
                                           const std::vector<CheckToRun>& wanted,
                                           std::function<Status()> restore = {});

// Ends what is left of checks that ran unconfined, when the process that ran them was killed.
void end_left_checks(Os& os, const LoopPaths& loop);

// "make test (out of time), lint"; "" when none did.
std::string failed_checks(const std::vector<CheckDone>& checks);
// "flaky, red at first and then green: test, lint"; "" when none was.
std::string flaky_checks(const std::vector<CheckDone>& checks);

}  // namespace pf
