#pragma once
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/due_write.h"
#include "base/fields.h"
#include "base/ids.h"
#include "base/result.h"
#include "document/plan/plan_document.h"
#include "document/problem.h"

// One feature, step by step: a coder and a reviewer on docs/<feature>/plan.md.
namespace pf::plan {

template <class E, std::size_t N>
using Names = std::array<std::pair<E, std::string_view>, N>;

using FeatureId = Named<struct FeatureIdTag>;  // the directory below docs/
// A usage error that shows the rule.
Result<FeatureId> parse_feature_id(std::string_view text);

using document::FileProblems;
using document::Problem;
using document::StepMark;
using document::StepStatus;

enum class Phase { none, coder_active, reviewer_active, awaiting_user_input, error, done };
constexpr Names<Phase, 6> names_of(Phase) {
  return {{{Phase::none, "none"},
           {Phase::coder_active, "coder_active"},
           {Phase::reviewer_active, "reviewer_active"},
           {Phase::awaiting_user_input, "awaiting_user_input"},
           {Phase::error, "error"},
           {Phase::done, "done"}}};
}
constexpr bool is_active(Phase phase) {
  return phase == Phase::coder_active || phase == Phase::reviewer_active;
}

// The explainer writes docs/<feature>/explained.md after the last approval; it has no tools.
enum class Role { coder, reviewer, explainer };
constexpr Names<Role, 3> names_of(Role) {
  return {{{Role::coder, "coder"}, {Role::reviewer, "reviewer"}, {Role::explainer, "explainer"}}};
}
constexpr Phase phase_of(Role role) {
  return role == Role::reviewer ? Phase::reviewer_active : Phase::coder_active;
}

// Why no agent goes on.
enum class HaltKind { asked, guard, no_pending_steps, budget, silent, paused, failed };
constexpr Names<HaltKind, 7> names_of(HaltKind) {
  return {{{HaltKind::asked, "ask_user"},
           {HaltKind::guard, "loop_guard"},
           {HaltKind::no_pending_steps, "no_pending_steps"},
           {HaltKind::budget, "time_budget"},
           {HaltKind::silent, "no_tool_call"},
           {HaltKind::paused, "paused"},
           {HaltKind::failed, "system_error"}}};
}

// What a run is started for.
enum class Why { step, review, changes, answer, sent_back, forced, resumed, reset, moved, explain };
constexpr Names<Why, 10> names_of(Why) {
  return {{{Why::step, "step"},
           {Why::review, "review"},
           {Why::changes, "changes"},
           {Why::answer, "answer"},
           {Why::sent_back, "sent_back"},
           {Why::forced, "forced"},
           {Why::resumed, "resumed"},
           {Why::reset, "reset"},
           {Why::moved, "moved"},
           {Why::explain, "explain"}}};
}

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
constexpr Names<Ending, 8> names_of(Ending) {
  return {{{Ending::handed_over, "handed_over"},
           {Ending::waiting, "waiting"},
           {Ending::silent, "silent"},
           {Ending::failed, "failed"},
           {Ending::stopped, "stopped"},
           {Ending::lost, "lost"},
           {Ending::explained, "explained"},
           {Ending::dropped, "dropped"}}};
}

enum class Workspace { repo, worktree };
constexpr Names<Workspace, 2> names_of(Workspace) {
  return {{{Workspace::repo, "repo"}, {Workspace::worktree, "worktree"}}};
}

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
  PF_FIELDS(v.always("coder", self.coder), v.always("reviewer", self.reviewer),
            v.always("max_change_requests", self.max_change_requests),
            v.always("step_time_budget_minutes", self.step_time_budget_minutes),
            v.always("workspace", self.workspace), v("check", self.check),
            v("explain", self.explain));
};

// A step as the log has it.
struct StepState {
  std::string id, title;
  StepStatus status = StepStatus::pending;
  int change_requests = 0;  // what the loop guard counts
  friend bool operator==(const StepState&, const StepState&) = default;
  PF_FIELDS(v.always("id", self.id), v("title", self.title), v.always("status", self.status),
            v("change_requests", self.change_requests));
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
  PF_FIELDS(v.always("run", self.run), v.always("role", self.role), v.always("agent", self.agent),
            v.always("step", self.step), v.always("why", self.why),
            v("conversation", self.conversation), v("sent_back", self.sent_back));
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
  PF_FIELDS(v.always("before", self.before), v.always("after", self.after),
            v("active", self.active), v("from", self.from), v("marks", self.marks),
            v("ours", self.ours));
};

}  // namespace pf::plan
