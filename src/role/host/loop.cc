#include "role/host/loop.h"

#include <fmt/format.h>

#include "base/codec.h"
#include "base/hash.h"
#include "base/text.h"
#include "plan/host/checkout_claim.h"
#include "role/domain/views.h"
#include "role/host/merge.h"

namespace pf {

template class Engine<role::Domain>;
template class Loop<role::Domain, RolePaths>;
namespace {

// "anyone": any agent may act in the role, and none is launched for it.
AgentName named(const AgentName& agent) { return agent.str() == "anyone" ? AgentName() : agent; }

// Where features begin when nobody has said so: what the remote calls its own, else the usual
// names, else what is checked out.
Result<std::string> usual_branch(RoleLoop& loop) {
  const Git git(loop.os(), {.git_dir = loop.paths().repository.common});
  constexpr std::string_view kRemote = "origin/";
  const Finished remote =
      TRY(git.run({"symbolic-ref", "-q", "--short", "refs/remotes/origin/HEAD"}));
  std::vector<std::string> candidates = {"main", "master"};
  if (const auto name = trim(remote.out); remote.ok() && name.starts_with(kRemote))
    candidates.insert(candidates.begin(), std::string(name.substr(kRemote.size())));
  for (const std::string& name : candidates)
    if (TRY(git.ref("refs/heads/" + name))) return name;
  const std::string checked_out = TRY(loop.git().branch());
  return checked_out.empty() ? candidates.front() : checked_out;
}

}  // namespace

RolePaths::RolePaths(Repository where)
    : DrivenPaths(std::move(where), kRoleLoop, "role"),
      checks(directory / "checks"),
      index(directory / "checkout.index"),
      checking(beside(std::string(kRoleLoop) + ".checks")),
      checking_kept(directory / "checks.json") {}

RoleLoop::RoleLoop(Os& os, RolePaths paths)
    : RoleLoop(os, paths, user_repository(os, role_workspace(paths), Path(role::kRegisterFile))) {}

RoleLoop::RoleLoop(Os& os, RolePaths paths, std::unique_ptr<UserRepository> git)
    : Loop(os, std::move(paths)), git_(std::move(git)) {}

std::string RoleLoop::way_out() const {
  return fmt::format("move {} away, then begin again with what state.json says: pairflow role init",
                     paths_.directory.string());
}

Result<Error> RoleLoop::not_begun() const {
  return Error{Exit::refused, "the roles have not begun here",
               fmt::format("in {}", paths_.repository.top.string()), "begin: pairflow role init"};
}

WorkspaceSpec role_workspace(const RolePaths& paths) {
  WorkspaceSpec spec;
  spec.repository = paths.repository;
  spec.bubble = kRoleLoop;
  spec.branch = kRoleLoop;
  spec.worktree = paths.checking;
  spec.index = paths.index;
  return spec;
}

Result<RoleLoop::Answer> RoleLoop::execute(const Request& request, const role::Command& command) {
  auto answer = Loop::execute(request, command);
  claiming_.reset();
  return answer;
}

Status RoleLoop::gather(const std::vector<Need>& needs, const role::State& state,
                        const role::Command& command, Facts& facts) {
  for (const Need need : needs) {
    if (need == Need::time) facts.time = os_.clock.wall();
    if (need == Need::repository) facts.repository = TRY(repository_fact(state));
    if (need == Need::merge) facts.merge = TRY(merge_fact(state, command));
    if (need == Need::documents) TRY(gather_documents(state, facts));
    if (need == Need::claim) {
      if (!claiming_) claiming_ = TRY(lock_repository(os_, paths_));
      facts.claim = TRY(claim_on_checkout(os_, paths_.repository, RolesClaimant{}));
    }
  }
  return {};
}

Status RoleLoop::gather_documents(const role::State& state, Facts& facts) {
  facts.documents = TRY(documents());
  const Hash& reg = facts.documents->front().hash;
  if (state.write && reg == state.write->after)  // it will be taken for granted
    TRY(keep_document(std::string(role::kRegisterFile)));
  facts.known = known_of(state);
  return {};
}

Result<MergeFact> RoleLoop::merge_fact(const role::State& state,
                                       const role::Command& command) const {
  const auto asked = role::merge_asked(state, command);
  if (!asked) return MergeFact{};
  MergeFact fact = TRY(git_->look_at_merge(asked->commit, asked->into));
  // Ours, and cleared by us; what somebody else did there is seen when the files are changed.
  std::erase_if(fact.dirty, [](const std::string& path) {
    return path == role::kRegisterFile || path.starts_with(role::kCurrentFolder);
  });
  const auto landing = std::ranges::find(state.landings, asked->commit, &role::Landing::commit);
  if (landing != state.landings.end())
    fact.conflicts = TRY(real_conflicts(*git_, *landing, fact.base, std::move(fact.conflicts)));
  return fact;
}

Result<role::Policy> role_policy(RoleLoop& loop, const Settings& settings,
                                 const role::State& known) {
  role::Policy policy;
  policy.planner = named(settings.role_planner);
  policy.coder = named(settings.role_coder);
  policy.reviewer = named(settings.role_reviewer);
  policy.coder_by = parse_name<role::CoderBy>(settings.role_coder_by).value_or(policy.coder_by);
  policy.types = settings.role_branch_types;
  policy.has_checks = !settings.commands.empty();
  policy.max_change_requests = settings.role_max_change_requests;
  policy.max_runs = settings.role_max_runs;
  policy.time_budget_minutes = settings.role_time_budget_minutes;
  policy.has_pr_command = !trim(settings.role_pr_command).empty();
  policy.default_branch = settings.role_default_branch;
  if (!policy.default_branch.empty()) return policy;
  policy.default_branch = known.policy.default_branch;
  if (known.begun) return policy;
  policy.default_branch = TRY(usual_branch(loop));
  return policy;
}

}  // namespace pf
