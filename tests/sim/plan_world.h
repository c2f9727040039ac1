#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "agents/stream.h"
#include "git/fake/user_repository.h"
#include "os/fake/clock.h"
#include "os/fake/disk.h"
#include "plan/host/loop.h"

namespace pf::sim {

// The process of a run, as the simulated world has it.
struct Worker {
  int run = 0;
  plan::Role role = plan::Role::coder;
  AgentName agent;
  bool alive = true;
  std::optional<int> exit = {};
  bool finished = false;                 // by its own word
  bool forgot = false;                   // the conversation that it was to go on in
  std::vector<StreamItem> unheard = {};  // what it has said since
};
using WorkerPtr = std::shared_ptr<Worker>;

// What the simulated processes share: one machine with one plan.
struct PlanWorld {
  FakeDisk disk;
  FakeClock clock;
  FakeGitDirectory git;
  PlanPaths paths{{"/repo", "/repo/.git"}, plan::FeatureId("sim")};
  std::vector<WorkerPtr> workers;  // all that were ever started
  bool forgets = false;            // the next one that is to go on in a conversation
  std::string broken;              // what a process of its own accord saw go wrong

  Path plan_md() const { return paths.repository.top / paths.documents / "plan.md"; }
  Worker* at_work() const {
    const auto at = std::ranges::find_if(workers, &Worker::alive);
    return at == workers.end() ? nullptr : at->get();
  }
};

}  // namespace pf::sim
