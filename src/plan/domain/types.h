#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/due_write.h"
#include "base/fields.h"
#include "base/ids.h"
#include "base/result.h"
#include "document/plan/plan_document.h"
#include "document/problem.h"

// One feature, step by step: a coder and a reviewer on docs/<feature>/plan.md.
namespace pf::plan {

using FeatureId = Named<struct FeatureIdTag>;  // the directory below docs/
// A usage error that shows the rule.
Result<FeatureId> parse_feature_id(std::string_view text);

using document::FileProblems;
using document::Problem;
using document::StepMark;
using document::StepStatus;

enum class Phase { none, coder_active, reviewer_active, awaiting_user_input, error, done };
PF_NAMES(Phase, none, coder_active, reviewer_active, awaiting_user_input, error, done);
constexpr bool is_active(Phase phase) {
  return phase == Phase::coder_active || phase == Phase::reviewer_active;
}

// The explainer writes docs/<feature>/explained.md after the last approval; it has no tools.
enum class Role { coder, reviewer, explainer };
PF_NAMES(Role, coder, reviewer, explainer);
constexpr Phase phase_of(Role role) {
  return role == Role::reviewer ? Phase::reviewer_active : Phase::coder_active;
}

// Why no agent goes on.
enum class HaltKind { asked, guard, no_pending_steps, budget, silent, paused, failed };
PF_NAMES_AS(HaltKind, (asked, "ask_user"), (guard, "loop_guard"),
            (no_pending_steps, "no_pending_steps"), (budget, "time_budget"),
            (silent, "no_tool_call"), (paused, "paused"), (failed, "system_error"));

// What a run is started for.
enum class Why { step, review, changes, answer, sent_back, forced, resumed, reset, moved, explain };
PF_NAMES(Why, step, review, changes, answer, sent_back, forced, resumed, reset, moved, explain);

// How a run came to its end.
enum class Ending {
  handed_over,  // it called the tool that ends its turn
  waiting,      // it waits for the user's answer, in its conversation
  silent,       // of its own accord, without a tool call
  failed,       // transport, system, a crash
  stopped,      // by us: paused, forced, out of time
  lost,         // nobody saw it end
  explained,    // the explainer's work is done
  dropped,      // it was never started: another one is wanted instead
};
PF_NAMES(Ending, handed_over, waiting, silent, failed, stopped, lost, explained, dropped);

enum class Workspace { repo, worktree };
PF_NAMES(Workspace, repo, worktree);

// What the decider goes by, copied into the opening event.
struct Policy {
  AgentName coder, reviewer;
  int max_change_requests = 3;
  int step_time_budget_minutes = 0;  // 0: none
  Workspace workspace = Workspace::repo;
  std::string check = {};  // a command that agents are encouraged to run
  AgentName explain = {};  // who explains the feature at the end; "" for nobody
  const AgentName& agent_of(Role role) const {
    return role == Role::coder ? coder : role == Role::reviewer ? reviewer : explain;
  }
  PF_FIELDS(PF_ALWAYS(coder, reviewer, max_change_requests, step_time_budget_minutes, workspace),
            PF_IF_SET(check, explain));
};

// A step as the log has it.
struct StepState {
  std::string id, title;
  StepStatus status = StepStatus::pending;
  int change_requests = 0;  // what the loop guard counts
  friend bool operator==(const StepState&, const StepState&) = default;
  PF_FIELDS(PF_ALWAYS(id), PF_IF_SET(title), PF_ALWAYS(status), PF_IF_SET(change_requests));
};

// What a reviewer approved.
struct Verdict {
  std::string step, title;
  AgentName by;
  std::string note = {};
  TreeId tree = {};          // the files as they were; none when they could not be taken,
  std::string untaken = {};  // and why
  int change_requests = 0;   // before it
  Seq seq = Seq::none;
  PF_FIELDS(PF_ALWAYS(step, by, seq), PF_IF_SET(title, note, tree, untaken, change_requests));
};

// A run that is to be started.
struct RunWanted {
  int run = 0;
  Role role = Role::coder;
  AgentName agent = {};
  std::string step = {};
  Why why = Why::step;
  std::string conversation = {};  // the one it continues; "" for a new one
  bool sent_back = false;         // the run before it ended without a tool call
  PF_FIELDS(PF_ALWAYS(run, role, agent, step, why), PF_IF_SET(conversation, sent_back));
};

struct RegisterWrite : DueWrite {
  std::string active = {};  // the step to be named; "" when none is
  std::string from = {};    // the one that the file names before it
  std::vector<StepMark> marks = {};
  friend document::PlanChange change_of(const RegisterWrite& write) {
    document::PlanChange change{{}, write.marks};
    if (!write.active.empty()) change.active = write.active;
    return change;
  }
  PF_FIELDS(PF_ALWAYS(before, after), PF_IF_SET(active, from, marks, ours));
};

}  // namespace pf::plan
