#pragma once
#include "dice.h"
#include "role_world.h"

// What people and agents do in the repository by themselves, with editors and with git.
namespace pf::sim {

// The repository as it is found at first.
void first_commit(RoleWorld& world, Dice& dice);

// Saves a file at once, or removes it.
void save(RoleWorld& world, const std::string& path, const std::optional<std::string>& text);
// A planner's: tasks for the feature that is to begin.
void write_tasks(RoleWorld& world, Dice& dice);
bool has_tasks(RoleWorld& world);
// A coder's.
void write_work(RoleWorld& world, Dice& dice, int number);
// state.json with other values, or broken; "" for removed.
std::optional<std::string> edited_register(Dice& dice, const role::State& state,
                                           const std::string& now);

// Commits all of the files to the branch that is checked out, merged by hand with a commit: what it
// has besides is taken from it, or all of it is.
void commit_and_merge(RoleWorld& world, const std::string& other, bool all);
// A roadmap is written when there is none.
void keep_roadmap(RoleWorld& world);
// Somebody's push: a commit more on a branch that is not checked out.
void push(RoleWorld& world, Dice& dice, const std::string& branch, int number);
// The files become those of a tree, state.json aside: git restore.
void restore(RoleWorld& world, const std::string& treeish);

}  // namespace pf::sim
