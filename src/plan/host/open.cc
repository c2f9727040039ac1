#include "plan/host/open.h"

#include <fmt/format.h>

#include "agents/program.h"
#include "base/deciding.h"
#include "base/text.h"
#include "loop/agent_sandbox.h"
#include "plan/domain/reading.h"
#include "plan/host/checkout_claim.h"

namespace pf {
namespace {

// As you have them, committed or not.
Status copy_documents(PlanLoop& loop) {
  Files& files = loop.os().files;
  const PlanPaths& paths = loop.paths();
  const Path from = paths.repository.top / paths.documents;
  const Path to = paths.worktree / paths.documents;
  TRY(files.make_directories(to));
  for (const Entry& entry : TRY(files.list(from)))
    if (entry.kind == FileKind::file) {
      TRY(files.remove(to / entry.name));
      TRY(files.copy(from / entry.name, to / entry.name));
    }
  return {};
}

// Refuses when an agent of the plan is not configured or its program is missing.
Status check_plan_agents(PlanLoop& loop, const plan::Policy& policy) {
  const Settings settings = TRY(loop.settings());
  for (const auto& [key, name] : {std::pair{"coder", policy.coder},
                                  {"reviewer", policy.reviewer},
                                  {"explain", policy.explain}}) {
    if (name.empty()) continue;
    const AgentSettings* agent = find_agent(settings, name);
    if (agent == nullptr)
      return fail(Exit::usage,
                  fmt::format("[plan] {} names the unknown agent '{}'", key, printable(name.str())),
                  "", fmt::format("add [agents.{}] with a kind, or name another one", name.str()));
    TRY(check_program(loop.os(), *agent, true));
  }
  return check_confinement(loop.os(), settings, loop.paths().repository);
}

// A worktree that is still to be made gets the documents of the checkout.
Status check_plan_text(PlanLoop& loop, plan::Workspace workspace, const std::string& steps) {
  const PlanPaths& paths = loop.paths();
  const bool made = TRY(loop.os().files.exists(paths.top(workspace) / paths.documents));
  const auto reading = plan::read_at_first(
      {TRY(loop.document(made ? workspace : plan::Workspace::repo, "plan.md"))}, steps);
  if (reading.sound()) return {};
  return fail(Exit::refused, "plan.md is not sound",
              join(document::in_words(plan::kPlanFile, reading.problems), "\n    "),
              "mend it, then run this again");
}

Result<Lock> take_plan(PlanLoop& loop) {
  const PlanPaths& paths = loop.paths();
  auto lease = TRY(Lock::try_take(loop.os(), paths.lease));
  if (lease) return std::move(*lease);
  return fail(Exit::refused, fmt::format("the plan '{}' is driven already", paths.feature.str()),
              fmt::format("by process {}", TRY(Lock::last_holder(loop.os(), paths.lease))),
              fmt::format("look at it: pairflow plan status {}", paths.feature.str()));
}

}  // namespace

Status prepare_plan_workspace(PlanLoop& loop, plan::Workspace workspace) {
  if (workspace == plan::Workspace::repo) return {};
  Os& os = loop.os();
  const PlanPaths& paths = loop.paths();
  const Lock repo_lock = TRY(lock_repository(os, paths));
  WorkspaceSpec spec = plan_workspace(paths, {});
  TRY(os.files.make_directories(paths.directory));
  if (TRY(Workspace(os, spec).exists())) return {};
  const Git git(os, {.git_dir = paths.repository.common});
  spec.base = CommitId(TRY(git.line("find the commit you are on", {"rev-parse", "HEAD^{commit}"})));
  TRY(Workspace(os, std::move(spec)).prepare());
  return copy_documents(loop);
}

Status open_plan(PlanLoop& loop, const Request& request, const PlanOpening& opening) {
  plan::Policy policy = plan_policy(TRY(loop.settings()));
  if (opening.worktree) policy.workspace = plan::Workspace::worktree;
  TRY(check_plan_text(loop, policy.workspace, opening.steps));
  TRY(check_plan_agents(loop, policy));
  TRY(exclude_control_directory(loop.os(), loop.paths().repository));
  const Lock lease = TRY(take_plan(loop));
  if (opening.restores && policy.workspace == plan::Workspace::repo) {
    // The log must not be put aside for a plan that is refused then.
    const ClaimFact claim = TRY(claim_on_checkout(
        loop.os(), loop.paths().repository, PlanClaimant{loop.paths().feature, opening.delegated}));
    if (!claim.holder.empty()) return std::unexpected(checkout_taken(claim).error);
  }
  const std::string aside = opening.restores ? TRY(loop.put_log_aside()).filename().string() : "";
  TRY(prepare_plan_workspace(loop, policy.workspace));
  TRY(loop.os().files.make_directories(loop.paths().directory));
  TRY(loop.execute(request, plan::Open{policy, aside, opening.delegated, opening.steps}));
  return {};
}

}  // namespace pf
