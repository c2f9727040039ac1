#include <fmt/format.h>

#include <algorithm>

#include "bubble/domain/state.h"
#include "bubble/domain/views.h"

namespace pf::bubble {

PF_COMPILED_HERE(State);

namespace {

constexpr std::size_t kActionsKept = 12;
constexpr std::size_t kDeliveriesKept = 8;
constexpr std::size_t kRoundsMeasured = 32;

Agent* find_agent(State& state, const AgentName& name) {
  return find_in(state.agents, name, &Agent::name);
}

std::vector<Agent> agents_of(const Policy& policy) {
  return {{policy.roles.implementer, Role::implementer}, {policy.roles.reviewer, Role::reviewer}};
}

// What the human let pass of the checks on the tree under review.
void waive_evidence(State& state, const Finding& finding) {
  if (finding.source != kOrchestrator || finding.status != FindingStatus::waived) return;
  for (EvidenceSeen& seen : state.evidence)
    if (seen.tree == state.target && seen.status == EvidenceStatus::red) seen.waived = true;
}

// The meter's entry of a round.
RoundProgress& measure(State& state, int round) {
  if (state.meter.empty() || state.meter.back().round != round)
    keep_last(state.meter, kRoundsMeasured, {round, {}, {}});
  return state.meter.back();
}

void put_package(State& state, const std::string& by, const PackageBrought& brought,
                 const TreeId& tree) {
  for (const Part part : brought.parts) {
    std::erase_if(state.package, [&](const PartWritten& w) { return w.part == part; });
    state.package.push_back({part, brought.blob, by, tree});
  }
}

Delivery delivery_of(const Event& event) {
  return {event.seq, event.seq, std::string(type_of(event.body)), event.sender,
          message_file(event)};
}

// A briefing alone is not needed any more once there is something else to say.
void deliver(Agent& agent, Delivery delivery) {
  std::erase_if(agent.deliveries, [](const Delivery& d) { return d.message == Seq::none; });
  keep_last(agent.deliveries, kDeliveriesKept, std::move(delivery));
}

// The newest unacknowledged message is due once more; one that was taken is known, and the agent is
// only told to go on.
void tell_again(Agent& agent, Seq cause) {
  if (!agent.deliveries.empty() &&
      (!agent.confirms || agent.deliveries.back().cause > agent.taken)) {
    agent.deliveries.back().cause = cause;
    return;
  }
  agent.deliveries.clear();
  agent.deliveries.push_back({Seq::none, cause, {}, {}, {}});
}

struct Fold {
  State& state;
  const Event& event;

  void operator()(const Created& e) {
    state.policy = e.policy;
    state.place = e.place;
    state.task = e.task;
    state.config = e.config;
    state.tip = e.place.base_commit;
    state.agents = agents_of(e.policy);
    state.continues = e.continues;
    if (e.continues) state.conflicts = e.continues->conflicts;
  }
  void operator()(const ConfigEdited& e) {
    if (e.policy.roles != state.policy.roles) state.agents = agents_of(e.policy);
    state.policy = e.policy;
    state.config = e.after;
  }
  void operator()(const Preparing&) { state.trouble.clear(); }
  void operator()(const SetupFailed& e) { state.trouble = e.what; }
  void operator()(const Failed& e) {
    state.trouble = e.reason;
    state.questions.clear();
    state.commit.reset();
    state.sync.reset();
  }
  void operator()(const Tasked& e) {
    state.task = e.task;
    if (e.target) state.target = e.target;
    if (!e.rules.empty()) state.rules = e.rules;
  }
  void operator()(const Passed& e) {
    state.tip = e.tip;
    if (e.role == Role::implementer) {
      state.target = e.tree;
      state.conflicts.clear();
      state.changes = e.changes;
      state.out_of_scope = e.out_of_scope;
      state.tree_moves = 0;
      measure(state, event.round).churn = e.churn;
    } else {
      if (e.verdict == Verdict::clean)
        state.clean.push_back({AgentName(event.sender), e.tree, event.seq});
      measure(state, event.round).review = e.progress;
    }
    if (e.package) put_package(state, event.sender, *e.package, e.tree);
    state.tree_suspect = Seq::none;
    state.held.reset();
    if (!event.then) state.held = delivery_of(event);
  }
  void operator()(const Warned& e) {
    if (e.reason == "tree_moved") state.tree_suspect = event.seq;
    if (Agent* agent = find_agent(state, AgentName(event.sender)))
      agent->warnings.push_back({e.verb, e.reason, state.turn});
  }
  void operator()(const TreeMoved& e) {
    state.target = e.tree;
    state.tree_suspect = Seq::none;
    if (e.tree != e.from) ++state.tree_moves;
  }
  void operator()(const Asked& e) {
    state.questions.push_back(
        {event.id, event.seq, e.kind, event.sender, e.question, event.ts, e.about, e.checks});
    if (e.dead) end(*e.dead, e.forgets);
  }
  void operator()(const Replied& e) {
    std::erase_if(state.questions, [&](const Question& q) { return q.id == e.question; });
    if (e.rerun) state.rerun = event.seq;
    if (e.clean && state.active_agent && state.target)
      state.clean.push_back({*state.active_agent, *state.target, event.seq});
    if (e.held && state.held)
      for (const AgentName& name : event.tell)
        if (Agent* agent = find_agent(state, name)) deliver(*agent, *state.held);
  }
  void operator()(const Converged& e) {
    state.clean.push_back({AgentName(event.sender), e.tree, event.seq});
    state.converged_tree = e.tree;
    measure(state, event.round).review = Progress{};
    if (e.package) put_package(state, event.sender, *e.package, e.tree);
  }
  void operator()(const ApprovalRequested& e) { state.hidden = e.hidden; }
  void operator()(const Decided& e) {
    if (e.decision == Approval::approve) {
      state.approved_tree = e.tree;
      return;
    }
    state.approved_tree.reset();
    state.converged_tree.reset();
    state.hidden.clear();
    state.commit.reset();
    state.target = e.tree;
  }
  void operator()(const CommitPrepared& e) {
    state.commit = CommitIntent{e.commit, e.old_tip, e.tree, e.message, e.squash};
  }
  void operator()(const CommitAbandoned&) { state.commit.reset(); }
  void operator()(const Committed& e) { state.committed = e.commit; }
  void operator()(const Packaged&) {}
  void operator()(const MergePrepared& e) {
    state.merge = MergeIntent{e.base_branch, e.checkout, e.old, e.tree};
    state.merged = {};
  }
  void operator()(const MergeAbandoned&) { state.merge.reset(); }
  void operator()(const Merged& e) {
    state.merge.reset();
    state.merged = e.commit;
  }
  void operator()(const SyncPrepared& e) { state.sync = e.move; }
  void operator()(const SyncAbandoned&) { state.sync.reset(); }
  void operator()(const Synced& e) {
    state.sync.reset();
    state.place.base_commit = e.move.onto;
    state.place.base_tree = e.move.onto_tree;
    state.tip = e.move.onto;
    state.target = e.target;
    state.converged_tree.reset();
    state.approved_tree.reset();
    state.hidden.clear();
    state.conflicts = e.to_resolve;
    if (e.move.changes) state.changes = e.move.changes;
    state.out_of_scope = e.move.out_of_scope;
    state.tree_suspect = Seq::none;
    state.held.reset();
  }
  void operator()(const Cancelled&) {
    state.questions.clear();
    state.commit.reset();
    state.sync.reset();
  }
  void operator()(const Closed&) { state.closed = true; }
  void operator()(const Resumed&) {
    // One not yet delivered still is before it.
    if (!state.active_agent) return;
    Agent* agent = find_agent(state, *state.active_agent);
    if (agent == nullptr || agent->deliveries.empty()) return;
    if (agent->spoken && contains(event.relaunch, agent->name)) return;  // it goes on where it was
    tell_again(*agent, event.seq);
  }
  void operator()(const Waived&) {}
  void operator()(const Launched& e) {
    Agent* agent = find_agent(state, e.agent);
    if (agent == nullptr) return;
    agent->launched = e.cause;
    agent->exited = false;
    if (!e.enforcement.empty()) agent->enforcement = e.enforcement;
    if (!e.conversation.empty()) agent->conversation = e.conversation;
    agent->program = e.program;
    agent->confirms = e.confirms;
    agent->apart = e.apart;
    agent->taken = Seq::none;
    agent->conversations = 0;
    if (e.covers)
      std::erase_if(agent->deliveries, [&](const Delivery& d) { return d.cause <= *e.covers; });
    agent->hindrance.reset();
  }
  void operator()(const PromptTaken& e) {
    Agent* agent = find_agent(state, e.agent);
    if (agent == nullptr) return;
    agent->taken = std::max(agent->taken, e.cause);
    if (!e.conversation.empty()) {
      agent->conversation = e.conversation;
      ++agent->conversations;
    }
    agent->spoken = !agent->conversation.empty();
    agent->hindrance.reset();
  }
  void operator()(const Hindered& e) {
    Agent* agent = find_agent(state, e.agent);
    if (agent == nullptr) return;
    agent->hindrance = Hindrance{e.obstacle, e.what, e.until, e.how, event.ts, event.seq};
    ++agent->hindrances;
  }
  void operator()(const Freed& e) {
    Agent* agent = find_agent(state, e.agent);
    if (agent == nullptr) return;
    if (agent->hindrance && !agent->hindrance->until.empty())
      agent->waited_out = agent->hindrance->what;
    agent->hindrance.reset();
    if (e.again) tell_again(*agent, event.seq);
  }
  void operator()(const AgentExited& e) { end(e.agent, e.forgets); }
  void end(const AgentName& name, bool forgets) {
    Agent* agent = find_agent(state, name);
    if (agent == nullptr) return;
    agent->exited = true;
    agent->hindrance.reset();
    if (!forgets) return;
    agent->conversation.clear();
    agent->spoken = false;
  }
  void operator()(const Evidence& e) {
    constexpr std::size_t kKept = 16;
    EvidenceSeen now{e.tree, e.profile, e.status, 0, false, event.seq, e.log};
    now.cold = e.cold;
    for (const EvidenceSeen& before : state.evidence)
      if (before.tree == e.tree && before.profile == e.profile) {
        now.voids = before.voids;
        now.cold |= before.cold && before.status == e.status;
      }
    now.voids = e.status == EvidenceStatus::void_ ? now.voids + 1 : 0;
    for (const CheckRun& check : e.checks)
      if (check.flaky) now.flaky.push_back(check.name);
    std::erase_if(state.evidence, [&](const EvidenceSeen& seen) {
      return seen.tree == e.tree && seen.profile == e.profile;
    });
    state.evidence.insert(state.evidence.begin(), std::move(now));
    if (state.evidence.size() <= kKept) return;
    const auto forgettable = [&](const EvidenceSeen& seen) {  // the base is tried once
      return !state.policy.base_first || seen.tree != state.place.base_tree;
    };
    const auto oldest = std::find_if(state.evidence.rbegin(), state.evidence.rend(), forgettable);
    state.evidence.erase(
        std::prev(oldest == state.evidence.rend() ? state.evidence.end() : oldest.base()));
  }
  void operator()(const RerunAsked&) { state.rerun = event.seq; }
  void operator()(const ProfileChanged& e) { state.policy.profile = e.profile; }
};

void stand(State& state, const Event& event) {
  const Standing& then = *event.then;
  if (then.round != state.round) {
    state.history.push_back({then.round, then.roles});
    state.tree_moves = 0;
  }
  state.phase = then.phase;
  state.round = then.round;
  state.limit = then.limit;
  state.roles = then.roles;
  state.active_agent = then.active_agent;
  state.active_role = then.active_role;
  state.active_since = event.ts;
  state.turn = event.seq;
  state.turn_opened = event.moment;
  for (Agent& agent : state.agents) {
    agent.warnings.clear();
    agent.hindrances = 0;
    agent.waited_out.clear();
  }
}

// The agent has spoken: whatever was delivered to it has arrived.
void acknowledge(State& state, const Event& event) {
  if (std::holds_alternative<Warned>(event.body)) return;
  Agent* agent = find_agent(state, AgentName(event.sender));
  if (agent == nullptr) return;
  agent->deliveries.clear();
  agent->hindrance.reset();
  agent->spoken = !agent->conversation.empty();
}

// A new process is briefed, by the line that brings it a message or by one of its own.
void spread_word(State& state, const Event& event) {
  for (const AgentName& name : event.tell)
    if (Agent* agent = find_agent(state, name)) deliver(*agent, delivery_of(event));
  for (const AgentName& name : event.relaunch)
    if (Agent* agent = find_agent(state, name)) {
      agent->wanted = event.seq;
      agent->launch_role = state.role_of(name);
      if (contains(event.afresh, name)) {
        agent->conversation.clear();
        agent->spoken = false;
      } else if (agent->spoken) {  // it knows what it took before
        std::erase_if(agent->deliveries,
                      [&](const Delivery& d) { return d.cause <= agent->taken; });
      }
      if (agent->deliveries.empty() || agent->deliveries.back().message == Seq::none)
        deliver(*agent, {Seq::none, event.seq, {}, {}, {}});
    }
}

bool is_activity(const Event& event) {
  return event.then || event.sender != kOrchestrator ||
         std::holds_alternative<Launched>(event.body) ||
         std::holds_alternative<PromptTaken>(event.body) ||
         std::holds_alternative<Freed>(event.body) || std::holds_alternative<Evidence>(event.body);
}

}  // namespace

State apply(State state, const Event& event) {
  acknowledge(state, event);
  if (event.clears) state.clean.clear();
  std::visit(Fold{state, event}, event.body);
  state.findings = merged(std::move(state.findings), event.ledger);
  for (const Finding& finding : event.ledger) waive_evidence(state, finding);
  if (event.then) stand(state, event);
  spread_word(state, event);
  if (event.sender != kOrchestrator) state.last_command_at = event.ts;
  if (is_activity(event)) state.last_activity = event.moment;
  state.last_seq = event.seq;
  const bool routine = std::holds_alternative<PromptTaken>(event.body);
  if (auto text = describe(event); !text.empty() && !routine)
    keep_last(state.actions, kActionsKept, {event.seq, event.ts, std::move(text)});
  return state;
}

Result<State> fold(State state, const Line& line) {
  const Event event = TRY(decode(line));
  state.id = BubbleId(line.loop_id);
  if (!std::holds_alternative<Warned>(event.body)) state.requests.note(line.request, state.mark);
  state = apply(std::move(state), event);
  state.mark = line.mark;
  return state;
}

}  // namespace pf::bubble
