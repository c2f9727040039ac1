#pragma once
#include <string>
#include <vector>

#include "config/settings.h"

namespace pf {

// A check command found in a repository's own files.
struct Detected {
  std::string name;     // "test" or "typecheck"
  std::string command;  // run in the worktree's top by sh -c
  std::string because;  // "package.json has a test script"
  friend bool operator==(const Detected&, const Detected&) = default;
};

// Looks at the top of `repo` only (package.json, CMakeLists.txt, Cargo.toml, go.mod, pytest,
// Makefile, justfile, tsconfig.json, mypy …). The first hit for each name is the suggestion; all
// are returned. Reads files, runs nothing; a file it cannot parse is passed over.
Result<std::vector<Detected>> detect_profile(Os& os, const Path& repo);

}  // namespace pf
