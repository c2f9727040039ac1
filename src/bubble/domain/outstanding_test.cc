#include "bubble/domain/random_run.h"
#include "bubble/domain/simulated_world.h"

namespace pf::bubble {
namespace {

using namespace testing;

struct Stage {
  Bubble b = Bubble::running();
  World world;
  Stage() { world.settle(b); }
};

TEST_CASE("a new bubble: prepare, session, launch, record, deliver, quiet") {
  Bubble b;
  b.human(create_with(test_policy()));
  World world;
  CHECK(world.settle(b).empty());
  b.human(Start{});
  CHECK(world.settle(b) ==
        "prepare; session; launch codex implementer; record codex; launch claude reviewer; "
        "record claude; deliver codex 3; deliver claude 0");
  CHECK(outstanding(b.state, world.seen).empty());
}

TEST_CASE("a failed setup is not tried again without the human") {
  Bubble b;
  b.human(create_with(test_policy()));
  b.human(Start{});
  b.orchestrator(ReportSetupFailed{"npm"});
  CHECK(outstanding(b.state, {}).empty());
  b.human(Start{});
  CHECK(outstanding(b.state, {}).size() == 1);
}

TEST_CASE("a pass relaunches a fresh reviewer and delivers once") {
  Stage s;
  const Done pass = s.b.implement(1);
  CHECK(s.world.settle(s.b) == "launch claude reviewer; record claude; deliver claude " +
                                   std::to_string(number(pass.events[0].seq)));
  CHECK(s.world.settle(s.b).empty());
}

TEST_CASE("each agent is started in the role it is to have, and only when that changes") {
  Policy policy = test_policy();
  policy.fresh_reviewer = false;
  Bubble b = Bubble::running(policy);
  World world;
  world.settle(b);
  b.implement(1);
  CHECK(world.settle(b).starts_with("deliver claude"));
  b.pass_clean();
  CHECK(world.settle(b).starts_with("launch codex reviewer; record codex; deliver codex"));
  b.review({"P1:x"});
  CHECK(world.settle(b).starts_with("launch claude implementer; record claude; deliver claude"));
  b.implement(2);
  CHECK(world.settle(b).starts_with("deliver codex"));
}

TEST_CASE("nothing is delivered before the new process is recorded, nor to a dead pane") {
  Stage s;
  s.b.implement(1);
  Observed before = s.world.seen;  // the old process still runs
  for (const Effect& effect : outstanding(s.b.state, before))
    CHECK_FALSE(std::holds_alternative<Deliver>(effect));
  s.world.settle(s.b);
  s.b.review({"P1:x"});
  s.world.kill(kCodex);
  for (const Effect& effect : outstanding(s.b.state, s.world.seen))
    CHECK_FALSE(std::holds_alternative<Deliver>(effect));
}

TEST_CASE("a process is briefed by its first line only") {
  Stage s;
  s.b.implement(1);
  s.b.evidence(EvidenceStatus::green);
  std::vector<bool> briefings;
  for (int i = 0; i < 9; ++i)
    for (const Effect& effect : outstanding(s.b.state, s.world.seen)) {
      if (const auto* deliver = std::get_if<Deliver>(&effect))
        briefings.push_back(deliver->briefing);
      s.world.perform(s.b, effect);
      break;
    }
  CHECK(briefings == std::vector<bool>{true, false});
}

TEST_CASE("a crash between launch and record finds the process again") {
  Bubble b = Bubble::running();
  World world;
  world.perform(b, EnsureSession{});
  world.perform(b, LaunchAgent{kCodex, Role::implementer, b.state.agent(kCodex)->wanted});
  CHECK(world.settle(b) ==
        "record codex; launch claude reviewer; record claude; deliver codex 3; deliver claude 0");
}

TEST_CASE("a process that ends at once is not started for ever") {
  Bubble b = Bubble::running();
  World world;
  world.perform(b, EnsureSession{});
  world.perform(b, LaunchAgent{kCodex, Role::implementer, b.state.agent(kCodex)->wanted});
  world.kill(kCodex);
  CHECK(world.settle(b) ==
        "record codex; exit codex; launch claude reviewer; record claude; deliver claude 0");
  CHECK(where(b.state) == "WAITING_HUMAN 1 codex/implementer");
}

TEST_CASE("a dead active agent is one question, and comes back with the reply") {
  Stage s;
  s.world.kill(kCodex);
  CHECK(s.world.settle(s.b) == "exit codex");
  CHECK(s.b.state.questions.size() == 1);
  CHECK(s.b.state.questions[0].text.find("exit code 1") != std::string::npos);
  s.world.look(s.b);
  const Done reply = s.b.human(Reply{"again", ReplyDecision::none, 2, {}});
  CHECK(s.world.settle(s.b) ==
        "launch codex implementer; record codex; deliver codex 3; deliver codex " +
            std::to_string(number(reply.events[0].seq)));
}

TEST_CASE("a dead inactive agent is noted once and relaunched for its turn") {
  Stage s;
  s.world.kill(kClaude);
  CHECK(s.world.settle(s.b) == "exit claude");
  CHECK(where(s.b.state) == "RUNNING 1 codex/implementer");
  s.b.implement(1);
  CHECK(s.world.settle(s.b).starts_with("launch claude reviewer; record claude; deliver claude"));
}

TEST_CASE("a lost session is reported, and not resurrected before resume") {
  Stage s;
  s.world.kill_session();
  CHECK(s.world.settle(s.b) == "exit codex; exit claude");
  CHECK(s.b.state.questions.at(0).text.find("session is gone") != std::string::npos);
  CHECK_FALSE(s.world.seen.session);
  s.world.look(s.b);
  s.b.human(Resume{});
  CHECK(s.world.settle(s.b).starts_with(
      "session; launch codex implementer; record codex; launch claude reviewer; record claude"));
  CHECK(where(s.b.state) == "RUNNING 1 codex/implementer");
}

TEST_CASE("resume delivers the unacknowledged message again, to a live pane too") {
  Stage s;
  s.world.look(s.b);
  s.b.human(Resume{});
  CHECK(s.world.settle(s.b) == "deliver codex 3");
  CHECK(s.world.settle(s.b).empty());
}

TEST_CASE("resume loses no message that was not delivered yet") {
  Stage s;
  s.b.implement(1);
  s.world.settle(s.b);
  const Done first = s.b.evidence(EvidenceStatus::green);
  const Done second = s.b.evidence(EvidenceStatus::green);
  s.world.look(s.b);
  s.b.human(Resume{});
  CHECK(s.world.settle(s.b) == fmt::format("deliver claude {}; deliver claude {}",
                                           number(first.events[0].seq),
                                           number(second.events[0].seq)));
}

TEST_CASE("a suspect tree is looked at, also when it is back, and never for ever") {
  Stage s;
  s.b.implement(1);
  s.world.settle(s.b);
  for (const int now : {2, 2}) {
    s.b.worktree.tree = tree(3);
    s.b.pass_clean();
    s.b.worktree.tree = tree(now);
    CHECK(s.world.settle(s.b).starts_with("look; deliver claude"));
  }
  s.b.worktree.tree = tree(4);
  s.b.pass_clean();
  s.b.human(Stop{});
  CHECK(s.world.settle(s.b) == "close");
}

TEST_CASE("commit, move, finish, close down: each once") {
  Stage s;
  s.b.converge_on(1);
  s.world.settle(s.b);
  s.b.human(Approve{});
  CHECK(s.world.settle(s.b).empty());
  s.b.human(Commit{"m", false, ""});
  CHECK(s.world.settle(s.b) == "move; finish; close");
  CHECK(where(s.b.state) == "DONE 2 -");
  CHECK(s.world.commits == 1);
  CHECK(s.world.closings == 1);
}

TEST_CASE("performed in any order, late and twice, everything comes to rest") {
  CHECK(rc::check([] {
    RandomRun run(any_seed());
    World world;
    std::vector<Effect> late;  // of a supervisor that died before it had done them
    for (int i = 0; i < 60; ++i) {
      world.look(run.b);
      run.step();
      const auto effects = outstanding(run.b.state, world.seen);
      must(world.can_do(effects), "only what can be done now, and no line twice");
      for (const Effect& effect : effects) {
        const bool moves = std::holds_alternative<MoveBranch>(effect);  // two-phase: looks first
        if (run.chance(20) && !moves) late.push_back(effect);
        if (run.chance(60)) break;
        world.perform(run.b, effect);
        if (run.chance(10) && !moves) world.perform(run.b, effect);
      }
      if (run.chance(10) && !late.empty()) {
        const bool harmless = std::holds_alternative<RecordLaunch>(late.front()) ||
                              std::holds_alternative<Deliver>(late.front());
        if (harmless) world.perform(run.b, late.front());
        late.erase(late.begin());
      }
      if (run.chance(5)) world.kill(run.chance(50) ? kCodex : kClaude);
      if (run.chance(2)) world.kill_session();
    }
    run.b.worktree.tip = run.b.state.commit ? run.b.state.commit->old_tip : run.b.worktree.tip;
    world.settle(run.b);
    must(outstanding(run.b.state, world.seen).empty(), "quiet");
    world.settle(run.b);
    must(outstanding(run.b.state, world.seen).empty(), "and stays so");
  }));
}

}  // namespace
}  // namespace pf::bubble
