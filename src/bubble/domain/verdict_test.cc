// BUBBLE's Definitions: the verdict, its one question, the cap, handovers and the history.
#include "bubble/domain/testing.h"

namespace pf::bubble {
namespace {

using namespace testing;

Finding minor(std::string title, std::string path = {}) {
  Finding f;
  f.severity = Severity::p2;
  f.title = std::move(title);
  f.path = std::move(path);
  return f;
}

TEST_CASE("the verdict table") {
  const std::vector<std::string> words = {"security"}, paths = {};
  const RiskPolicy policy{words, paths};
  const auto verdict = [&](std::vector<std::pair<Severity, FindingStatus>> all,
                           std::vector<FindingId> again = {}) {
    Ledger ledger;
    for (const auto& [severity, status] : all) {
      Finding f = minor("plain");
      f.severity = severity;
      f.status = status;
      f.source = "claude";
      ledger.push_back(f);
    }
    return verdict_of(ledger, again, policy, {});
  };
  using S = Severity;
  using F = FindingStatus;
  CHECK(verdict({}) == Verdict::clean);
  CHECK(verdict({{S::p0, F::resolved}, {S::p1, F::waived}, {S::p2, F::waived}}) == Verdict::clean);
  for (const F unsettled : {F::open, F::claimed, F::disputed, F::upheld}) {
    CHECK(verdict({{S::p0, unsettled}}) == Verdict::blocking);
    CHECK(verdict({{S::p1, unsettled}, {S::p3, F::open}}) == Verdict::blocking);
    CHECK(verdict({{S::p2, unsettled}}) == Verdict::minor);
    CHECK(verdict({{S::p3, unsettled}, {S::p0, F::resolved}}) == Verdict::minor);
  }
  CHECK(verdict({{S::p1, F::disputed}, {S::p0, F::open}}, {FindingId("F1.1")}) == Verdict::dispute);
}

TEST_CASE("the risk policy: words of the title, paths of the finding, else of the change") {
  const std::vector<std::string> words = {"security", "data loss"},
                                 paths = {"**/auth/**", "**/*.sql"};
  const RiskPolicy policy{words, paths};
  const std::vector<ChangedFile> risky_change = {{"src/auth/login.cc", "M", 1, 1, ""}};
  CHECK(is_risky(minor("Security hole"), policy, {}));
  CHECK(is_risky(minor("possible DATA LOSS here"), policy, {}));
  CHECK_FALSE(is_risky(minor("data is at a loss"), policy, {}));
  CHECK(is_risky(minor("naming", "src/auth/a.cc"), policy, {}));
  CHECK(is_risky(minor("naming", "db/1.sql"), policy, {}));
  CHECK(is_risky(minor("naming"), policy, risky_change));
  CHECK_FALSE(is_risky(minor("naming", "src/b.cc"), policy, risky_change));
  CHECK_FALSE(is_risky(minor("naming"), policy, {{"src/b.cc", "M", 1, 1, ""}}));
  CHECK_FALSE(is_risky(minor("security"), RiskPolicy{{}, {}}, risky_change));
}

TEST_CASE("a risky minor finding blocks instead of asking the human") {
  Bubble b = Bubble::running();
  b.implement(1);
  CHECK(b.review({"P3:a race"}).body<Passed>().verdict == Verdict::blocking);
  CHECK(where(b.state) == "RUNNING 2 codex/implementer");
}

TEST_CASE("several reasons to ask give one question: dispute before max_rounds before minor") {
  Policy policy = test_policy();
  policy.max_rounds = 2;
  Bubble b = Bubble::running(policy);
  b.implement(1);
  b.review({"P1:one"});
  b.implement(1, Bubble::disputes({"F1.1"}));
  const Done done = b.review({"F1.1", "P0:two", "P2:three"});
  CHECK(done.events.size() == 2);
  REQUIRE(b.state.questions.size() == 1);
  CHECK(b.state.questions[0].kind == QuestionKind::dispute);
  CHECK(b.state.questions[0].about == std::vector{FindingId("F1.1"), FindingId("F2.2")});

  Bubble capped = Bubble::running(policy);
  capped.implement(1);
  capped.review({"P1:one"});
  capped.implement(2);
  capped.review({"F1.1", "P2:three"});
  REQUIRE(capped.state.questions.size() == 1);
  CHECK(capped.state.questions[0].kind == QuestionKind::max_rounds);
  CHECK(capped.state.questions[0].about.size() == 2);
}

TEST_CASE("the cap exempts a clean handover: the second review runs at limit + 1") {
  Policy policy = test_policy();
  policy.max_rounds = 1;
  Bubble b = Bubble::running(policy);
  b.implement(1);
  CHECK(b.pass_clean().ok());
  CHECK(where(b.state) == "RUNNING 2 codex/reviewer");
  const Done third = b.pass_clean();  // for ever, otherwise
  CHECK(third.reason() == "use_converged");
  CHECK(third.warned);
  CHECK(b.review({"P1:late"}).events.size() == 2);
  CHECK(b.state.questions.at(0).kind == QuestionKind::max_rounds);
}

TEST_CASE("at limit + 1 a clean review of a moved tree asks the human, it is no dead end") {
  Policy policy = test_policy();
  policy.max_rounds = 1;
  for (const ReplyDecision decision : {ReplyDecision::accept, ReplyDecision::go_on}) {
    Bubble b = Bubble::running(policy);
    b.implement(1);
    b.pass_clean();
    b.worktree.tree = tree(2);
    b.pass_clean();
    b.orchestrator(CheckTree{});
    CHECK(b.pass_clean().events.size() == 2);
    CHECK(where(b.state) == "WAITING_HUMAN 2 codex/reviewer");
    CHECK(b.state.questions.at(0).kind == QuestionKind::max_rounds);
    REQUIRE(b.decides(decision).ok());
    if (decision == ReplyDecision::accept) {
      CHECK(where(b.state) == "RUNNING 3 claude/reviewer");
      CHECK(b.state.clean.size() == 1);
      CHECK(b.reviewer(agreed("now")).ok());
    } else {
      CHECK(where(b.state) == "RUNNING 3 claude/implementer");
      CHECK(b.state.clean.empty());
    }
  }
}

TEST_CASE("an accepted second review leaves only converged: the same reviewer keeps the turn") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.pass_clean();
  b.review({"P2:naming"});
  const Done done = b.decides(ReplyDecision::accept);
  CHECK(where(b.state) == "RUNNING 2 codex/reviewer");
  CHECK(done.events[0].relaunch.empty());
  CHECK(names(done.events[0].tell) == "codex");
  CHECK_FALSE(done.body<Replied>().held);  // it wrote that PASS itself
  CHECK(b.state.history.size() == 2);
  CHECK(b.reviewer(agreed("ok")).ok());
}

TEST_CASE("a non-clean verdict that is not accepted ends the row of clean ones") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.pass_clean();
  b.review({"P2:naming"});
  CHECK(b.state.clean.size() == 1);  // until the human has spoken
  b.decides(ReplyDecision::go_on);
  CHECK(b.state.clean.empty());
  CHECK(where(b.state) == "RUNNING 3 claude/implementer");
}

TEST_CASE("a second clean pass instead of converged moves the baton on") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.pass_clean();
  b.pass_clean();
  CHECK(where(b.state) == "RUNNING 3 claude/reviewer");
  CHECK(b.reviewer(agreed("at last")).ok());
}

TEST_CASE("the round role history has every round once, with its roles") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.review({"P1:one"});
  b.implement(2);
  b.pass_clean();
  b.reviewer(agreed("ok"));
  b.human(Rework{"more", false, {}});
  b.human(Replan{"else"});
  std::string text;
  for (const RoundRoles& r : b.state.history)
    text += fmt::format("{}{} ", r.round, r.roles.implementer.str());
  CHECK(text == "1codex 2codex 3claude 4claude 5claude ");
}

TEST_CASE("intent by default and by wish") {
  Bubble b = Bubble::running();
  b.worktree.tree = tree(1);
  CHECK(b.implementer(Pass{"x", Intent::task, {}, {}, {}}).body<Passed>().intent == Intent::task);
  CHECK(b.review({"P2:minor"}).body<Passed>().intent == Intent::fix_request);
}

TEST_CASE("finding numbers are not reused by the human's and the orchestrator's") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.evidence(EvidenceStatus::red);
  b.review({"F1.1", "P1:one"});
  CHECK(ledger_text(b.state.findings) == "F1.1 P1 open orchestrator, F1.2 P1 open claude");
}

}  // namespace
}  // namespace pf::bubble
