#pragma once
#include <variant>

#include "base/compiled_once.h"
#include "role/domain/event.h"

// What may be asked of the role loop. The `File…` and `Check…` commands are the orchestrator's own.
namespace pf::role {

// The planner's, or the human's: begins the journal.
struct Init {
  Policy policy;
};

// The agents', for their own role; without one, the current role when it is theirs.
struct Start {
  std::optional<Role> role = {};
};
struct Handoff {
  Role to = Role::coder;
  std::string msg;
  std::optional<Role> role = {};
  // The planner's: what is worked on next. Without them what the register names goes on.
  std::string feature = {};  // F001
  std::string type = {};     // of a new branch; the first one of the policy when ""
  std::string branch = {};   // a name of one's own; "" for the usual one
  std::string task = {};     // T01; the next one by number when ""
  std::string risk = {};     // stated: the task gets a branch of its own
};
struct Block {
  Role by = Role::planner;
  std::string msg;
  std::optional<Role> role = {};
};
// The reviewer's; the human's word lets go on what waits.
struct ApproveTask {
  std::string msg = {};
};
struct ApproveFeature {
  std::string msg = {};
  std::string feature = {};  // which of those that wait
};

// The human's.
struct Decline {
  std::string feature;
  std::string why = {};
};
struct SetAutopilot {
  Autopilot level = Autopilot::off;
};
struct Configure {
  Policy policy;
};
struct Automate {
  std::string run_id;
};

struct StopAutomation {
  std::string why = {};
};
struct CheckDocuments {};  // as they are now
struct ReportWritten {
  std::string path;
  Hash hash;
};
struct ReportBranch {
  std::string name;
  std::string error = {};
};
struct ReportPrepared {
  int landing = 0;
  CommitId commit;
  std::string salvage = {};
};
struct ReportChecks {
  int landing = 0;
  CommitId commit;  // what they ran on
  bool passed = false;
  std::string what = {};
  std::vector<std::string> artifacts = {};
};
struct ReportMerge {
  int landing = 0;
  CommitId onto, merged;  // equal: the branch has it already
  std::vector<std::string> conflicts = {};
};
// The branch, or the one it goes into, is where the stage wants it.
struct ReportMoved {
  int landing = 0;
};
struct BeginPull {
  int landing = 0;
};
struct ReportPull {
  int landing = 0;
  std::string url = {}, error = {};
};
struct ReportCleared {
  int landing = 0;
};
struct ReportLandingTrouble {
  int landing = 0;
  Stage stage = Stage::prepare;
  std::string what;
};
struct ReportSummary {
  int landing = 0;
};
struct ReportRunStarted {
  int run = 0;
  Role role = Role::planner;
  AgentName agent = {};
  std::string transcript = {};
};
struct ReportRunEnded {
  int run = 0;
  int exit = 0;
  bool lost = false;  // nobody saw it end
  std::string what = {};
};
struct ReportDelegated {
  std::string child;  // an id; nothing of that name is there yet
};
struct ReportChildEnded {
  std::string child;
  bool finished = false;
  std::string what = {};
};

struct Command
    : std::variant<Init, Start, Handoff, Block, ApproveTask, ApproveFeature, Decline, SetAutopilot,
                   Configure, Automate, StopAutomation, CheckDocuments, ReportWritten, ReportBranch,
                   ReportPrepared, ReportChecks, ReportMerge, ReportMoved, BeginPull, ReportPull,
                   ReportCleared, ReportLandingTrouble, ReportSummary, ReportRunStarted,
                   ReportRunEnded, ReportDelegated, ReportChildEnded> {
  using variant::variant;
  PF_COMPILED_ONCE(Command);
};

}  // namespace pf::role
