// BUBBLE's six properties, after every step of random runs.
#include <set>

#include "bubble/domain/outstanding.h"
#include "bubble/domain/random_run.h"
#include "bubble/domain/views.h"

namespace pf::bubble {
namespace {

using namespace testing;

void one_active_or_one_question(const State& s) {
  must(s.active_agent.has_value() == s.active_role.has_value(), "agent and role go together");
  const bool works = s.phase == Phase::running || s.phase == Phase::waiting;
  must(s.active_agent.has_value() == works, "1: an active agent in RUNNING and WAITING_HUMAN only");
  if (works)
    must(*s.active_agent == s.roles.of(*s.active_role), "1: the active agent has its role");
  must((s.phase == Phase::waiting) == !s.questions.empty(), "1: WAITING_HUMAN has a question");
}

void ready_means_converged(const State& s) {
  const bool decided = s.phase == Phase::ready || s.phase == Phase::approved ||
                       s.phase == Phase::committed || s.phase == Phase::done;
  must(s.converged_tree.has_value() == decided || is_final(s.phase), "2: converged when decided");
  if (!decided) return;
  std::set<std::string> reviewers;
  for (const CleanVerdict& v : s.clean)
    if (v.tree == *s.converged_tree) reviewers.insert(v.agent.str());
  must(reviewers == std::set<std::string>{"claude", "codex"}, "2: two agents on one tree");
  for (const Finding& f : s.findings) must(!f.unsettled(), "2: nothing is unsettled");
  must(missing_parts(s.package).empty(), "2: the package is complete");
}

// At the moment it is declared, and again when the human decides.
void decided_on_evidence(const State& before, const State& s) {
  const bool declared = s.phase == Phase::ready && before.phase != Phase::ready;
  const bool approved = s.phase == Phase::approved && before.phase == Phase::ready;
  const bool prepared = s.commit && !before.commit;
  if (!declared && !approved && !prepared) return;
  const auto standing = evidence_standing(s);
  must(!awaits_cold(s), "READY rests on a run from an empty checkout");
  must(standing == EvidenceStanding::green || standing == EvidenceStanding::not_needed ||
           standing == EvidenceStanding::waived,
       "2: the checks are green, waived or not available");
}

// A reviewer with a checkout of its own passes what it has before it, whatever the writer does.
void judged_what_was_shown(const State& before, const State& s, const TreeId& shown) {
  if (!before.reviews_apart() || s.clean.size() <= before.clean.size()) return;
  must(s.clean.back().tree == shown, "a clean verdict is about the tree that was shown");
}

void committed_is_approved(const State& s) {
  if (s.phase == Phase::approved || s.phase == Phase::committed || s.phase == Phase::done)
    must(s.approved_tree == s.converged_tree, "3: approved is converged");
  if (s.commit) must(s.commit->tree == s.approved_tree, "3: committed is approved");
  if (!s.committed.empty()) must(s.committed == s.commit->commit, "3: the commit is the prepared");
}

bool accepted(const State& s, const Command& command, const TreeId& now) {
  Facts facts;
  facts.tree = TreeFact{now, tree(kBase), {}, CommitId("base")};
  facts.cold = true;
  const Request request{RequestId("x"), {PrincipalKind::agent, *s.active_agent}, s.turn};
  return std::holds_alternative<std::vector<Event>>(decide(s, request, command, facts));
}

void there_is_a_way_on(const State& s) {
  if (s.phase != Phase::running) return;
  must(accepted(s, AskHuman{"?"}, tree(kBase)), "4: ask-human");
  if (s.sync || s.reviewer_is_due()) return;  // for a moment
  if (s.active_role == Role::implementer) {
    must(accepted(s, Pass{}, tree(99)), "4: a changed tree can be passed");
    return;
  }
  Pass pass;
  pass.review.findings = {{{}, Severity::p1, "a new one", {}, 0}};
  for (const Finding& f : s.findings)
    if (f.unsettled() && f.serious()) pass.review.findings.push_back({f.id, {}, {}, {}, 0});
  must(accepted(s, pass, *s.target), "4: a review with findings can be passed");
}

void rounds_rise(const State& before, const State& s, bool by_human) {
  must(s.round >= before.round, "5: round never decreases");
  if (!by_human) must(s.round <= std::max(before.round, s.limit + 1), "5: round <= limit + 1");
  must(s.history.size() == static_cast<std::size_t>(s.round), "history: one entry for each round");
  for (std::size_t i = 0; i < s.history.size(); ++i)
    must(s.history[i].round == static_cast<int>(i) + 1, "history: every round once");
  if (!s.history.empty()) must(s.history.back().roles == s.roles, "history: the roles as they are");
}

void identities_hold(const State& before, const State& s) {
  std::set<std::string> ids;
  for (const Finding& f : s.findings) {
    must(ids.insert(f.id.str()).second, "finding ids are unique");
    must(!f.title.empty(), "every finding has a title");
  }
  for (const Finding& f : before.findings) must(s.finding(f.id) != nullptr, "no finding vanishes");
  for (const Question& q : s.questions) must(ids.insert(q.id.str()).second, "question ids are too");
}

void codecs_agree(const State& s) {
  const std::string text = dump(codec::encode(s));
  State again;
  must(codec::decode(*parse_json(text), again).has_value(), "the state can be read");
  must(dump(codec::encode(again)) == text, "the state survives its codec");
}

void views_are_total(const State& s) {
  for (const AgentName& agent : {kCodex, kClaude})
    must(!turn_text(s, agent, {"/w", "/m", "/a"}).empty(), "turn text");
  must(s.phase != Phase::waiting || !inbox_of(s).empty(), "a waiting bubble is in the inbox");
}

void legal(const State& s) {
  one_active_or_one_question(s);
  ready_means_converged(s);
  committed_is_approved(s);
  there_is_a_way_on(s);
  views_are_total(s);
}

struct Reached {
  int done = 0, approved = 0, parked = 0;
};

void properties_1_to_5_hold(unsigned seed, Reached& reached) {
  RandomRun run(seed);
  for (int i = 0; i < 150 && !(is_final(run.b.state.phase) && run.b.state.closed); ++i) {
    const State before = run.b.state;
    const std::size_t lines = run.b.log.size();
    const Done step = run.step();
    const State& after = run.b.state;
    if (!step.ok()) {
      must(run.b.log.size() == lines + (step.warned ? 1 : 0), "a refusal writes a warning");
      must(Bubble::essence(after) == Bubble::essence(before), "a refusal changes nothing");
      must(step.exit() == 1 || step.exit() == 2, "refused or wrong usage");
    }
    legal(after);
    rounds_rise(before, after, run.by_human);
    decided_on_evidence(before, after);
    if (!run.by_human) judged_what_was_shown(before, after, run.b.shown);
    identities_hold(before, after);
    codecs_agree(after);
    reached.parked += after.phase == Phase::waiting;
    reached.approved += after.phase == Phase::approved;
  }
  reached.done += run.b.state.phase == Phase::done;
}

TEST_CASE("properties 1 to 5 hold after every step of random runs") {
  CHECK(rc::check([] {
    Reached anything;
    properties_1_to_5_hold(any_seed(), anything);
  }));
}

TEST_CASE("random runs get somewhere") {
  Reached reached;
  for (const unsigned seed : known_seeds()) properties_1_to_5_hold(seed, reached);
  CHECK(reached.done > 0);
  CHECK(reached.approved > 0);
  CHECK(reached.parked > 0);
}

TEST_CASE("property 6: a journal cut at any batch folds to a legal state") {
  CHECK(rc::check([] {
    RandomRun run(any_seed());
    for (int i = 0; i < 60; ++i) run.step();
    run.b.read_anew(legal);
  }));
}

}  // namespace
}  // namespace pf::bubble
