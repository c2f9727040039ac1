#pragma once
#include <map>
#include <optional>

#include "process.h"
#include "record.h"
#include "tally.h"

namespace pf::sim {

// Judges a run by promises 1 to 6 of the journal and the door; throws Broken at the first one that
// is not kept. It is told of every step and sees nothing but the disk and the answers.
class Oracle {
 public:
  Oracle(World& world, Tally& tally);

  void started(Process& process);
  void stepped();
  void ended(Process& process);
  void power_cut();
  // While the journal is damaged on purpose every command has to say so and to leave it alone.
  void damage(bool there);
  bool damaged() const { return damaged_.has_value(); }
  // A reader of the oracle's own, by way of the snapshot, sees what folding from scratch gives.
  void check_load();

  bool calls_failed = false;  // some call was made to fail in this run

  const Record<bubble::Domain>& record() const { return record_; }
  const bubble::State& state() const { return record_.state(); }
  bool in_doubt();
  bool torn() const { return record_.whole() < record_.bytes().size(); }
  // How many batches there were when the request was first made.
  std::size_t born(const RequestId& request) const { return stories_.at(request.str()).born; }

 private:
  // What has become of one request.
  struct Story {
    Request request = {};
    std::size_t born = 0;
    int alive = 0;         // processes that are at it
    bool shared = false;   // two were at it at once
    bool unknown = false;  // one ended without an answer
    bool absent = false;   // it was answered that nothing was recorded
  };
  struct Tail {
    std::uint64_t from = 0;
    std::string bytes;
  };

  void judge(Process& process, Story& story, const BubbleEngine::Answer& answer);
  void judge(Process& process, Story& story, const Error& error);
  void judge(const BubbleEngine::Loaded& loaded);
  void judge_unrecorded(Process& process, Story& story, const Error& error);
  void judge_cause(const Process& process, const Error& error);
  void judge_new_batches();
  void judge_new_batch(const Record<bubble::Domain>::Batch& batch);
  void note_tail();
  void check_saved(const Tail& tail);
  std::string files_text();

  World& world_;
  Tally& tally_;
  Record<bubble::Domain> record_;
  std::size_t judged_ = 0;  // batches
  std::map<std::string, Story> stories_;
  std::optional<Tail> tail_;
  std::optional<std::string> damaged_;  // the files as they were then
  std::optional<FakeFiles> files_;
};

}  // namespace pf::sim
