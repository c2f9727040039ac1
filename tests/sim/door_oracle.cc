#include "door_oracle.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "plan/domain/views.h"
#include "plan/host/loop.h"
#include "role/domain/views.h"
#include "role/host/loop.h"

namespace pf::sim {
namespace {

constexpr int kPid = 2;

// What people read of a state.
std::string words_of(const plan::State& state) {
  if (state.phase == plan::Phase::none) return "";
  return plan::turn_text(state) + plan::step_text(state) + plan::guard_text(state);
}
std::string words_of(const role::State& state) {
  return role::turn_text(state) + role::work_text(state) + role::autopilot_text(state);
}

// All that can be seen of a state: also what the codec may have forgotten.
template <class State>
std::string text_of_state(const State& state) {
  std::string text = dump(codec::encode(state)) + words_of(state);
  for (const InboxItem& item : inbox_of(state)) text += dump(codec::encode(item));
  return text;
}

bool says_doubt(const Error& error) {
  return error.what.find("journal in doubt") != std::string::npos;
}

template <class Event>
bool same_events(const std::vector<Event>& events, const std::vector<Line>& lines) {
  return std::ranges::equal(events, lines, [](const auto& event, const Line& line) {
    const Draft draft = encode(event);
    return event.seq == line.seq && draft.type == line.draft.type &&
           draft.sender == line.draft.sender && dump(draft.payload) == dump(line.draft.payload);
  });
}

}  // namespace

template <class D>
DoorOracle<D>::DoorOracle(FakeDisk& disk, FakeClock& clock, LoopFiles files, Tally& tally,
                          Kind kind)
    : disk_(disk),
      clock_(clock),
      files_(std::move(files)),
      tally_(tally),
      kind_(std::move(kind)),
      record_(disk, clock, files_.journal) {}

template <class D>
bool DoorOracle<D>::in_doubt() {
  FakeFiles files(disk_, clock_, kPid);
  Path mark = files_.journal;
  mark += ".in-doubt";
  return files.exists(mark).value();
}

template <class D>
void DoorOracle<D>::started(Process& process) {
  if (!process.executes()) return;
  const RequestId& id = process.deed().request.id;
  auto [at, fresh] = stories_.try_emplace(id.str());
  Story& story = at->second;
  if (fresh) story.born = record_.batches().size();
  story.absent = false;
  story.shared |= ++story.alive > 1;
  // A process that is still at it may have to take it back.
  process.recorded_before = story.alive == 1 && record_.find(id) != nullptr;
}

template <class D>
void DoorOracle<D>::stepped() {
  if (record_.look()) judged_ = std::min(judged_, record_.batches().size());
  judge_new_batches();
}

template <class D>
void DoorOracle<D>::judge_new_batches() {
  for (; judged_ < record_.batches().size(); ++judged_) judge_new_batch(record_.batches()[judged_]);
}

template <class D>
void DoorOracle<D>::judge_new_batch(const Batch& batch) {
  const auto& all = record_.batches();
  const auto earlier = std::ranges::count_if(all, [&](const Batch& other) {
    return other.end < batch.end && !other.warning && other.request == batch.request;
  });
  if (!batch.warning && earlier != 0)
    throw Broken{fmt::format("promise 2: request {} is in two batches", batch.request.str())};
  const auto at = stories_.find(batch.request.str());
  if (!batch.warning && at != stories_.end() && at->second.absent)
    throw Broken{fmt::format("promise 1: request {} was answered as not recorded and is there",
                             batch.request.str())};
  if (!batch.warning && at == stories_.end() && batch.lines.back().draft.sender != "orchestrator")
    throw Broken{"a batch of a request that nobody made"};
  kind_.judge(batch);
}

template <class D>
void DoorOracle<D>::ended(Process& process) {
  record_.compare();
  const auto& ending = process.ending();
  if (const auto* loaded = std::get_if<typename D::State>(&ending)) {
    const auto* state = record_.state_at(loaded->mark.hash);
    if (state == nullptr || text_of_state(*state) != text_of_state(*loaded))
      throw Broken{"promise 5: the loaded state is not what the log folds to"};
  }
  if (!process.executes()) {
    if (process.error() != nullptr) judge_cause(process, *process.error());
    return;
  }
  Story& story = stories_.at(process.deed().request.id.str());
  if (const auto* answer = std::get_if<typename Engine<D>::Answer>(&ending))
    judge(process, story, *answer);
  else if (process.error() != nullptr)
    judge(process, story, *process.error());
  if (--story.alive == 0) story.shared = false;
}

template <class D>
void DoorOracle<D>::judge(Process& process, const Story& story,
                          const typename Engine<D>::Answer& answer) {
  const RequestId& id = process.deed().request.id;
  const Batch* batch = record_.find(id);
  if (!answer.warnings.empty() && !process.disturbed)
    throw Broken{"a warning without a cause: " + answer.warnings.front()};
  if (answer.events.empty()) {
    // What there was nothing to do for is not recorded: a twin may find something later.
    if ((batch != nullptr && !story.shared) || answer.repeated)
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
  ++(tally_.*(answer.repeated ? kind_.repeated : kind_.recorded));
  record_.commit(batch->end);
}

// Promise 1: an answer other than 0 says that nothing was recorded.
template <class D>
void DoorOracle<D>::judge(Process& process, Story& story, const Error& error) {
  judge_cause(process, error);
  if (error.exit == Exit::damaged) return;
  if (error.exit == Exit::refused) ++(tally_.*kind_.refused);
  if (story.shared) return;  // it is the other one's
  const RequestId& id = process.deed().request.id;
  const Batch* batch = record_.find(id);
  const bool decided = error.exit == Exit::refused || error.exit == Exit::usage;
  if (batch != nullptr && (decided || !process.recorded_before))
    throw Broken{
        fmt::format("promise 1: {} is in the log and was refused: {}", id.str(), error.what)};
  story.absent = batch == nullptr;
}

template <class D>
void DoorOracle<D>::judge_cause(const Process& process, const Error& error) {
  const std::string text = fmt::format("{} ({}; {})", error.what, error.why, process.deed().what);
  if (error.exit == Exit::damaged && !(says_doubt(error) && calls_failed))
    throw Broken{"promise 4: called damaged without damage: " + text};
  if (error.exit == Exit::machine && !process.disturbed)
    throw Broken{"a failure without a cause: " + text};
}

template <class D>
void DoorOracle<D>::check_load() {
  FakeFiles files(disk_, clock_, kPid);
  FakeProcesses processes;
  FakeRandom random;
  FakeEnvironment env;
  Os os{files, processes, clock_, random, env};
  const auto loaded = Engine<D>(os, files_, nullptr, nullptr).load();
  if (!loaded && says_doubt(loaded.error()) && in_doubt()) return;
  if (!loaded) throw Broken{"promise 4: called damaged without damage: " + loaded.error().what};
  if (loaded->mark.end != record_.whole())
    throw Broken{"promise 5: not all whole batches were loaded"};
  if (text_of_state(loaded->state) != text_of_state(record_.state()))
    throw Broken{"promise 5: the loaded state is not what the log folds to"};
}

template <class D>
void DoorOracle<D>::power_cut() {
  judged_ = std::min(judged_, record_.after_power_cut());
  judge_new_batches();
  check_load();
}

template class DoorOracle<plan::Domain>;
template class DoorOracle<role::Domain>;

}  // namespace pf::sim
