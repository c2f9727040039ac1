// Who may do what and when: refusals, overrides, runs that end otherwise.
#include "plan/domain/budget.h"
#include "plan/domain/testing.h"
#include "plan/domain/views.h"

namespace pf::plan {
namespace {

using namespace testing;

TEST_CASE("a plan that is not sound is not opened, with line and fix") {
  Plan p;
  p.plan_text = plan_of(2, "active_step: 7\n");
  const Done done = p.human(Open{test_policy()});
  CHECK(done.exit() == 1);
  CHECK(done.rejection->unmet.at(0).starts_with("plan.md line 2: active_step is `7`"));
  p.plan_text = "nothing\n";
  CHECK(p.human(Open{test_policy()}).exit() == 1);
  CHECK(p.human(Open{}).exit() == 2);
  CHECK(p.human(Resume{}).exit() == 1);
  p.plan_text = plan_of(2);
  CHECK(p.as(kClaude, Open{test_policy()}).exit() == 1);
  CHECK(p.human(Open{test_policy()}).ok());
  CHECK(p.human(Open{test_policy()}).exit() == 1);
}

TEST_CASE("opening takes the statuses of a step_status map") {
  Plan p = Plan::opened(test_policy(), plan_of(3, "step_status: {1: done, 2: needs-changes}\n"));
  CHECK(where(p.state) == "coder_active 2 #1");
  CHECK(steps_text(p.state) == "1 done, 2 needs-changes, 3 pending");
  Plan named = Plan::opened(test_policy(), plan_of(3, "active_step: 2\nstep_status: {2: done}\n"));
  CHECK(steps_text(named.state) == "1 done, 2 pending, 3 pending");
  Plan over = Plan::opened(test_policy(), plan_of(2, "step_status: {1: done, 2: done}\n"));
  CHECK(where(over.state) == "awaiting_user_input(no_pending_steps) 1 #0");
}

TEST_CASE("a tool of the other role is refused and warned of once in a turn") {
  Plan p = Plan::opened();
  const Done done = p.as(kClaude, Approve{1});
  CHECK(done.reason() == "wrong_role");
  CHECK(done.warned);
  CHECK_FALSE(p.as(kClaude, Approve{1}).warned);
  CHECK(p.as(kClaude, RequestChanges{1, "x"}).reason() == "wrong_role");
  p.request_review();
  CHECK(p.as(kCodex, RequestReview{2}).reason() == "wrong_role");
  CHECK(where(p.state) == "reviewer_active 1 #2");
}

TEST_CASE("a tool of a run that has not the turn is refused") {
  Plan p = Plan::opened();
  p.request_review();
  CHECK(p.as(kClaude, RequestReview{1}).reason() == "not_current");
  CHECK(p.as(kClaude, AskUser{1, "?"}).reason() == "not_current");
  CHECK(p.as(kClaude, Approve{2}).exit() == 1);  // another agent's run
  CHECK_FALSE(p.as(kClaude, Approve{2}).warned);
  CHECK(p.as(kCodex, Approve{9}).exit() == 1);
  CHECK(p.human(Approve{2}).exit() == 1);
  CHECK(p.as(kCodex, Approve{2}, Seq{1}).reason() == "stale_turn");
  CHECK(p.as(kCodex, Approve{2}, p.state.turn).ok());
}

TEST_CASE("the same agent may be coder and reviewer: the run tells the role") {
  Policy policy = test_policy();
  policy.reviewer = kClaude;
  Plan p = Plan::opened(policy);
  CHECK(p.as(kClaude, Approve{1}).reason() == "wrong_role");
  p.request_review();
  CHECK(p.as(kClaude, Approve{2}).ok());
}

TEST_CASE("a repeated request changes nothing and gets the same answer") {
  Plan p = Plan::opened();
  const Request request = p.request({PrincipalKind::agent, kClaude});
  const Done first = p.run(request, RequestReview{1});
  const std::string before = dump(codec::encode(p.state));
  const Done second = p.run(request, RequestReview{1});
  CHECK(second.repeated);
  CHECK(envelopes(second.events) == envelopes(first.events));
  CHECK(dump(codec::encode(p.state)) == before);
  CHECK(p.run(request, AskUser{1, "?"}).exit() == 2);
}

TEST_CASE("a request that found an edit is recognised by its verb") {
  Plan p = Plan::opened();
  p.plan_text += "\nMore.\n";
  const Request request = p.request({PrincipalKind::agent, kClaude});
  CHECK(envelopes(p.run(request, RequestReview{1}).events) ==
        "plan.edited orchestrator>both, coder.request_review claude>codex");
  CHECK(p.run(request, RequestReview{1}).events.size() == 2);
  CHECK(p.run(request, AskUser{1, "?"}).exit() == 2);
}

TEST_CASE("texts have to say something, and not too much") {
  Plan p = Plan::opened();
  CHECK(p.as(kClaude, AskUser{1, " \n"}).exit() == 2);
  CHECK(p.as(kClaude, AskUser{1, std::string(200'000, 'x')}).exit() == 2);
  CHECK(p.as(kClaude, RequestReview{1, std::string(200'000, 'x')}).exit() == 2);
  p.request_review();
  CHECK(p.request_changes("").exit() == 2);
}

TEST_CASE("a human verb prepared on another turn is refused") {
  Plan p = Plan::opened();
  const Seq turn = p.state.turn;
  p.request_review();
  CHECK(p.human(Pause{}, turn).exit() == 1);
  CHECK(p.human(Pause{}, p.state.turn).ok());
}

TEST_CASE("a run that ends without a tool call is sent back once, then parked") {
  Plan p = Plan::opened();
  CHECK(envelopes(p.end_run().events) ==
        "run.ended orchestrator>both, run.sent_back orchestrator>claude");
  CHECK(where(p.state) == "coder_active 1 #2");
  CHECK(p.state.current()->conversation == "talk-2");
  CHECK(p.state.current()->continues);
  p.end_run();
  CHECK(where(p.state) == "awaiting_user_input(no_tool_call) 1 #0");
  p.reply("please call a tool");
  CHECK(where(p.state) == "coder_active 1 #3");
  p.end_run();
  CHECK(where(p.state) == "coder_active 1 #4");  // a new chance after the user's word
}

TEST_CASE("a run that nobody saw end goes on in its conversation, a finished one does not") {
  Plan p = Plan::opened();
  p.request_review();
  p.orchestrator(ReportRunEnded{2, 0, true});
  CHECK(p.state.run_of(2)->ending == Ending::lost);
  CHECK(where(p.state) == "reviewer_active 1 #3");
  CHECK(p.state.current()->conversation == "talk-2");
  CHECK(p.orchestrator(ReportRunEnded{1, 0, true}).events.empty());
}

TEST_CASE("a quick run that calls a tool before its start is in the log") {
  Plan p;
  p.human(Open{test_policy()});
  CHECK(p.as(kClaude, RequestReview{1}).ok());
  CHECK(p.state.live()->number == 1);
  CHECK(p.orchestrator(ReportRunStarted{2}).exit() == 1);  // never two
  CHECK(p.orchestrator(ReportRunStarted{1, "talk", "runs/1"}).ok());
  CHECK(p.orchestrator(ReportRunEnded{1}).ok());
  CHECK(p.orchestrator(ReportRunStarted{2}).ok());
  CHECK(p.state.live()->number == 2);
}

TEST_CASE("a run that is not wanted any more is not taken in") {
  Plan p;
  p.human(Open{test_policy()});
  p.human(Force{Role::reviewer});
  CHECK(p.state.run_of(1)->ending == Ending::dropped);
  CHECK(p.orchestrator(ReportRunStarted{1}).exit() == 1);
  CHECK(p.orchestrator(ReportRunStarted{2}).ok());
}

TEST_CASE("a review that could not be started begins afresh, not in an older conversation") {
  Plan p = Plan::opened();
  p.request_review(), p.request_changes();
  p.as(kClaude, RequestReview{3});
  p.orchestrator(ReportRunEnded{3});
  p.orchestrator(ReportError{"codex is not installed", 4});
  CHECK(where(p.state) == "error(system_error) 1 #0");
  CHECK(p.human(Resume{}).events[0].start->conversation.empty());
  CHECK(where(p.state) == "reviewer_active 1 #5");
}

TEST_CASE("the user forces control to one of them, from anywhere but the end") {
  Plan p = Plan::opened();
  CHECK(p.human(Force{Role::coder}).exit() == 1);
  CHECK(p.human(Force{Role::explainer}).exit() == 2);
  CHECK(p.human(Force{Role::reviewer, "look at this"}).ok());
  p.settle();
  CHECK(where(p.state) == "reviewer_active 1 #2");
  CHECK(p.state.answer == "look at this");
  CHECK(p.state.run_of(1)->ending == Ending::stopped);
  p.ask_user("?");
  p.human(Force{Role::coder});
  CHECK(where(p.state) == "coder_active 1 #3");
  p.orchestrator(ReportError{"x"});
  p.human(Force{Role::reviewer});
  CHECK(where(p.state) == "reviewer_active 1 #4");
}

TEST_CASE("pause stops the run and keeps its conversation") {
  Plan p = Plan::opened();
  p.request_review();
  CHECK(p.human(Pause{}).ok());
  CHECK(where(p.state) == "awaiting_user_input(paused) 1 #0");
  CHECK_FALSE(std::get<StopRun>(outstanding(p.state, p.observed()).at(0)).handed_over);
  p.settle();
  CHECK(p.human(Pause{}).exit() == 1);
  CHECK(p.human(Resume{}).events[0].start->conversation == "talk-2");
  p.settle();
  CHECK(where(p.state) == "reviewer_active 1 #3");
  CHECK(p.human(Resume{}).events.empty());
}

TEST_CASE("the time budget of a step counts the agents' time and parks") {
  Policy policy = test_policy();
  policy.step_time_budget_minutes = 10;
  Plan p = Plan::opened(policy);
  p.on_step = std::chrono::minutes(9);
  CHECK(p.orchestrator(CheckBudget{}).events.empty());
  p.on_step = std::chrono::minutes(10);
  CHECK(p.orchestrator(CheckBudget{}, Seq{1}).events.empty() == (p.state.turn != Seq{1}));
  CHECK(p.orchestrator(CheckBudget{}).ok());
  CHECK(where(p.state).starts_with("awaiting_user_input(time_budget) 1"));
  CHECK(p.orchestrator(CheckBudget{}).events.empty());
  p.settle();
  p.human(Resume{});
  CHECK(where(p.state).starts_with("coder_active 1"));
  CHECK(p.state.spent_ms == 0);
}

TEST_CASE("while nobody drives the plan, the step's time stands still") {
  Policy policy = test_policy();
  policy.step_time_budget_minutes = 10;
  Plan p = Plan::opened(policy);
  p.clock_ms += 60'000;
  p.orchestrator(ReportTool{1, "bash", "make"});
  const auto spent = time_on_step(p.state, p.state.last_moment);
  CHECK(spent >= std::chrono::minutes(1));
  p.clock_ms += 36'000'000;
  p.orchestrator(ReportRunEnded{1, 0, true});  // found the next day
  p.clock_ms += 36'000'000;                    // nor does it go on before a run is at work
  p.orchestrator(ReportRunStarted{2});
  CHECK(time_on_step(p.state, p.state.last_moment) == spent);
}

TEST_CASE("time on a step adds up over turns, not while the user is waited for") {
  Policy policy = test_policy();
  policy.step_time_budget_minutes = 10;
  Plan p;
  p.human(Open{policy});
  CHECK(p.state.working_since.boot.empty());
  p.settle();  // its run begins
  const std::int64_t begun = p.state.working_since.mono_ms;
  p.clock_ms += 60'000;
  p.as(kClaude, AskUser{1, "?"});
  const std::int64_t spent = p.state.spent_ms;
  CHECK(spent >= 60'000);
  CHECK(p.state.working_since.boot.empty());
  CHECK_FALSE(budget_deadline_ms(p.state, {"boot", 0}));
  p.clock_ms += 600'000;
  p.human(Reply{"x"});
  CHECK(p.state.spent_ms == spent);
  const Moment now{"boot", p.state.working_since.mono_ms + 5000};
  CHECK(time_on_step(p.state, now) == std::chrono::milliseconds(spent + 5000));
  CHECK(*budget_deadline_ms(p.state, now) == p.state.working_since.mono_ms + 600'000 - spent);
  CHECK(time_on_step(p.state, {"another boot", 7}) == std::chrono::milliseconds(spent));
  CHECK(begun > 0);
}

TEST_CASE("reset begins the step anew") {
  Plan p = Plan::opened();
  p.request_review(), p.request_changes("x");
  CHECK(p.human(Reset{}).ok());
  p.settle();
  CHECK(where(p.state) == "coder_active 1 #4");
  CHECK_FALSE(p.state.current()->continues);
  CHECK(p.state.changes.empty());
  CHECK(steps_text(p.state) == "1 pending, 2 pending, 3 pending");
}

TEST_CASE("after the last approval the explainer runs, alone") {
  Policy policy = test_policy();
  policy.explain = kCodex;
  Plan p = Plan::opened(policy, plan_of(1));
  p.request_review(), p.approve();
  CHECK(where(p.state) == "awaiting_user_input(no_pending_steps) 1 #3");
  CHECK(p.state.live()->role == Role::explainer);
  CHECK(p.as(kCodex, Approve{3}).reason() == "wrong_role");
  CHECK(p.as(kCodex, AskUser{3, "?"}).reason() == "wrong_role");
  CHECK(p.reply("thanks").ok());
  CHECK(p.state.phase == Phase::done);
  CHECK(envelopes(p.end_run(0, true).events) ==
        "run.ended orchestrator>both, plan.explained orchestrator>human");
  CHECK(p.state.explained == "explained.md");
}

TEST_CASE("an explainer that wrote nothing is not believed") {
  Policy policy = test_policy();
  policy.explain = kCodex;
  Plan p = Plan::opened(policy, plan_of(1));
  p.request_review(), p.approve();
  CHECK(envelopes(p.end_run().events) ==
        "run.ended orchestrator>both, system.error orchestrator>human");
  CHECK(p.state.explained.empty());
  CHECK(p.state.trouble.starts_with("explained.md was not written"));
  CHECK(where(p.state) == "awaiting_user_input(no_pending_steps) 1 #3");
}

TEST_CASE("an explainer that cannot run is given up, the plan is not in error") {
  Policy policy = test_policy();
  policy.explain = kCodex;
  Plan p = Plan::opened(policy, plan_of(1));
  p.request_review();
  p.as(kCodex, Approve{2});
  p.orchestrator(ReportRunEnded{2});
  p.orchestrator(ReportError{"not installed", 3});
  CHECK(where(p.state) == "awaiting_user_input(no_pending_steps) 1 #0");
  CHECK(outstanding(p.state, {p.state.plan, {}}).empty());
  Plan failed = Plan::opened(policy, plan_of(1));
  failed.request_review(), failed.approve();
  failed.end_run(1);
  CHECK(failed.state.phase == Phase::awaiting_user_input);
  CHECK(outstanding(failed.state, failed.observed()).empty());
}

TEST_CASE("what people read") {
  Plan p = Plan::opened();
  CHECK(turn_text(p.state) == "coder_active · claude");
  CHECK(step_text(p.state) == "step 1 of 3: part 1 (pending)");
  CHECK(guard_text(p.state) == "change requests 0 of 3");
  p.request_review(), p.approve();
  CHECK(step_lines(p.state) == std::vector<std::string>{"  1 part 1 (done)", "> 2 part 2 (pending)",
                                                        "  3 part 3 (pending)"});
  p.human(Pause{});
  CHECK(turn_text(p.state) == "awaiting_user_input (paused)");
  CHECK(inbox_of(p.state).at(0).command == "pairflow plan resume login");
}

}  // namespace
}  // namespace pf::plan
