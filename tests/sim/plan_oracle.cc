#include "plan_oracle.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "plan/domain/views.h"

namespace pf::sim {

void check_state(const plan::State& state) {
  const auto live = std::ranges::count_if(state.runs, &plan::Run::is_live);
  if (live > 1) throw Broken{"two runs are live in the log"};
  const bool halted =
      state.phase == plan::Phase::awaiting_user_input || state.phase == plan::Phase::error;
  if (halted != state.halt.has_value()) throw Broken{"a halt that is none"};
  if (!plan::is_active(state.phase)) return;
  const plan::Run* run = state.current();
  if (run == nullptr || run->ending || run->step != state.step ||
      plan::phase_of(run->role) != state.phase)
    throw Broken{"an active plan without its run"};
}

PlanOracle::PlanOracle(PlanWorld& world, Tally& tally)
    : door(world.disk, world.clock, world.paths.loop_files(), tally,
           {&Tally::plan_recorded, &Tally::plan_repeated, &Tally::plan_refused,
            [this](const auto& batch) { judge_batch(batch); }}),
      world_(world),
      tally_(tally),
      register_(world, door.record()) {}

void PlanOracle::stepped() {
  door.stepped();
  if (register_.look()) ++tally_.plans_rewritten;
  if (!world_.broken.empty()) throw Broken{world_.broken};
  if (std::ranges::count_if(world_.workers, [](const WorkerPtr& w) { return w->alive; }) > 1)
    throw Broken{"two runs are at work"};
}

void PlanOracle::judge_batch(const Record<plan::Domain>::Batch& batch) {
  check_state(*batch.state);
  if (batch.warning) return;
  plan::State state = *batch.before;
  for (const Line& line : batch.lines) {
    judge_event(state, plan::decode(line).value());
    state = plan::fold(std::move(state), line).value();
  }
}

void PlanOracle::judge_event(const plan::State& before, const plan::Event& event) {
  const auto of_run = [&](int run, plan::Role role) {
    const plan::Run* known = before.run_of(run);
    if (known == nullptr || run != before.run || known->role != role || known->ending)
      throw Broken{fmt::format("a tool call of run {} counted out of turn", run)};
    if (event.sender != known->agent.str()) throw Broken{"a tool call of somebody else counted"};
  };
  if (const auto* e = std::get_if<plan::ReviewRequested>(&event.body))
    of_run(e->run, plan::Role::coder);
  if (const auto* e = std::get_if<plan::ChangesRequested>(&event.body))
    of_run(e->run, plan::Role::reviewer);
  if (const auto* e = std::get_if<plan::Approved>(&event.body)) {
    of_run(e->run, plan::Role::reviewer);
    ++tally_.steps_approved;
  }
  if (const auto* e = std::get_if<plan::RunStarted>(&event.body)) {
    const plan::Run* run = before.run_of(e->run);
    if (run == nullptr || run->recorded || run->ending)
      throw Broken{fmt::format("the start of run {} is in the log where it cannot be", e->run)};
    ++tally_.runs_started;
  }
  if (const auto* e = std::get_if<plan::RunEnded>(&event.body)) {
    const plan::Run* run = before.run_of(e->run);
    if (run == nullptr || !run->is_live())
      throw Broken{fmt::format("run {} ended that was not there", e->run)};
    if (e->ending == plan::Ending::lost) ++tally_.runs_lost;
  }
  if (std::holds_alternative<plan::RegisterEdited>(event.body)) ++tally_.edits_taken_in;
}

void PlanOracle::ended(PlanProcess& process) {
  stepped();
  door.ended(process);
}

void PlanOracle::power_cut() {
  door.power_cut();
  register_.power_cut();
}

void PlanOracle::check_rest() {
  const plan::State& now = state();
  plan::Observed observed{hash_of(plan_text()), {}};
  const Worker* worker = world_.at_work();
  if (worker != nullptr) observed.runs.push_back({worker->run, true, {}});
  if (!plan::outstanding(now, observed).empty())
    throw Broken{fmt::format("at rest, and something is outstanding: {}", plan::turn_text(now))};
  const plan::FileProblems* told = now.problems_of("plan.md");
  const bool unsound = told != nullptr && told->hash == observed.plan;  // it is left as it is
  if (now.write && !unsound) throw Broken{"at rest, and plan.md is not as the log wants it"};
  if (plan::is_active(now.phase) && (worker == nullptr || worker->run != now.run))
    throw Broken{fmt::format("run {} is wanted and nobody is at work", now.run)};
  const auto plan = document::read_plan(plan_text());
  if (plan && plan->named && plan->active != now.step && now.problems.empty())
    throw Broken{fmt::format("plan.md names step {}, the log {}", plan->active, now.step)};
}

}  // namespace pf::sim
