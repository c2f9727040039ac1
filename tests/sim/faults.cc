#include "faults.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>

#include "os/system_error.h"

namespace pf::sim {

Faults::Faults(Dice& dice, Tally& tally, FakeDisk& disk, FakeClock& clock, Path journal,
               const Trace& trace)
    : weather(Weather::draw(dice)),
      dice_(dice),
      tally_(tally),
      disk_(disk),
      clock_(clock),
      journal_(std::move(journal)),
      trace_(trace) {}

void Faults::say(const std::string& text) const {
  if (trace_) trace_(text);
}

bool Faults::disturb(Actor& actor) {
  was_torn_write = false;
  if (full_for_ > 0) actor.disturbed = true;
  if (actor.call().empty()) return false;  // it has not made its first call
  const bool sync = actor.call() == "sync";
  const bool write = actor.call() == "write_at";
  // The moments around the journal's own write are the interesting ones.
  const bool matters = actor.path() == tender || ((sync || write) && actor.path() == journal_);
  if (weather.kill != 0 && dice_.one_in(matters ? weather.kill / more_often : weather.kill)) {
    kill(actor);
    return true;
  }
  if (actor.blocked()) return false;
  if (error_burst_ > 0 ||
      (weather.error != 0 && dice_.one_in(sync ? weather.error / 12 : weather.error))) {
    fail_call(actor);
    return true;
  }
  if (write && full_for_ == 0 && dice_.one_in(weather.full)) {
    disk_.free_bytes = dice_.below(3) == 0 ? 0 : dice_.below(900);
    full_for_ = 1 + dice_.below(8);
    actor.disturbed = true;
    ++tally_.short_writes;
    say(fmt::format("{}: {} bytes free", actor.pid(), *disk_.free_bytes));
  }
  return false;
}

void Faults::moved() {
  if (full_for_ > 0 && --full_for_ == 0) disk_.free_bytes.reset();
}

void Faults::kill(Actor& actor) {
  if (actor.in_lock()) ++tally_.kills_in_lock;
  if (actor.is_at("sync", journal_)) ++tally_.kills_unsynced;
  was_torn_write = actor.is_at("write_at", journal_);
  const std::size_t written = dice_.pick_of({0, 100'000, dice_.below(2000), dice_.below(600)});
  say(fmt::format("{}: killed before {} {}{}", actor.pid(), actor.call(),
                  actor.path().filename().string(), actor.blocked() ? " (waiting)" : ""));
  actor.die(actor.blocked() ? 0 : written);
}

void Faults::fail_call(Actor& actor) {
  if (error_burst_ == 0) error_burst_ = static_cast<int>(dice_.pick_of({1, 1, 1, 2, 3, 5, 9}));
  --error_burst_;
  ++tally_.errors;
  if (actor.call() == "sync") ++tally_.failed_syncs;
  actor.disturbed = true;
  calls_failed = true;
  constexpr std::array kCodes = {EIO, ENOSPC, EMFILE, EACCES};
  const int code = actor.call() == "sync" ? EIO : dice_.pick(kCodes);
  say(fmt::format("{}: {} {} fails", actor.pid(), actor.call(), actor.path().filename().string()));
  actor.go_on_with(system_error(code, "cannot " + actor.call()));
}

Weather Faults::calm() {
  error_burst_ = 0;
  full_for_ = 0;
  disk_.free_bytes.reset();
  return std::exchange(weather, {});
}

void Faults::lose_power() {
  ++tally_.power_cuts;
  if (dice_.one_in(3))
    disk_.crash();
  else
    disk_.crash_torn(dice_.roll());
  disk_.free_bytes.reset();
  full_for_ = 0;
  error_burst_ = 0;
  clock_.reboot();
  say("power cut");
}

bool Faults::jumps_clock(bool waiting) {
  if (weather.jump == 0 || !dice_.one_in(waiting ? weather.jump / 8 : weather.jump)) return false;
  ++tally_.clock_jumps;
  switch (dice_.below(3)) {
    case 0: clock_.advance(std::chrono::minutes(1 + dice_.below(20))); break;
    case 1: clock_.suspend(std::chrono::hours(1 + dice_.below(90))); break;
    default:
      clock_.set_wall({static_cast<std::int64_t>(1'700'000'000'000u + dice_.below(1u << 30))});
  }
  say("the clock jumps");
  return true;
}

}  // namespace pf::sim
