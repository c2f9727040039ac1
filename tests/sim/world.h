#pragma once
#include <vector>

#include "bubble/host/loop.h"
#include "os/fake/clock.h"
#include "os/fake/disk.h"

namespace pf::sim {

// What the simulated processes share: one machine with one bubble.
struct World {
  FakeDisk disk;
  FakeClock clock;
  bool checks = false;          // the bubble's profile has some
  int tree = 0;                 // of the worktree; each edit makes another
  std::vector<AgentName> dead;  // agents without a process
  Path inbox = "/repo/.pairflow/bubbles/b_sim/inbox.ndjson";
  LoopFiles files{"b_sim", "/repo/.pairflow/bubbles/b_sim/transcript.ndjson",
                  "/repo/.pairflow/bubbles/b_sim/state.json", "/repo/.pairflow/locks/b_sim.lock",
                  "/repo/.pairflow/runtime/b_sim.bells"};

  static TreeId tree_id(int n) { return TreeId("tree-" + std::to_string(n)); }
};

inline const AgentName kCodex("codex");
inline const AgentName kClaude("claude");

}  // namespace pf::sim
