#pragma once
#include "git/user_repository.h"
#include "loop/loop.h"
#include "plan/domain/command.h"
#include "plan/domain/decide.h"
#include "plan/domain/outstanding.h"
#include "plan/domain/prompt.h"
#include "plan/domain/state.h"

namespace pf {

using PlanEngine = Engine<plan::Domain>;

struct PlanPaths : DrivenPaths {
  PlanPaths(Repository repository, plan::FeatureId feature);
  plan::FeatureId feature;
  Path index;
  Path worktree;   // for workspace = "worktree"
  Path documents;  // docs/<feature>, below the workspace's top

  const Path& top(plan::Workspace workspace) const {
    return workspace == plan::Workspace::repo ? repository.top : worktree;
  }
  // The one of its worktree.
  std::string branch() const { return "plan/" + feature.str(); }
  Path run_file(const plan::Run& run, std::string_view ending) const;
  LoopFiles loop_files() const {
    return files_of(feature.str(), "pairflow verify --plan " + feature.str());
  }
};

extern template class Engine<plan::Domain>;
extern template class Loop<plan::Domain, PlanPaths>;

// One plan with its door and its documents.
class PlanLoop final : public Loop<plan::Domain, PlanPaths> {
 public:
  PlanLoop(Os& os, PlanPaths paths);
  // With a repository of another making.
  PlanLoop(Os& os, PlanPaths paths, std::unique_ptr<UserRepository> git);

  // The user's repository.
  UserRepository& git() const { return *git_; }
  // Of a plan that began at `base`: its worktree, and the objects of either kind of plan.
  Workspace workspace(const CommitId& base) const;

  // Runs without a log are what is left of one: damaged too.
  Result<plan::State> load_or_none() override;
  // plan.md as it is in the workspace; one that is no file, or too long, says so itself.
  Result<FileFact> document(plan::Workspace workspace, const std::string& name) const;
  // The steps that stand in plan.md; none when it cannot be read.
  Result<std::vector<document::Step>> steps(const plan::State& state) const;
  Status write_plan(plan::Workspace workspace, const plan::RegisterWrite& write,
                    std::string_view form);
  // Makes a write durable whose writer may have died before it could.
  Status keep_plan(plan::Workspace workspace);
  // Removes what writers of documents below `top` left when they were killed; under the lease.
  Status tidy_documents(const Path& top);
  // As the agents see them.
  Result<plan::Sources> sources(plan::Workspace workspace) const;
  // The checkout is claimed in one go: nobody else can between the look and the record.
  Result<Answer> execute(const Request& request, const plan::Command& command);
  // Puts a damaged log aside, with its snapshot; where it is now.
  Result<Path> put_log_aside();

 private:
  Status gather(const std::vector<Need>& needs, const plan::State& state,
                const plan::Command& command, Facts& facts) override;
  Result<Error> not_begun() const override;
  std::string way_out() const override;

  // Where a plan that is opened now begins, as far as git can tell.
  RepositoryFact beginning(plan::Workspace workspace);
  // The files as a tree that is kept.
  Result<TreeId> take_files(plan::Workspace workspace, const CommitId& base);

  std::unique_ptr<UserRepository> git_;
  std::optional<Lock> claiming_;
};

// Where the plan's worktree is and what it begins at.
WorkspaceSpec plan_workspace(const PlanPaths& paths, const CommitId& base);

// Every feature whose plan was run, sorted.
Result<std::vector<plan::FeatureId>> plans_run(Os& os, const Repository& repository);

// The policy part of the settings.
plan::Policy plan_policy(const Settings& settings);

}  // namespace pf
