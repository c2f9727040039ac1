#include "actor.h"

#include "base/check.h"

namespace pf::sim {

Actor::Actor(FakeDisk& disk, FakeClock& clock, Stacks& stacks, int pid, Path door)
    : files_(disk, clock, pid),
      random_(static_cast<std::uint64_t>(pid)),
      os_{files_, processes_, clock, random_, env_},
      door_(std::move(door)),
      fiber_(stacks, [this] { run(); }) {
  env_.process = pid;
  files_.before = [this](std::string_view call, const Path& path) {
    return stop_before(call, path);
  };
  files_.blocked = [this] {
    blocked_ = true;
    wait_for_orders();
    blocked_ = false;
  };
}

void Actor::end() {
  if (fiber_.started() && !fiber_.done()) die(0);
}

void Actor::go_on() { fiber_.resume(); }

void Actor::go_on_with(Error error) {
  error_ = std::move(error);
  fiber_.resume();
}

void Actor::die(std::size_t written) {
  never_ran_ = !fiber_.started();
  if (never_ran_) return;
  death_ = written;
  fiber_.resume();
  PF_CHECK(fiber_.done());
}

void Actor::run() {
  try {
    perform();
  } catch (const Killed&) {
  }
}

void Actor::wait_for_orders() {
  fiber_.suspend();
  if (death_) throw Killed{*death_};
}

Status Actor::stop_before(std::string_view call, const Path& path) {
  call_ = call;
  path_ = path;
  // The holder writes its name into the lock's file.
  if (path == door_ && call == "write_at") in_lock_ = true;
  wait_for_orders();
  if (!error_) return {};
  Error error = std::move(*error_);
  error_.reset();
  return std::unexpected(std::move(error));
}

}  // namespace pf::sim
