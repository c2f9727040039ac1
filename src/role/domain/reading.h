#pragma once
#include "base/facts.h"
#include "document/role/roadmap.h"
#include "document/role/task_file.h"
#include "role/domain/state.h"

// The files of the role loop: what stands in them, what of that is not ours. Pure.
namespace pf::role {

struct Reading {
  bool exists = false;  // state.json
  Hash hash;
  std::optional<RoleRegister> reg;  // of a sound one
  std::vector<Problem> problems;    // of state.json
  bool has_roadmap = false;
  Hash roadmap_hash;
  document::Roadmap roadmap;  // of a sound one
  std::vector<Problem> roadmap_problems;
  std::vector<document::Task> tasks;  // by number
  std::vector<FileFact> task_files;
  std::vector<FileProblems> task_problems;

  const document::Task* task(std::string_view id) const {
    return find_in(tasks, id, &document::Task::id);
  }
};
// The file facts are state.json, ROADMAP.md and all of docs/current/, named by their paths in the
// repository. `state` says which branch types there are and whether `init` may still be used.
Reading read_files(const State& state, const std::vector<FileFact>& files);

// state.json is neither as we last took it in nor as we are about to write it. One that was deleted
// is not an edit: it is written again.
bool is_edited(const State& state, const Reading& reading);

// The keys that differ.
std::vector<std::string> differing_keys(const RoleRegister& a, const RoleRegister& b);
// The same for people: keys that mean nothing to us by their own names.
std::vector<std::string> keys_in_words(const RoleRegister& a, const RoleRegister& b);
// What an edit comes to. While a write of ours is due a value that the edit changed wins, all
// others are ours; one that is older than what we know is nobody's edit, and ours is written again.
RoleRegister merged_edit(const State& state, const RoleRegister& edited);

// Everything that is not committed goes into a feature's commit. What lay there before anybody
// worked on the feature is no part of it, and nobody would look at it: so a feature begins on a
// tree that was clean. Of the paths that are not committed, those that are not the loop's own
// documents:
std::vector<std::string> foreign_changes_in(const std::vector<std::string>& dirty);
inline constexpr std::string_view kForeignChangesFix = "commit it, stash it or let git ignore it";
// "not committed: a, b and 3 more"
std::string name_foreign_changes(const std::vector<std::string>& paths);

}  // namespace pf::role
