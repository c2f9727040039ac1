#pragma once
// A bubble without a world: commands are decided, their events go through the codec as through a
// journal (encode → encode_line → decode_line → fold), and the text of every line is kept.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/codec.h"
#include "base/hash.h"
#include "bubble/decide.h"
#include "bubble/evidence.h"

namespace pf::bubble::testing {

inline const AgentName kCodex("codex");
inline const AgentName kClaude("claude");

inline TreeId tree(int n) { return TreeId(fmt::format("tree-{}", n)); }
inline constexpr int kBase = 0;  // tree(kBase) is the base commit's

// Fails a doctest case as well as a rapidcheck property.
inline void must(bool condition, const std::string& what) {
  if (!condition) throw std::logic_error(what);
}

inline Policy test_policy() {
  Policy policy;
  policy.roles = {kCodex, kClaude};
  policy.max_rounds = 3;
  policy.risk_words = {"security", "race", "data loss"};
  policy.risk_paths = {"**/auth/**", "**/*.sql"};
  policy.profile.not_available = "no tests here";
  return policy;
}

// A whole approval package, by its name alone.
inline PackageBrought all_parts() {
  PackageBrought brought{Hash("package"), {}};
  for (const auto& [part, name] : names_of(Part{})) brought.parts.push_back(part);
  return brought;
}
inline Converge agreed(std::string summary) { return {std::move(summary), all_parts()}; }

inline Create create_with(Policy policy) {
  return {std::move(policy),
          {"main", "bubble/b_test", "worktree", "/w", CommitId("base"), tree(kBase)},
          "do it",
          Hash("c1")};
}

// "PASS codex>claude, HUMAN_QUESTION orchestrator>human"; LIFECYCLE events by their slug.
inline std::string envelopes(const std::vector<Event>& events) {
  std::string out;
  for (const Event& e : events) {
    const bool lifecycle = type_of(e.body) == "LIFECYCLE";
    out += fmt::format("{}{} {}>{}", out.empty() ? "" : ", ",
                       lifecycle ? slug_of(e.body) : type_of(e.body), e.sender, e.recipient);
  }
  return out;
}

// "RUNNING 1 codex/implementer", "READY_FOR_APPROVAL 2 -"
inline std::string where(const State& state) {
  const std::string active =
      state.active_agent && state.active_role
          ? fmt::format("{}/{}", state.active_agent->str(), name_of(*state.active_role))
          : "-";
  return fmt::format("{} {} {}", name_of(state.phase), state.round, active);
}

// "F1.1 P1 open codex, …"
inline std::string ledger_text(const std::vector<Finding>& findings) {
  std::string out;
  for (const Finding& f : findings)
    out += fmt::format("{}{} {} {} {}", out.empty() ? "" : ", ", f.id.str(), name_of(f.severity),
                       name_of(f.status), f.source);
  return out;
}

inline std::string names(const std::vector<AgentName>& agents) {
  std::string out;
  for (const AgentName& agent : agents) out += (out.empty() ? "" : " ") + agent.str();
  return out;
}

// All of the state that a refusal must not touch.
inline std::string essence(const State& state) {
  JsonObject object = codec::encode(state).get_object();
  for (const auto* key : {"last_seq", "actions", "agents", "last_command_at", "boot", "mono_ms",
                          "tree_suspect", "requests", "last_mark"})
    object.erase(key);
  return dump(object);
}

struct Done {
  std::optional<Rejection> rejection = {};
  std::vector<Event> events = {};  // as read back; a refusal's PROTOCOL_WARNING is not among them
  bool warned = false;             // a PROTOCOL_WARNING was written
  bool ok() const { return !rejection; }
  int exit() const { return rejection ? static_cast<int>(rejection->error.exit) : 0; }
  std::string reason() const { return rejection ? rejection->reason : ""; }
  template <class B>
  const B& body(std::size_t at = 0) const {
    return std::get<B>(events.at(at).body);
  }
};

class Bubble {
 public:
  State state;
  TreeFact worktree{tree(kBase), tree(kBase), {}, CommitId("base")};
  MergeFact merge{CommitId("base"), false, "", {}, {}};
  std::vector<AgentName> dead;
  Duration idle{}, turn_age{};
  WallTime wall = {};
  std::string seen;
  std::vector<std::string> journal;  // the text of each line
  std::vector<std::size_t> batches;  // how many lines there were after each batch

  Done run(const Principal& who, const Command& command, Seq turn = Seq::none) {
    const Request request{RequestId(fmt::format("r{}", ++requests_)), who, turn};
    Facts facts;
    facts.head = state.mark.hash;
    for (int gathering = 0; gathering < 5; ++gathering) {
      auto decision = decide(state, request, command, facts);
      if (const auto* needs = std::get_if<std::vector<Need>>(&decision)) {
        for (const Need need : *needs) gather(need, facts);
        continue;
      }
      must(same(decision, decide(state, request, command, facts)), "decide is not deterministic");
      if (const auto* rejection = std::get_if<Rejection>(&decision))
        return refused(request, command, *rejection);
      return {{}, append(std::get<std::vector<Event>>(decision), request.id), false};
    }
    throw std::logic_error("the decider never has enough facts");
  }

  Done as(const AgentName& agent, const Command& command, Seq turn = Seq::none) {
    return run({PrincipalKind::agent, agent, Assurance::ancestry}, command, turn);
  }
  Done implementer(const Command& command) { return as(state.roles.implementer, command); }
  Done reviewer(const Command& command) { return as(state.roles.reviewer, command); }
  Done human(const Command& command, Seq turn = Seq::none) {
    return run({PrincipalKind::human, {}, Assurance::ancestry}, command, turn);
  }
  Done orchestrator(const Command& command, Seq turn = Seq::none) {
    return run({PrincipalKind::orchestrator, {}, Assurance::self}, command, turn);
  }

  // Created, prepared and RUNNING in round 1.
  static Bubble running(Policy policy = test_policy()) {
    Bubble bubble;
    must(bubble.human(create_with(std::move(policy))).ok(), "create");
    must(bubble.human(Start{}).ok(), "start");
    must(bubble.orchestrator(FilePrepared{}).ok(), "prepared");
    return bubble;
  }
  // The implementer edits and passes.
  Done implement(int to, Claims claims = {}) {
    worktree.tree = tree(to);
    return implementer(Pass{"done", "", {}, std::move(claims), {}});
  }
  Done review(const std::vector<std::string>& findings, std::vector<FindingId> resolved = {}) {
    return reviewer(Pass{"seen", "", reported(findings, std::move(resolved)), {}, {}});
  }
  Done pass_clean() { return reviewer(Pass{"fine", "", {{}, true, {}}, {}, {}}); }
  Done evidence(EvidenceStatus status, std::string what = "make") {
    return orchestrator(FileEvidence{
        *state.target, status, std::move(what), {"out.txt"}, profile_hash(state.policy.profile)});
  }
  Done decides(ReplyDecision decision, int rounds = 2) {
    return human(Reply{"my word", decision, rounds, {}});
  }
  // READY_FOR_APPROVAL on tree(to).
  void converge_on(int to) {
    must(implement(to).ok() && pass_clean().ok(), "the first clean review");
    must(reviewer(agreed("both agree")).ok(), "converged");
  }

  static Review reported(const std::vector<std::string>& findings,
                         std::vector<FindingId> resolved = {}) {
    Review review;
    for (const std::string& text : findings) {
      auto parsed = parse_reported(text);
      must(parsed.has_value(), "not a finding: " + text);
      review.findings.push_back(std::move(*parsed));
    }
    review.resolved = std::move(resolved);
    return review;
  }
  static Claims disputes(const std::vector<std::string>& ids) {
    Claims claims;
    for (const std::string& id : ids) claims.disputed.push_back({FindingId(id), "no"});
    return claims;
  }

 private:
  void gather(Need need, Facts& facts) const {
    if (need == Need::tree || need == Need::cold_tree) {
      facts.tree = worktree;
      facts.cold = need == Need::cold_tree;
    } else if (need == Need::idle) {
      facts.idle = IdleFact{idle, turn_age, wall, seen};
    } else if (need == Need::liveness) {
      facts.dead = dead;
    } else if (need == Need::merge) {
      facts.merge = merge;
    } else {
      facts.commit = CommitId("commit-of-" + worktree.tree.str());
    }
  }

  // As the engine does: one PROTOCOL_WARNING for each agent, verb, reason and turn.
  Done refused(const Request& request, const Command& command, const Rejection& rejection) {
    Done done{rejection, {}, false};
    if (!rejection.warn) return done;
    const std::string verb(verb_of(command));
    const LastWarning now{verb, rejection.reason, state.turn};
    const Agent* agent = state.agent(request.who.name);
    must(agent != nullptr, "a warning to nobody");
    if (std::ranges::find(agent->warnings, now) != agent->warnings.end()) return done;
    const std::string before = essence(state);
    append({Event{request.who.party(), request.who.party(), state.round,
                  Warned{verb, rejection.reason, rejection.error.what, rejection.error.why,
                         rejection.unmet}}},
           request.id);
    must(essence(state) == before, "a refusal changed the state");
    done.warned = true;
    return done;
  }

  std::vector<Event> append(std::vector<Event> events, const RequestId& request) {
    std::vector<Event> read;
    for (std::size_t i = 0; i < events.size(); ++i) {
      Event& event = events[i];
      const Seq seq = next(state.last_seq);
      const WallTime now{1'771'675'200'000 + static_cast<std::int64_t>(number(seq)) * 1000};
      Line line{message_id(now, seq),
                iso8601(now),
                "b_test",
                encode(event),
                seq,
                static_cast<int>(events.size() - i - 1),
                state.mark.hash,
                request,
                {"boot", static_cast<std::int64_t>(number(seq)) * 1000},
                {}};
      const std::string text = encode_line(line);
      auto decoded = decode_line(text);
      must(decoded.has_value(), "a line cannot be read back: " + text);
      decoded->mark = {seq, state.mark.end, state.mark.end + text.size() + 1, hash_of(text)};
      auto folded = fold(state, *decoded);
      must(folded.has_value(), "a line cannot be folded: " + text);
      event.seq = seq, event.id = line.id, event.ts = line.ts, event.moment = line.moment;
      must(essence(apply(state, event)) == essence(apply(state, *decode(*decoded))),
           "an event is another after the codec: " + text);
      state = std::move(*folded);
      journal.push_back(text);
      read.push_back(*decode(*decoded));
    }
    if (!events.empty()) batches.push_back(journal.size());
    return read;
  }

  static bool same(const Decision<Event>& a, const Decision<Event>& b) {
    if (a.index() != b.index()) return false;
    if (const auto* one = std::get_if<Rejection>(&a)) {
      const auto& other = std::get<Rejection>(b);
      return one->error == other.error && one->reason == other.reason &&
             one->unmet == other.unmet && one->warn == other.warn;
    }
    const auto text = [](const Decision<Event>& d) {
      std::string out;
      for (const Event& e : std::get<std::vector<Event>>(d))
        out += envelopes({e}) + dump(encode(e).payload) + "\n";
      return out;
    };
    return text(a) == text(b);
  }

  int requests_ = 0;
};

}  // namespace pf::bubble::testing
