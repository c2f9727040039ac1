#include "plan/host/loop.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/error_text.h"
#include "base/hash.h"
#include "base/text.h"
#include "plan/domain/budget.h"
#include "plan/domain/views.h"
#include "plan/host/checkout_claim.h"
#include "plan/host/landing.h"

namespace pf {

template class Engine<plan::Domain>;
template class Loop<plan::Domain, PlanPaths>;
namespace {

constexpr std::size_t kLongestDocument = 1u << 20;
constexpr const char* kPlan = "plan.md";
constexpr const char* kSpec = "spec.md";
constexpr const char* kIntent = "intent.md";

}  // namespace

PlanPaths::PlanPaths(Repository where, plan::FeatureId which)
    : DrivenPaths(std::move(where), "plan." + which.str(), Path("plans") / which.str()),
      feature(std::move(which)),
      index(directory / "workspace.index"),
      worktree(beside("plan." + feature.str())),
      documents(Path("docs") / feature.str()) {}

WorkspaceSpec plan_workspace(const PlanPaths& paths, const CommitId& base) {
  WorkspaceSpec spec;
  spec.repository = paths.repository;
  spec.bubble = "plan." + paths.feature.str();
  spec.branch = paths.branch();
  spec.base = base;
  spec.worktree = paths.worktree;
  spec.index = paths.index;
  return spec;
}

PlanLoop::PlanLoop(Os& os, PlanPaths paths)
    : PlanLoop(os, paths, user_repository(os, plan_workspace(paths, {}), "")) {}

PlanLoop::PlanLoop(Os& os, PlanPaths paths, std::unique_ptr<UserRepository> git)
    : Loop(os, std::move(paths)), git_(std::move(git)) {}

Workspace PlanLoop::workspace(const CommitId& base) const {
  return Workspace(os_, plan_workspace(paths_, base));
}

Path PlanPaths::run_file(const plan::Run& run, std::string_view ending) const {
  return DrivenPaths::run_file(run.number, name_of(run.role), ending);
}

std::string PlanLoop::way_out() const {
  return fmt::format("pairflow plan resume {}", paths_.feature.str());
}

Result<plan::State> PlanLoop::load_or_none() {
  auto state = TRY(Loop::load_or_none());
  if (state.phase == plan::Phase::none && TRY(os_.files.exists(paths_.runs)))
    return fail(
        Exit::damaged, fmt::format("the log of the plan '{}' is gone", paths_.feature.str()),
        fmt::format("there are runs, but {} holds nothing", paths_.journal.string()), way_out());
  return state;
}

Result<Error> PlanLoop::not_begun() const {
  const std::string& feature = paths_.feature.str();
  const std::string near = TRY(nearest_in(paths_.control / "plans", feature));
  const bool planned = TRY(os_.files.exists(paths_.repository.top / paths_.documents / kPlan));
  return Error{Exit::refused, fmt::format("the plan '{}' was never run", feature),
               fmt::format("in {}", paths_.repository.top.string()),
               planned         ? fmt::format("run it: pairflow plan run {}", feature)
               : !near.empty() ? fmt::format("did you mean '{}'?", near)
                               : fmt::format("begin with: pairflow plan init {}", feature)};
}

Result<FileFact> PlanLoop::document(plan::Workspace workspace, const std::string& name) const {
  const Path& top = paths_.top(workspace);
  FileFact fact{name};
  fact.exists = TRY(os_.files.exists(top / paths_.documents / name));
  if (!fact.exists) return fact;
  auto text = os_.files.read_beneath(top, paths_.documents / name, kLongestDocument);
  if (text)
    fact.text = std::move(*text);
  else
    fact.trouble = text.error().why.empty() ? text.error().what : text.error().why;
  fact.hash = hash_of(text ? fact.text : "unreadable: " + fact.trouble);
  return fact;
}

Result<std::vector<document::Step>> PlanLoop::steps(const plan::State& state) const {
  auto plan =
      document::read_plan(TRY(document(state.policy.workspace, kPlan)).text, form_of(state));
  return plan ? std::move(plan->steps) : std::vector<document::Step>{};
}

Result<PlanLoop::Answer> PlanLoop::execute(const Request& request, const plan::Command& command) {
  auto answer = Loop::execute(request, command);
  claiming_.reset();
  return answer;
}

// A repository without a commit has no beginning; the plan goes on and cannot land.
RepositoryFact PlanLoop::beginning(plan::Workspace workspace) {
  RepositoryFact fact;
  fact.branch = git_->branch().value_or("");
  if (workspace == plan::Workspace::repo) {
    fact.at = git_->head().value_or(CommitId());
  } else if (const auto tip = git_->ref(ref_of_branch(paths_.branch())); tip && *tip) {
    fact.at = CommitId(**tip);
  }
  return fact;
}

Result<TreeId> PlanLoop::take_files(plan::Workspace workspace, const CommitId& base) {
  TreeId tree = workspace == plan::Workspace::repo
                    ? TRY(git_->snapshot({}))
                    : TRY(this->workspace(base).snapshot(false)).tree;
  TRY(git_->set_ref(fmt::format("refs/pairflow/plan.{}/tree/{}", paths_.feature.str(), tree.str()),
                    tree.str(), std::nullopt));
  return tree;
}

Status PlanLoop::gather(const std::vector<Need>& needs, const plan::State& state,
                        const plan::Command& command, Facts& facts) {
  const auto* open = std::get_if<plan::Open>(&command);
  const plan::Workspace workspace = open ? open->policy.workspace : state.policy.workspace;
  for (const Need need : needs) {
    if (need == Need::documents) {
      facts.documents =
          std::vector{TRY(document(workspace, kPlan)), TRY(document(workspace, kSpec))};
      facts.known = known_of(state);
      const bool written = state.write && facts.documents->front().hash == state.write->after;
      if (written) TRY(keep_plan(workspace));  // it will be taken for granted
    }
    if (need == Need::idle)
      facts.idle = IdleFact{{}, plan::time_on_step(state, os_.clock.moment()), os_.clock.wall()};
    if (need == Need::repository) facts.repository = beginning(workspace);
    if (need == Need::tree) {
      auto tree = take_files(workspace, open ? facts.repository->at : state.base);
      facts.tree = TreeFact{tree.value_or(TreeId()), {}, {}, {}};
      if (!tree) facts.untaken = in_short(tree.error());
    }
    if (need == Need::landing)
      facts.landing = TRY(look_at_landing(*this, state, std::get<plan::Land>(command)));
    if (need == Need::merge) facts.merge = TRY(look_at_merge(*this, state));
    if (need == Need::claim) {
      if (!claiming_) claiming_ = TRY(lock_repository(os_, paths_));
      const bool delegated = open ? open->delegated : state.delegated;
      facts.claim =
          TRY(claim_on_checkout(os_, paths_.repository, PlanClaimant{paths_.feature, delegated}));
    }
  }
  return {};
}

Status PlanLoop::write_plan(plan::Workspace workspace, const plan::RegisterWrite& write,
                            std::string_view form) {
  const FileFact now = TRY(document(workspace, kPlan));
  if (now.hash != write.before) return {};  // an edit came between: looked at on the next wake
  const auto changed = document::rewrite_plan(now.text, change_of(write), form);
  if (!changed || hash_of(*changed) != write.after)
    return fail(
        Exit::machine, "plan.md could not be changed",
        changed ? "it came out otherwise than decided" : document::in_words(kPlan, changed.error()),
        "set active_step by hand");
  // Likewise when it comes while the new text is being made durable.
  TRY(os_.files.replace_unchanged(paths_.top(workspace) / paths_.documents / kPlan, now.text,
                                  *changed, Durable::yes));
  return {};
}

Status PlanLoop::keep_plan(plan::Workspace workspace) {
  return os_.files.sync_directory(paths_.top(workspace) / paths_.documents);
}

// Files::replace makes "plan.md.<token>.tmp" first.
Status PlanLoop::tidy_documents(const Path& top) {
  const Path directory = top / paths_.documents;
  const auto entries = TRY(os_.files.list(directory));
  const std::size_t token = os_.random.token().size() + 1;
  for (const Entry& entry : entries) {
    const Path name(entry.name), without = name.stem();
    if (name.extension() != ".tmp" || without.extension().string().size() != token) continue;
    const std::string document = without.stem().string();
    if (std::ranges::find(entries, document, &Entry::name) != entries.end())
      TRY(os_.files.remove(directory / entry.name));
  }
  return {};
}

Result<plan::Sources> PlanLoop::sources(plan::Workspace workspace) const {
  const Path& top = paths_.top(workspace);
  const auto named = [&](const char* name) -> Result<std::string> {
    const Path file = paths_.documents / name;
    return TRY(os_.files.exists(top / file)) ? file.string() : std::string();
  };
  return plan::Sources{TRY(named(kPlan)), TRY(named(kIntent)), TRY(named(kSpec))};
}

Result<Path> PlanLoop::put_log_aside() {
  Lock door = TRY(Lock::take(os_, paths_.door, PlanEngine::kDoorWait));
  for (int number = 1;; ++number) {
    const Path aside = paths_.directory / fmt::format("events.damaged-{}.ndjson", number);
    const Path runs = paths_.directory / fmt::format("runs.damaged-{}", number);
    if (TRY(os_.files.exists(aside)) || TRY(os_.files.exists(runs))) continue;
    if (TRY(os_.files.exists(paths_.journal))) TRY(os_.files.rename(paths_.journal, aside));
    TRY(os_.files.remove(Path(paths_.journal) += kInDoubt));
    if (TRY(os_.files.exists(paths_.runs))) TRY(os_.files.rename(paths_.runs, runs));
    TRY(os_.files.remove(paths_.state));
    TRY(os_.files.remove(paths_.stream));
    TRY(os_.files.sync_directory(paths_.directory));
    (void)door.leave_head("");  // it was the old log's
    return aside;
  }
}

Result<std::vector<plan::FeatureId>> plans_run(Os& os, const Repository& repository) {
  std::vector<plan::FeatureId> features;
  for (const Entry& entry : TRY(os.files.list(repository.top / ".pairflow" / "plans"))) {
    auto feature = plan::parse_feature_id(entry.name);
    if (feature && TRY(os.files.exists(PlanPaths(repository, *feature).journal)))
      features.push_back(std::move(*feature));
  }
  return features;
}

plan::Policy plan_policy(const Settings& settings) {
  plan::Policy policy;
  policy.coder = settings.plan_coder;
  policy.reviewer = settings.plan_reviewer;
  policy.max_change_requests = settings.plan_max_change_requests;
  policy.step_time_budget_minutes = settings.plan_step_time_budget_minutes;
  policy.workspace =
      parse_name<plan::Workspace>(settings.plan_workspace).value_or(policy.workspace);
  policy.check = settings.plan_check;
  policy.explain = AgentName(settings.plan_explain);
  return policy;
}

}  // namespace pf
