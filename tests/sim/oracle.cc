#include "oracle.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "deed.h"

namespace pf::sim {
namespace {

constexpr int kPid = 2;

// All that can be seen of a state. Not only its JSON: a member that the codec forgot is missing on
// both sides of a comparison, but not in what is decided and shown.
std::string text_of_state(const bubble::State& state) {
  std::string text = dump(codec::encode(state));
  for (const bubble::InboxItem& item : bubble::inbox_of(state)) text += dump(codec::encode(item));
  if (state.phase == bubble::Phase::none) return text;
  for (const AgentName& name : {kCodex, kClaude}) text += bubble::turn_text(state, name, {});
  Facts facts;
  facts.tree = TreeFact{state.target.value_or(World::tree_id(1)), World::tree_id(0), {}, {}};
  facts.cold = true;
  facts.dead.emplace();
  const Request human{RequestId("probe"), {}, Seq::none};
  Request agent{RequestId("probe"), {PrincipalKind::agent}, Seq::none};
  if (state.active_agent) agent.who.name = *state.active_agent;
  const auto probe = [&](const Request& request, const bubble::Command& command) {
    const auto decision = bubble::decide(state, request, command, facts);
    if (const auto* rejection = std::get_if<Rejection>(&decision))
      text += rejection->error.what + rejection->error.why;
    if (const auto* events = std::get_if<std::vector<bubble::Event>>(&decision))
      for (const bubble::Event& event : *events) text += dump(bubble::encode(event).payload);
  };
  probe(agent, bubble::Pass{"s", {}, {{}, true, {}}, {}, {}});
  probe(agent, bubble::Converge{"s"});
  probe(agent, bubble::Converge{"s", all_parts()});
  probe(human, bubble::Reply{"s", bubble::ReplyDecision::accept, 2, {}});
  probe(human, bubble::Rework{"s", false, {}});
  probe(human, bubble::Approve{});
  probe(human, bubble::RerunChecks{});
  facts.merge.emplace();
  probe(human, bubble::Merge{});
  return text;
}

bool says_doubt(const Error& error) {
  return error.what.find("journal in doubt") != std::string::npos;
}

bool same_events(const std::vector<bubble::Event>& events, const std::vector<Line>& lines) {
  return std::ranges::equal(events, lines, [](const bubble::Event& event, const Line& line) {
    const Draft draft = bubble::encode(event);
    return event.seq == line.seq && event.id == line.id && draft.type == line.draft.type &&
           draft.sender == line.draft.sender && dump(draft.payload) == dump(line.draft.payload);
  });
}

}  // namespace

Oracle::Oracle(World& world, Tally& tally)
    : world_(world), tally_(tally), record_(world.disk, world.clock, world.files.journal) {
  files_.emplace(world.disk, world.clock, kPid);
}

bool Oracle::in_doubt() {
  Path mark = world_.files.journal;
  mark += ".in-doubt";
  return files_->exists(mark).value();
}

void Oracle::started(Process& process) {
  process.doubt_before = in_doubt();
  if (process.deed().kind != Deed::Kind::execute) return;
  const Request& request = process.deed().request;
  auto [at, fresh] = stories_.try_emplace(request.id.str());
  Story& story = at->second;
  if (fresh) story.request = request, story.born = record_.batches().size();
  story.absent = false;
  story.shared |= ++story.alive > 1;
  // A process that is still at it may have to take it back.
  process.recorded_before = story.alive == 1 && record_.find(request.id) != nullptr;
}

void Oracle::stepped() {
  if (damaged_) return;
  const bool cut = record_.look();
  if (cut) {
    judged_ = std::min(judged_, record_.batches().size());
    if (tail_) check_saved(*tail_);
    tail_.reset();
  }
  judge_new_batches();
}

void Oracle::judge_new_batches() {
  for (; judged_ < record_.batches().size(); ++judged_) judge_new_batch(record_.batches()[judged_]);
}

// Promise 4: bytes of a write that did not finish are saved before they are cut off.
void Oracle::check_saved(const Tail& tail) {
  const std::string name = fmt::format("transcript.ndjson.torn-{}", tail.from);
  const Path directory = world_.files.journal.parent_path();
  const auto entries = files_->list(directory);
  for (const Entry& entry : *entries)
    if (entry.name.starts_with(name) && files_->read(directory / entry.name) == tail.bytes) {
      ++tally_.tails_saved;
      return;
    }
  throw Broken{fmt::format("promise 4: a torn tail of {} bytes at {} was cut off and not saved",
                           tail.bytes.size(), tail.from)};
}

// Promises 2 and 6, whoever wrote it and whatever was answered.
void Oracle::judge_new_batch(const Record<bubble::Domain>::Batch& batch) {
  const auto at = stories_.find(batch.request.str());
  if (at == stories_.end()) throw Broken{"a batch of a request that nobody made"};
  const Story& story = at->second;
  if (batch.warning) {
    ++tally_.warnings;
    return;
  }
  const auto& all = record_.batches();
  const auto earlier = std::ranges::count_if(all, [&](const Record<bubble::Domain>::Batch& other) {
    return other.end < batch.end && !other.warning && other.request == batch.request;
  });
  if (earlier != 0)
    throw Broken{fmt::format("promise 2: request {} is in two batches", batch.request.str())};
  if (story.absent)
    throw Broken{fmt::format("promise 1: request {} was answered as not recorded and is there",
                             batch.request.str())};
  const std::string& type = batch.lines.front().draft.type;
  const bool turns =
      story.request.who.kind == PrincipalKind::human || type == "PASS" || type == "CONVERGENCE";
  if (turns && story.request.turn != Seq::none && story.request.turn != batch.before->turn)
    throw Broken{fmt::format("promise 6: a {} of turn {} was recorded in turn {}", type,
                             number(story.request.turn), number(batch.before->turn))};
  if ((type == "PASS" || type == "CONVERGENCE") &&
      batch.before->active_agent != story.request.who.name)
    throw Broken{"promise 6: an agent that was not on turn handed it on"};
}

void Oracle::ended(Process& process) {
  stepped();
  if (!damaged_) record_.compare();
  if (damaged_ && *damaged_ != files_text())
    throw Broken{"promise 4: something was written although the journal is damaged"};
  const auto& ending = process.ending();
  if (const auto* loaded = std::get_if<BubbleEngine::Loaded>(&ending)) judge(*loaded);
  const auto* error = std::get_if<Error>(&ending);
  if (process.deed().kind == Deed::Kind::execute) {
    Story& story = stories_.at(process.deed().request.id.str());
    if (const auto* answer = std::get_if<BubbleEngine::Answer>(&ending))
      judge(process, story, *answer);
    else if (error != nullptr)
      judge(process, story, *error);
    else
      story.unknown = true;
    if (--story.alive == 0) story.shared = false;
  } else if (error != nullptr) {
    judge_cause(process, *error);
  }
  const bool answered = ending.index() != 0 && error == nullptr;
  if (answered && process.doubt_before && in_doubt())
    throw Broken{"promise 1: answered from a journal that is in doubt"};
  if (damaged_ && error == nullptr)
    throw Broken{"promise 4: a damaged journal was taken for a good one"};
  note_tail();
}

void Oracle::judge(Process& process, Story& story, const BubbleEngine::Answer& answer) {
  const RequestId& id = process.deed().request.id;
  const Record<bubble::Domain>::Batch* batch = record_.find(id);
  if (!answer.warnings.empty()) {
    ++tally_.after_append_trouble;
    if (!process.disturbed) throw Broken{"a warning without a cause: " + answer.warnings.front()};
  }
  if (answer.events.empty()) {
    ++tally_.well_already;
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
    throw Broken{"promise 5: the state that was answered is not the one of the journal"};
  ++(answer.repeated ? tally_.repeated : tally_.recorded);
  if (answer.repeated && story.unknown) ++tally_.unknown_was_recorded;
  if (!answer.repeated && story.unknown) ++tally_.unknown_was_not;
  story.unknown = false;
  record_.commit(batch->end);
}

void Oracle::judge(Process& process, Story& story, const Error& error) {
  judge_cause(process, error);
  if (error.exit == Exit::damaged && says_doubt(error)) {
    ++tally_.in_doubt;
    story.unknown = true;
    return;
  }
  if (error.what == "the turn this belongs to is over" || error.what.ends_with("since you looked"))
    ++tally_.stale_turns;
  if (error.exit == Exit::refused) ++tally_.refused;
  if (error.exit == Exit::usage) ++tally_.usage;
  if (error.exit == Exit::machine) ++tally_.failed;
  judge_unrecorded(process, story, error);
}

// Promise 1: an answer other than 0 says that nothing was recorded.
void Oracle::judge_unrecorded(Process& process, Story& story, const Error& error) {
  if (story.shared) return;  // it is the other one's
  const RequestId& id = process.deed().request.id;
  const Record<bubble::Domain>::Batch* batch = record_.find(id);
  const bool decided = error.exit == Exit::refused || error.exit == Exit::usage;
  if (batch != nullptr && decided)
    throw Broken{
        fmt::format("promise 2: {} was recorded and is refused now: {}", id.str(), error.what)};
  if (batch != nullptr && !process.recorded_before)
    throw Broken{fmt::format("promise 1: {} failed ({}) and is there", id.str(), error.what)};
  if (batch == nullptr && error.what.starts_with("not recorded")) ++tally_.withdrawn;
  story.absent = batch == nullptr;
}

// A failure of the machine has a cause, damage is damage.
void Oracle::judge_cause(const Process& process, const Error& error) {
  const std::string text = fmt::format("{} ({}; {})", error.what, error.why, process.deed().what);
  if (damaged_) {
    if (error.exit != Exit::damaged) throw Broken{"promise 4: damage was not named: " + text};
    ++tally_.refused_as_damaged;
    return;
  }
  if (error.exit == Exit::damaged && !says_doubt(error))
    throw Broken{"promise 4: called damaged without damage: " + text};
  if (error.exit == Exit::damaged && !calls_failed)
    throw Broken{"promise 4: in doubt without a failed call: " + text};
  if (error.exit == Exit::machine && !process.disturbed)
    throw Broken{"a failure without a cause: " + text};
}

// Promise 5.
void Oracle::judge(const BubbleEngine::Loaded& loaded) {
  const bubble::State* state = record_.state_at(loaded.mark.hash);
  if (state == nullptr) throw Broken{"promise 5: a state of a journal that never was"};
  if (text_of_state(loaded.state) != text_of_state(*state))
    throw Broken{"promise 5: the loaded state is not what the journal folds to"};
}

void Oracle::check_load() {
  FakeProcesses processes;
  FakeRandom random;
  FakeEnvironment env;
  Os os{*files_, processes, world_.clock, random, env};
  const bool snapshot = files_->exists(world_.files.snapshot).value();
  const BubbleEngine engine(os, world_.files, nullptr, nullptr);
  const auto loaded = engine.load();
  if (!loaded && says_doubt(loaded.error()) && in_doubt()) return;
  if (!loaded) throw Broken{"promise 4: called damaged without damage: " + loaded.error().what};
  if (loaded->mark.end != record_.whole())
    throw Broken{fmt::format("promise 5: {} bytes of whole batches, {} were loaded",
                             record_.whole(), loaded->mark.end)};
  judge(*loaded);
  ++(snapshot ? tally_.snapshot_states : tally_.folded_states);
}

void Oracle::power_cut() {
  files_.emplace(world_.disk, world_.clock, kPid);
  judged_ = record_.after_power_cut();
  judge_new_batches();
  tail_.reset();
  note_tail();
  if (tail_) ++tally_.torn_by_power;
  check_load();
}

// What is behind the last whole batch while nobody holds the door: nobody is going to finish it.
void Oracle::note_tail() {
  if (!torn()) return tail_.reset();
  const auto door = files_->open(world_.files.door, Open::create);
  if (door && (*door)->lock(Duration::zero()).value())
    tail_ = Tail{record_.whole(), record_.bytes().substr(record_.whole())};
}

void Oracle::damage(bool there) {
  damaged_.reset();
  if (there) damaged_ = files_text();
}

// Every file of the bubble with its content.
std::string Oracle::files_text() {
  std::string text;
  const Path directory = world_.files.journal.parent_path();
  const auto entries = files_->list(directory);
  for (const Entry& entry : *entries)
    text += fmt::format("{}\n{}\n", entry.name, files_->read(directory / entry.name).value());
  return text;
}

}  // namespace pf::sim
