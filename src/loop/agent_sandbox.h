#pragma once
#include "agents/enter.h"
#include "agents/launch.h"
#include "loop/paths.h"
#include "sandbox/bubblewrap.h"

namespace pf {

// Where one agent works and what is kept for it.
struct AgentPlace {
  const LoopPaths& loop;
  Path worktree;  // what it works on; may be the repository's own
  Path channel;   // its socket, outside
  Path copies;    // directory of its copies of the user's files
  // The part of the worktree that it may write, if it edits at all; all of it when "".
  Path editable = {};
  // For one that does not edit, where it can be confined: the files that it sees in the worktree's
  // place, and a directory of its own to build in, which is there. "": the worktree itself, and
  // none.
  Path shown = {};
  Path build = {};
};

// Whether agents are confined here, by [sandbox] mode and by what this machine has.
Enforcement enforcement_for_agents(Os& os, const Settings& settings);

// Where one that does not edit can build, as it sees it; "" where it is not confined.
std::string build_place(Os& os, const Settings& settings);

// Refuses what no launch could be confined with: a home directory that is not known, or that lies
// in the repository. Fine where agents are not confined.
Status check_confinement(Os& os, const Settings& settings, const Repository& repository);

// One launch of an agent's process.
class AgentLaunching {
 public:
  AgentLaunching(Os& os, AgentPlace place, const Settings& settings, const AgentSettings& agent,
                 bool edits);

  LaunchContext context;  // has what all launches have in common; the rest is to be filled in
  // What it may write of the worktree, if it edits at all.
  Path editable() const { return place_.editable.empty() ? place_.worktree : place_.editable; }
  // Whether it will see what is shown to it in the worktree's place.
  bool is_apart() const;
  // It goes on with that conversation, or begins one when it is "".
  void converse(const std::string& conversation);

  struct Planned {
    AgentLaunch launch;  // what its program is told
    LaunchPlan plan;     // how its process begins: in the sandbox, where there is one
  };
  // Makes the copies of the user's files, too.
  Result<Planned> plan() const;

 private:
  Result<Confinement> confinement(const AgentLaunch& launch) const;
  Status seal_own(const AgentLaunch& launch, Confinement& confinement) const;
  Status seal_git(Confinement& confinement) const;
  Result<std::vector<std::pair<Path, Path>>> make_copies(const AgentLaunch& launch) const;

  Os& os_;
  AgentPlace place_;
  const Settings& settings_;
  const AgentSettings& agent_;
  Enforcement enforcement_;
  Result<Path> home_;
};

// Writes the plan to `file`; the command whose process goes by it.
Result<std::vector<std::string>> entering(Os& os, const Path& file, const LaunchPlan& plan);

}  // namespace pf
