#pragma once
#include "checks/runner.h"
#include "config/settings.h"
#include "git/repository.h"

namespace pf {

// For whom checks run.
struct CheckedFor {
  const Repository& repository;
  const Path& control;  // <repo>/.pairflow, hidden from them
  std::string who;      // PAIRFLOW_CHECK
};

struct ConfinedChecks {
  std::vector<CheckDone> done;
  std::string enforcement;  // "sandbox", or why there is none
};

// Runs them in `directory`, which alone they can write, confined where this machine can.
Result<ConfinedChecks> run_confined_checks(Os& os, const CheckedFor& whom, const Settings& settings,
                                           const Path& directory,
                                           const std::vector<CheckToRun>& wanted);

// "make test (out of time), lint"; "" when none did.
std::string failed_checks(const std::vector<CheckDone>& checks);

}  // namespace pf
