#pragma once
#include "git/repository.h"
#include "loop/engine.h"

namespace pf {

// Where the files of a loop are whose agents run headless, a plan or the roles. Touches nothing.
// A dot in `name` keeps its locks and runtime files apart from bubbles'.
struct DrivenPaths {
  DrivenPaths(Repository where, const std::string& name, const Path& below_control);
  Repository repository;
  Path control;    // <repo>/.pairflow
  Path directory;  // what the loop keeps
  Path log, state, inbox, runs;
  Path door, lease;             // …/locks/<name>.lock, .run.lock
  Path runtime, errors, bells;  // …/runtime/, <name>.log, <name>.bells/
  Path channels, copies;        // …/runtime/<name>.channels/, <name>.home/
  Path stream;                  // …/runtime/<name>.stream

  // Below <repo_parent>/.pairflow-worktrees/<repo_name>/.
  Path beside(const std::string& name) const;
  Path channel(int run) const { return channels / std::to_string(run) / "socket"; }
  LoopFiles files_of(std::string id, std::string verify) const {
    return {std::move(id), log, state, door, bells, std::move(verify)};
  }
  // runs/0007-coder.ndjson, …prompt.md, …log, and how its process begins.
  Path run_file(int run, std::string_view role, std::string_view ending) const;
};

// Whether somebody performs for it now.
Result<bool> is_driven(Os& os, const DrivenPaths& paths);

}  // namespace pf
