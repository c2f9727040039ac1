#pragma once
#include <map>
#include <optional>

#include "plan_process.h"
#include "plan_register.h"
#include "record.h"
#include "tally.h"

namespace pf::sim {

// Judges a simulated plan: what was answered is in the log and stays there, a request is done once,
// one run at a time, no finished run again, plan.md as the log says. Throws Broken.
class PlanOracle {
 public:
  PlanOracle(PlanWorld& world, Tally& tally);

  void started(PlanProcess& process);
  void stepped();
  void ended(PlanProcess& process);
  void power_cut();
  void person_wrote(const std::string& text) { register_.person_wrote(text); }
  // A reader of the oracle's own, by way of the snapshot, sees what folding from scratch gives.
  void check_load();
  // Nothing is left to be done, and whoever has the turn is at work.
  void check_rest();

  bool calls_failed = false;  // some call was made to fail in this run

  const Record<plan::Domain>& record() const { return record_; }
  const plan::State& state() const { return record_.state(); }
  const std::string& plan_text() const { return register_.text(); }
  bool in_doubt();
  bool torn() const { return record_.whole() < record_.bytes().size(); }
  std::size_t born(const RequestId& request) const { return stories_.at(request.str()).born; }

 private:
  using Batch = Record<plan::Domain>::Batch;
  // What has become of one request.
  struct Story {
    std::size_t born = 0;
    int alive = 0;         // processes that are at it
    bool shared = false;   // two were at it at once
    bool unknown = false;  // one ended without an answer
    bool absent = false;   // it was answered that nothing was recorded
  };

  void judge(PlanProcess& process, Story& story, const PlanEngine::Answer& answer);
  void judge(PlanProcess& process, Story& story, const Error& error);
  void judge_cause(const PlanProcess& process, const Error& error);
  void judge_new_batches();
  void judge_new_batch(const Batch& batch);
  void judge_event(const plan::State& before, const plan::Event& event);

  PlanWorld& world_;
  Tally& tally_;
  Record<plan::Domain> record_;
  PlanRegister register_;
  std::size_t judged_ = 0;  // batches
  std::map<std::string, Story> stories_;
};

// Broken when a log could never come to this.
void check_state(const plan::State& state);

}  // namespace pf::sim
