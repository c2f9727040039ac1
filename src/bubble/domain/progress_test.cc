#include "bubble/domain/progress.h"

#include "bubble/domain/testing.h"

namespace pf::bubble {

using namespace testing;

TEST_CASE("the meter counts what a review found anew, again and fixed") {
  Bubble b = Bubble::running();
  b.worktree.changed = {{"a.cc", "M", 12, 3, ""}};
  b.implement(1);
  b.review({"P1:one", "P2:two", "P3:three"});
  b.worktree.moved = {{"a.cc", "M", 2, 1, ""}};
  b.implement(2, {{FindingId("F1.1")}, {}});
  b.review({"F1.2", "P0:four"}, {FindingId("F1.1")});
  REQUIRE(b.state.meter.size() == 2);
  CHECK(in_words(b.state.meter[0]) == "new 1 P1, 1 P2, 1 P3 · +12 −3");
  CHECK(in_words(b.state.meter[1]) == "new 1 P0 · repeated 1 P2 · fixed 1 P1 · +2 −1");
  CHECK(b.state.meter[1].review->open == Counts{1, 0, 1, 1});
}

TEST_CASE("a clean round and the convergence are rounds too") {
  Bubble b = Bubble::running();
  b.worktree.changed = {{"a.cc", "M", 1, 0, ""}};
  b.implement(1);
  CHECK(!b.state.meter.back().review);
  b.pass_clean();
  b.reviewer(agreed("x"));
  REQUIRE(b.state.meter.size() == 2);
  CHECK(in_words(b.state.meter[0]) == "nothing found · +1 −0");
  CHECK(in_words(b.state.meter[1]) == "nothing found");
}

TEST_CASE("two rounds without progress are named in the question") {
  Policy policy = test_policy();
  policy.max_rounds = 3;
  Bubble b = Bubble::running(policy);
  for (int round = 1; round < 3; ++round) {
    b.implement(round);
    b.review({round == 1 ? "P1:stuck" : "F1.1"});
  }
  b.implement(3);
  const Done last = b.review({"F1.1"});
  REQUIRE(b.state.phase == Phase::waiting);
  CHECK(last.body<Asked>(1).question.find("No progress in two rounds: 1 P1 still open") !=
        std::string::npos);
}

TEST_CASE("one finding fewer is progress") {
  Policy policy = test_policy();
  policy.max_rounds = 3;
  Bubble b = Bubble::running(policy);
  b.implement(1);
  b.review({"P1:one", "P1:two"});
  b.implement(2);
  b.review({"F1.1", "F1.2"});
  b.implement(3);
  const Done last = b.review({"F1.1"}, {FindingId("F1.2")});
  REQUIRE(b.state.phase == Phase::waiting);
  CHECK(last.body<Asked>(1).question.find("No progress") == std::string::npos);
}

TEST_CASE("the meter keeps the last rounds only") {
  Policy policy = test_policy();
  policy.max_rounds = 100;
  Bubble b = Bubble::running(policy);
  for (int round = 1; round <= 40; ++round) {
    b.implement(round);
    b.review({round == 1 ? "P1:stuck" : "F1.1"});
  }
  CHECK(b.state.meter.size() == 32);
  CHECK(b.state.meter.back().round == 40);
}

}  // namespace pf::bubble
