#pragma once
#include "config/settings.h"
#include "git/user_repository.h"
#include "loop/driven_paths.h"
#include "loop/loop.h"
#include "role/domain/command.h"
#include "role/domain/decide.h"
#include "role/domain/outstanding.h"
#include "role/domain/state.h"

namespace pf {

using RoleEngine = Engine<role::Domain>;
extern template class Loop<role::Domain>;

// Its name in locks, runtime files and refs/pairflow/.
inline constexpr const char* kRoleLoop = "role.loop";

struct RolePaths : DrivenPaths {
  explicit RolePaths(Repository repository);
  Path checks, index;
  Path checking;  // a clean checkout

  Path run_file(int run, role::Role role, std::string_view ending) const;
  LoopFiles loop_files() const { return files_of("role", "pairflow verify --roles"); }
};

// The state and nothing else; nothing when the roles have not begun.
Result<std::optional<role::State>> read_role_state(Os& os, const RolePaths& paths);

// The repository's role loop with its door and its documents.
class RoleLoop final : public Loop<role::Domain> {
 public:
  RoleLoop(Os& os, RolePaths paths);
  // With a repository of another making.
  RoleLoop(Os& os, RolePaths paths, std::unique_ptr<UserRepository> git);

  const RolePaths& paths() const { return paths_; }
  // Refuses when the roles have not begun.
  Result<role::State> load();
  // The same, once all of it would survive a loss of power: what acts on the world acts on this.
  Result<role::State> load_durable();
  // The same, not begun when nothing is there yet.
  Result<role::State> load_or_none();

  Result<Settings> settings() const;
  // The user's repository, state.json aside.
  UserRepository& git() const { return *git_; }

  // state.json, the roadmap and the tasks. Refuses what is no plain file, or too large.
  Result<std::vector<FileFact>> documents() const;
  // One of them; it need not be there.
  Result<FileFact> document(const std::string& path) const;
  // Writes it when it is still as `before` says; an edit in between is seen on the next look.
  Status write_document(const std::string& path, const Hash& before, const std::string& text);
  // Makes sure of a write that whoever made it may not have lived to make durable.
  Status keep_document(const std::string& path);

 private:
  Status gather(const std::vector<Need>& needs, const role::State& state,
                const role::Command& command, Facts& facts) override;
  std::vector<InboxItem> inbox(const role::State& state) const override;
  Status gather_documents(const role::State& state, Facts& facts);
  Result<RepositoryFact> repository_fact(const role::State& state) const;
  Result<MergeFact> merge_fact(const role::State& state, const role::Command& command) const;

  RolePaths paths_;
  std::unique_ptr<UserRepository> git_;
};

// Where the checks of the roles have clean checkouts.
WorkspaceSpec role_workspace(const RolePaths& paths);

// The policy part of the settings; what they leave open is as in `known`, or found out.
Result<role::Policy> role_policy(RoleLoop& loop, const Settings& settings,
                                 const role::State& known);

}  // namespace pf
