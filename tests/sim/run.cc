#include "run.h"

#include <fmt/format.h>

#include <algorithm>

namespace pf::sim {
namespace {

constexpr int kDeeds = 26;
constexpr int kMaxSteps = 60'000;
// A request is known again among the last 32; its retry comes sooner than that.
constexpr std::size_t kRetryWithin = 16;

}  // namespace

Run::Run(std::uint64_t seed, Stacks& stacks, Tally& tally, Trace trace)
    : dice_(seed),
      stacks_(stacks),
      tally_(tally),
      trace_(std::move(trace)),
      faults_(dice_, tally, world_.disk, world_.clock, world_.files.journal, trace_),
      oracle_(world_, tally) {}

void Run::say(const std::string& text) const {
  if (trace_) trace_(text);
}

void Run::go() {
  prepare();
  deeds_left_ = kDeeds;
  while (deeds_left_ > 0 || !alive_.empty()) crowd_step();
  finish();
}

// Most runs begin with a bubble that works, some with nothing, some with a long journal.
void Run::prepare() {
  world_.checks = dice_.one_in(2);
  if (dice_.one_in(5)) return;
  while (auto deed = first_deed(oracle_.state(), world_, ++last_number_)) alone(std::move(*deed));
  if (!dice_.one_in(16)) return;
  ++tally_.long_journals;
  for (int i = 0; i < 70; ++i) {
    Deed deed{
        Deed::Kind::execute,
        {RequestId(fmt::format("r{}", ++last_number_)), {PrincipalKind::orchestrator}, Seq::none},
        bubble::ReportEvidence{World::tree_id(999), bubble::EvidenceStatus::green, "make", {}},
        "evidence"};
    alone(std::move(deed));
  }
}

void Run::crowd_step() {
  if (++steps_ > kMaxSteps) throw Broken{"the run does not end"};
  if (alive_.empty()) {
    if (dice_.one_in(12)) race();
    if (dice_.one_in(25)) damage();
    if (bubble::is_final(oracle_.state().phase)) deeds_left_ = std::min(deeds_left_, 4);
  }
  const auto unsynced = [](const ProcessPtr& p) { return p->at_journal("sync"); };
  if (std::ranges::any_of(alive_, unsynced) && dice_.one_in(8))
    spawn({Deed::Kind::read, {}, {}, "read"});
  const bool room = alive_.size() < faults_.weather.crowd;
  if (deeds_left_ > 0 && room && (alive_.empty() || dice_.one_in(10))) {
    --deeds_left_;
    spawn(next_deed());
  }
  if (alive_.empty()) return;
  disturb_machine();
  if (alive_.empty()) return;
  check_deadlock();
  if (alive_.empty()) return;
  drive(choose_process());
  // What was just answered has to outlast what comes next.
  if (just_answered_ && faults_.weather.power != 0 && dice_.one_in(20)) power_cut();
  just_answered_ = false;
}

// Whatever happened: one repair and one more loss of power later everything is in order.
void Run::finish() {
  if (oracle_.in_doubt()) alone({Deed::Kind::repair, {}, {}, "repair"});
  power_cut();
  if (oracle_.in_doubt()) alone({Deed::Kind::repair, {}, {}, "repair"});
  if (oracle_.state().phase == bubble::Phase::none) alone(*first_deed({}, world_, ++last_number_));
  const auto ending = alone(choose_deed(dice_, oracle_.state(), world_, ++last_number_));
  const auto* error = std::get_if<Error>(&ending);
  if (error != nullptr && error->exit != Exit::refused && error->exit != Exit::usage)
    throw Broken{"not in order at the end: " + error->what};
  oracle_.check_load();
  erase_projections();
  oracle_.check_load();
  if (oracle_.state().phase == bubble::Phase::done) ++tally_.finished;
  if (oracle_.state().approved_tree) ++tally_.approved;
  if (oracle_.state().converged_tree) ++tally_.converged;
}

void Run::spawn(Deed deed) {
  ++tally_.commands;
  if (deed.kind == Deed::Kind::read) ++tally_.reads;
  if (deed.kind == Deed::Kind::repair) ++tally_.repairs;
  alive_.push_back(std::make_unique<Process>(world_, stacks_, ++last_pid_, std::move(deed)));
  Process& process = *alive_.back();
  say(fmt::format("{}: {} {}", process.pid(), process.deed().what,
                  process.deed().request.id.str()));
  oracle_.started(process);
}

Deed Run::next_deed() {
  if (oracle_.in_doubt() && dice_.one_in(2)) return {Deed::Kind::repair, {}, {}, "repair"};
  if (!alive_.empty() && dice_.one_in(25))
    if (const Deed& twin = dice_.pick(alive_)->deed(); twin.kind == Deed::Kind::execute) {
      ++tally_.twins;
      return twin;
    }
  if (auto again = retry()) return std::move(*again);
  return choose_deed(dice_, oracle_.state(), world_, ++last_number_);
}

std::optional<Deed> Run::retry() {
  const std::size_t now = oracle_.record().batches().size();
  std::erase_if(memory_, [&](const Remembered& r) {
    return now > oracle_.born(r.deed.request.id) + kRetryWithin;
  });
  if (memory_.empty() || !dice_.one_in(4)) return std::nullopt;
  const std::size_t index = dice_.below(memory_.size());
  Remembered remembered = std::move(memory_[index]);
  memory_.erase(memory_.begin() + static_cast<std::ptrdiff_t>(index));
  ++(remembered.unknown ? tally_.retries_of_unknown : tally_.retries_of_answered);
  return std::move(remembered.deed);
}

// Nobody alive can go on: a waiting process must get the lock when asked again.
void Run::check_deadlock() {
  const auto blocked = [](const ProcessPtr& process) { return process->blocked(); };
  if (!std::ranges::all_of(alive_, blocked)) return;
  const std::size_t waiting = alive_.size();
  for (std::size_t i = 0; i < waiting; ++i) {
    drive(i);
    if (alive_.size() < waiting || !std::ranges::all_of(alive_, blocked)) return;
  }
  throw Broken{"everybody waits for a lock that nobody alive holds"};
}

std::size_t Run::choose_process() {
  const bool stay = current_ < alive_.size() && !alive_[current_]->blocked();
  if (stay && !dice_.one_in(faults_.weather.switching)) return current_;
  current_ = dice_.below(alive_.size());
  // Waiting for a lock costs time, so it is looked at less often.
  for (int tries = 0; tries < 4 && alive_[current_]->blocked(); ++tries)
    current_ = dice_.below(alive_.size());
  return current_;
}

void Run::drive(std::size_t index) {
  Process& process = *alive_[index];
  ++tally_.steps;
  if (process.blocked()) ++tally_.lock_waits;
  if (!faults_.disturb(process)) process.go_on();
  oracle_.calls_failed |= faults_.calls_failed;
  faults_.moved();
  oracle_.stepped();
  if (faults_.was_torn_write && oracle_.torn()) ++tally_.torn_by_kill;
  if (process.ended()) bury(index);
}

void Run::bury(std::size_t index) {
  const ProcessPtr process = std::move(alive_[index]);
  alive_.erase(alive_.begin() + static_cast<std::ptrdiff_t>(index));
  const auto* error = std::get_if<Error>(&process->ending());
  const bool killed = process->ending().index() == 0;
  say(fmt::format(
      "{}: {}", process->pid(),
      killed ? "killed"
      : error != nullptr
          ? fmt::format("exit {}: {} ({})", static_cast<int>(error->exit), error->what, error->why)
          : "done"));
  if (killed) ++tally_.killed;
  just_answered_ = !killed;
  if (error != nullptr && error->what.find("is locked by") != std::string::npos)
    ++tally_.lock_timeouts;
  oracle_.ended(*process);
  if (!oracle_.damaged() && dice_.one_in(3)) oracle_.check_load();
  if (process->deed().kind != Deed::Kind::execute) return;
  const bool unknown = killed || (error != nullptr && error->exit >= Exit::machine);
  if (unknown || dice_.one_in(4)) memory_.push_back({process->deed(), unknown});
}

Process::Ending Run::alone(Deed deed) {
  const Weather weather = faults_.calm();
  spawn(std::move(deed));
  Process& process = *alive_.back();
  while (!process.ended()) {
    process.go_on();
    oracle_.stepped();
  }
  Process::Ending ending = process.ending();
  bury(alive_.size() - 1);
  faults_.weather = weather;
  return ending;
}

// Rare things are less rare when they matter: a batch that is written and not durable, a lock that
// is waited for.
void Run::disturb_machine() {
  const Weather& weather = faults_.weather;
  const bool unsynced =
      std::ranges::any_of(alive_, [](const ProcessPtr& p) { return p->at_journal("sync"); });
  const bool waiting =
      std::ranges::any_of(alive_, [](const ProcessPtr& p) { return p->blocked(); });
  if (dice_.one_in(weather.erase)) erase_projections();
  if (faults_.jumps_clock(waiting))
    for (const ProcessPtr& process : alive_) process->disturbed = true;
  if (dice_.one_in(weather.edit)) world_.tree = 1000 + static_cast<int>(dice_.below(9));
  if (dice_.one_in(weather.edit)) world_.dead = {dice_.one_in(2) ? kCodex : kClaude};
  if (weather.power != 0 && dice_.one_in(unsynced ? weather.power / 15 : weather.power))
    power_cut();
}

void Run::power_cut() {
  for (const ProcessPtr& process : alive_)
    if (process->at_journal("sync")) ++tally_.cut_unsynced;
  faults_.lose_power();
  for (const ProcessPtr& process : alive_) process->die(0);
  oracle_.power_cut();
  while (!alive_.empty()) bury(alive_.size() - 1);
}

void Run::erase_projections() {
  FakeFiles files(world_.disk, world_.clock, 3);
  const std::size_t which = dice_.below(3);
  if (which != 0) (void)files.remove(world_.files.snapshot);
  if (which != 1) (void)files.remove(world_.inbox);
  ++tally_.projections_erased;
  say("projections erased");
}

void Run::all_to_end() {
  while (!alive_.empty()) {
    check_deadlock();
    if (!alive_.empty()) drive(choose_process());
  }
}

}  // namespace pf::sim
