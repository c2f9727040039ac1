#pragma once
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/error_text.h"
#include "base/text.h"
#include "git/workspace.h"
#include "os/posix/os.h"
#include "os/posix/temp_directory.h"

namespace pf {

// A user's repository in a fresh directory, with a home of its own and one commit on `main`.
class TestRepo {
 public:
  TestRepo() : os(posix_.os()), top(temporary_.path() / "repo") {
    ::setenv("HOME", (temporary_.path() / "home").c_str(), 1);
    ::setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    ::unsetenv("XDG_CONFIG_HOME");
    std::filesystem::create_directories(temporary_.path() / "home");
    std::filesystem::create_directories(top);
    git({"init", "-q", "-b", "main"});
    git({"config", "user.name", "Ada"});
    git({"config", "user.email", "ada@example.org"});
    write("README", "hello\n");
    commit("first");
  }

  const Path& root() const { return temporary_.path(); }
  Repository repository() const { return {top, top / ".git"}; }

  // Runs git as a user would, in the main worktree or in `directory`; its output without newline.
  std::string git(std::vector<std::string> words, Path directory = {}) {
    words.insert(words.begin(), "git");
    const auto finished =
        os.processes.run({.argv = words, .directory = directory.empty() ? top : directory});
    REQUIRE(finished);
    INFO(join(words, " "), finished->err);
    REQUIRE(finished->code == 0);
    return std::string(trim(finished->out));
  }
  bool git_ok(std::vector<std::string> words, Path directory = {}) {
    words.insert(words.begin(), "git");
    const auto finished =
        os.processes.run({.argv = words, .directory = directory.empty() ? top : directory});
    return finished && finished->code == 0;
  }
  void write(const Path& path, std::string_view text) { write_at(top / path, text); }
  static void write_at(const Path& path, std::string_view text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  static std::string read(const Path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  void commit(const std::string& message) {
    git({"add", "-A"});
    git({"commit", "-q", "--allow-empty", "-m", message});
  }
  std::string head() { return git({"rev-parse", "HEAD"}); }

  WorkspaceSpec spec(WorkMode mode = WorkMode::worktree, const std::string& id = "one") {
    return {.repository = repository(),
            .bubble = id,
            .branch = "bubble/" + id,
            .base = CommitId(git({"rev-parse", "main"})),
            .mode = mode,
            .worktree = root() / ".pairflow-worktrees" / "repo" / id,
            .index = root() / "control" / id / "index"};
  }

 private:
  TempDirectory temporary_;
  PosixOs posix_;

 public:
  Os os;
  Path top;
};

// The value of a Result that must be there.
template <class T>
T good(Result<T> result) {
  INFO((result ? "" : in_short(result.error())));
  REQUIRE(result.has_value());
  return std::move(*result);
}
inline void good(const Status& status) {
  INFO((status ? "" : in_short(status.error())));
  REQUIRE(status.has_value());
}
// The Error of a Result that must have failed with `exit`.
template <class T>
Error bad(const Result<T>& result, Exit exit) {
  REQUIRE(!result.has_value());
  CHECK(result.error().exit == exit);
  return result.error();
}

// A bubble's workspace, prepared.
struct TestBubble {
  explicit TestBubble(TestRepo& repo, WorkMode mode = WorkMode::worktree)
      : workspace(repo.os, repo.spec(mode)), at(workspace.spec().worktree) {
    good(workspace.prepare());
  }
  TreeFact shot(bool cold = false) { return good(workspace.snapshot(cold)); }
  Workspace workspace;
  Path at;
};

inline std::vector<std::string> paths_of(const std::vector<ChangedFile>& files) {
  std::vector<std::string> paths;
  for (const auto& file : files) paths.push_back(file.status + " " + file.path);
  return paths;
}

// The snapshot warm, checked against the cold one.
inline TreeFact both(TestBubble& bubble) {
  const auto warm = bubble.shot();
  const auto cold = bubble.shot(true);
  CHECK(warm.tree == cold.tree);
  CHECK(warm.changed == cold.changed);
  return warm;
}

using Texts = std::vector<std::string>;

}  // namespace pf
