#pragma once
#include "git/repository.h"
#include "journal/journal.h"
#include "journal/lock.h"

namespace pf {

// Where an agent that does not edit can build, in its sandbox.
inline constexpr const char* kBuildInside = "/tmp/pairflow-build";

// Where the files of one loop are. Touches nothing. A dot in `name` keeps the locks and runtime
// files of a plan or the roles apart from bubbles'.
struct LoopPaths {
  LoopPaths(Repository where, const std::string& name, const Path& below_control,
            const char* journal_name);
  Repository repository;
  Path control;    // <repo>/.pairflow
  Path directory;  // what the loop keeps
  Path journal, state, inbox;
  Path door, lease;             // …/locks/<name>.lock, .run.lock
  Path runtime, errors, bells;  // …/runtime/, <name>.log, <name>.bells/
  Path channels;                // …/runtime/<name>.channels/

  // Below <repo_parent>/.pairflow-worktrees/<repo_name>/.
  Path beside(const std::string& name) const;

 protected:
  LoopFiles files_of(std::string id, std::string verify) const {
    return {std::move(id), journal, state, door, bells, std::move(verify)};
  }
};

// Those of a loop whose agents run headless: a plan or the roles.
struct DrivenPaths : LoopPaths {
  DrivenPaths(Repository where, const std::string& name, const Path& below_control);
  Path runs;
  Path copies;  // …/runtime/<name>.home/
  Path stream;  // …/runtime/<name>.stream
  Path build;   // …/runtime/<name>.build/, where the agent that does not edit can

  Path channel(int run) const { return channels / std::to_string(run) / "socket"; }
  // runs/0007-coder.ndjson, …prompt.md, …log, and how its process begins.
  Path run_file(int run, std::string_view role, std::string_view ending) const;
};

// Removes what an agent made: its directories may be deeper than we can hold open.
Status clear_away(Os& os, const Path& directory);
// For what concerns several loops of the repository: workspaces, claims. Taken before any door.
Result<Lock> lock_repository(Os& os, const LoopPaths& paths);

// Whether somebody performs for it now.
Result<bool> is_driven(Os& os, const LoopPaths& paths);

}  // namespace pf
