#pragma once
#include <functional>
#include <map>

#include "door_process.h"
#include "record.h"
#include "tally.h"

namespace pf::sim {

// Judges the door of a loop: what was answered is in the log and stays there, a request is done
// once, what is loaded is what the log says. Throws Broken.
template <class D>
class DoorOracle {
 public:
  using Process = DoorProcess<D>;
  using Batch = typename Record<D>::Batch;
  // Of the loop's own kind: where its answers are counted, and who judges a new batch.
  struct Kind {
    std::uint64_t Tally::*recorded, Tally::*repeated, Tally::*refused;
    std::function<void(const Batch&)> judge;
  };
  DoorOracle(FakeDisk& disk, FakeClock& clock, LoopFiles files, Tally& tally, Kind kind);

  void started(Process& process);
  void stepped();
  void ended(Process& process);
  void power_cut();
  // A reader of the oracle's own, by way of the snapshot, sees what folding from scratch gives.
  void check_load();
  // Broken when it says that the journal is damaged, or fails without a cause.
  void judge_cause(const Process& process, const Error& error);

  bool calls_failed = false;  // some call was made to fail in this run

  const Record<D>& record() const { return record_; }
  const typename D::State& state() const { return record_.state(); }
  bool in_doubt();
  std::size_t born(const RequestId& request) const { return stories_.at(request.str()).born; }

 private:
  // What has become of one request.
  struct Story {
    std::size_t born = 0;
    int alive = 0;        // processes that are at it
    bool shared = false;  // two were at it at once
    bool absent = false;  // it was answered that nothing was recorded
  };

  void judge(Process& process, const Story& story, const typename Engine<D>::Answer& answer);
  void judge(Process& process, Story& story, const Error& error);
  void judge_new_batches();
  void judge_new_batch(const Batch& batch);

  FakeDisk& disk_;
  FakeClock& clock_;
  LoopFiles files_;
  Tally& tally_;
  Kind kind_;
  Record<D> record_;
  std::size_t judged_ = 0;  // batches
  std::map<std::string, Story> stories_;
};

}  // namespace pf::sim
