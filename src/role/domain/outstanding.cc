#include "role/domain/outstanding.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "document/role/roadmap.h"
#include "role/domain/effort.h"
#include "role/domain/reading.h"
#include "role/domain/views.h"

namespace pf::role {

PF_COMPILED_HERE(Effect);

namespace {

CommitId tip_of(const Observed& observed, const std::string& branch) {
  const BranchFact* fact = find_in(observed.branches, branch, &BranchFact::name);
  return fact == nullptr ? CommitId{} : fact->tip;
}

void for_register(const State& state, const Observed& observed, std::vector<Effect>& effects) {
  const std::string path(kRegisterFile);
  const FileProblems* known = state.problems_of(path);
  const bool due = state.write && state.write->may_meet(observed.reg);
  if (state.write && observed.reg == state.write->after) {
    effects.emplace_back(RecordWritten{path, observed.reg});
  } else if (due || observed.reg.empty()) {
    effects.emplace_back(WriteFile{path, observed.reg, document::render_register(state.reg)});
  } else if (observed.reg == state.disk && !state.write) {
    if (known != nullptr) effects.emplace_back(LookAtDocuments{});  // it is mended
  } else if (known == nullptr || known->hash != observed.reg) {
    effects.emplace_back(LookAtDocuments{});
  }
}

void for_tasks(const State& state, const Observed& observed, std::vector<Effect>& effects) {
  for (const TaskWrite& write : state.task_writes) {
    const FileView* view = find_in(observed.tasks, write.path, &FileView::path);
    const Hash now = view == nullptr ? Hash{} : view->hash;
    if (now == write.before)
      effects.emplace_back(WriteFile{write.path, write.before});
    else
      effects.emplace_back(RecordWritten{write.path, now});  // done, or edited: theirs stays
  }
}

// A feature that waits aside may be looked at in its branch; at hand, its files are there already.
void for_commit(const Landing& landing, const Observed& observed, std::vector<Effect>& effects) {
  const CommitId tip = tip_of(observed, landing.branch);
  if (tip == landing.commit)
    effects.emplace_back(RecordMoved{landing.number});
  else if (tip == landing.tip)
    effects.emplace_back(MoveBranch{landing.number, landing.stage, landing.branch, tip,
                                    landing.commit, landing.aside, landing.salvage});
  else
    effects.emplace_back(
        RecordTrouble{landing.number, Stage::commit,
                      fmt::format("{} {}; put it back: git branch {}{} {}", landing.branch,
                                  tip.empty() ? "is gone" : "has moved since it was approved",
                                  tip.empty() ? "" : "-f ", landing.branch, landing.tip)});
}

// What was declined is kept by its branch, unless others use that by now.
void for_keep(const Landing& landing, const Observed& observed, std::vector<Effect>& effects) {
  const CommitId tip = tip_of(observed, landing.branch);
  if (tip == landing.commit)
    effects.emplace_back(RecordKept{landing.number});
  else if (tip == landing.tip)
    effects.emplace_back(MoveBranch{landing.number, landing.stage, landing.branch, tip,
                                    landing.commit, true, landing.salvage});
  else
    effects.emplace_back(RecordKept{
        landing.number, fmt::format("{} {}; the work is kept in {}", landing.branch,
                                    tip.empty() ? "is gone" : "has moved", landing.salvage)});
}

void for_move(const Landing& landing, const Observed& observed, std::vector<Effect>& effects) {
  const CommitId tip = tip_of(observed, landing.into);
  if (tip == landing.merged)
    effects.emplace_back(RecordMoved{landing.number});
  else if (tip == landing.onto)
    effects.emplace_back(MoveBranch{landing.number, landing.stage, landing.into, tip,
                                    landing.merged, true, landing.salvage});
  else
    effects.emplace_back(PrepareMerge{landing});
}

void for_pull(const State& state, const Landing& landing, std::vector<Effect>& effects) {
  for (const Landing& other : state.landings)
    if (other.number != landing.number && other.pull_begun && other.branch == landing.branch &&
        other.commit == landing.commit) {
      effects.emplace_back(RecordPull{landing.number, other.pull, ""});
      return;
    }
  if (landing.pull_begun)
    effects.emplace_back(
        RecordPull{landing.number, "", "it was interrupted; there may be one all the same"});
  else
    effects.emplace_back(OpenPull{landing.number, landing.branch, landing.into,
                                  name_of_landing(landing), pull_text(landing)});
}

void for_landing(const State& state, const Landing& landing, const Observed& observed,
                 std::vector<Effect>& effects) {
  switch (landing.stage) {
    case Stage::prepare: effects.emplace_back(PrepareCommit{landing}); break;
    case Stage::checks: effects.emplace_back(RunChecks{landing.number, landing.commit}); break;
    case Stage::merge: effects.emplace_back(PrepareMerge{landing}); break;
    case Stage::merge_checks:
      effects.emplace_back(RunChecks{landing.number, landing.merged, true});
      break;
    case Stage::commit: for_commit(landing, observed, effects); break;
    case Stage::pull_request: for_pull(state, landing, effects); break;
    case Stage::move: for_move(landing, observed, effects); break;
    case Stage::keep: for_keep(landing, observed, effects); break;
    case Stage::clear:
      effects.emplace_back(
          ClearTree{landing.number, landing.kind, landing.into, landing.commit, landing.salvage});
      break;
    case Stage::landed:
      if (landing.posts && !landing.posted) effects.emplace_back(PostSummary{landing.number});
      break;
    case Stage::approval:
    case Stage::dropped: break;
  }
}

void for_processes(const State& state, const Observed& observed, std::vector<Effect>& effects) {
  for (const RunView& view : observed.runs) {
    const bool known = state.run && state.run->number == view.run;
    const bool is_next = view.run == state.last_run + 1 && !state.run && wants_agent(state) &&
                         view.role == state.reg.current_role;
    if (!known && is_next)
      effects.emplace_back(RecordStart{view.run, view.role, view.agent});
    else if (!known && view.alive)
      effects.emplace_back(StopRun{view.run, false});
  }
  if (!state.run) return;
  const RunView* view = find_in(observed.runs, state.run->number, &RunView::run);
  if (view == nullptr || !view->alive)
    effects.emplace_back(RecordEnd{state.run->number, view == nullptr ? std::nullopt : view->exit});
  else if (state.run->switched || state.automation.empty())
    effects.emplace_back(StopRun{state.run->number, state.run->switched});
}

// Why the agents have to rest; "" while they need not.
std::string rest(const State& state, const Observed& observed) {
  if (state.reg.state == Lifecycle::blocked && !is_answerable(state))
    return "blocked: the note asks for an answer";
  if (state.problems_of(kRegisterFile) != nullptr) return "state.json is not sound";
  const Landing* landing = state.at_hand();
  if (landing != nullptr && (landing->stage == Stage::approval || !landing->trouble.empty()))
    return fmt::format("{} waits for you", name_of_landing(*landing));
  const bool idle = landing == nullptr && !state.work && state.reg.state != Lifecycle::init;
  if (idle && !observed.feature_left) return std::string(kAllFinished);
  if (!observed.foreign_changes.empty() && state.reg.current_role == Role::planner)
    return fmt::format("the next feature would take in what is no part of it; {}; {}",
                       name_foreign_changes(observed.foreign_changes), kForeignChangesFix);
  return spent_text(state);
}

bool can_go_on(const State& state) {
  return state.begun && !state.automation.empty() && state.at_hand() == nullptr &&
         (state.reg.state != Lifecycle::blocked || is_answerable(state)) && !state.branch &&
         state.problems_of(kRegisterFile) == nullptr && spent_text(state).empty();
}

bool is_delegated(const State& state) {
  return state.reg.current_role == Role::coder && state.policy.coder_by != CoderBy::agent;
}

bool is_out_of_time(const State& state, const Observed& observed) {
  const auto deadline = budget_deadline_ms(state, observed.now);
  return deadline && *deadline <= observed.now.mono_ms && !observed.now.boot.empty();
}

}  // namespace

bool is_answerable(const State& state) {
  return state.reg.state == Lifecycle::blocked && !state.for_human && !is_delegated(state) &&
         !state.policy.agent_of(state.reg.current_role).empty();
}

bool wants_agent(const State& state) {
  const AgentName& agent = state.policy.agent_of(state.reg.current_role);
  const bool free = !state.taken || state.taken->by == agent.str();
  return can_go_on(state) && !is_delegated(state) && free && !agent.empty();
}

bool wants_child(const State& state) {
  return can_go_on(state) && is_delegated(state) && !state.run && !state.taken;
}

bool has_open_feature(const State& state, std::string_view roadmap) {
  const auto read = document::read_roadmap(roadmap);
  if (!read) return true;
  return std::ranges::any_of(read->features, [&](const document::Feature& feature) {
    const bool open = feature.status == document::WorkStatus::planned ||
                      feature.status == document::WorkStatus::in_progress;
    return open && std::ranges::none_of(state.landings, [&](const Landing& landing) {
             return !is_over(landing.stage) && landing.feature == feature.id;
           });
  });
}

std::vector<Effect> outstanding(const State& state, const Observed& observed) {
  std::vector<Effect> effects;
  if (!state.begun) return effects;
  for_register(state, observed, effects);
  for_tasks(state, observed, effects);
  const bool settled = effects.empty();
  for (const Landing& landing : state.landings)
    if (landing.trouble.empty() || landing.stage == Stage::landed || landing.stage == Stage::keep)
      if (settled || landing.aside) for_landing(state, landing, observed, effects);
  if (settled && state.branch) {
    if (observed.checked_out == state.branch->name && state.branch->files.empty())
      effects.emplace_back(RecordBranch{state.branch->name});
    else
      effects.emplace_back(MakeBranch{*state.branch});
  }
  for_processes(state, observed, effects);
  if (!state.automation.empty() && is_out_of_time(state, observed))
    effects.emplace_back(EndAutomation{spent_text(state, observed.now)});
  if (!effects.empty() || state.automation.empty() || state.run) return effects;
  if (const std::string why = rest(state, observed); !why.empty()) {
    effects.emplace_back(EndAutomation{why});
  } else if (state.child) {
    if (!contains(observed.children, state.child->id))
      effects.emplace_back(MakeChild{*state.child});
  } else if (wants_child(state)) {
    effects.emplace_back(Delegate{state.policy.coder_by});
  } else if (wants_agent(state)) {
    effects.emplace_back(LaunchAgent{state.last_run + 1, state.reg.current_role,
                                     state.policy.agent_of(state.reg.current_role),
                                     state.sent_back});
  }
  return effects;
}

}  // namespace pf::role
