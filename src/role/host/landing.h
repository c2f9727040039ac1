#pragma once
#include "role/host/loop.h"

// The effects of a landing as they are done in the repository. Each looks at the world first, so
// doing one again is harmless; what comes of it is a report for the door. What stands in the way by
// itself (a moved branch, a file that was edited) is such a report too, and nothing has changed.
namespace pf {

Result<role::Command> prepare_commit(RoleLoop& loop, const role::PrepareCommit& effect);
Result<role::Command> run_landing_checks(RoleLoop& loop, const role::RunChecks& effect);
Result<role::Command> prepare_merge(RoleLoop& loop, const role::PrepareMerge& effect);
Result<role::Command> clear_tree(RoleLoop& loop, const role::ClearTree& effect);
// By compare-and-swap; nothing to report when it is done, or somebody else was first.
Result<std::optional<role::Command>> move_landed_branch(RoleLoop& loop,
                                                        const role::MoveBranch& effect);
// Runs [role] pr_command.
Result<role::Command> open_pull_request(RoleLoop& loop, const role::OpenPull& effect);

// Makes the branches that are missing and checks one out.
Result<role::Command> make_branch(RoleLoop& loop, const role::MakeBranch& effect);

}  // namespace pf
