#include <algorithm>

#include "bubble/domain/deciders.h"
#include "bubble/domain/evidence.h"

namespace pf::bubble {
namespace {

constexpr int kMostRounds = 100;

// By default the oldest that the answer fits: a decision hands the turn on, so it comes after the
// plain questions unless the answer is one.
std::optional<Question> chosen_question(const State& state, const Reply& reply) {
  const auto& all = state.questions;
  const bool decides = reply.decision != ReplyDecision::none;
  const auto at =
      reply.question.empty()
          ? std::ranges::find(all, decides, [](const Question& q) { return is_decision(q.kind); })
          : std::ranges::find(all, reply.question, &Question::id);
  if (at != all.end()) return *at;
  return reply.question.empty() ? std::optional(all.front()) : std::nullopt;
}

// Whom an answer goes to: the agent that asked, else the one on turn.
std::vector<AgentName> addressee(const State& state, const Question& question) {
  if (state.is_agent(AgentName(question.from))) return {AgentName(question.from)};
  if (state.active_agent) return {*state.active_agent};
  return {};
}

Event reply_event(const Asking& asking, const Question& question, Replied replied) {
  const auto to = addressee(asking.state, question);
  replied.question = question.id;
  const EvidenceStanding checks = evidence_standing(asking.state);
  replied.rerun = (question.kind == QuestionKind::void_ && checks == EvidenceStanding::void_) ||
                  (question.kind == QuestionKind::unable && checks_are_unable(asking.state));
  Event event = make_event(asking, to.empty() ? Recipient("both") : to.front(), std::move(replied));
  event.tell = to;
  return event;
}

// Back to RUNNING: dead panes are started anew, and besides the asker the agent on turn hears of it
// (it was told to wait).
void go_on(const Asking& asking, Event& event) {
  Standing then = standing(asking.state);
  then.phase = Phase::running;
  if (!contains(event.tell, *then.active_agent)) event.tell.push_back(*then.active_agent);
  revive(asking.state, event, *asking.facts.dead);
  event.then = std::move(then);
}

// Rows 23 and 24.
Outcome plain_reply(const Asking& asking, const Question& question, const Reply& reply) {
  if (reply.decision != ReplyDecision::none)
    return refuse(fmt::format("{} is no decision question", question.id),
                  fmt::format("it is of kind '{}'", question.kind),
                  "answer it with --message alone");
  Replied replied;
  replied.message = reply.message;
  Event event = reply_event(asking, question, std::move(replied));
  const bool last = asking.state.questions.size() == 1;
  if (last && !asking.facts.dead) return need(Need::liveness);
  if (last)
    go_on(asking, event);
  else
    event.then = parked(asking.state);
  return std::vector{std::move(event)};
}

// What the question was about, as the human's word leaves it: waived, or a dispute upheld.
std::vector<Finding> settled_by(const State& state, const Question& question, const Reply& reply) {
  const bool accept = reply.decision == ReplyDecision::accept;
  std::vector<Finding> changed;
  for (const FindingId& id : question.about) {
    const Finding* known = state.finding(id);
    if (known == nullptr || !known->unsettled()) continue;
    Finding finding = *known;
    if (accept) {
      finding.status = FindingStatus::waived;
      finding.reason = reply.message.empty() ? "accepted by the human" : clip(reply.message, 300);
    } else if (finding.status == FindingStatus::disputed) {
      finding.status = FindingStatus::upheld;
      finding.confirmed = true;
    } else {
      continue;
    }
    changed.push_back(std::move(finding));
  }
  return changed;
}

// Accepted, but other findings would go back to the implementer and no round is left: asked again.
Outcome ask_for_rounds(const Asking& asking, Event reply, const Ledger& ledger) {
  const State& state = asking.state;
  Asked again;
  again.kind = QuestionKind::max_rounds;
  for (const Finding& finding : ledger)
    if (counts_against(finding)) again.about.push_back(finding.id);
  again.question = fmt::format(
      "Round {} of {} is over and other findings are open. Accept them, or "
      "continue with more rounds?",
      state.round, state.limit);
  reply.tell.clear();
  reply.then = parked(state);
  return std::vector{std::move(reply), parking_question(asking, std::move(again))};
}

// Where the turn goes after a decision. `clean`: nothing serious is left.
Standing after_decision(const State& state, const Reply& reply, bool clean) {
  if (clean)
    return has_clean_verdict(state, state.roles.implementer)
               ? on_turn(state, Role::reviewer)  // only `converged` is left
               : on_to_other_reviewer(state);
  Standing then = back_to_implementer(state);
  if (reply.decision != ReplyDecision::accept && state.round >= state.limit)
    then.limit = std::max(state.limit + reply.rounds, then.round);
  return then;
}

// The verdict of a review, after the human had the last word on what it asked about. Rows 25, 26.
Outcome decision_reply(const Asking& asking, const Question& question, const Reply& reply) {
  const State& state = asking.state;
  if (state.questions.size() > 1)
    return refuse("other questions are still open", "a decision hands the turn on",
                  fmt::format("answer them first: pairflow bubble inbox --id {}", state.id));
  const bool accept = reply.decision == ReplyDecision::accept;
  std::vector<Finding> changed = settled_by(state, question, reply);
  const Ledger ledger = merged(state.findings, changed);
  const bool clean = accept && std::ranges::none_of(ledger, [](const Finding& f) {
                       return counts_against(f) && f.serious();
                     });
  Standing then = after_decision(state, reply, clean);

  Replied replied;
  replied.message = reply.message;
  replied.decision = accept ? ReplyDecision::accept : ReplyDecision::go_on;
  replied.clean = clean && !has_clean_verdict(state, state.roles.reviewer);
  const bool parks = !clean && then.round > then.limit;
  replied.held = !parks && state.held && then.active_agent != state.active_agent;
  Event event = reply_event(asking, question, std::move(replied));
  event.ledger = std::move(changed);
  if (parks) return ask_for_rounds(asking, std::move(event), ledger);
  event.clears = !clean;
  event.recipient = then.active_agent->str();
  return std::vector{handed(state, std::move(event), std::move(then))};
}

}  // namespace

Outcome handle(const Asking& asking, const Reply& reply) {
  const State& state = asking.state;
  if (auto rejection = refused_when_final(state)) return *rejection;
  if (reply.rounds < 1 || reply.rounds > kMostRounds)
    return usage(fmt::format("--rounds {} is out of range", reply.rounds),
                 fmt::format("give a number from 1 to {}", kMostRounds));
  if (state.questions.empty()) {  // row 44
    const bool ready = state.phase == Phase::ready || state.phase == Phase::approved;
    return refuse("no question is open", fmt::format("the bubble is {}", state.phase),
                  ready ? "decide with approve or request-rework"
                        : fmt::format("see: pairflow bubble status --id {}", state.id));
  }
  const auto question = chosen_question(state, reply);
  if (!question)
    return refuse(fmt::format("no open question has the id {}", printable(reply.question.str())),
                  "", fmt::format("see: pairflow bubble inbox --id {}", state.id));
  return is_decision(question->kind) ? decision_reply(asking, *question, reply)
                                     : plain_reply(asking, *question, reply);
}

// Rows 27 to 29 and 38.
Outcome handle(const Asking& asking, const Resume&) {
  const State& state = asking.state;
  if (auto rejection = refused_when_final(state)) return *rejection;
  if (state.phase == Phase::none || state.phase == Phase::created ||
      state.phase == Phase::preparing)
    return refuse("the bubble has not been started", std::string(name_of(state.phase)),
                  fmt::format("pairflow bubble start --id {}", state.id));
  if (state.phase == Phase::committed) return nothing();  // the package is under way
  if (state.phase == Phase::waiting &&
      std::ranges::any_of(state.questions, [](const Question& q) { return is_decision(q.kind); }))
    return refuse(
        "a decision is asked for", "resuming does not make it",
        fmt::format("pairflow bubble reply --id {} --decision accept|continue [--message \"…\"]",
                    state.id));
  if (!asking.facts.dead) return need(Need::liveness);
  std::vector<Event> events;
  for (const Question& question : state.questions) {
    Replied replied;
    replied.resumed = true;
    events.push_back(reply_event(asking, question, std::move(replied)));
  }
  if (events.empty()) events.push_back(make_event(asking, "orchestrator", Resumed{}));
  if (state.phase == Phase::waiting)
    go_on(asking, events.back());
  else
    revive(state, events.back(), *asking.facts.dead);
  return events;
}

// Row 30.
Outcome handle(const Asking& asking, const Replan& replan) {
  const State& state = asking.state;
  if (auto rejection = refused_when_final(state)) return *rejection;
  if (state.phase != Phase::running && state.phase != Phase::waiting)
    return refuse("a task is replanned while the agents work",
                  fmt::format("the bubble is {}", state.phase),
                  state.phase == Phase::ready || state.phase == Phase::approved
                      ? "use request-rework"
                      : fmt::format("pairflow bubble start --id {}", state.id));
  if (auto rejection = refused_while_syncing(state)) return *rejection;
  if (replan.task == state.task) return refuse("that is the task already", "", "give the new task");
  if (lacks_tree(asking.facts, false)) return need(Need::tree);
  std::vector<Event> events;
  for (const Question& question : state.questions) {
    Replied replied;
    replied.superseded = true;
    replied.question = question.id;
    events.push_back(make_event(asking, "both", std::move(replied)));
  }
  Tasked tasked;
  tasked.task = replan.task;
  tasked.replan = true;
  tasked.target = asking.facts.tree->tree;
  Event event = own_event(asking, state.roles.implementer, std::move(tasked));
  event = handed(state, std::move(event), new_allowance(state));
  event.round = event.then->round;
  if (asking.facts.tree->tree != state.target)
    event.ledger = evidence_of_new_target(state, state.findings, asking.facts.tree->tree);
  event.tell = {state.roles.implementer, state.roles.reviewer};
  event.clears = true;
  events.push_back(std::move(event));
  return events;
}

// Row 46.
Outcome handle(const Asking& asking, const Waive& waive) {
  const State& state = asking.state;
  if (auto rejection = refused_when_final(state)) return *rejection;
  const Finding* known = state.finding(waive.finding);
  if (known == nullptr || !known->unsettled())
    return refuse(fmt::format("{} is no unsettled finding", printable(waive.finding.str())),
                  known == nullptr ? "" : fmt::format("it is {}", known->status),
                  fmt::format("see: pairflow bubble findings --id {}", state.id));
  Finding finding = *known;
  finding.status = FindingStatus::waived;
  finding.reason = waive.reason;
  Event event = make_event(asking, "both", Waived{waive.finding, waive.reason});
  event.ledger = {std::move(finding)};
  return std::vector{std::move(event)};
}

}  // namespace pf::bubble
