#pragma once
#include <variant>

#include "base/compiled_once.h"
#include "base/envelope.h"
#include "role/domain/landing.h"

// What happened, with its outcome: what the register says, who has the role, how far a landing is,
// which branch is wanted. `apply` only copies these; every choice was made by `decide`.
namespace pf::role {

// How an agent's run came to its end.
enum class Ending { switched, silent, failed, lost };
constexpr Names<Ending, 4> names_of(Ending) {
  return {{{Ending::switched, "switched"},
           {Ending::silent, "silent"},
           {Ending::failed, "failed"},
           {Ending::lost, "lost"}}};
}

// Who has the role after a switch; every one opens a new turn.
struct Standing {
  std::optional<Taken> taken = {};
  std::optional<Role> asked_by = {};  // whose questions wait
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v("taken", self.taken), v("asked_by", self.asked_by);
  }
};

// The first event: the register is new, or taken over as it was found.
struct Initialized {
  Policy policy;
  bool adopted = false;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("policy", self.policy), v.always("adopted", self.adopted);
  }
};
struct Configured {
  Policy policy;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("policy", self.policy);
  }
};
// The human's standing order.
struct AutopilotSet {
  Autopilot from = Autopilot::off;
  Autopilot to = Autopilot::off;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("from", self.from), v.always("to", self.to);
  }
};
// Somebody else changed state.json; `verb` is the command that found it, `keys` what differs.
struct RegisterEdited {
  std::string verb;
  Hash before;
  Hash after;
  std::vector<std::string> keys;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("verb", self.verb), v.always("before", self.before), v.always("after", self.after),
        v.always("keys", self.keys);
  }
};
struct FileWritten {
  std::string path;
  Hash hash;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("path", self.path), v.always("hash", self.hash);
  }
};
// A file was looked at; no problems: it is sound again.
struct Validated {
  std::string file;
  Hash hash;
  std::vector<Problem> problems;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("file", self.file), v.always("hash", self.hash), v.always("problems", self.problems);
  }
};
struct Started {
  Role role = Role::planner;
  std::string replaced = {};
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("role", self.role), v("replaced", self.replaced);
  }
};
struct HandedOff {
  Role role = Role::planner;
  Role to = Role::coder;
  std::string feature = {};
  std::string task = {};
  std::string risk = {};
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("role", self.role), v.always("to", self.to), v("feature", self.feature),
        v("task", self.task), v("risk", self.risk);
  }
};
// `by` is who can unblock.
struct Blocked {
  Role role = Role::coder;
  Role by = Role::planner;
  std::string why = {};
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("role", self.role), v.always("by", self.by), v("why", self.why);
  }
};
// `next` by number order; nothing: it was the last one.
struct TaskApproved {
  std::string feature;
  std::string task;
  std::optional<std::string> next;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("feature", self.feature), v.always("task", self.task), v.always("next", self.next);
  }
};
struct FeatureApproved {
  std::string feature;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("feature", self.feature);
  }
};
struct BranchReady {
  std::string name;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("name", self.name);
  }
};
struct CommitPrepared {
  int landing = 0;
  CommitId commit;
  std::string salvage = {};
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("landing", self.landing), v.always("commit", self.commit), v("salvage", self.salvage);
  }
};
struct ChecksFiled {
  int landing = 0;
  bool passed = false;
  std::string what = {};
  std::vector<std::string> artifacts = {};
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("landing", self.landing), v.always("passed", self.passed), v("what", self.what),
        v("artifacts", self.artifacts);
  }
};
// The human lets it go on.
struct LandingApproved {
  int landing = 0;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("landing", self.landing);
  }
};
struct LandingDeclined {
  int landing = 0;
  std::string why = {};
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("landing", self.landing), v("why", self.why);
  }
};
struct MergeMade {
  int landing = 0;
  CommitId onto;
  CommitId merged;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("landing", self.landing), v.always("onto", self.onto), v.always("merged", self.merged);
  }
};
struct CommitMade {
  int landing = 0;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("landing", self.landing);
  }
};
// Marked before it is opened, so that there is at most one for a head.
struct PullRequestBegun {
  int landing = 0;
  CommitId head;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("landing", self.landing), v.always("head", self.head);
  }
};
struct PullRequestFiled {
  int landing = 0;
  std::string url = {};
  std::string error = {};
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("landing", self.landing), v("url", self.url), v("error", self.error);
  }
};
struct BranchMoved {
  int landing = 0;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("landing", self.landing);
  }
};
struct TreeCleared {
  int landing = 0;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("landing", self.landing);
  }
};
// Something went wrong on the way; nothing that had not moved was moved.
struct LandingStopped {
  int landing = 0;
  Stage stage = Stage::prepare;
  std::string why;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("landing", self.landing), v.always("stage", self.stage), v.always("why", self.why);
  }
};
struct SummaryPosted {
  int landing = 0;
  std::string text;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("landing", self.landing), v.always("text", self.text);
  }
};
struct AutomationBegun {
  std::string run_id;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("run_id", self.run_id);
  }
};
struct AutomationEnded {
  std::string why;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("why", self.why);
  }
};
struct RunStarted {
  int run = 0;
  Role role = Role::planner;
  AgentName agent;
  std::string transcript = {};
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("run", self.run), v.always("role", self.role), v.always("agent", self.agent),
        v("transcript", self.transcript);
  }
};
struct RunEnded {
  int run = 0;
  Role role = Role::planner;
  Ending ending = Ending::switched;
  int exit = 0;
  std::string what = {};
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("run", self.run), v.always("role", self.role), v.always("ending", self.ending),
        v.always("exit", self.exit), v("what", self.what);
  }
};
// Written before the child is made.
struct Delegated {
  CoderBy by = CoderBy::plan;
  std::string child;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("by", self.by), v.always("child", self.child);
  }
};
struct ChildEnded {
  std::string child;
  bool finished = false;
  std::string what = {};
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("child", self.child), v.always("finished", self.finished), v("what", self.what);
  }
};
struct Warned {
  std::string verb;
  std::string reason;
  std::string what;
  std::string why = {};
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("verb", self.verb), v.always("reason", self.reason), v.always("what", self.what),
        v("why", self.why);
  }
};

struct Body
    : std::variant<Initialized, Configured, AutopilotSet, RegisterEdited, FileWritten, Validated,
                   Started, HandedOff, Blocked, TaskApproved, FeatureApproved, BranchReady,
                   CommitPrepared, ChecksFiled, LandingApproved, LandingDeclined, MergeMade,
                   CommitMade, PullRequestBegun, PullRequestFiled, BranchMoved, TreeCleared,
                   LandingStopped, SummaryPosted, AutomationBegun, AutomationEnded, RunStarted,
                   RunEnded, Delegated, ChildEnded, Warned> {
  using variant::variant;
  PF_COMPILED_ONCE(Body);
};

struct Event {
  std::string sender, recipient;
  int round = 0;  // how many landings there were
  Body body;
  std::optional<RoleRegister> now = {};  // what the register says
  std::optional<RegisterWrite> write = {};
  std::optional<TaskWrite> task_write = {};
  std::optional<Work> work = {};
  bool ends_work = false;
  bool clean = false;  // nothing lay there that is not for the next feature
  std::optional<BranchWanted> branch = {};
  std::optional<Landing> landing = {};
  std::optional<Standing> then = {};

  // Of a journalled event.
  Seq seq = Seq::none;
  MessageId id = {};
  std::string ts = {};
};

Draft encode(const Event& event);
Result<Event> decode(const Line& line);
// "role.started", "feature.approved", …
std::string_view type_of(const Body& body);

}  // namespace pf::role
