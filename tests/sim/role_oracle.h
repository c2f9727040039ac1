#pragma once
#include <set>

#include "door_oracle.h"
#include "faults.h"
#include "role_process.h"

namespace pf::sim {

// Judges simulated roles: their door, state.json as the log says, branches that move only where a
// landing says so, commits that hold what was approved, and no file that is lost. Throws Broken.
class RoleOracle {
 public:
  RoleOracle(RoleWorld& world, Tally& tally, const Trace& trace);

  void started(RoleProcess& process) { door.started(process); }
  // One call was made; `files`: one that may have changed the worktree.
  void stepped(bool files);
  void ended(RoleProcess& process);
  void power_cut();
  // People have changed files, refs or state.json.
  void person_acted();
  // Nothing is left to be done, and all is as the log says.
  void check_rest();

  const role::State& state() const { return door.state(); }

  DoorOracle<role::Domain> door;

 private:
  using Tree = FakeGitDirectory::Tree;
  using Batch = Record<role::Domain>::Batch;
  // A state.json that a loss of power may leave.
  struct Version {
    std::optional<std::string> text;
    Hash hash;
    bool ours = false;
    bool told = false;  // the log says that it was written
  };

  void judge_batch(const Batch& batch);
  void judge_event(const role::State& before, const role::Event& event);
  void judge_commit(const role::Landing& landing, const role::CommitPrepared& event);
  void look_at_refs();
  void look_at_files();
  void look_at_register();
  void judge_file(const std::string& path, const std::string& old,
                  const std::optional<std::string>& now);
  bool is_explained(const std::string& ref, const std::string& from, const std::string& to) const;
  bool is_head_explained() const;
  bool is_kept(const std::string& path, const std::string& text) const;
  bool was_wanted(const Hash& reg) const;
  bool was_taken_in(const Hash& reg) const;
  void check_landing(const role::Landing& landing);

  RoleWorld& world_;
  Tally& tally_;
  const Trace& trace_;
  // As they were at the last look.
  std::map<std::string, std::string> refs_;
  std::string head_;
  Tree files_;
  std::vector<Version> versions_;    // of state.json, oldest first; the last one is there now
  std::map<int, int> edits_before_;  // people's, when the landing was approved
};

}  // namespace pf::sim
