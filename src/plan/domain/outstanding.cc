#include "plan/domain/outstanding.h"

#include <algorithm>

#include "plan/domain/reading.h"

namespace pf::plan {

PF_COMPILED_HERE(Effect);

namespace {

const RunView* view_of(const Observed& observed, int run) {
  return find_in(observed.runs, run, &RunView::run);
}

const Run* begun_unrecorded(const State& state, const Observed& observed) {
  return find_where(state.runs, [&](const Run& run) {
    return !run.ending && !run.recorded && view_of(observed, run.number) != nullptr;
  });
}

void for_register(const State& state, const Observed& observed, std::vector<Effect>& effects) {
  const FileProblems* known = state.problems_of(kPlanFile);
  if (state.write && observed.plan == state.write->after) {
    effects.emplace_back(RecordWritten{observed.plan});
  } else if (state.write && observed.plan == state.write->before) {
    effects.emplace_back(WriteRegister{*state.write});
  } else if (state.write && state.write->is_late(observed.plan)) {
    effects.emplace_back(LookAtDocuments{});
  } else if (observed.plan == state.plan) {
    if (known != nullptr) effects.emplace_back(LookAtDocuments{});  // it is mended
  } else if (known == nullptr || known->hash != observed.plan) {
    effects.emplace_back(LookAtDocuments{});
  }
}

void for_processes(const State& state, const Observed& observed, std::vector<Effect>& effects) {
  for (const Run& run : state.runs) {
    if (run.ending) continue;
    const RunView* view = view_of(observed, run.number);
    if (run.started() && (view == nullptr || !view->alive)) {
      effects.emplace_back(RecordEnd{run.number, view == nullptr ? std::nullopt : view->exit});
    } else if (run.started() && (run.number != state.run || run.parked)) {
      // One that is parked is told so by the answer to its question.
      const bool handed = run.parked || (!run.tool.empty() && run.tool != "ask_user");
      effects.emplace_back(StopRun{run.number, handed});
    }
  }
  for (const RunView& view : observed.runs) {
    const Run* run = state.run_of(view.run);
    if (view.alive && (run == nullptr || run->ending))
      effects.emplace_back(StopRun{view.run, false});
  }
}

bool is_alone(const State& state, const Observed& observed) {
  return state.live() == nullptr &&
         std::ranges::none_of(observed.runs, [](const RunView& view) { return view.alive; });
}

}  // namespace

std::vector<Effect> outstanding(const State& state, const Observed& observed) {
  std::vector<Effect> effects;
  if (state.phase == Phase::none) return effects;
  // First of all: what stands in the files by now may have been written by it.
  if (const Run* begun = begun_unrecorded(state, observed)) return {RecordStart{begun->number}};
  for_register(state, observed, effects);
  const bool settled = effects.empty();
  for_processes(state, observed, effects);
  if (state.landing) effects.emplace_back(LandCommits{*state.landing});
  if (state.merge) effects.emplace_back(MergeHome{*state.merge});
  const Run* wanted = state.current();
  const bool due = wanted != nullptr && !wanted->started() && !wanted->ending &&
                   view_of(observed, wanted->number) == nullptr;
  if (settled && due && is_alone(state, observed))
    effects.emplace_back(StartRun{wanted->number, wanted->role, wanted->step});
  return effects;
}

}  // namespace pf::plan
