#include "role/host/performer.h"

#include <fmt/format.h>

#include <algorithm>

#include "document/role/task_file.h"
#include "loop/driver.h"
#include "role/domain/reading.h"
#include "role/host/landing.h"

namespace pf {
namespace {

template <class E, class... Others>
constexpr bool is_any = (std::is_same_v<E, Others> || ...);

// Those that read or change the files of the worktree as a whole.
template <class E>
constexpr bool is_about_tree = is_any<E, role::MakeBranch, role::PrepareCommit, role::RunChecks,
                                      role::MoveBranch, role::ClearTree>;

bool looks_at_git(const role::State& state) {
  return state.branch || std::ranges::any_of(state.landings, [](const role::Landing& landing) {
           return landing.stage == role::Stage::commit || landing.stage == role::Stage::move ||
                  landing.stage == role::Stage::keep;
         });
}

}  // namespace

Result<bool> RolePerformer::report(const role::Command& command) {
  return !TRY(loop_.report(command)).events.empty();
}

Status RolePerformer::see(const role::State&, role::Observed&) { return {}; }

Result<bool> RolePerformer::check(const role::RunChecks& effect) {
  return report(TRY(run_landing_checks(loop_, effect)));
}

Result<bool> RolePerformer::perform_agents(const role::State&, const role::Effect& effect) {
  if (const auto* end = std::get_if<role::RecordEnd>(&effect))
    return report(role::ReportRunEnded{end->run, 0, true});  // it died with its parent
  return false;
}

Result<role::Observed> RolePerformer::observe(const role::State& state) {
  role::Observed observed;
  observed.reg = TRY(loop_.document(std::string(role::kRegisterFile))).hash;
  for (const role::TaskWrite& write : state.task_writes)
    observed.tasks.push_back({write.path, TRY(loop_.document(write.path)).hash});
  if (looks_at_git(state)) {
    for (const role::Landing& landing : state.landings)
      for (const std::string& name : {landing.branch, landing.into}) {
        if (name.empty()) continue;
        if (const auto tip = TRY(loop_.git().ref("refs/heads/" + name)))
          observed.branches.push_back({name, CommitId(*tip)});
      }
    observed.checked_out = TRY(loop_.git().branch());
  }
  if (!state.automation.empty() && !state.work)
    observed.feature_left =
        role::has_open_feature(state, TRY(loop_.document(std::string(role::kRoadmapFile))).text);
  if (!state.automation.empty() && !state.work && !state.clean)
    observed.foreign_changes = role::foreign_changes_in(TRY(loop_.git().dirty()));
  TRY(see(state, observed));
  return observed;
}

Result<role::State> RolePerformer::settle() {
  role::State state;
  TRY(pf::settle([&]() -> Result<bool> {
    state = TRY(loop_.load_durable());
    for (const role::Effect& effect : role::outstanding(state, TRY(observe(state))))
      if (TRY(perform(state, effect))) return true;
    return false;
  }));
  return state;
}

Result<bool> RolePerformer::write(const role::WriteFile& effect) {
  std::string text = effect.text;
  if (effect.path != role::kRegisterFile) {
    const FileFact now = TRY(loop_.document(effect.path));
    auto done = document::set_task_status(effect.path, now.text, document::WorkStatus::done);
    if (now.hash != effect.before || !done) return true;  // edited: looked at again
    text = std::move(*done);
  }
  TRY(loop_.write_document(effect.path, effect.before, text));
  return true;
}

Result<bool> RolePerformer::pull(const role::OpenPull& effect) {
  return report(TRY(open_pull_request(loop_, effect)));
}

Result<bool> RolePerformer::perform(const role::State& state, const role::Effect& effect) {
  return std::visit(
      [&]<class E>(const E& e) -> Result<bool> {
        if constexpr (is_about_tree<E>)
          if (!is_tree_free()) return false;
        if constexpr (is_any<E, role::WriteFile>) {
          return write(e);
        } else if constexpr (is_any<E, role::RecordWritten>) {
          TRY(loop_.keep_document(e.path));
          return report(role::ReportWritten{e.path, e.hash});
        } else if constexpr (is_any<E, role::LookAtDocuments>) {
          return report(role::CheckDocuments{});
        } else if constexpr (is_any<E, role::MakeBranch>) {
          return report(TRY(make_branch(loop_, e)));
        } else if constexpr (is_any<E, role::RecordBranch>) {
          return report(role::ReportBranch{e.name});
        } else if constexpr (is_any<E, role::PrepareCommit>) {
          return report(TRY(prepare_commit(loop_, e)));
        } else if constexpr (is_any<E, role::RunChecks>) {
          return check(e);
        } else if constexpr (is_any<E, role::PrepareMerge>) {
          return report(TRY(prepare_merge(loop_, e)));
        } else if constexpr (is_any<E, role::ClearTree>) {
          return report(TRY(clear_tree(loop_, e)));
        } else if constexpr (is_any<E, role::MoveBranch>) {
          if (const auto stopped = TRY(move_landed_branch(loop_, e))) TRY(loop_.report(*stopped));
          return true;
        } else if constexpr (is_any<E, role::OpenPull>) {
          if (!TRY(report(role::BeginPull{e.landing}))) return false;
          return pull(e);
        } else if constexpr (is_any<E, role::RecordMoved>) {
          return report(role::ReportMoved{e.landing});
        } else if constexpr (is_any<E, role::RecordKept>) {
          return report(role::ReportKept{{e.landing, e.error}});
        } else if constexpr (is_any<E, role::RecordPull>) {
          return report(role::ReportPull{e.landing, e.url, e.error});
        } else if constexpr (is_any<E, role::RecordTrouble>) {
          return report(role::ReportLandingTrouble{e.landing, e.stage, e.what});
        } else if constexpr (is_any<E, role::PostSummary>) {
          return report(role::ReportSummary{e.landing});
        } else if constexpr (is_any<E, role::EndAutomation>) {
          return report(role::StopAutomation{e.why});
        } else {
          return perform_agents(state, effect);
        }
      },
      effect);
}

// A command that appended while we were settling found the lease taken and left it to us: so what
// there is is looked at once more after it is given back.
Result<bool> settle_roles(RoleLoop& loop, const Settle& settle) {
  for (Seq seen = Seq::none;;) {
    {
      const auto lease = TRY(Lock::try_take(loop.os(), loop.paths().lease));
      if (!lease) return false;
      seen = TRY(settle(*lease)).last_seq;
    }
    if (TRY(loop.load()).last_seq == seen) return true;
  }
}

Result<bool> settle_roles(RoleLoop& loop) {
  return settle_roles(loop, [&](const Lock& lease) { return RolePerformer(loop, lease).settle(); });
}

}  // namespace pf
