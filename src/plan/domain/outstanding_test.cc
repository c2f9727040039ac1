#include "plan/domain/outstanding.h"

#include "plan/domain/testing.h"

namespace pf::plan {
namespace {

using namespace testing;

// "start 1 coder, stop 2, …"
std::string listed(const std::vector<Effect>& effects) {
  struct Words {
    std::string operator()(const WriteRegister& e) const { return "write " + e.write.active; }
    std::string operator()(const RecordWritten&) const { return "written"; }
    std::string operator()(const LookAtDocuments&) const { return "look"; }
    std::string operator()(const StartRun& e) const {
      return fmt::format("start {} {} {}", e.run, name_of(e.role), e.step);
    }
    std::string operator()(const RecordStart& e) const { return fmt::format("started {}", e.run); }
    std::string operator()(const StopRun& e) const {
      return fmt::format("stop {}{}", e.run, e.handed_over ? " gently" : "");
    }
    std::string operator()(const RecordEnd& e) const {
      return fmt::format("ended {}{}", e.run, e.exit ? "" : " lost");
    }
    std::string operator()(const LandCommits& e) const { return "land " + e.landing.to.str(); }
    std::string operator()(const MergeHome& e) const { return "merge " + e.merge.tree.str(); }
  };
  std::string out;
  for (const Effect& effect : effects)
    out += (out.empty() ? "" : ", ") + std::visit(Words{}, effect);
  return out;
}

TEST_CASE("a run is started, recorded, watched and ended, one at a time") {
  Plan p;
  p.human(Open{test_policy()});
  const Hash plan = p.state.plan;
  CHECK(listed(outstanding(p.state, {plan, {}})) == "start 1 coder 1");
  CHECK(listed(outstanding(p.state, {plan, {{1, true, {}}}})) == "started 1");
  CHECK(listed(outstanding(p.state, {plan, {{1, false, 0}}})) == "started 1");
  p.orchestrator(ReportRunStarted{1});
  CHECK(listed(outstanding(p.state, {plan, {{1, true, {}}}})).empty());
  CHECK(listed(outstanding(p.state, {plan, {{1, false, 0}}})) == "ended 1");
  CHECK(listed(outstanding(p.state, {plan, {}})) == "ended 1 lost");
  p.as(kClaude, RequestReview{1});
  CHECK(listed(outstanding(p.state, {plan, {{1, true, {}}}})) == "stop 1 gently");
  CHECK(listed(outstanding(p.state, {plan, {{1, false, 0}}})) == "ended 1");
  p.orchestrator(ReportRunEnded{1});
  CHECK(listed(outstanding(p.state, {plan, {{1, true, {}}}})) == "stop 1");  // it lingers
  CHECK(listed(outstanding(p.state, {plan, {{1, false, 0}}})) == "start 2 reviewer 1");
}

TEST_CASE("that a run is at work is recorded before what it wrote is looked at") {
  Plan p;
  p.human(Open{test_policy()});
  const std::string shorter = plan_of(2);
  CHECK(listed(outstanding(p.state, {hash_of(shorter), {{1, true, {}}}})) == "started 1");
  p.orchestrator(ReportRunStarted{1});
  CHECK(listed(outstanding(p.state, {hash_of(shorter), {{1, true, {}}}})) == "look");
  p.plan_text = shorter;
  p.orchestrator(CheckDocuments{});
  CHECK(p.state.steps.size() == 3);
  CHECK(p.state.problems_of("plan.md") != nullptr);
}

TEST_CASE("a finished run is never started again after a crash") {
  Plan p = Plan::opened();
  p.request_review(), p.approve();
  CHECK(listed(outstanding(p.state, {p.state.plan, {}})) == "ended 3 lost");
  p.orchestrator(ReportRunEnded{3, 0, true});
  CHECK(listed(outstanding(p.state, {p.state.plan, {}})) == "start 4 coder 2");
}

TEST_CASE("plan.md is written before a run starts") {
  Plan p = Plan::opened();
  const Hash before = p.state.plan;
  p.request_review();
  p.as(kCodex, Approve{2});
  p.orchestrator(ReportRunEnded{2});
  const Hash after = p.state.write->after;
  CHECK(listed(outstanding(p.state, {before, {}})) == "write 2");
  CHECK(listed(outstanding(p.state, {after, {}})) == "written");
  CHECK(listed(outstanding(p.state, {Hash("other"), {}})) == "look");
  p.orchestrator(ReportWritten{after});
  CHECK(listed(outstanding(p.state, {after, {}})) == "start 3 coder 2");
  CHECK(p.orchestrator(ReportWritten{after}).events.empty());
}

TEST_CASE("a parked run is ended while the user thinks") {
  Plan p = Plan::opened();
  p.ask_user("?");
  CHECK(listed(outstanding(p.state, p.observed())).empty());
  p.orchestrator(ReportRunParked{1, p.state.halt ? p.state.halt->id : MessageId()});
  CHECK(listed(outstanding(p.state, p.observed())) == "stop 1 gently");
  CHECK(p.orchestrator(ReportRunParked{1, p.state.halt ? p.state.halt->id : MessageId()})
            .events.empty());
}

TEST_CASE("a process of a run nobody wants is stopped") {
  Plan p = Plan::opened();
  CHECK(listed(outstanding(p.state, {p.state.plan, {{1, true, {}}, {7, true, {}}}})) == "stop 7");
  CHECK(outstanding({}, {}).empty());
}

}  // namespace
}  // namespace pf::plan
