#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/due_write.h"
#include "base/fields.h"
#include "base/ids.h"
#include "document/role/role_register.h"

// The repository's roadmap: a planner, a coder and a reviewer hand it on through
// docs/agents/state.json.
namespace pf::role {

using document::Autopilot;
using document::CiStatus;
using document::FileProblems;
using document::Lifecycle;
using document::Problem;
using document::RoleRegister;
using Role = document::AgentRole;

inline constexpr std::string_view kRegisterFile = "docs/agents/state.json";
inline constexpr std::string_view kRoadmapFile = "docs/ROADMAP.md";
inline constexpr std::string_view kAgentsFolder = "docs/agents/";
inline constexpr std::string_view kCurrentFolder = "docs/current/";

// Who does the coder's part.
enum class CoderBy { agent, plan, bubble };
PF_NAMES(CoderBy, agent, plan, bubble);

// What the decider goes by, copied into the journal.
struct Policy {
  AgentName planner = {}, coder = {}, reviewer = {};  // "" for any agent
  CoderBy coder_by = CoderBy::agent;
  std::string default_branch = "main";
  std::vector<std::string> types = document::default_branch_types();
  bool has_checks = false;  // without them nothing passes: a human is asked whatever the autopilot
  bool has_pr_command = true;
  // Of one feature, before the human is asked; a time of 0 is no limit.
  int max_change_requests = 3;  // of one task
  int max_runs = 40;
  int time_budget_minutes = 0;

  const AgentName& agent_of(Role role) const {
    return role == Role::planner ? planner : role == Role::coder ? coder : reviewer;
  }
  friend bool operator==(const Policy&, const Policy&) = default;
  PF_FIELDS(PF_IF_SET(planner, coder, reviewer),
            PF_ALWAYS(coder_by, default_branch, types, has_checks, has_pr_command),
            PF_IF_SET(max_change_requests, max_runs, time_budget_minutes));
};

// What the agents have spent on the feature since it began, or since the human's last word.
struct Effort {
  int runs = 0;
  int change_requests = 0;    // on the task at hand
  std::int64_t spent_ms = 0;  // of the runs that are over
  PF_FIELDS(PF_IF_SET(runs, change_requests, spent_ms));
};

// What the human said about a feature; its agents are told until it is finished.
struct Word {
  std::string text;
  std::string task = {};  // that it is about; "" for all of the feature
  friend bool operator==(const Word&, const Word&) = default;
  PF_FIELDS(PF_ALWAYS(text), PF_IF_SET(task));
};

// The feature that is worked on.
struct Work {
  std::string feature, title = {};         // F001
  std::string branch = {};                 // its own
  std::string task = {};                   // T01; "" while none is chosen
  std::string task_branch = {};            // of a risky one
  std::string risk = {};                   // why it has one
  std::vector<std::string> done = {};      // tasks approved, or found done when the feature began
  std::vector<std::string> planned = {};   // all that the planner handed over last
  std::vector<std::string> coded_by = {};  // agents that coded the task at hand
  std::string requested = {};              // by the reviewer, or by red checks, on that task
  std::vector<Word> words = {};            // the human's, oldest first
  std::string kept = {};  // the ref whose files are still to come back into the checkout
  friend bool operator==(const Work&, const Work&) = default;
  PF_FIELDS(PF_ALWAYS(feature), PF_IF_SET(title, branch, task, task_branch, risk, done, planned,
                                          coded_by, requested, words, kept));
};

// Who is at work in the current role.
struct Taken {
  std::string by;  // an agent's name, or "human"
  Role role = Role::planner;
  std::string at = {};  // when; set as the event is applied
  PF_FIELDS(PF_ALWAYS(by, role), PF_IF_SET(at));
};

struct RegisterWrite : DueWrite {
  RoleRegister from = {};  // what stood there
  PF_FIELDS(PF_ALWAYS(before, after, from), PF_IF_SET(ours));
};
// The status of a task's file that is to be set to done.
struct TaskWrite {
  std::string path;
  Hash before, after;
  PF_FIELDS(PF_ALWAYS(path, before, after));
};

// A branch that is to be there and checked out.
struct BranchWanted {
  std::string name;
  CommitId at;             // where it begins when it is not there yet
  std::string base = {};   // the feature's branch, which is to be there too
  CommitId from = {};      // where it was left with nothing of its own: it moves up from there
  std::string files = {};  // a ref: the checkout is to hold its files, not committed
  PF_FIELDS(PF_ALWAYS(name, at), PF_IF_SET(base, from, files));
};

}  // namespace pf::role
