// What the weather of a run does to processes and to the machine.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "os/system_error.h"
#include "run.h"

namespace pf::sim {

// True when the process was moved on by a fault.
bool Run::disturb(Process& process) {
  if (process.call().empty()) return false;  // it has not made its first call
  const bool sync = process.call() == "sync";
  const bool write = process.call() == "write_at";
  // The moments around the journal's own write are the interesting ones.
  const bool tender = (sync || write) && process.path() == world_.files.journal;
  if (weather_.kill != 0 && dice_.one_in(tender ? weather_.kill / 8 : weather_.kill)) {
    kill(process);
    return true;
  }
  if (process.blocked()) return false;
  if (error_burst_ > 0 ||
      (weather_.error != 0 && dice_.one_in(sync ? weather_.error / 12 : weather_.error))) {
    fail_call(process);
    return true;
  }
  if (write && full_for_ == 0 && dice_.one_in(weather_.full)) {
    world_.disk.free_bytes = dice_.below(3) == 0 ? 0 : dice_.below(900);
    full_for_ = 1 + dice_.below(8);
    process.disturbed = true;
    ++tally_.short_writes;
    say(fmt::format("{}: {} bytes free", process.pid(), *world_.disk.free_bytes));
  }
  return false;
}

void Run::kill(Process& process) {
  if (process.in_lock()) ++tally_.kills_in_lock;
  if (process.at_journal("sync")) ++tally_.kills_unsynced;
  const bool writes = process.at_journal("write_at");
  const std::size_t written = dice_.pick_of({0, 100'000, dice_.below(2000), dice_.below(600)});
  say(fmt::format("{}: killed before {} {}{}", process.pid(), process.call(),
                  process.path().filename().string(), process.blocked() ? " (waiting)" : ""));
  process.die(process.blocked() ? 0 : written);
  oracle_.stepped();
  if (writes && oracle_.torn()) ++tally_.torn_by_kill;
}

void Run::fail_call(Process& process) {
  if (error_burst_ == 0) error_burst_ = static_cast<int>(dice_.pick_of({1, 1, 1, 2, 3, 5, 9}));
  --error_burst_;
  ++tally_.errors;
  if (process.call() == "sync") ++tally_.failed_syncs;
  process.disturbed = true;
  oracle_.calls_failed = true;
  constexpr std::array kCodes = {EIO, ENOSPC, EMFILE, EACCES};
  const int code = process.call() == "sync" ? EIO : dice_.pick(kCodes);
  say(fmt::format("{}: {} {} fails", process.pid(), process.call(),
                  process.path().filename().string()));
  process.go_on_with(system_error(code, "cannot " + process.call()));
}

// Rare things are less rare when they matter: a batch that is written and not durable, a lock that
// is waited for.
void Run::disturb_machine() {
  const bool unsynced =
      std::ranges::any_of(alive_, [](const ProcessPtr& p) { return p->at_journal("sync"); });
  const bool waiting =
      std::ranges::any_of(alive_, [](const ProcessPtr& p) { return p->blocked(); });
  if (dice_.one_in(weather_.erase)) erase_projections();
  if (weather_.jump != 0 && dice_.one_in(waiting ? weather_.jump / 8 : weather_.jump)) jump_clock();
  if (dice_.one_in(weather_.edit)) world_.tree = 1000 + static_cast<int>(dice_.below(9));
  if (dice_.one_in(weather_.edit)) world_.dead = {dice_.one_in(2) ? kCodex : kClaude};
  if (weather_.power != 0 && dice_.one_in(unsynced ? weather_.power / 15 : weather_.power))
    power_cut();
}

void Run::power_cut() {
  ++tally_.power_cuts;
  for (const ProcessPtr& process : alive_)
    if (process->at_journal("sync")) ++tally_.cut_unsynced;
  if (dice_.one_in(3))
    world_.disk.crash();
  else
    world_.disk.crash_torn(dice_.roll());
  world_.disk.free_bytes.reset();
  full_for_ = 0;
  error_burst_ = 0;
  world_.clock.reboot();
  say("power cut");
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

void Run::jump_clock() {
  ++tally_.clock_jumps;
  for (const ProcessPtr& process : alive_) process->disturbed = true;
  switch (dice_.below(3)) {
    case 0: world_.clock.advance(std::chrono::minutes(1 + dice_.below(20))); break;
    case 1: world_.clock.suspend(std::chrono::hours(1 + dice_.below(90))); break;
    default:
      world_.clock.set_wall(
          {static_cast<std::int64_t>(1'700'000'000'000u + dice_.below(1u << 30))});
  }
  say("the clock jumps");
}

}  // namespace pf::sim
