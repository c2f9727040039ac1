// The flow of a plan, by the "Tests" of its steps.
#include "plan/domain/testing.h"
#include "plan/domain/views.h"

namespace pf::plan {
namespace {

using namespace testing;

TEST_CASE("step 2, tests: happy path (request_review → approve)") {
  Plan p = Plan::opened();
  CHECK(where(p.state) == "coder_active 1 #1");
  const Done review = p.request_review("have a look");
  CHECK(envelopes(review.events) == "coder.request_review claude>codex");
  CHECK(where(p.state) == "reviewer_active 1 #2");
  const Done approved = p.approve();
  CHECK(envelopes(approved.events) == "reviewer.approve codex>both");
  CHECK(approved.body<Approved>().next == "2");
  CHECK(where(p.state) == "coder_active 2 #3");
  CHECK(steps_text(p.state) == "1 done, 2 pending, 3 pending");
  CHECK(p.plan_text == plan_of(3, "active_step: \"2\"\n"));
}

TEST_CASE("step 2, tests: loop guard (4th request_changes parks in awaiting_user_input)") {
  Plan p = Plan::opened();
  for (int i = 1; i <= 3; ++i) {
    p.request_review();
    CHECK(p.request_changes(fmt::format("no {}", i)).body<ChangesRequested>().count == i);
    CHECK(p.state.phase == Phase::coder_active);
  }
  p.request_review();
  const Done fourth = p.request_changes("no 4");
  CHECK(envelopes(fourth.events) ==
        "reviewer.request_changes codex>claude, flow.parked orchestrator>human");
  CHECK(where(p.state) == "awaiting_user_input(loop_guard) 1 #0");
  CHECK(steps_text(p.state) == "1 needs-changes/4, 2 pending, 3 pending");
  CHECK(p.state.live() == nullptr);
  CHECK(inbox_of(p.state).at(0).kind == "loop_guard");
  CHECK(guard_text(p.state) == "change requests 4 of 3, parked");
}

Plan parked_by_guard() {
  Policy policy = test_policy();
  policy.max_change_requests = 1;
  Plan p = Plan::opened(policy);
  for (int i = 0; i < 2; ++i) p.request_review(), p.request_changes();
  must(p.state.halt && p.state.halt->kind == HaltKind::guard, "parked");
  return p;
}

TEST_CASE("after the loop guard the reply goes to the coder, in its conversation") {
  Plan p = parked_by_guard();
  CHECK(p.human(Reply{" "}).exit() == 2);
  CHECK(p.human(Resume{}).exit() == 1);
  const Done reply = p.reply("try it like this");
  CHECK(reply.body<UserReplied>().to == Role::coder);
  CHECK(reply.events[0].start->conversation == "talk-3");
  CHECK(p.state.phase == Phase::coder_active);
  CHECK(p.state.answer == "try it like this");
  // One more round, no new allowance.
  p.request_review();
  p.request_changes();
  CHECK(where(p.state) == "awaiting_user_input(loop_guard) 1 #0");
}

TEST_CASE("the loop guard can be reset, parked or not") {
  Plan p = parked_by_guard();
  CHECK(p.human(ResetGuard{}).body<GuardReset>().count == 2);
  p.settle();
  CHECK(p.state.phase == Phase::coder_active);
  CHECK(p.state.changes == "no");
  CHECK(steps_text(p.state) == "1 needs-changes, 2 pending, 3 pending");
  p.request_review();
  p.request_changes();
  CHECK(where(p.state).starts_with("coder_active"));
  CHECK(p.human(ResetGuard{}).ok());
  CHECK(p.state.find("1")->change_requests == 0);
  CHECK(p.human(ResetGuard{}).events.empty());
}

TEST_CASE("the counter resets on a new step") {
  Plan p = Plan::opened();
  for (int i = 0; i < 3; ++i) p.request_review(), p.request_changes();
  p.request_review(), p.approve();
  CHECK(where(p.state).starts_with("coder_active 2"));
  for (int i = 0; i < 3; ++i) p.request_review(), p.request_changes();
  CHECK(where(p.state).starts_with("coder_active 2"));
  CHECK(steps_text(p.state) == "1 done/3, 2 needs-changes/3, 3 pending");
}

TEST_CASE("step 2, tests: ask_user/user.reply resumes to requester") {
  Plan p = Plan::opened();
  CHECK(p.ask_user("which port?").body<UserAsked>().role == Role::coder);
  CHECK(where(p.state) == "awaiting_user_input(ask_user) 1 #1");
  CHECK(p.human(Resume{}).exit() == 1);
  CHECK(p.reply("8080").ok());
  CHECK(where(p.state) == "coder_active 1 #1");  // the same run hears it
  p.request_review();
  p.ask_user("is this in scope?");
  CHECK(inbox_of(p.state).at(0).text == "[reviewer:ask-user] is this in scope?");
  p.reply("yes");
  CHECK(where(p.state) == "reviewer_active 1 #2");
}

TEST_CASE("a reply to a run that no longer waits resumes its conversation") {
  Plan p = Plan::opened();
  p.ask_user("which port?");
  CHECK(p.orchestrator(ReportRunParked{1, p.state.halt->id}).ok());
  p.settle();
  CHECK(p.state.run_of(1)->ending == Ending::waiting);
  const Done reply = p.reply("8080");
  CHECK(reply.events[0].start->conversation == "talk-1");
  CHECK(reply.events[0].start->why == Why::answer);
  CHECK(where(p.state) == "coder_active 1 #2");
}

TEST_CASE("step 2, tests: system.error lands in error") {
  Plan p = Plan::opened();
  CHECK(envelopes(p.orchestrator(ReportError{"model out of reach"}).events) ==
        "system.error orchestrator>human");
  CHECK(where(p.state) == "error(system_error) 1 #0");
  p.settle();
  CHECK(p.state.live() == nullptr);
  CHECK(p.human(Reply{"?"}).exit() == 1);
  CHECK(p.human(Resume{}).events[0].start->conversation == "talk-1");
  p.settle();
  CHECK(where(p.state) == "coder_active 1 #2");
  CHECK(p.end_run(1).ok());  // a run that fails is one too
  CHECK(where(p.state) == "error(system_error) 1 #0");
  CHECK(p.human(Reset{}).events[0].start->conversation.empty());
  CHECK(where(p.state) == "coder_active 1 #3");
}

TEST_CASE("an error of the reviewer is resumed by the reviewer") {
  Plan p = Plan::opened();
  p.request_review();
  p.end_run(2);
  CHECK(p.state.trouble == "the reviewer's run ended with exit code 2");
  p.human(Resume{});
  p.settle();
  CHECK(where(p.state) == "reviewer_active 1 #3");
}

TEST_CASE("step 2, tests: approve with no remaining steps lands in awaiting_user_input") {
  Plan p = Plan::opened(test_policy(), plan_of(1));
  p.request_review();
  CHECK_FALSE(p.approve().body<Approved>().next);
  CHECK(where(p.state) == "awaiting_user_input(no_pending_steps) 1 #0");
  CHECK(p.human(Resume{}).exit() == 1);
  const Done end = p.reply("thanks");
  CHECK(envelopes(end.events) == "user.reply human>orchestrator, plan.finished orchestrator>both");
  CHECK(where(p.state) == "done 1 #0");
  CHECK(p.human(Reply{"?"}).exit() == 1);
  CHECK(p.human(Force{Role::coder}).exit() == 1);
}

TEST_CASE("a reply after the last step goes on with a step that was added") {
  Plan p = Plan::opened(test_policy(), plan_of(1));
  p.request_review(), p.approve();
  p.plan_text += "## Step 2: more\n";
  const Done reply = p.reply("and this");
  CHECK(envelopes(reply.events) == "plan.edited orchestrator>both, user.reply human>claude");
  CHECK(where(p.state) == "coder_active 2 #3");
  CHECK(p.plan_text.starts_with("---\nactive_step: \"2\"\n---\n"));
  // Also after the end.
  p.request_review(), p.approve(), p.reply("done");
  CHECK(p.state.phase == Phase::done);
  p.plan_text += "## Step 3: yet more\n";
  CHECK(p.human(Resume{}).ok());
  CHECK(where(p.state).starts_with("coder_active 3"));
}

TEST_CASE("a plan that cannot be read neither ends nor advances") {
  Plan p = Plan::opened(test_policy(), plan_of(1));
  p.request_review();
  p.plan_text = "---\nactive_step: 1\n";
  p.settle();
  CHECK(p.state.problems_of("plan.md") != nullptr);
  CHECK(p.approve().reason() == "invalid_document");
  CHECK(p.request_changes("plan.md").ok());  // there is a way on
  CHECK(p.request_review().reason() == "invalid_document");
  p.plan_text = plan_of(1);
  CHECK(p.request_review().ok());
  CHECK(p.state.problems.empty());
  p.approve();
  p.plan_text = "";
  CHECK(p.reply().exit() == 1);
}

TEST_CASE("step 3, tests: prefixes render as expected") {
  CHECK(prefix(Role::coder) == "[coder]");
  CHECK(prefix(Role::coder, "bash") == "[coder:bash]");
  CHECK(prefix(Role::reviewer) == "[reviewer]");
  CHECK(prefix(Role::reviewer, "ask_user") == "[reviewer:ask-user]");
  CHECK(prefix(Role::coder, "x] \x1b[y") == "[coder:x<U+001B>y]");
  Plan p = Plan::opened();
  p.request_review("ready\x1b[31m");
  CHECK(describe(p.as(kCodex, AskUser{2, "so?"}).events[0]) == "[reviewer:ask-user] so?");
  p.reply("yes");
  CHECK(describe(p.request_changes("too long").events[0]) ==
        "[reviewer:request-changes] #1 on step 1: too long; coder on step 1");
  CHECK(describe(p.request_review("ready\x1b[31m").events[0]) ==
        "[coder:request-review] step 1 is ready for review: ready<U+001B>[31m; reviewer on step 1");
  CHECK(describe(p.approve().events[0]) == "[reviewer:approve] step 1 is done; coder on step 2");
}

TEST_CASE("step 3, tests: reviewer write attempts are blocked, and visible in the log") {
  Plan p = Plan::opened();
  p.request_review();
  const Done noted = p.orchestrator(ReportTool{2, "edit", "src/a.cc: read-only", true});
  CHECK(describe(noted.events.at(0)) == "[reviewer:edit] blocked: src/a.cc: read-only");
  CHECK(p.state.actions.back().text.starts_with("[reviewer:edit]"));
}

TEST_CASE("step 4, tests: tool invocations dispatch correct events") {
  Plan p = Plan::opened();
  CHECK(type_of(p.request_review().events.at(0).body) == "coder.request_review");
  CHECK(type_of(p.request_changes().events.at(0).body) == "reviewer.request_changes");
  CHECK(type_of(p.ask_user("?").events.at(0).body) == "agent.ask_user");
  CHECK(type_of(p.reply().events.at(0).body) == "user.reply");
  p.request_review();
  CHECK(type_of(p.approve().events.at(0).body) == "reviewer.approve");
  CHECK(type_of(p.orchestrator(ReportError{"x"}).events.at(0).body) == "system.error");
}

TEST_CASE("step 4, tests: ask_user blocks and resumes on simulated user.reply") {
  Plan p = Plan::opened();
  p.ask_user("?");
  CHECK(p.request_review().reason() == "waiting_user");
  CHECK(p.ask_user("again?").reason() == "waiting_user");
  p.reply("yes");
  CHECK(p.request_review().ok());
}

TEST_CASE("step 4, tests: request_review triggers reviewer entry") {
  Plan p = Plan::opened();
  const Done done = p.as(kClaude, RequestReview{1});
  CHECK(done.events[0].start->role == Role::reviewer);
  CHECK(done.events[0].start->conversation.empty());
  const auto stop = outstanding(p.state, p.observed());
  REQUIRE(stop.size() == 1);  // the coder's process first
  CHECK(std::get<StopRun>(stop[0]).handed_over);
  p.settle();
  CHECK(p.state.live()->number == 2);
  CHECK(p.state.run_of(1)->ending == Ending::handed_over);
}

TEST_CASE("step 4, tests: request_changes/approve update PlanState") {
  Plan p = Plan::opened(test_policy(),
                        plan_of(2, "# mine\nstep_status:\n  1: pending # x\nactive_step: 1\n"));
  p.request_review(), p.request_changes();
  CHECK(p.plan_text ==
        plan_of(2, "# mine\nstep_status:\n  1: needs-changes # x\nactive_step: 1\n"));
  p.request_review(), p.approve();
  CHECK(p.plan_text == plan_of(2, "# mine\nstep_status:\n  1: done # x\nactive_step: 2\n"));
  Plan bare = Plan::opened(test_policy(), plan_of(2, ""));
  bare.request_review(), bare.request_changes();
  CHECK(bare.plan_text == plan_of(2, ""));
  bare.request_review(), bare.approve();
  CHECK(bare.plan_text == plan_of(2, "active_step: \"2\"\n"));
}

TEST_CASE("step 6, tests: serialization/deserialization restores state, counters, active_step") {
  Plan p = Plan::opened();
  p.request_review(), p.request_changes("one"), p.request_review(), p.approve();
  p.request_review(), p.request_changes("two"), p.ask_user("?");
  State again;
  for (const std::string& text : p.log) {
    Line line = *decode_line(text);
    line.mark = {line.seq, again.mark.end, again.mark.end + text.size() + 1, hash_of(text)};
    again = *fold(std::move(again), line);
  }
  CHECK(dump(codec::encode(again)) == dump(codec::encode(p.state)));
  CHECK(where(again) == where(p.state));
  CHECK(steps_text(again) == "1 done/1, 2 needs-changes/1, 3 pending");
  State snapshot;
  REQUIRE(codec::decode(*parse_json(dump(codec::encode(p.state))), snapshot));
  CHECK(dump(codec::encode(snapshot)) == dump(codec::encode(p.state)));
  CHECK(again.run_of(1)->transcript == "runs/1.ndjson");
  CHECK(decode_line(p.log.at(1))->draft.refs == std::vector<std::string>{"runs/1.ndjson"});
}

TEST_CASE("step 6, tests: corrupted log yields a recoverable error path") {
  Plan p = Plan::opened();
  p.request_review(), p.approve();
  Line line = *decode_line(p.log.front());
  line.draft.payload["steps"] = "none";
  const auto folded = fold({}, line);
  REQUIRE_FALSE(folded);
  CHECK(folded.error().exit == Exit::damaged);
  CHECK(folded.error().what.find("steps") != std::string::npos);
  line.draft.type = "from.the.future";
  CHECK_FALSE(fold({}, line));
  // A new log goes on from the frontmatter: what stands before the active step is done.
  Plan restored;
  restored.plan_text = p.plan_text;
  CHECK(restored.human(Open{test_policy(), "events.damaged-1.ndjson"}).ok());
  CHECK(where(restored.state) == "coder_active 2 #1");
  CHECK(steps_text(restored.state) == "1 done, 2 pending, 3 pending");
  CHECK(restored.state.restored == "events.damaged-1.ndjson");
}

}  // namespace
}  // namespace pf::plan
