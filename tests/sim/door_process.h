#pragma once
#include <variant>

#include "actor.h"
#include "loop/engine.h"

namespace pf::sim {

// What one process is started for.
template <class D>
struct DoorDeed {
  enum class Kind { execute, drive, read, repair };
  Kind kind = Kind::execute;
  Request request = {};
  typename D::Command command = {};
  std::string what = {};  // for the trace
  bool waits = true;      // of a driver
};

// A simulated process at the door of a loop.
template <class D>
class DoorProcess : public Actor {
 public:
  using Deed = DoorDeed<D>;
  using Kind = typename Deed::Kind;

  const Deed& deed() const { return deed_; }
  bool executes() const { return deed_.kind == Kind::execute; }
  bool drives() const { return deed_.kind == Kind::drive; }

  // How it ended: killed when there is nothing.
  struct Done {};
  using Ending =
      std::variant<std::monostate, Error, typename Engine<D>::Answer, typename D::State, Done>;
  const Ending& ending() const { return ending_; }
  const Error* error() const { return std::get_if<Error>(&ending_); }
  bool killed() const { return ending_.index() == 0; }
  // "exit 1: …", for the trace.
  std::string outcome() const {
    if (killed()) return "killed";
    if (error() == nullptr) return "done";
    return "exit " + std::to_string(static_cast<int>(error()->exit)) + ": " + error()->what + " (" +
           error()->why + ")";
  }

  bool recorded_before = false;  // its request was in the log when it started

 protected:
  DoorProcess(FakeDisk& disk, FakeClock& clock, Stacks& stacks, int pid, LoopFiles files, Deed deed)
      : Actor(disk, clock, stacks, pid, files.door),
        deed_(std::move(deed)),
        loop_files_(std::move(files)) {}
  virtual Result<Ending> act() = 0;
  // As `verify --repair` does.
  Status repair() {
    Lock door = TRY(Lock::take(os_, loop_files_.door, std::chrono::seconds(30)));
    Journal journal(os_, loop_files_.journal, loop_files_.id);
    TRY(journal.settle_doubt(door));
    TRY(Engine<D>(os_, loop_files_, nullptr, nullptr).load());
    const Reach reach = TRY(journal.scan({}, [](Line&&) { return Status{}; }));
    if (reach.torn) TRY(journal.repair_tail(door, *reach.torn));
    return {};
  }

 private:
  void perform() override {
    auto done = act();
    if (done)
      ending_ = std::move(*done);
    else
      ending_ = std::move(done).error();
  }

  Deed deed_;
  LoopFiles loop_files_;
  Ending ending_;
};

}  // namespace pf::sim
