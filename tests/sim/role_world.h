#pragma once
#include <map>

#include "git/fake/user_repository.h"
#include "os/fake/clock.h"
#include "os/fake/disk.h"
#include "os/fake/files.h"
#include "role/host/loop.h"

namespace pf::sim {

// What the simulated processes share: one machine with one repository whose roles go on.
struct RoleWorld {
  FakeDisk disk;
  FakeClock clock;
  FakeGitDirectory git;
  RolePaths paths{{"/repo", "/repo/.git"}};
  bool red = false;                     // the checks
  bool no_pull = false;                 // its command fails
  std::map<int, int> pulls;             // how often one was opened, by landing
  int edits = 0;                        // of people, to the files
  std::optional<std::size_t> left_out;  // the kind of effect that nobody performs
  int times_left_out = 0;
  std::string broken;  // what a process of its own accord saw go wrong

  Path file(std::string_view path) const { return paths.repository.top / path; }
  Path reg() const { return file(role::kRegisterFile); }
  // The worktree as it is, read at once.
  FakeGitDirectory::Tree worktree() {
    FakeFiles files(disk, clock, 5);
    FakeUserRepository git_now(files, paths.repository.top, git, "");
    return git.trees.at(git_now.snapshot({}).value().str());
  }
  std::optional<std::string> read(std::string_view path) {
    FakeFiles files(disk, clock, 5);
    return files.read_if_there(file(path)).value();
  }
};

}  // namespace pf::sim
