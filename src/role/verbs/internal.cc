#include "role/host/landing.h"
#include "role/verbs/verbs.h"
#include "verbs/core/rows.h"

namespace pf {
namespace {

Result<Said> run_role_checks_now(Caller& caller, const Args& args) {
  RoleLoop loop(caller.os, RolePaths(TRY(repository_of(caller, args))));
  TRY(require_supervisor(caller, loop.paths().lease));
  const role::State state = TRY(loop.load());
  const role::Landing* landing = state.landing(args.number("landing", 0));
  if (landing == nullptr || landing->stage != role::Stage::checks) return Said{};
  TRY(loop.report(TRY(run_landing_checks(loop, {landing->number, landing->commit}))));
  return Said{};
}

constexpr Row kInternalRows[] = {{"",
                                  "run-role-checks",
                                  "Run the checks of what was approved.",
                                  "",
                                  Audience::internal,
                                  {{"landing", Type::number, "which", true}},
                                  run_role_checks_now}};

}  // namespace

Verbs role_internals() { return packed<kInternalRows>; }

}  // namespace pf
