// Files that people edit too: hand edits in the middle, and what is not sound.
#include "plan/domain/prompt.h"
#include "plan/domain/reading.h"
#include "plan/domain/testing.h"
#include "plan/domain/views.h"

namespace pf::plan {
namespace {

using namespace testing;

TEST_CASE("a hand edit of active_step in the middle is honoured and logged") {
  Plan p = Plan::opened();
  p.request_review(), p.request_changes();
  p.plan_text = plan_of(3, "active_step: 3\n");
  CHECK(p.as(kClaude, RequestReview{3}).reason() == "step_moved");
  p.settle();
  CHECK(where(p.state) == "coder_active 3 #4");
  CHECK(p.state.runs.back().why == Why::moved);
  CHECK_FALSE(p.state.runs.back().continues);
  CHECK(
      p.state.actions.at(p.state.actions.size() - 3).text ==
      "[pairflow] plan.md was edited while run 3 was at work: active step 3 instead of 1; coder on "
      "step 3");
  CHECK(p.state.changes.empty());
  // Skipped steps come when the others are done.
  p.request_review();
  CHECK(p.approve().body<Approved>().next == "1");
  CHECK(steps_text(p.state) == "1 pending, 2 pending, 3 done");
}

TEST_CASE("a hand edit back to a step restarts its counter, whatever is waited for") {
  Plan p = Plan::opened();
  p.request_review(), p.request_changes(), p.request_review(), p.approve();
  CHECK(steps_text(p.state) == "1 done/1, 2 pending, 3 pending");
  p.ask_user("?");
  p.plan_text = plan_of(3, "active_step: \"1\"\n");
  p.settle();
  CHECK(where(p.state) == "awaiting_user_input(ask_user) 1 #0");
  CHECK(steps_text(p.state) == "1 pending, 2 pending, 3 pending");
  p.reply("then this");
  CHECK(p.state.phase == Phase::coder_active);
  CHECK(p.state.current()->step == "1");
}

TEST_CASE("a hand edit after the last step says which one is next") {
  Plan p = Plan::opened(test_policy(), plan_of(1));
  p.request_review(), p.approve();
  p.plan_text = plan_of(3, "active_step: 2\n");
  p.settle();
  CHECK(where(p.state) == "awaiting_user_input(no_pending_steps) 2 #0");
  p.reply("go on");
  CHECK(where(p.state) == "coder_active 2 #3");
}

TEST_CASE("a human's command sees a hand edit first") {
  Plan p = Plan::opened();
  p.human(Pause{});
  p.plan_text = plan_of(3, "active_step: 2\n");
  const Done done = p.human(Resume{});
  CHECK(envelopes(done.events) == "plan.edited orchestrator>both, user.resume human>claude");
  CHECK(where(p.state) == "coder_active 2 #2");
}

TEST_CASE("an edit before our own write was made does not undo the approval") {
  Plan p = Plan::opened();
  p.request_review();
  p.as(kCodex, Approve{2});            // the write to step 2 is due
  p.plan_text += "## Step 4: late\n";  // based on the file before it
  p.settle();
  CHECK(where(p.state) == "coder_active 2 #3");
  CHECK(p.plan_text == plan_of(3, "active_step: \"2\"\n") + "## Step 4: late\n");
  CHECK(steps_text(p.state) == "1 done, 2 pending, 3 pending, 4 pending");
  // Once it is made, the old step is the writer's word again.
  p.plan_text = plan_of(3, "active_step: \"1\"\n") + "## Step 4: late\n";
  p.settle();
  CHECK(where(p.state) == "coder_active 1 #4");
}

TEST_CASE("two writes in a row become one when the first has not been made") {
  Plan p = Plan::opened(test_policy(), plan_of(3, "active_step: 1\nstep_status: {1: pending}\n"));
  p.request_review();
  p.as(kCodex, RequestChanges{2, "x"});
  CHECK(p.state.write);
  p.human(Force{Role::reviewer});
  p.as(kCodex, ReportRunStarted{});
  p.orchestrator(ReportRunEnded{2});
  p.orchestrator(ReportRunStarted{4});
  CHECK(p.as(kCodex, Approve{4}).ok());
  CHECK(p.state.write->active == "2");
  std::string& text = p.plan_text;
  text = *document::rewrite_plan(text, change_of(*p.state.write));
  CHECK(hash_of(text) == p.state.write->after);
  CHECK(text == plan_of(3, "active_step: 2\nstep_status: {1: done}\n"));
}

TEST_CASE("a write of ours that comes after the next command was decided is no edit") {
  Plan p = Plan::opened(test_policy(), plan_of(1, "active_step: 1\nstep_status: {1: pending}\n"));
  p.request_review();
  const std::string before = p.plan_text;
  p.as(kCodex, Approve{2});
  const std::string late = *document::rewrite_plan(before, change_of(*p.state.write));
  CHECK(late.contains("{1: done}"));
  CHECK(p.human(Force{Role::coder, "once more"}).ok());
  p.plan_text = late;  // its writer has come to it only now
  p.settle();
  CHECK(where(p.state) == "coder_active 1 #3");
  CHECK(p.plan_text == before);
  CHECK_FALSE(p.state.write);
  for (const std::string& line : p.log) CHECK_FALSE(line.contains("plan.edited"));
}

TEST_CASE("a step_status map edited by hand counts, except for the active step") {
  Plan p = Plan::opened(test_policy(), plan_of(3, "active_step: 1\nstep_status: {1: pending}\n"));
  p.human(Pause{}), p.settle();
  p.plan_text = plan_of(3, "active_step: 1\nstep_status: {1: done, 2: done}\n");
  p.settle();
  CHECK(steps_text(p.state) == "1 pending, 2 done, 3 pending");
  CHECK(p.plan_text == plan_of(3, "active_step: 1\nstep_status: {1: pending, 2: done}\n"));
  p.human(Resume{}), p.settle();
  p.request_review();
  CHECK(p.approve().body<Approved>().next == "3");
}

TEST_CASE("statuses follow a step that is renumbered") {
  Plan p = Plan::opened();
  p.request_review(), p.approve();
  p.human(Pause{}), p.settle();
  p.plan_text = "---\nactive_step: 3\n---\n## Step 1: new\n## Step 2: part 1\n## Step 3: part 2\n";
  p.settle();
  CHECK(steps_text(p.state) == "1 pending, 2 done, 3 pending");
  CHECK(p.state.step == "3");
}

std::string told_of(const Plan& p) {
  const FileProblems* told = p.state.problems_of("plan.md");
  return told == nullptr ? "" : told->problems.front().what;
}

TEST_CASE("an agent at work cannot take a review away by an edit of plan.md") {
  const std::string sound = plan_of(3, "active_step: 1\nstep_status: {1: pending}\n");
  const std::string as_done = plan_of(3, "active_step: 1\nstep_status: {1: pending, 2: done}\n");
  Plan p = Plan::opened(test_policy(), sound);
  SUBCASE("a step that is called done") {
    p.plan_text = as_done;
    p.settle();
    CHECK(told_of(p) == "step 2: part 2 is called done and was not approved");
  }
  SUBCASE("the active one") {
    p.plan_text = plan_of(3, "active_step: 2\nstep_status: {1: done}\n");
    p.settle();
    CHECK(told_of(p) == "step 1: part 1 is called done and was not approved");
  }
  SUBCASE("one that is gone") {
    p.plan_text = plan_of(2, "active_step: 1\nstep_status: {1: pending}\n");
    p.settle();
    CHECK(told_of(p) == "step 3: part 3 is gone and was not reviewed yet");
  }
  CHECK(where(p.state) == "coder_active 1 #1");
  CHECK(steps_text(p.state) == "1 pending, 2 pending, 3 pending");
  CHECK(p.request_review().reason() == "invalid_document");
  // Nor does it by leaving it behind.
  p.orchestrator(ReportRunEnded{1});
  p.human(Pause{}), p.settle();
  CHECK(steps_text(p.state) == "1 pending, 2 pending, 3 pending");
  CHECK_FALSE(told_of(p).empty());
  // What is mended is sound; what the user does while nobody is at work is his word.
  p.plan_text = sound;
  p.settle();
  CHECK(told_of(p).empty());
  p.plan_text = as_done;
  p.settle();
  CHECK(steps_text(p.state) == "1 pending, 2 done, 3 pending");
}

TEST_CASE("an edit that was doubted is taken when the user says so, and nobody is at work") {
  Plan p = Plan::opened();
  p.plan_text = plan_of(2);
  p.settle();
  CHECK_FALSE(told_of(p).empty());
  p.human(Resume{true}), p.settle();  // not while the agent is at work
  CHECK_FALSE(told_of(p).empty());
  p.human(Pause{}), p.settle();
  CHECK_FALSE(told_of(p).empty());
  p.human(Resume{true}), p.settle();
  CHECK(told_of(p).empty());
  CHECK(steps_text(p.state) == "1 pending, 2 pending");
}

TEST_CASE("an edit right before the end of a run was made while it was at work") {
  Plan p = Plan::opened();
  p.plan_text = plan_of(1);
  p.orchestrator(CheckDocuments{});  // before its end is known, as `outstanding` has it
  p.orchestrator(ReportRunEnded{1, 1});
  CHECK(p.state.phase == Phase::error);
  p.settle();
  CHECK(steps_text(p.state) == "1 pending, 2 pending, 3 pending");
  CHECK(told_of(p) == "step 2: part 2 is gone and was not reviewed yet");
}

TEST_CASE("new steps and other words of an agent are taken in, and the reviewer hears of it") {
  Plan p = Plan::opened();
  p.plan_text += "## Step 4: found on the way\n";
  p.settle();
  CHECK(steps_text(p.state) == "1 pending, 2 pending, 3 pending, 4 pending");
  p.request_review();
  CHECK(prompt_for(p.state, *p.state.current(), {"1", "part 1", "", {}, 1}, {})
            .contains("- Step 1: plan.md was edited: while run 1 was at work"));
}

TEST_CASE("a file that cannot be read is a problem like any other") {
  const FileFact odd{"plan.md", true, Hash("odd"), "", "it is not a regular file"};
  CHECK(read_documents({odd}, {}).problems.at(0).what ==
        "it cannot be read: it is not a regular file");
  CHECK_FALSE(read_documents({odd}, {}).sound());
  FileFact spec = odd;
  spec.name = "spec.md";
  CHECK(read_documents({spec}, {}).spec_problems.size() == 1);
}

TEST_CASE("an edit that is not sound changes nothing; the agent is told, once") {
  Plan p = Plan::opened();
  p.plan_text = plan_of(3, "active_step: 9\n");
  p.settle();
  CHECK(where(p.state) == "coder_active 1 #1");
  const std::size_t lines = p.log.size();
  p.settle();
  CHECK(p.log.size() == lines);
  CHECK(inbox_of(p.state).at(0).kind == "document");
  CHECK(p.request_review().reason() == "invalid_document");
  p.plan_text = plan_of(3);
  p.settle();
  CHECK(p.state.problems.empty());
  CHECK(p.request_review().ok());
}

TEST_CASE("step 1, acceptance: validator runs on spec writes and tells the active agent") {
  Plan p = Plan::opened();
  p.spec_text = "# Spec\n\n## Empty\n";
  const Done told = p.request_review();
  CHECK(told.reason().starts_with("invalid_document "));
  CHECK(told.rejection->error.why.find("spec.md line 3: the section “Empty” is empty") == 0);
  p.spec_text = "# Spec\n\n## Emptier\n";  // a try to mend it
  CHECK(p.request_review().rejection->error.why.contains("“Emptier” is empty"));
  CHECK(p.request_review().ok());  // told, not forced
  Plan checked = Plan::opened();
  checked.spec_text = "no title\n";
  checked.orchestrator(CheckDocuments{});
  CHECK(checked.request_review().reason().starts_with("invalid_document "));
  Plan from_start;
  from_start.spec_text = "no title\n";
  from_start.human(Open{test_policy()});
  CHECK(from_start.state.problems_of("spec.md") != nullptr);
  from_start.settle();
  CHECK(from_start.request_review().ok());  // the user's own
}

}  // namespace
}  // namespace pf::plan
