#pragma once
#include <string>
#include <variant>
#include <vector>

#include "base/envelope.h"
#include "base/facts.h"
#include "base/fields.h"
#include "base/ids.h"
#include "base/story.h"

namespace pf {

enum class PrincipalKind { human, agent, orchestrator };
inline constexpr std::string_view kOrchestrator = "orchestrator";  // as a sender

// Who asks: made by the front end from what it can prove, never read from the request.
struct Principal {
  PrincipalKind kind = PrincipalKind::human;
  AgentName name = {};  // agents only

  std::string party() const {
    if (kind == PrincipalKind::agent) return name.str();
    return kind == PrincipalKind::human ? "human" : std::string(kOrchestrator);
  }
};

struct Request {
  RequestId id;
  Principal who;
  Seq turn = Seq::none;  // the turn the caller saw when it asked
};

// What a decider may ask for; gathered outside the lock.
enum class Need {
  tree,
  cold_tree,
  shown_tree,  // the one that the reviewer has before it, where that is a checkout of its own
  idle,
  liveness,
  commit,
  merge,
  sync,
  documents,
  time,
  repository,
  claim,
  landing
};

struct Facts {
  std::optional<TreeFact> tree = {};
  std::string untaken = {};  // why there is no tree, where a loop goes on without
  bool cold = false;         // the tree was taken with a rebuilt index
  std::optional<IdleFact> idle = {};
  std::optional<std::vector<AgentName>> dead = {};  // agents without a live process
  std::optional<CommitId> commit = {};  // an object made for the commit that was asked for
  std::optional<MergeFact> merge = {};
  std::optional<SyncFact> sync = {};
  std::optional<std::vector<FileFact>> documents = {};  // those a loop is about
  Hash known = {};                    // what the loop knew of its register when they were read
  std::optional<WallTime> time = {};  // of the calendar
  std::optional<RepositoryFact> repository = {};
  std::optional<ClaimFact> claim = {};
  std::optional<LandingFact> landing = {};
  Hash head = {};  // hash of the journal's last line
};

struct Rejection {
  Error error;
  std::string reason = {};  // short slug; with agent, verb and turn it identifies a warning
  bool warn = false;        // agent verbs: file one PROTOCOL_WARNING
  std::vector<std::string> unmet = {};
};

// Events to append (none: all is well already), facts to gather first, or a refusal.
template <class Event>
using Decision = std::variant<std::vector<Event>, std::vector<Need>, Rejection>;

// The last requests that changed something, so that a retry is recognised.
class RecentRequests {
 public:
  struct Seen {
    RequestId id;
    Mark before;  // where the batch begins
    PF_FIELDS(PF_ALWAYS(id, before));
  };
  void note(const RequestId& id, const Mark& before) {
    if (id.empty() || (!seen_.empty() && seen_.back().id == id)) return;
    keep_last(seen_, kKept, {id, before});
  }
  const Seen* find(const RequestId& id) const { return find_in(seen_, id, &Seen::id); }
  PF_FIELDS(v.always("seen", self.seen_));

 private:
  static constexpr std::size_t kKept = 32;
  std::vector<Seen> seen_;
};

}  // namespace pf
