#pragma once
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/facts.h"
#include "base/fields.h"
#include "base/ids.h"

namespace pf::bubble {

template <class E, std::size_t N>
using Names = std::array<std::pair<E, std::string_view>, N>;

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
constexpr Names<Phase, 11> names_of(Phase) {
  return {{{Phase::none, "NONE"},
           {Phase::created, "CREATED"},
           {Phase::preparing, "PREPARING_WORKSPACE"},
           {Phase::running, "RUNNING"},
           {Phase::waiting, "WAITING_HUMAN"},
           {Phase::ready, "READY_FOR_APPROVAL"},
           {Phase::approved, "APPROVED_FOR_COMMIT"},
           {Phase::committed, "COMMITTED"},
           {Phase::done, "DONE"},
           {Phase::failed, "FAILED"},
           {Phase::cancelled, "CANCELLED"}}};
}
constexpr bool is_final(Phase phase) {
  return phase == Phase::done || phase == Phase::failed || phase == Phase::cancelled;
}
// The agents' panes exist in these.
constexpr bool has_session(Phase phase) {
  return phase == Phase::running || phase == Phase::waiting || phase == Phase::ready ||
         phase == Phase::approved || phase == Phase::committed;
}

enum class Role { implementer, reviewer };
constexpr Names<Role, 2> names_of(Role) {
  return {{{Role::implementer, "implementer"}, {Role::reviewer, "reviewer"}}};
}

enum class Severity { p0, p1, p2, p3 };
constexpr Names<Severity, 4> names_of(Severity) {
  return {{{Severity::p0, "P0"}, {Severity::p1, "P1"}, {Severity::p2, "P2"}, {Severity::p3, "P3"}}};
}
constexpr bool is_serious(Severity severity) { return severity <= Severity::p1; }

enum class FindingStatus { open, claimed, disputed, upheld, resolved, waived };
constexpr Names<FindingStatus, 6> names_of(FindingStatus) {
  return {{{FindingStatus::open, "open"},
           {FindingStatus::claimed, "claimed"},
           {FindingStatus::disputed, "disputed"},
           {FindingStatus::upheld, "upheld"},
           {FindingStatus::resolved, "resolved"},
           {FindingStatus::waived, "waived"}}};
}
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
  void_
};
constexpr Names<QuestionKind, 8> names_of(QuestionKind) {
  return {{{QuestionKind::ask, "ask"},
           {QuestionKind::no_handover, "no_handover"},
           {QuestionKind::watchdog, "watchdog"},
           {QuestionKind::agent_dead, "agent_dead"},
           {QuestionKind::minor, "minor"},
           {QuestionKind::dispute, "dispute"},
           {QuestionKind::max_rounds, "max_rounds"},
           {QuestionKind::void_, "void"}}};
}
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
constexpr Names<Obstacle, 3> names_of(Obstacle) {
  return {{{Obstacle::dialog, "dialog"},
           {Obstacle::limit, "usage_limit"},
           {Obstacle::overload, "overloaded"}}};
}

enum class Verdict { blocking, dispute, minor, clean };
constexpr Names<Verdict, 4> names_of(Verdict) {
  return {{{Verdict::blocking, "blocking"},
           {Verdict::dispute, "dispute"},
           {Verdict::minor, "minor"},
           {Verdict::clean, "clean"}}};
}

// What a pass asks of the other agent.
enum class Intent { task, review, fix_request };
constexpr Names<Intent, 3> names_of(Intent) {
  return {
      {{Intent::task, "task"}, {Intent::review, "review"}, {Intent::fix_request, "fix_request"}}};
}

enum class ReplyDecision { none, accept, go_on };
constexpr Names<ReplyDecision, 3> names_of(ReplyDecision) {
  return {{{ReplyDecision::none, "none"},
           {ReplyDecision::accept, "accept"},
           {ReplyDecision::go_on, "continue"}}};
}

enum class Approval { approve, revise, reject };
constexpr Names<Approval, 3> names_of(Approval) {
  return {
      {{Approval::approve, "approve"}, {Approval::revise, "revise"}, {Approval::reject, "reject"}}};
}

enum class EvidenceStatus { green, red, not_available, void_ };
constexpr Names<EvidenceStatus, 4> names_of(EvidenceStatus) {
  return {{{EvidenceStatus::green, "green"},
           {EvidenceStatus::red, "red"},
           {EvidenceStatus::not_available, "not_available"},
           {EvidenceStatus::void_, "void"}}};
}

struct Roles {
  AgentName implementer;
  AgentName reviewer;
  const AgentName& of(Role role) const {
    return role == Role::implementer ? implementer : reviewer;
  }
  const AgentName& other(const AgentName& agent) const {
    return agent == implementer ? reviewer : implementer;
  }
  Roles swapped() const { return {reviewer, implementer}; }
  friend bool operator==(const Roles&, const Roles&) = default;
  PF_FIELDS(v.always("implementer", self.implementer), v.always("reviewer", self.reviewer));
};

struct RoundRoles {
  int round = 0;
  Roles roles;
  PF_FIELDS(v.always("round", self.round), Roles::fields(v, self.roles));
};

// One entry of the ledger. `source` is an agent's name, "human" or "orchestrator".
struct Finding {
  FindingId id;
  Severity severity = Severity::p1;
  std::string title;
  std::string path;
  int line = 0;
  std::string source;
  FindingStatus status = FindingStatus::open;
  int round = 0;           // when it was first reported
  std::string reason;      // of the last dispute or waiver
  bool confirmed = false;  // the human upheld it: it cannot be disputed again
  bool unsettled() const { return !is_settled(status); }
  bool serious() const { return is_serious(severity); }
  friend bool operator==(const Finding&, const Finding&) = default;
  PF_FIELDS(v.always("id", self.id), v.always("severity", self.severity),
            v.always("title", self.title), v("path", self.path), v("line", self.line),
            v.always("source", self.source), v.always("status", self.status),
            v.always("round", self.round), v("reason", self.reason),
            v("confirmed", self.confirmed));
};

struct Check {
  std::string name;
  std::string command;
  PF_FIELDS(v.always("name", self.name), v.always("command", self.command));
};

// How the change is checked; confirmed by the human at create.
struct Profile {
  std::vector<Check> checks;
  std::string not_available;  // the human's reason when there are none
  std::string manual_checks;  // text of a list the human goes through
  PF_FIELDS(v("checks", self.checks), v("not_available", self.not_available),
            v("manual_checks", self.manual_checks));
};

// What the decider goes by, copied into the creating event.
struct Policy {
  Roles roles;
  int max_rounds = 8;
  int watchdog_minutes = 5;
  bool fresh_reviewer = true;
  std::vector<std::string> scope_allow, scope_deny, risk_paths, risk_words;
  Profile profile;
  PF_FIELDS(v.always("agents", self.roles), v.always("max_rounds", self.max_rounds),
            v.always("watchdog_timeout_minutes", self.watchdog_minutes),
            v.always("fresh_reviewer", self.fresh_reviewer), v("scope_allow", self.scope_allow),
            v("scope_deny", self.scope_deny), v("risk_paths", self.risk_paths),
            v("risk_words", self.risk_words), v.always("profile", self.profile));
};

// Where a bubble's work happens; fixed at create.
struct Place {
  std::string base_branch, bubble_branch;
  WorkMode work_mode = WorkMode::worktree;
  std::string worktree;
  CommitId base_commit;
  TreeId base_tree;
  PF_FIELDS(v.always("base_branch", self.base_branch),
            v.always("bubble_branch", self.bubble_branch), v.always("work_mode", self.work_mode),
            v.always("worktree", self.worktree), v.always("base_commit", self.base_commit),
            v.always("base_tree", self.base_tree));
};

struct ChangeStats {
  int files = 0, added = 0, removed = 0;
  PF_FIELDS(v.always("files", self.files), v.always("added", self.added),
            v.always("removed", self.removed));
};

}  // namespace pf::bubble
