#include "plan_oracle.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/hash.h"
#include "plan/domain/views.h"

namespace pf::sim {
namespace {

constexpr int kPid = 2;

// All that can be seen of a state: also what the codec may have forgotten.
std::string text_of_state(const plan::State& state) {
  std::string text = dump(codec::encode(state));
  for (const InboxItem& item : plan::inbox_of(state)) text += dump(codec::encode(item));
  if (state.phase != plan::Phase::none)
    text += plan::turn_text(state) + plan::step_text(state) + plan::guard_text(state);
  return text;
}

bool says_doubt(const Error& error) {
  return error.what.find("journal in doubt") != std::string::npos;
}

bool same_events(const std::vector<plan::Event>& events, const std::vector<Line>& lines) {
  return std::ranges::equal(events, lines, [](const plan::Event& event, const Line& line) {
    const Draft draft = plan::encode(event);
    return event.seq == line.seq && draft.type == line.draft.type &&
           draft.sender == line.draft.sender && dump(draft.payload) == dump(line.draft.payload);
  });
}

}  // namespace

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
    : world_(world),
      tally_(tally),
      record_(world.disk, world.clock, world.paths.log),
      register_(world, record_) {}

bool PlanOracle::in_doubt() {
  FakeFiles files(world_.disk, world_.clock, kPid);
  Path mark = world_.paths.log;
  mark += ".in-doubt";
  return files.exists(mark).value();
}

void PlanOracle::started(PlanProcess& process) {
  if (process.deed().kind != PlanDeed::Kind::execute) return;
  const RequestId& id = process.deed().request.id;
  auto [at, fresh] = stories_.try_emplace(id.str());
  Story& story = at->second;
  if (fresh) story.born = record_.batches().size();
  story.absent = false;
  story.shared |= ++story.alive > 1;
  // Whoever is at it still may have to take it back.
  process.recorded_before = story.alive == 1 && record_.find(id) != nullptr;
}

void PlanOracle::stepped() {
  if (record_.look()) judged_ = std::min(judged_, record_.batches().size());
  judge_new_batches();
  if (register_.look()) ++tally_.plans_rewritten;
  if (!world_.broken.empty()) throw Broken{world_.broken};
  if (std::ranges::count_if(world_.workers, [](const WorkerPtr& w) { return w->alive; }) > 1)
    throw Broken{"two runs are at work"};
}

void PlanOracle::judge_new_batches() {
  for (; judged_ < record_.batches().size(); ++judged_) judge_new_batch(record_.batches()[judged_]);
}

void PlanOracle::judge_new_batch(const Batch& batch) {
  check_state(*batch.state);
  if (batch.warning) return;
  const auto& all = record_.batches();
  const auto earlier = std::ranges::count_if(all, [&](const Batch& other) {
    return other.end < batch.end && !other.warning && other.request == batch.request;
  });
  if (earlier != 0)
    throw Broken{fmt::format("promise 2: request {} is in two batches", batch.request.str())};
  if (const auto at = stories_.find(batch.request.str()); at != stories_.end()) {
    if (at->second.absent)
      throw Broken{fmt::format("promise 1: request {} was answered as not recorded and is there",
                               batch.request.str())};
  } else if (batch.lines.back().draft.sender != "orchestrator") {
    throw Broken{"a batch of a request that nobody made"};
  }
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
  record_.compare();
  const auto& ending = process.ending();
  const auto* error = std::get_if<Error>(&ending);
  if (const auto* loaded = std::get_if<plan::State>(&ending)) {
    const plan::State* state = record_.state_at(loaded->mark.hash);
    if (state == nullptr || text_of_state(*state) != text_of_state(*loaded))
      throw Broken{"promise 5: the loaded state is not what the log folds to"};
  }
  if (process.deed().kind != PlanDeed::Kind::execute) {
    if (error != nullptr) judge_cause(process, *error);
    return;
  }
  Story& story = stories_.at(process.deed().request.id.str());
  if (const auto* answer = std::get_if<PlanEngine::Answer>(&ending))
    judge(process, story, *answer);
  else if (error != nullptr)
    judge(process, story, *error);
  else
    story.unknown = true;
  if (--story.alive == 0) story.shared = false;
}

void PlanOracle::judge(PlanProcess& process, Story& story, const PlanEngine::Answer& answer) {
  const RequestId& id = process.deed().request.id;
  const Batch* batch = record_.find(id);
  if (!answer.warnings.empty() && !process.disturbed)
    throw Broken{"a warning without a cause: " + answer.warnings.front()};
  if (answer.events.empty()) {
    if (batch != nullptr || answer.repeated)
      throw Broken{fmt::format("promise 2: {} is recorded but its answer is empty", id.str())};
    return;
  }
  if (batch == nullptr)
    throw Broken{fmt::format("promise 1: {} was answered with 0 and is not there", id.str())};
  if (!same_events(answer.events, batch->lines))
    throw Broken{fmt::format("promise 2: the answer to {} is not what was recorded", id.str())};
  if (process.recorded_before && !answer.repeated)
    throw Broken{fmt::format("promise 2: {} was not known again", id.str())};
  if (!answer.repeated && text_of_state(answer.state) != text_of_state(*batch->state))
    throw Broken{"promise 5: the state that was answered is not the one of the log"};
  ++(answer.repeated ? tally_.plan_repeated : tally_.plan_recorded);
  story.unknown = false;
  record_.commit(batch->end);
}

// Promise 1: an answer other than 0 says that nothing was recorded.
void PlanOracle::judge(PlanProcess& process, Story& story, const Error& error) {
  judge_cause(process, error);
  if (error.exit == Exit::damaged) {
    story.unknown = true;
    return;
  }
  if (error.exit == Exit::refused) ++tally_.plan_refused;
  if (story.shared) return;  // it is the other one's
  const RequestId& id = process.deed().request.id;
  const Batch* batch = record_.find(id);
  const bool decided = error.exit == Exit::refused || error.exit == Exit::usage;
  if (batch != nullptr && (decided || !process.recorded_before))
    throw Broken{
        fmt::format("promise 1: {} is in the log and was refused: {}", id.str(), error.what)};
  story.absent = batch == nullptr;
}

void PlanOracle::judge_cause(const PlanProcess& process, const Error& error) {
  const std::string text = fmt::format("{} ({}; {})", error.what, error.why, process.deed().what);
  if (error.exit == Exit::damaged && !(says_doubt(error) && calls_failed))
    throw Broken{"promise 4: called damaged without damage: " + text};
  if (error.exit == Exit::machine && !process.disturbed)
    throw Broken{"a failure without a cause: " + text};
}

void PlanOracle::check_load() {
  FakeFiles files(world_.disk, world_.clock, kPid);
  FakeProcesses processes;
  FakeRandom random;
  FakeEnvironment env;
  Os os{files, processes, world_.clock, random, env};
  const PlanEngine engine(os, world_.paths.loop_files(), nullptr, nullptr);
  const auto loaded = engine.load();
  if (!loaded && says_doubt(loaded.error()) && in_doubt()) return;
  if (!loaded) throw Broken{"promise 4: called damaged without damage: " + loaded.error().what};
  if (loaded->mark.end != record_.whole())
    throw Broken{"promise 5: not all whole batches were loaded"};
  if (text_of_state(loaded->state) != text_of_state(record_.state()))
    throw Broken{"promise 5: the loaded state is not what the log folds to"};
}

void PlanOracle::power_cut() {
  judged_ = std::min(judged_, record_.after_power_cut());
  judge_new_batches();
  register_.power_cut();
  check_load();
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
