#pragma once
#include "git/user_repository.h"
#include "loop/loop.h"
#include "role/domain/command.h"
#include "role/domain/decide.h"
#include "role/domain/outstanding.h"
#include "role/domain/state.h"

namespace pf {

// Its name in locks, runtime files and refs/pairflow/.
inline constexpr const char* kRoleLoop = "role.loop";

struct RolePaths : DrivenPaths {
  explicit RolePaths(Repository repository);
  Path checks, index;
  Path checking;       // a clean checkout,
  Path checking_kept;  // and what is known of it

  LoopFiles loop_files() const { return files_of("role", "pairflow verify --roles"); }
};

extern template class Engine<role::Domain>;
extern template class Loop<role::Domain, RolePaths>;

// The repository's role loop with its door and its documents.
class RoleLoop final : public Loop<role::Domain, RolePaths> {
 public:
  RoleLoop(Os& os, RolePaths paths);
  // With a repository of another making.
  RoleLoop(Os& os, RolePaths paths, std::unique_ptr<UserRepository> git);

  // The checkout is claimed in one go: nobody else can between the look and the record.
  Result<Answer> execute(const Request& request, const role::Command& command);

  // The user's repository, state.json aside.
  UserRepository& git() const { return *git_; }

  // state.json, the roadmap and the tasks. Refuses what is no plain file, or too large.
  Result<std::vector<FileFact>> documents() const;
  // One of them; it need not be there.
  Result<FileFact> document(const std::string& path) const;
  // Writes it when it is still as `before` says; an edit in between is seen on the next look.
  Status write_document(const std::string& path, const Hash& before, const std::string& text);
  // Makes a write durable whose writer may have died before it could.
  Status keep_document(const std::string& path);

 private:
  Status gather(const std::vector<Need>& needs, const role::State& state,
                const role::Command& command, Facts& facts) override;
  Result<Error> not_begun() const override;
  std::string way_out() const override;
  Status gather_documents(const role::State& state, Facts& facts);
  Result<RepositoryFact> repository_fact(const role::State& state) const;
  Result<MergeFact> merge_fact(const role::State& state, const role::Command& command) const;

  std::unique_ptr<UserRepository> git_;
  std::optional<Lock> claiming_;
};

// Where the checks of the roles have clean checkouts.
WorkspaceSpec role_workspace(const RolePaths& paths);

// The policy part of the settings; what they leave open is as in `known`, or found out.
Result<role::Policy> role_policy(RoleLoop& loop, const Settings& settings,
                                 const role::State& known);

}  // namespace pf
