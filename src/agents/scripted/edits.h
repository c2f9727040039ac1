#pragma once
#include "agents/scripted/scenario.h"

namespace pf {

// Writes and removes the turn's files. Refuses a path that passes through a symlink of the
// worktree; what came before it stays done.
Status make_edits(Os& os, const Path& worktree, const ScenarioTurn& turn);

}  // namespace pf
