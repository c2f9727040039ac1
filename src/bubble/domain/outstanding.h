#pragma once
#include <variant>

#include "base/compiled_once.h"
#include "bubble/domain/evidence.h"

// What is still to be done in the world so that it matches the journal. Computed anew on each wake,
// so that a normal run and the recovery from a crash are the same code.
namespace pf::bubble {

struct PaneView {
  AgentName agent;
  std::string pane, key;
  Seq launch = Seq::none;     // the cause its process was started for; none: never
  Seq submitted = Seq::none;  // the newest line that was entered in this process
  bool dead = false;
  int exit_code = 0;
  bool alive() const { return !dead && launch != Seq::none; }
};
struct Observed {
  bool session = false;  // the bubble's tmux session is there
  std::vector<PaneView> panes;
};

struct PrepareWorkspace {};
struct EnsureSession {};
struct LaunchAgent {
  AgentName agent;
  Role role = Role::implementer;
  Seq cause = Seq::none;
};
struct RecordLaunch {
  AgentName agent;
  Role role = Role::implementer;
  Seq cause = Seq::none;
  std::string pane, key;
};
struct Deliver {
  AgentName agent;
  Delivery delivery;
  bool briefing = false;  // the process has not been briefed yet
};
// The line was entered; the agent's program has not said that it took it.
struct AwaitPrompt {
  AgentName agent;
  Delivery delivery;
};
struct RecordExit {
  AgentName agent;
  std::string what;
  int code = -1;
};
struct LookAtTree {
  Seq cause = Seq::none;
};
struct RunChecks {
  DueRun run;
  Hash profile;
  friend bool operator==(const RunChecks&, const RunChecks&) = default;
};
struct MoveBranch {
  CommitIntent commit;
};
struct FinishCommit {};
struct MergeBase {
  MergeIntent merge;
};
// Files, then the branch, as the intent says: ReportSynced, or AbandonSync.
struct BringBase {
  BaseMove move;
};
struct CloseDown {};

struct Effect : std::variant<PrepareWorkspace, EnsureSession, LaunchAgent, RecordLaunch, Deliver,
                             AwaitPrompt, RecordExit, LookAtTree, RunChecks, MoveBranch,
                             FinishCommit, MergeBase, BringBase, CloseDown> {
  using variant::variant;
  PF_COMPILED_ONCE(Effect);
};

// In the order they are to be done; harmless twice, or with a completion of their own.
std::vector<Effect> outstanding(const State& state, const Observed& observed);

}  // namespace pf::bubble
