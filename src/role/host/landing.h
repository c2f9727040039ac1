#pragma once
#include "role/host/loop.h"

// The stages of a landing as they are done in the repository. Each looks at the world first, so
// doing one again is harmless; what comes of it is a report for the door. What stands in the way by
// itself (a moved branch, a file that was edited) is such a report too, and nothing has changed.
namespace pf {

Result<role::Command> prepare_commit(RoleLoop& loop, const role::Landing& landing);
Result<role::Command> run_landing_checks(RoleLoop& loop, const role::Landing& landing);
Result<role::Command> prepare_merge(RoleLoop& loop, const role::Landing& landing);
Result<role::Command> clear_tree(RoleLoop& loop, const role::Landing& landing);
// By compare-and-swap; nothing to report when it is done, or somebody else was first.
Result<std::optional<role::Command>> move_landed_branch(RoleLoop& loop,
                                                        const role::Landing& landing,
                                                        const role::MoveBranch& move);
// Runs [role] pr_command.
Result<role::Command> open_pull_request(RoleLoop& loop, const role::Landing& landing);

// Makes the branches that are missing and checks one out.
Result<role::Command> make_branch(RoleLoop& loop, const role::BranchWanted& wanted);

}  // namespace pf
