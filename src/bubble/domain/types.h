#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/facts.h"
#include "base/fields.h"
#include "base/ids.h"

namespace pf::bubble {

enum class Phase {
  none,
  created,
  preparing,
  running,
  waiting,
  ready,
  approved,
  committed,
  done,
  failed,
  cancelled
};
PF_NAMES_AS(Phase, (none, "NONE"), (created, "CREATED"), (preparing, "PREPARING_WORKSPACE"),
            (running, "RUNNING"), (waiting, "WAITING_HUMAN"), (ready, "READY_FOR_APPROVAL"),
            (approved, "APPROVED_FOR_COMMIT"), (committed, "COMMITTED"), (done, "DONE"),
            (failed, "FAILED"), (cancelled, "CANCELLED"));
constexpr bool is_final(Phase phase) {
  return phase == Phase::done || phase == Phase::failed || phase == Phase::cancelled;
}
// The agents' panes exist in these.
constexpr bool has_session(Phase phase) {
  return phase == Phase::running || phase == Phase::waiting || phase == Phase::ready ||
         phase == Phase::approved || phase == Phase::committed;
}

enum class Role { implementer, reviewer };
PF_NAMES(Role, implementer, reviewer);

enum class Severity { p0, p1, p2, p3 };
PF_NAMES_AS(Severity, (p0, "P0"), (p1, "P1"), (p2, "P2"), (p3, "P3"));
constexpr bool is_serious(Severity severity) { return severity <= Severity::p1; }

enum class FindingStatus { open, claimed, disputed, upheld, resolved, waived };
PF_NAMES(FindingStatus, open, claimed, disputed, upheld, resolved, waived);
constexpr bool is_settled(FindingStatus status) {
  return status == FindingStatus::resolved || status == FindingStatus::waived;
}

enum class QuestionKind {
  ask,
  watchdog,
  agent_dead,
  no_handover,
  minor,
  dispute,
  max_rounds,
  void_,
  unable,
  base
};
PF_NAMES_AS(QuestionKind, (ask, "ask"), (no_handover, "no_handover"), (watchdog, "watchdog"),
            (agent_dead, "agent_dead"), (minor, "minor"), (dispute, "dispute"),
            (max_rounds, "max_rounds"), (void_, "void"), (unable, "unable"), (base, "base"));
// Answered by `reply --decision`, not by a message alone or by `resume`.
constexpr bool is_decision(QuestionKind kind) {
  return kind == QuestionKind::minor || kind == QuestionKind::dispute ||
         kind == QuestionKind::max_rounds;
}

// What keeps a living agent from going on.
enum class Obstacle {
  dialog,    // its program asks something in its pane
  limit,     // its account's usage limit
  overload,  // its model does not answer for now
};
PF_NAMES_AS(Obstacle, (dialog, "dialog"), (limit, "usage_limit"), (overload, "overloaded"));

enum class Verdict { blocking, dispute, minor, clean };
PF_NAMES(Verdict, blocking, dispute, minor, clean);

// What a pass asks of the other agent.
enum class Intent { task, review, fix_request };
PF_NAMES(Intent, task, review, fix_request);

enum class ReplyDecision { none, accept, go_on };
PF_NAMES_AS(ReplyDecision, (none, "none"), (accept, "accept"), (go_on, "continue"));

enum class Approval { approve, revise, reject };
PF_NAMES(Approval, approve, revise, reject);

enum class EvidenceStatus {
  green,
  red,
  not_available,
  void_,   // of another tree than it was meant for
  unable,  // the checks could not run, or not to their end
};
PF_NAMES_AS(EvidenceStatus, (green, "green"), (red, "red"), (not_available, "not_available"),
            (void_, "void"), (unable, "unable"));

struct Roles {
  AgentName implementer, reviewer;
  const AgentName& of(Role role) const {
    return role == Role::implementer ? implementer : reviewer;
  }
  const AgentName& other(const AgentName& agent) const {
    return agent == implementer ? reviewer : implementer;
  }
  Roles swapped() const { return {reviewer, implementer}; }
  friend bool operator==(const Roles&, const Roles&) = default;
  PF_FIELDS(PF_ALWAYS(implementer, reviewer));
};

struct RoundRoles {
  int round = 0;
  Roles roles;
  PF_FIELDS(PF_ALWAYS(round), Roles::fields(v, self.roles));
};

// One entry of the ledger. `source` is an agent's name, "human" or "orchestrator".
struct Finding {
  FindingId id;
  Severity severity = Severity::p1;
  std::string title, path;
  int line = 0;
  std::string source;
  FindingStatus status = FindingStatus::open;
  int round = 0;            // when it was first reported
  std::string reason = {};  // of the last dispute or waiver
  bool confirmed = false;   // the human upheld it: it cannot be disputed again
  bool unsettled() const { return !is_settled(status); }
  bool serious() const { return is_serious(severity); }
  friend bool operator==(const Finding&, const Finding&) = default;
  PF_FIELDS(PF_ALWAYS(id, severity, title), PF_IF_SET(path, line), PF_ALWAYS(source, status, round),
            PF_IF_SET(reason, confirmed));
};

struct Check {
  std::string name, command;
  std::string from = {};  // what put it into the profile
  PF_FIELDS(PF_ALWAYS(name, command), PF_IF_SET(from));
};

// How the change is checked; confirmed by the human at create.
struct Profile {
  std::vector<Check> checks;
  std::string not_available;              // the human's reason when there are none
  std::string manual_checks;              // text of a list the human goes through
  std::vector<std::string> dropped = {};  // names of checks that the human took out
  PF_FIELDS(PF_IF_SET(checks, not_available, manual_checks, dropped));
};

// Where the checks run.
enum class ChecksAt {
  worktree,  // where the implementer works: advisory
  own,       // in a checkout of their own, kept from run to run
  clean,     // in one that begins empty each time
};
PF_NAMES(ChecksAt, worktree, own, clean);

// What the decider goes by, copied into the creating event.
struct Policy {
  Roles roles;
  int max_rounds = 8;
  int watchdog_minutes = 5;
  bool fresh_reviewer = true;
  std::vector<std::string> scope_allow, scope_deny, risk_paths, risk_words;
  Profile profile;
  bool base_first = false;                 // the checks are tried on the base tree too
  std::optional<ChecksAt> checks_at = {};  // nothing: a bubble from before there was a choice
  bool final_cold = false;  // what both agree on is checked once more from an empty checkout
  PF_FIELDS(v.always("agents", self.roles), PF_ALWAYS(max_rounds),
            v.always("watchdog_timeout_minutes", self.watchdog_minutes), PF_ALWAYS(fresh_reviewer),
            PF_IF_SET(scope_allow, scope_deny, risk_paths, risk_words), PF_ALWAYS(profile),
            PF_IF_SET(base_first, checks_at, final_cold));
};

// Where a bubble's work happens; fixed at create, but for the base, which a sync moves.
struct Place {
  std::string base_branch, bubble_branch;
  WorkMode work_mode = WorkMode::worktree;
  std::string worktree;
  CommitId base_commit;
  TreeId base_tree;
  PF_FIELDS(PF_ALWAYS(base_branch, bubble_branch, work_mode, worktree, base_commit, base_tree));
};

struct ChangeStats {
  int files = 0, added = 0, removed = 0;
  PF_FIELDS(PF_ALWAYS(files, added, removed));
};

// How the base branch, which has moved, comes into a bubble's files.
struct BaseMove {
  std::string branch;
  CommitId base, onto;  // where the bubble began, and where it begins then
  TreeId onto_tree;
  CommitId tip;                             // of the bubble's branch
  TreeId files, merged;                     // before, and with the base in them
  std::optional<TreeId> handed = {};        // the tree that was handed over last, with the base
  int commits = 0;                          // by how many the base has moved
  std::vector<std::string> conflicts = {};  // paths; they are marked in the files
  std::optional<ChangeStats> changes = {};  // of the files, against the new base
  std::vector<std::string> out_of_scope = {};
  PF_FIELDS(PF_ALWAYS(branch, base, onto, onto_tree, tip, files, merged),
            PF_IF_SET(handed, commits, conflicts, changes, out_of_scope));
};

// The finished bubble whose change this one goes on with.
struct Continued {
  BubbleId bubble;
  CommitId commit;  // its
  TreeId tree;      // that commit merged with the base: the files to begin with
  std::vector<std::string> conflicts = {};  // paths; they are marked in the files
  PF_FIELDS(PF_ALWAYS(bubble, commit, tree), PF_IF_SET(conflicts));
};

}  // namespace pf::bubble
