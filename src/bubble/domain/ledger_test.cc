// BUBBLE's Definitions: what a review, a claim and the human do to findings.
#include "bubble/domain/testing.h"

namespace pf::bubble {
namespace {

using namespace testing;

Finding finding(std::string id, Severity severity, std::string title,
                FindingStatus status = FindingStatus::open, std::string source = "claude") {
  Finding f;
  f.id = FindingId(std::move(id));
  f.severity = severity;
  f.title = std::move(title);
  f.status = status;
  f.source = std::move(source);
  f.round = 1;
  return f;
}

// The ledger after a review by claude in round 2; "refused: reason" when it is none.
std::string after(const Ledger& ledger, const std::vector<std::string>& findings,
                  std::vector<std::string> resolved = {}, bool no_findings = false) {
  std::vector<FindingId> ids;
  for (auto& id : resolved) ids.emplace_back(std::move(id));
  Review review = Bubble::reported(findings, std::move(ids));
  review.no_findings = no_findings;
  const auto outcome = take_review(ledger, review, "claude", 2);
  if (!outcome) return "refused: " + outcome.error().reason;
  return ledger_text(merged(ledger, outcome->changed));
}

TEST_CASE("new findings are numbered by round") {
  CHECK(after({}, {"P1:a", "P2:b"}) == "F2.1 P1 open claude, F2.2 P2 open claude");
  Ledger full;
  for (int i = 1; i <= 12; ++i)
    full.push_back(finding(fmt::format("F2.{}", i), Severity::p3, fmt::format("t{}", i),
                           FindingStatus::resolved));
  for (Finding& f : full) f.round = 2;
  CHECK(after(full, {"P1:a"}).ends_with("F2.13 P1 open claude"));
}

TEST_CASE("a repeat by id keeps the id") {
  for (const FindingStatus was :
       {FindingStatus::open, FindingStatus::claimed, FindingStatus::resolved})
    CHECK(after({finding("F1.1", Severity::p1, "a", was)}, {"F1.1"}) == "F1.1 P1 open claude");
}

TEST_CASE("a repeat by severity and exact title keeps the id") {
  const Ledger ledger = {finding("F1.1", Severity::p1, "a", FindingStatus::claimed)};
  CHECK(after(ledger, {"P1:a"}) == "F1.1 P1 open claude");
  CHECK(after(ledger, {"P2:a", "F1.1"}) == "F1.1 P1 open claude, F2.1 P2 open claude");
  CHECK(after(ledger, {"P1:A", "F1.1"}) == "F1.1 P1 open claude, F2.1 P1 open claude");
  CHECK(after({finding("F1.1", Severity::p1, "a", FindingStatus::resolved)}, {"P1:a"}) ==
        "F1.1 P1 resolved claude, F2.1 P1 open claude");
}

TEST_CASE("the same finding twice in one review is one") {
  CHECK(after({}, {"P1:a", "P1:a"}) == "F2.1 P1 open claude");
  const Ledger ledger = {finding("F1.1", Severity::p1, "a", FindingStatus::disputed)};
  const auto outcome = take_review(ledger, Bubble::reported({"F1.1", "P1:a"}), "claude", 2);
  REQUIRE(outcome);
  CHECK(outcome->declared.size() == 1);
  CHECK(outcome->disputed_again.size() == 1);
}

TEST_CASE("a new P2/P3 with a waived one's title is waived at once, a P1 is not") {
  const Ledger ledger = {finding("F1.1", Severity::p2, "a", FindingStatus::waived),
                         finding("F1.2", Severity::p1, "b", FindingStatus::waived)};
  CHECK(after(ledger, {"P2:a"}).ends_with("F2.1 P2 waived claude"));
  CHECK(after(ledger, {"P3:a"}).ends_with("F2.1 P3 waived claude"));
  CHECK(after(ledger, {"P3:b"}).ends_with("F2.1 P3 waived claude"));
  CHECK(after(ledger, {"P2:aa"}).ends_with("F2.1 P2 open claude"));
  CHECK(after(ledger, {"P1:b"}).ends_with("F2.1 P1 open claude"));
  CHECK(after(ledger, {"P1:a"}).ends_with("F2.1 P1 open claude"));
  CHECK(after(ledger, {"F1.1"}) == "refused: waived_finding");
}

TEST_CASE("--no-findings resolves all of agents and of the human, none of the orchestrator") {
  const Ledger ledger = {finding("F1.1", Severity::p0, "a"),
                         finding("F1.2", Severity::p1, "b", FindingStatus::upheld),
                         finding("F1.3", Severity::p2, "c", FindingStatus::disputed),
                         finding("F1.4", Severity::p1, "d", FindingStatus::claimed, "human"),
                         finding("F1.5", Severity::p1, "e", FindingStatus::open, "orchestrator"),
                         finding("F1.6", Severity::p3, "f", FindingStatus::waived)};
  CHECK(after(ledger, {}, {}, true) ==
        "F1.1 P0 resolved claude, F1.2 P1 resolved claude, F1.3 P2 resolved claude, "
        "F1.4 P1 resolved human, F1.5 P1 open orchestrator, F1.6 P3 waived claude");
}

TEST_CASE("a review that is silent about a P0/P1 is refused, about a P2/P3 it is not") {
  const Ledger ledger = {finding("F1.1", Severity::p1, "a", FindingStatus::claimed),
                         finding("F1.2", Severity::p0, "b", FindingStatus::disputed, "human"),
                         finding("F1.3", Severity::p2, "c")};
  const auto outcome = take_review(ledger, Bubble::reported({"P3:new"}), "claude", 2);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().warn);
  CHECK(outcome.error().unmet.size() == 2);
  CHECK(after(ledger, {"F1.1"}, {"F1.2"}) ==
        "F1.1 P1 open claude, F1.2 P0 resolved human, F1.3 P2 open claude");
  // the orchestrator's own is not the reviewer's to account for
  CHECK(after({finding("F1.1", Severity::p1, "t", FindingStatus::open, "orchestrator")},
              {"P3:x"}) == "F1.1 P1 open orchestrator, F2.1 P3 open claude");
}

TEST_CASE("what a review cannot name") {
  const Ledger ledger = {finding("F1.1", Severity::p1, "a"),
                         finding("F1.2", Severity::p1, "t", FindingStatus::open, "orchestrator")};
  CHECK(after(ledger, {"F7.7"}) == "refused: unknown_finding");
  CHECK(after(ledger, {"F1.1"}, {"F7.7"}) == "refused: unknown_finding");
  CHECK(after(ledger, {"F1.1"}, {"F1.2"}) == "refused: evidence_finding");
  const auto both =
      take_review(ledger, Bubble::reported({"F1.1"}, {FindingId("F1.1")}), "claude", 2);
  REQUIRE_FALSE(both);
  CHECK(both.error().error.exit == Exit::usage);
  const auto hostile =
      take_review(ledger, Bubble::reported({"F1.1"}, {FindingId("\x1b]0;x\a")}), "claude", 2);
  REQUIRE_FALSE(hostile);
  CHECK(hostile.error().error.what.find('\x1b') == std::string::npos);
}

TEST_CASE("a repeat of a disputed P1 is a dispute, of a disputed P2 it opens it again") {
  const Ledger ledger = {finding("F1.1", Severity::p1, "a", FindingStatus::disputed),
                         finding("F1.2", Severity::p2, "b", FindingStatus::disputed)};
  const auto outcome = take_review(ledger, Bubble::reported({"F1.1", "F1.2"}), "claude", 2);
  REQUIRE(outcome);
  CHECK(outcome->disputed_again == std::vector{FindingId("F1.1")});
  CHECK(ledger_text(merged(ledger, outcome->changed)) ==
        "F1.1 P1 disputed claude, F1.2 P2 open claude");
}

TEST_CASE("an upheld finding stays upheld when it is repeated, and cannot be disputed") {
  Finding upheld = finding("F1.1", Severity::p1, "a", FindingStatus::claimed);
  upheld.confirmed = true;
  CHECK(after({upheld}, {"F1.1"}) == "F1.1 P1 upheld claude");
  const auto claims = take_claims({upheld}, Bubble::disputes({"F1.1"}));
  REQUIRE_FALSE(claims);
  CHECK(claims.error().reason == "not_disputable");
  CHECK(take_claims({upheld}, Claims{{FindingId("F1.1")}, {}})->at(0).status ==
        FindingStatus::claimed);
}

TEST_CASE("claims: fixed, disputed, and what is refused") {
  const Ledger ledger = {finding("F1.1", Severity::p1, "a"),
                         finding("F1.2", Severity::p2, "b", FindingStatus::resolved),
                         finding("F1.3", Severity::p1, "t", FindingStatus::open, "orchestrator")};
  const auto reason = [&](const Claims& claims) {
    const auto outcome = take_claims(ledger, claims);
    return outcome ? ledger_text(*outcome) : outcome.error().reason;
  };
  CHECK(reason({{FindingId("F1.1")}, {}}) == "F1.1 P1 claimed claude");
  CHECK(reason(Bubble::disputes({"F1.1"})) == "F1.1 P1 disputed claude");
  CHECK(reason({{FindingId("F9.1")}, {}}) == "unknown_finding");
  CHECK(reason({{FindingId("F1.2")}, {}}) == "settled_finding");
  CHECK(reason(Bubble::disputes({"F1.3"})) == "not_disputable");
  CHECK(reason({{FindingId("F1.3")}, {}}) == "F1.3 P1 claimed orchestrator");
  const auto both = take_claims(ledger, {{FindingId("F1.1")}, {{FindingId("F1.1"), "no"}}});
  REQUIRE_FALSE(both);
  CHECK(both.error().error.exit == Exit::usage);
}

TEST_CASE("the evidence finding: claimed by a new target, red again, green") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.evidence(EvidenceStatus::red, "make test");
  b.pass_clean();
  CHECK(where(b.state) == "RUNNING 2 codex/implementer");  // open: it blocks
  b.implement(2);
  CHECK(ledger_text(b.state.findings) == "F1.1 P1 claimed orchestrator");
  b.evidence(EvidenceStatus::red, "make lint");
  CHECK(ledger_text(b.state.findings) == "F1.1 P1 open orchestrator");
  CHECK(b.state.findings[0].title == "tests red: make lint");
  b.review({"F1.1"});
  b.implement(3);
  CHECK(b.pass_clean().body<Passed>().verdict == Verdict::clean);  // its evidence is to come
  CHECK(b.reviewer(agreed("x")).rejection->unmet.size() == 1);
  b.evidence(EvidenceStatus::green);
  CHECK(ledger_text(b.state.findings) == "F1.1 P1 resolved orchestrator");
  CHECK(b.reviewer(agreed("x")).ok());
}

TEST_CASE("the evidence finding: a moved tree and a replan claim it, the human may waive it") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.evidence(EvidenceStatus::red);
  b.worktree.tree = tree(2);
  b.pass_clean();
  b.orchestrator(CheckTree{});
  CHECK(ledger_text(b.state.findings) == "F1.1 P1 claimed orchestrator");
  b.evidence(EvidenceStatus::red);
  b.human(Replan{"other"});
  CHECK(ledger_text(b.state.findings) == "F1.1 P1 open orchestrator");  // the same tree
  b.worktree.tree = tree(3);
  b.human(Replan{"another"});
  CHECK(ledger_text(b.state.findings) == "F1.1 P1 claimed orchestrator");
  CHECK(b.human(Waive{FindingId("F1.1"), "flaky"}).ok());
}

TEST_CASE("a reviewer who repeats an evidence finding never gives a clean verdict") {
  const Ledger ledger = {
      finding("F1.1", Severity::p1, "tests red: x", FindingStatus::claimed, "orchestrator")};
  CHECK(after(ledger, {"F1.1"}) == "F1.1 P1 open orchestrator");
  CHECK(after(ledger, {"P1:tests red: x"}) == "F1.1 P1 open orchestrator");
}

}  // namespace
}  // namespace pf::bubble
