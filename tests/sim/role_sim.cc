#include "role_sim.h"

#include <fmt/format.h>

#include <algorithm>

#include "role/domain/views.h"

namespace pf::sim {
namespace {

using Kind = RoleDeed::Kind;

constexpr int kDeeds = 40;
constexpr int kMaxSteps = 200'000;
// A request is known again among the last 32, and one command is followed by many reports.
constexpr std::size_t kRetryWithin = 10;

}  // namespace

RoleSim::RoleSim(std::uint64_t seed, Stacks& stacks, Tally& tally, Trace trace)
    : dice_(seed),
      stacks_(stacks),
      tally_(tally),
      trace_(std::move(trace)),
      faults_(dice_, tally, world_.disk, world_.clock, world_.paths.journal, trace_),
      oracle_(world_, tally, trace_),
      crowd_(dice_, faults_, world_.paths.journal),
      pace_(dice_.pick_of({30, 150, 500})) {
  // A performer has a long way to go.
  faults_.weather.kill *= 5;
  faults_.weather.error *= 8;
  faults_.weather.full *= 3;
  faults_.weather.power *= 6;
  faults_.tender = world_.paths.repository.common;  // where each call of git begins
  faults_.more_often = 6;
}

void RoleSim::say(const std::string& text) const {
  if (trace_) trace_(text);
}

void RoleSim::go() {
  first_commit(world_, dice_);
  oracle_.person_acted();
  deeds_left_ = kDeeds;
  while (deeds_left_ > 0) crowd_step();
  finish();
}

void RoleSim::crowd_step() {
  if (++steps_ > kMaxSteps) throw Broken{"the run does not end"};
  const bool room = crowd_.alive.size() < faults_.weather.crowd;
  if (crowd_.alive.empty() || (room && dice_.one_in(pace_))) new_deed();
  people_act();
  disturb_machine();
  if (!crowd_.alive.empty()) drive(crowd_.choose());
}

void RoleSim::new_deed() {
  --deeds_left_;
  const role::State& state = oracle_.state();
  const auto waits = [](const auto& process) { return process->blocked(); };
  if (std::ranges::none_of(crowd_.alive, waits))
    world_.clock.advance(std::chrono::seconds(1 + dice_.below(100)));
  if (state.problems_of(role::kRegisterFile) != nullptr && dice_.one_in(2)) mend_documents();
  if (oracle_.door.in_doubt() && dice_.one_in(2)) return spawn({Kind::repair, {}, {}, "repair"});
  if (!state.begun) return spawn(to_init(dice_, ++last_number_));
  if (!crowd_.alive.empty() && dice_.one_in(20))
    if (const RoleDeed& twin = dice_.pick(crowd_.alive)->deed(); twin.kind == Kind::execute) {
      ++tally_.role_twins;
      return spawn(twin);
    }
  if (auto again = retry()) return spawn(std::move(*again));
  if (dice_.one_in(12)) return spawn({Kind::read, {}, {}, "read"});
  if (dice_.one_in(5)) return spawn(to_perform());
  if (dice_.one_in(3)) return spawn(human_deed(dice_, state, ++last_number_));
  work_ahead();
  spawn(turn_deed(dice_, state, ++last_number_));
}

std::optional<RoleDeed> RoleSim::retry() {
  const std::size_t now = oracle_.door.record().batches().size();
  std::erase_if(memory_, [&](const Remembered& r) {
    return now > oracle_.door.born(r.deed.request.id) + kRetryWithin;
  });
  if (memory_.empty() || !dice_.one_in(3)) return std::nullopt;
  const std::size_t index = dice_.below(memory_.size());
  Remembered remembered = std::move(memory_[index]);
  memory_.erase(memory_.begin() + static_cast<std::ptrdiff_t>(index));
  ++tally_.role_retries;
  return std::move(remembered.deed);
}

void RoleSim::spawn(RoleDeed deed) {
  ++tally_.role_commands;
  crowd_.alive.push_back(
      std::make_unique<RoleProcess>(world_, stacks_, ++last_pid_, std::move(deed)));
  RoleProcess& process = *crowd_.alive.back();
  say(fmt::format("{}: {} {}", process.pid(), process.deed().what,
                  process.deed().request.id.str()));
  oracle_.started(process);
}

void RoleSim::drive(std::size_t index) {
  RoleProcess& process = *crowd_.alive[index];
  ++tally_.role_steps;
  const bool files = process.call() == "rename" || process.call() == "remove";
  crowd_.move(process);
  oracle_.door.calls_failed |= faults_.calls_failed;
  oracle_.stepped(files);
  if (process.ended()) bury(index);
}

void RoleSim::bury(std::size_t index) {
  const auto process = crowd_.take(index);
  say(fmt::format("{}: {} ({} {})", process->pid(), process->outcome(),
                  role::turn_text(oracle_.state()), role::work_text(oracle_.state())));
  if (process->not_performed())
    say(fmt::format("  not performed: {} ({})", process->not_performed()->what,
                    process->not_performed()->why));
  if (process->killed() && process->performing()) ++tally_.performers_killed;
  oracle_.ended(*process);
  if (dice_.one_in(3)) oracle_.door.check_load();
  if (!process->executes()) return;
  const Error* error = process->error();
  const bool unknown = process->killed() || (error != nullptr && error->exit >= Exit::machine);
  if (unknown || dice_.one_in(4)) memory_.push_back({process->deed(), unknown});
}

bool RoleSim::is_tree_quiet() const {
  return std::ranges::none_of(crowd_.alive, &RoleProcess::performing);
}

// Between our last look at state.json and the rename there is one instant that nobody can close.
void RoleSim::edit_register() {
  const auto replaced = [&](const auto& process) { return process->is_at("rename", world_.reg()); };
  if (!oracle_.state().begun || std::ranges::any_of(crowd_.alive, replaced)) return;
  ++tally_.register_edits;
  const auto text =
      edited_register(dice_, oracle_.state(), world_.read(role::kRegisterFile).value_or(""));
  say(fmt::format("somebody edits state.json: {}", text.value_or("(removed)")));
  save(world_, std::string(role::kRegisterFile), text);
  oracle_.person_acted();
}

// What the party whose turn it is does before it hands over.
void RoleSim::work_ahead() {
  if (!is_tree_quiet()) return;
  const role::State& state = oracle_.state();
  if (state.reg.current_role == role::Role::planner && !state.work && !has_tasks(world_))
    write_tasks(world_, dice_);
  if (state.reg.current_role == role::Role::coder) write_work(world_, dice_, ++last_number_);
  oracle_.person_acted();
}

void RoleSim::people_act() {
  const Weather& weather = faults_.weather;
  if (weather.edit == 0) return;
  if (dice_.one_in(weather.edit * 4)) edit_register();
  if (dice_.one_in(weather.edit)) world_.red = dice_.one_in(3);
  if (dice_.one_in(weather.edit)) world_.no_pull = dice_.one_in(3);
  if (dice_.one_in(weather.edit * 2) && world_.git.head != "refs/heads/main") {
    ++tally_.pushes;
    say("somebody pushes to main");
    push(world_, dice_, "main", ++last_number_);
    oracle_.person_acted();
  }
  if (dice_.one_in(weather.edit * 6) && is_tree_quiet()) {
    say("somebody works in the tree");
    write_work(world_, dice_, ++last_number_);
    oracle_.person_acted();
  }
}

// Rare things are less rare when they matter.
void RoleSim::disturb_machine() {
  const Weather& weather = faults_.weather;
  const bool unsynced = std::ranges::any_of(crowd_.alive, [&](const auto& process) {
    return process->is_at("sync", world_.paths.journal) || process->call() == "sync_directory";
  });
  if (dice_.one_in(weather.erase * 5)) erase_projections();
  if (faults_.jumps_clock(false))
    for (const auto& process : crowd_.alive) process->disturbed = true;
  if (weather.power != 0 && dice_.one_in(unsynced ? weather.power / 10 : weather.power))
    power_cut();
}

void RoleSim::power_cut() {
  faults_.lose_power();
  for (const auto& process : crowd_.alive) process->die(0);
  oracle_.power_cut();
  while (!crowd_.alive.empty()) bury(crowd_.alive.size() - 1);
}

void RoleSim::erase_projections() {
  FakeFiles files(world_.disk, world_.clock, 3);
  const std::size_t which = dice_.below(3);
  if (which != 0) (void)files.remove(world_.paths.state);
  if (which != 1) (void)files.remove(world_.paths.inbox);
  ++tally_.projections_erased;
  say("projections erased");
}

}  // namespace pf::sim
