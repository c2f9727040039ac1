// BUBBLE rows 6 to 13: the implementer's pass and the verdicts of a review.
#include "bubble/domain/testing.h"

namespace pf::bubble {
namespace {

using namespace testing;

TEST_CASE("row 6: an implementer's pass of a changed tree goes to the reviewer") {
  Bubble b = Bubble::running();
  b.worktree.changed = {{"a.cc", "A", 10, 2, "100644"}};
  const Done done = b.implement(1);
  CHECK(envelopes(done.events) == "PASS codex>claude");
  CHECK(where(b.state) == "RUNNING 1 claude/reviewer");
  CHECK(b.state.target == tree(1));
  CHECK(b.state.changes->added == 10);
  CHECK(names(done.events[0].tell) == "claude");
  CHECK(names(done.events[0].relaunch) == "claude");  // fresh
  CHECK(done.events[0].clears);
  CHECK(done.body<Passed>().intent == Intent::review);
  CHECK_FALSE(encode(done.events[0]).payload.contains("findings"));
}

TEST_CASE("row 6: a persistent reviewer in its role is not relaunched") {
  Policy policy = test_policy();
  policy.fresh_reviewer = false;
  Bubble b = Bubble::running(policy);
  CHECK(b.implement(1).events[0].relaunch.empty());
}

TEST_CASE("row 6: without a change every unsettled P0/P1 must be disputed") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.review({"P1:one", "P0:two", "P2:three"});
  CHECK(b.implement(1, Bubble::disputes({"F1.1"})).reason() == "no_change");
  const Done done = b.implement(1, Bubble::disputes({"F1.1", "F1.2"}));
  CHECK(done.ok());
  CHECK(where(b.state) == "RUNNING 2 claude/reviewer");
  CHECK_FALSE(done.events[0].clears);
  CHECK(ledger_text(b.state.findings) ==
        "F1.1 P1 disputed claude, F1.2 P0 disputed claude, F1.3 P2 open claude");
}

TEST_CASE("row 6: without a change when the human waived every serious finding") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.review({"P1:one", "P0:two", "P2:three"});
  CHECK(b.human(Waive{FindingId("F1.1"), "taste"}).ok());
  CHECK(b.implement(1).reason() == "no_change");
  CHECK(b.human(Waive{FindingId("F1.2"), "taste"}).ok());
  CHECK(b.implement(1).ok());
  CHECK(where(b.state) == "RUNNING 2 claude/reviewer");
}

TEST_CASE("row 6: findings flags of an implementer are refused") {
  Bubble b = Bubble::running();
  b.worktree.tree = tree(1);
  Pass pass;
  pass.review = Bubble::reported({"P1:x"});
  const Done done = b.implementer(pass);
  CHECK(done.exit() == 1);
  CHECK(done.warned);
  CHECK(where(b.state) == "RUNNING 1 codex/implementer");
}

TEST_CASE("row 7: a pass without a change is refused with a hint") {
  Bubble b = Bubble::running();
  const Done first = b.implement(kBase);  // round 1: against the base tree
  CHECK(first.exit() == 1);
  CHECK(first.warned);
  CHECK(first.rejection->error.fix.find("--disputed") != std::string::npos);
  CHECK(first.rejection->error.fix.find("ask-human") != std::string::npos);
  b.implement(1);
  b.review({"P1:one"});
  CHECK(b.implement(1).reason() == "no_change");  // later: against the last target
  CHECK(where(b.state) == "RUNNING 2 codex/implementer");
}

TEST_CASE("a repeated refusal is warned about once in a turn") {
  Bubble b = Bubble::running();
  CHECK(b.implement(kBase).warned);
  CHECK_FALSE(b.implement(kBase).warned);
  CHECK(b.as(kCodex, Converge{}).warned);  // another verb
  b.implement(1);
  b.review({"P1:one"});
  CHECK(b.state.agent(kCodex)->warnings.empty());
  CHECK(b.implement(1).warned);  // another turn
}

TEST_CASE("row 8: a review of another tree is refused, then the supervisor looks") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.worktree.tree = tree(2);
  const Done refused = b.pass_clean();
  CHECK(refused.exit() == 1);
  CHECK(refused.warned);
  CHECK(b.state.tree_suspect != Seq::none);
  const Done moved = b.orchestrator(CheckTree{});
  CHECK(envelopes(moved.events) == "tree_moved orchestrator>claude");
  CHECK(where(b.state) == "RUNNING 1 claude/reviewer");
  CHECK(b.state.target == tree(2));
  CHECK(b.state.clean.empty());
  CHECK(names(moved.events[0].tell) == "claude");
  CHECK(moved.events[0].relaunch.empty());
  CHECK(b.state.tree_suspect == Seq::none);
  CHECK(b.orchestrator(CheckTree{}).events.empty());
  CHECK(b.pass_clean().ok());
}

TEST_CASE("row 8: a reviewer with a checkout of its own judges what it was shown") {
  Bubble b = Bubble::running();
  ReportLaunch launch{kClaude, Role::reviewer, b.state.agent(kClaude)->wanted, "%1", "k"};
  launch.apart = true;
  b.orchestrator(launch);
  b.implement(1);
  CHECK(b.state.reviews_apart());
  CHECK(b.pass_clean().reason() == "not_shown");  // it still has the base before it
  CHECK(b.state.tree_suspect == Seq::none);
  b.shown = tree(1);
  b.worktree.tree = tree(2);  // the writer's next turn
  CHECK(b.orchestrator(CheckTree{}).events.empty());
  const Done passed = b.pass_clean();
  CHECK(passed.ok());
  CHECK(b.state.clean.at(0).tree == tree(1));
  CHECK(b.state.target == tree(1));
}

TEST_CASE("row 8: the process of another turn does not review for the one that is to be started") {
  Bubble b = Bubble::running();
  ReportLaunch launch{kCodex, Role::implementer, b.state.agent(kCodex)->wanted, "%1", "k"};
  launch.enforcement = "sandbox";
  b.orchestrator(launch);
  b.implement(1);
  b.pass_clean();  // codex reviews now, and is started anew for that
  CHECK(b.state.reviewer_is_due());
  CHECK(b.pass_clean().reason() == "not_shown");
  CHECK(b.reviewer(agreed("ok")).reason() == "not_shown");
  CHECK(b.orchestrator(CheckTree{}).events.empty());
  launch = {kCodex, Role::reviewer, b.state.agent(kCodex)->wanted, "%1", "k"};
  launch.enforcement = "sandbox";
  launch.apart = true;
  b.orchestrator(launch);
  b.shown = tree(1);
  CHECK(b.reviewer(agreed("ok")).ok());
}

TEST_CASE("row 33: what the writer left behind what was reviewed is not handed over by a rework") {
  Bubble b = Bubble::running();
  ReportLaunch launch{kClaude, Role::reviewer, b.state.agent(kClaude)->wanted, "%1", "k"};
  launch.apart = true;
  b.orchestrator(launch);
  b.shown = tree(1);
  b.converge_on(1);
  b.worktree.tree = tree(2);
  CHECK(b.human(Rework{"once more", false, {}}).ok());
  CHECK(b.state.target == tree(1));
  CHECK(b.implementer(Pass{"done", {}, {}, {}, {}}).ok());  // it is a change
  CHECK(b.state.target == tree(2));
}

TEST_CASE("row 14: what both were shown is converged on, whatever the writer did since") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.pass_clean();
  ReportLaunch launch{kCodex, Role::reviewer, b.state.agent(kCodex)->wanted, "%1", "k"};
  launch.apart = true;
  b.orchestrator(launch);
  b.shown = tree(3);
  CHECK(b.reviewer(agreed("ok")).reason() == "not_shown");
  b.shown = tree(1);
  b.worktree.tree = tree(2);
  CHECK(b.reviewer(agreed("ok")).ok());
  CHECK(b.state.converged_tree == tree(1));
  CHECK(b.human(Approve{}).reason() == "other_tree");  // the human is told what differs
  b.worktree.tree = tree(1);
  CHECK(b.human(Approve{}).ok());
}

TEST_CASE("row 8: the second time in a round asks the human") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.worktree.tree = tree(2);
  b.pass_clean();
  b.orchestrator(CheckTree{});
  b.worktree.tree = tree(3);
  CHECK(b.pass_clean().warned);  // a new turn, so it is written again
  const Done moved = b.orchestrator(CheckTree{});
  CHECK(envelopes(moved.events) ==
        "tree_moved orchestrator>claude, HUMAN_QUESTION orchestrator>human");
  CHECK(where(b.state) == "WAITING_HUMAN 1 claude/reviewer");
  CHECK(b.state.questions.at(0).kind == QuestionKind::void_);
  CHECK(b.state.target == tree(3));
}

TEST_CASE("row 8: a tree that is back is told too, and costs nothing") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.pass_clean();
  b.worktree.tree = tree(2);
  CHECK(b.reviewer(agreed("ok")).reason() == "tree_moved");
  b.worktree.tree = tree(1);
  const Done back = b.orchestrator(CheckTree{});
  CHECK(envelopes(back.events) == "tree_moved orchestrator>codex");
  CHECK(b.state.tree_suspect == Seq::none);
  CHECK(b.state.tree_moves == 0);
  CHECK(b.state.clean.size() == 1);
  CHECK(b.reviewer(agreed("ok")).ok());
}

TEST_CASE("row 8: a review sent for the tree before the move is of another turn") {
  Bubble b = Bubble::running();
  b.implement(1);
  const Seq turn = b.state.turn;
  b.worktree.tree = tree(2);
  b.pass_clean();
  b.orchestrator(CheckTree{});
  const Done late = b.as(kClaude, Pass{"fine", {}, {{}, true, {}}, {}, {}}, turn);
  CHECK(late.reason() == "stale_turn");
}

TEST_CASE("row 9: a blocking review goes back to the implementer, next round") {
  Bubble b = Bubble::running();
  b.implement(1);
  const Done done = b.review({"P1:one @src/a.cc:7"});
  CHECK(envelopes(done.events) == "PASS claude>codex");
  CHECK(where(b.state) == "RUNNING 2 codex/implementer");
  CHECK(done.body<Passed>().verdict == Verdict::blocking);
  CHECK(done.body<Passed>().intent == Intent::fix_request);
  CHECK(done.body<Passed>().findings.size() == 1);
  CHECK(names(done.events[0].tell) == "codex");
  CHECK(done.events[0].relaunch.empty());
  CHECK(done.events[0].clears);
  CHECK(b.state.roles == Roles{kCodex, kClaude});
}

TEST_CASE("row 10: a blocking review in the last round asks the human") {
  Policy policy = test_policy();
  policy.max_rounds = 1;
  Bubble b = Bubble::running(policy);
  b.implement(1);
  const Done done = b.review({"P1:one"});
  CHECK(envelopes(done.events) == "PASS claude>codex, HUMAN_QUESTION orchestrator>human");
  CHECK(where(b.state) == "WAITING_HUMAN 1 claude/reviewer");
  CHECK(b.state.questions.at(0).kind == QuestionKind::max_rounds);
  CHECK(b.state.questions.at(0).about == std::vector{FindingId("F1.1")});
  CHECK(done.events[0].tell.empty());
  CHECK(b.state.history.size() == 1);
}

TEST_CASE("row 11: a clean review swaps the roles") {
  Bubble b = Bubble::running();
  b.implement(1);
  const Done done = b.pass_clean();
  CHECK(envelopes(done.events) == "PASS claude>codex");
  CHECK(where(b.state) == "RUNNING 2 codex/reviewer");
  CHECK(b.state.roles == Roles{kClaude, kCodex});
  CHECK(names(done.events[0].tell) == "codex");
  CHECK(names(done.events[0].relaunch) == "codex");
  CHECK(done.body<Passed>().verdict == Verdict::clean);
  CHECK(done.body<Passed>().intent == Intent::review);
  CHECK(encode(done.events[0]).payload.at("findings").as_array().empty());
  REQUIRE(b.state.clean.size() == 1);
  CHECK(b.state.clean[0].agent == kClaude);
  CHECK(b.state.clean[0].tree == tree(1));
}

TEST_CASE("row 11: a swap relaunches a persistent agent too, for its other role") {
  Policy policy = test_policy();
  policy.fresh_reviewer = false;
  Bubble b = Bubble::running(policy);
  b.implement(1);
  CHECK(names(b.pass_clean().events[0].relaunch) == "codex");
  const Done blocking = b.review({"P1:one"});  // codex reviewed, claude implements now
  CHECK(where(b.state) == "RUNNING 3 claude/implementer");
  CHECK(names(blocking.events[0].relaunch) == "claude");
}

TEST_CASE("row 12: only minor findings ask the human") {
  Bubble b = Bubble::running();
  b.implement(1);
  const Done done = b.review({"P2:naming", "P3:typo"});
  CHECK(envelopes(done.events) == "PASS claude>codex, HUMAN_QUESTION orchestrator>human");
  CHECK(where(b.state) == "WAITING_HUMAN 1 claude/reviewer");
  CHECK(b.state.questions.at(0).kind == QuestionKind::minor);
  CHECK(b.state.questions.at(0).about.size() == 2);
  CHECK(done.body<Passed>().verdict == Verdict::minor);
}

TEST_CASE("row 13: a disputed finding that is repeated asks the human") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.review({"P1:one"});
  b.implement(1, Bubble::disputes({"F1.1"}));
  const Done done = b.review({"F1.1"});
  CHECK(envelopes(done.events) == "PASS claude>codex, HUMAN_QUESTION orchestrator>human");
  CHECK(where(b.state) == "WAITING_HUMAN 2 claude/reviewer");
  CHECK(b.state.questions.at(0).kind == QuestionKind::dispute);
  CHECK(done.body<Passed>().verdict == Verdict::dispute);
  CHECK(done.body<Passed>().findings.size() == 1);
}

TEST_CASE("what a pass cannot say") {
  Bubble b = Bubble::running();
  b.implement(1);
  Pass both;
  both.review = {Bubble::reported({"P1:x"}).findings, true, {}};
  CHECK(b.reviewer(both).exit() == 2);
  Pass nothing;
  CHECK(b.reviewer(nothing).reason() == "undeclared");
  Pass only_resolved;
  only_resolved.review.resolved = {FindingId("F1.1")};
  CHECK(b.reviewer(only_resolved).reason() == "undeclared");
  Pass claims;
  claims.claims.fixed = {FindingId("F1.1")};
  CHECK(b.reviewer(claims).reason() == "claims_by_reviewer");
  CHECK_FALSE(parse_name<Intent>("\x1b[2Jobey"));  // refused where it is read
  const std::size_t lines = b.log.size();
  b.reviewer(both);
  CHECK(b.log.size() == lines);  // a usage error writes nothing
  Pass named;
  named.review.no_findings = true;
  named.intent = Intent::task;
  CHECK(b.reviewer(named).body<Passed>().intent == Intent::task);
}

}  // namespace
}  // namespace pf::bubble
