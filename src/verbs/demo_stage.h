#pragma once
#include "verbs/core/verb.h"

namespace pf {

inline constexpr Duration kDemoLimit = std::chrono::minutes(3);  // it takes seconds; a guard

// A scratch repository in which every step is the real command, the way a person would type it.
class DemoStage {
 public:
  DemoStage(Caller& caller, Path repo) : caller_(caller), repo_(std::move(repo)) {}

  // The repository with these files committed, and two agents, codex and claude, that play the
  // scenario; `config` is added to .pairflow/config.toml.
  Status prepare(const std::vector<std::pair<std::string, std::string>>& files,
                 std::string_view scenario, std::string_view config = {});
  // Says what is run, runs it and says what it said.
  Status pairflow(std::vector<std::string> words);
  // The same, shown while it happens.
  Status show(std::vector<std::string> words);
  // A git command; one that is shown says the line and what came of it.
  Status git(std::vector<std::string> words, std::string_view shown = {});
  void say(std::string_view text);

  Os& os() { return caller_.os; }
  const Path& repo() const { return repo_; }

 private:
  std::string socket() const;
  void say_line(const std::vector<std::string>& words);
  Status run(std::vector<std::string> words, bool shown);

  Caller& caller_;
  Path repo_;
};

// One loop of each kind, from nothing to its end.
Result<Said> demo_bubble(Caller& caller, DemoStage& stage);
Result<Said> demo_plan(Caller& caller, DemoStage& stage);
Result<Said> demo_role(Caller& caller, DemoStage& stage);

}  // namespace pf
