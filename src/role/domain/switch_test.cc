// The switch rules of docs/role.md, one by one.
#include "role/domain/testing.h"
#include "role/domain/views.h"

namespace pf::role {
namespace {

using namespace testing;

TEST_CASE("init: only on the first run, the planner's, state init") {
  Repo r;
  CHECK(r.human(Start{}).what() == "the roles have not begun here; ");
  CHECK(r.as(kCode, Init{test_policy()}).what() ==
        "init is the planner's; [role.agents] gives that role to claude");
  CHECK(envelopes(r.as(kPlan, Init{test_policy()}).events) == "role.initialized claude>both");
  r.settle();
  CHECK(where(r.state) == "PLANNER init -");
  CHECK(document::read_register(r.register_text())->state == Lifecycle::init);
  CHECK(r.human(Init{test_policy()}).what() ==
        "init is for the first run only; the roles began here; it is PLANNER's turn");
}

TEST_CASE("init: a register that is there is taken over, one that is broken is not") {
  Repo r;
  r.register_text() = document::render_register(document::default_register("yesterday"));
  CHECK(r.human(Init{test_policy()}).what().contains("last_updated is \"yesterday\""));
  auto reg = document::default_register("2026-01-01T00:00:00Z");
  reg.current_role = Role::coder, reg.plan_slug = "log-in", reg.branch = "feat/F001-log-in";
  reg.autopilot = Autopilot::full;
  r.register_text() = document::render_register(reg);
  r.write_tasks(2);
  const std::string before = r.register_text();
  CHECK(r.human(Init{test_policy()}).ok());
  r.settle();
  CHECK(r.register_text() == before);
  CHECK(where(r.state) == "CODER in_progress feat/F001-log-in");
  CHECK(r.state.work->feature == "F001");
  CHECK(r.state.work->task == "T01");
  CHECK(r.state.autopilot() == Autopilot::off);  // nobody has ordered it
  CHECK(inbox_of(r.state).at(0).kind == "autopilot");
}

TEST_CASE("init: it is over when there is a roadmap, and never comes again") {
  Repo r;
  r.files.clear();
  r.human(Init{test_policy()}), r.settle();
  CHECK(r.as(kPlan, Start{}).what().contains("there is no docs/ROADMAP.md"));
  r.files[std::string(kRoadmapFile)] = "- [ ] F1: x\n";
  CHECK(r.as(kPlan, Start{}).what().contains("docs/ROADMAP.md line 1: `F1` is no feature's id"));
  CHECK(r.as(kPlan, Block{Role::coder, "?"}).reason() == "wrong_state");
  r.files[std::string(kRoadmapFile)] = kRoadmap;
  CHECK(r.plan(Start{}).ok());
  CHECK(where(r.state) == "PLANNER in_progress -");
  CHECK(r.state.reg.msg == document::kDefaultMsg);  // the first run is over
  std::string& text = r.register_text();
  text.replace(text.find("in_progress"), 11, "init");
  CHECK(r.as(kPlan, Handoff{Role::coder, "x", {}, "F001"})
            .what()
            .contains("it must not be init again"));
}

TEST_CASE("init: leaving it is no edit while the register is not written yet") {
  Repo r;
  r.human(Init{test_policy()});
  r.settle();
  CHECK(r.as(kPlan, Start{}).ok());
  r.write_tasks(1);
  CHECK(r.as(kPlan, Handoff{Role::coder, "T01", {}, "F001"}).ok());
  CHECK(where(r.state) == "CODER handoff feat/F001-log-in");
}

TEST_CASE("start: keeps the role, sets in_progress, takes it") {
  Repo r = Repo::coding();
  CHECK(where(r.state) == "CODER handoff feat/F001-log-in");
  CHECK(envelopes(r.code(Start{}).events) == "role.started codex>both");
  CHECK(where(r.state) == "CODER in_progress feat/F001-log-in");
  CHECK(r.state.taken->by == "codex");
  CHECK(r.state.reg.last_agent == "CODER");
  CHECK(r.state.reg.msg == "T01 is next");
  CHECK(r.code(Start{}).reason() == "taken");  // it may be another one of that name
  CHECK(r.me(Start{}).ok());
  CHECK(r.me(Start{}).events.empty());
}

TEST_CASE("start: of another role is refused, and warned of once in a turn") {
  Repo r = Repo::coding();
  const Done done = r.as(kRead, Start{});
  CHECK(done.reason() == "not_your_turn");
  CHECK(done.what().contains("it is CODER's turn (handoff since 2026-02-21T12:00:"));
  CHECK(done.warned);
  CHECK_FALSE(r.as(kRead, Start{}).warned);
  CHECK(r.as(kRead, Start{Role::coder}).reason() == "not_your_role");
}

TEST_CASE("two takers: one wins, the other is told who and when") {
  Policy policy = test_policy();
  policy.coder = {};  // any agent
  Repo r = Repo::coding(2, policy);
  const Seq seen = r.state.turn;
  CHECK(r.as(kCode, Start{}, seen).ok());
  const Done loser = r.as(kRead, Start{});
  CHECK(loser.reason() == "taken");
  CHECK(loser.what() == "CODER is taken; codex took it at " + r.state.taken->at);
  const Done late = r.as(kRead, Start{}, seen);
  CHECK(late.reason() == "stale_turn");
  CHECK(late.what().contains("taken by codex at 2026-02-21T12:00:"));
  CHECK(r.as(kRead, Handoff{Role::reviewer, "mine"}).reason() == "taken");
  // A human can take it over.
  CHECK(std::get<Started>(r.me(Start{}).events.at(0).body).replaced == "codex");
  CHECK(r.as(kCode, Handoff{Role::reviewer, "done"}).reason() == "taken");
}

TEST_CASE("anyone: nobody reviews what it has written, nor writes what only it may review") {
  Policy policy = test_policy();
  policy.coder = {}, policy.reviewer = {};
  Repo r = Repo::coding(1, policy);
  CHECK(r.as(kCode, Start{}).ok());
  CHECK(r.as(kCode, Handoff{Role::reviewer, "done"}).ok());
  for (const Command& command :
       {Command(Start{}), Command(ApproveTask{}), Command(Handoff{Role::coder, "x"})})
    CHECK(r.as(kCode, command).reason() == "own_code");
  CHECK(r.as(kRead, Start{}).ok());
  CHECK(r.as(kRead, ApproveTask{}).ok());
  policy.reviewer = kRead;
  Repo named = Repo::coding(1, policy);
  CHECK(named.as(kRead, Start{}).reason() == "own_code");
  CHECK(named.as(kCode, Start{}).ok());
  policy.coder = kRead;  // as configured: one agent in two roles, in runs of their own
  Repo both = Repo::coding(1, policy);
  CHECK(both.as(kRead, Handoff{Role::reviewer, "done"}).ok());
  CHECK(both.as(kRead, ApproveTask{}).ok());
}

TEST_CASE("handoff: sets the next role, state handoff, the note") {
  Repo r = Repo::coding();
  CHECK(envelopes(r.code(Handoff{Role::reviewer, "src/a.cc, T01"}).events) ==
        "role.handoff codex>gemini");
  CHECK(where(r.state) == "REVIEWER handoff feat/F001-log-in");
  CHECK(r.state.reg.msg == "src/a.cc, T01");
  CHECK(r.review(Handoff{Role::coder, "T01: handle CRLF"}).ok());
  CHECK(where(r.state) == "CODER handoff feat/F001-log-in");
  CHECK(r.code(Handoff{Role::coder, "x"}).exit() == 2);
  CHECK(r.code(Handoff{Role::reviewer, " "}).exit() == 2);
  CHECK(r.code(Handoff{Role::reviewer, "```\nint x;\n```"}).exit() == 2);
  CHECK(r.code(Handoff{Role::reviewer, std::string(201, 'x')}).exit() == 2);
  CHECK(r.code(Handoff{Role::reviewer, "x", {}, "F002"}).exit() == 2);
}

TEST_CASE("handoff: the planner names the feature; its branch begins at the default one") {
  Repo r = Repo::begun();
  CHECK(r.plan(Handoff{Role::coder, "x"}).exit() == 2);
  CHECK(r.plan(Handoff{Role::coder, "x", {}, "F009"})
            .what()
            .contains("F009 is not in docs/ROADMAP.md"));
  CHECK(r.plan(Handoff{Role::coder, "x", {}, "F001", "spike"}).exit() == 2);
  CHECK(r.plan(Handoff{Role::coder, "x", {}, "F001", "", "feat/F002-search"}).exit() == 2);
  CHECK(r.plan(Handoff{Role::coder, "x", {}, "F001", "fix"}).ok());
  CHECK(where(r.state) == "CODER handoff fix/F001-log-in");
  CHECK(r.state.reg.plan_slug == "log-in");
  CHECK(r.git.checked_out == "fix/F001-log-in");
  CHECK(r.git.branches.at("fix/F001-log-in") == CommitId("c0"));
}

TEST_CASE("handoff: work that is not committed is not carried to another commit") {
  Repo r = Repo::begun();
  r.git.branches["feat/F001-log-in"] = CommitId("c9");
  r.git.dirty = {"a.txt"};
  CHECK(r.plan(Handoff{Role::coder, "x", {}, "F001"})
            .what()
            .contains("not committed on main: a.txt"));
  CHECK(r.plan(Handoff{Role::coder, "x", {}, "F002"}).ok());  // the same commit
}

TEST_CASE("branches: a task has its own only with a stated risk") {
  Repo r = Repo::begun();
  r.write_tasks(1);
  CHECK(r.plan(Handoff{Role::coder, "x", {}, "F001", "", "feat/F001-log-in--T01-part-1"}).what() ==
        "a task gets a branch of its own only for a stated risk; ");
  CHECK(r.plan(Handoff{Role::coder, "x", {}, "F001", "", "", "T02", "r"}).what() ==
        "there is no task T02; ");
  CHECK(r.plan(Handoff{Role::coder, "x", {}, "F001", "", "", "", "touches every file"}).ok());
  CHECK(where(r.state) == "CODER handoff feat/F001-log-in--T01-part-1");
  CHECK(r.git.checked_out == "feat/F001-log-in--T01-part-1");
  CHECK(r.git.branches.contains("feat/F001-log-in"));
  CHECK(r.state.work->risk == "touches every file");
}

TEST_CASE("blocked: names who unblocks, asks precise questions") {
  Repo r = Repo::coding();
  CHECK(r.code(Block{Role::coder, "why?"}).exit() == 2);
  CHECK(r.code(Block{Role::planner, "I am stuck"}).exit() == 2);
  CHECK(envelopes(r.code(Block{Role::planner, "Which port, 80 or 8080?"}).events) ==
        "role.blocked codex>claude");
  CHECK(where(r.state) == "PLANNER blocked feat/F001-log-in");
  const auto items = inbox_of(r.state);
  CHECK(items.at(0).kind == "blocked");
  CHECK(items.at(0).from == "CODER");
  CHECK(items.at(0).command == "pairflow role handoff --to CODER --message \"…\"");
  CHECK(r.as(kCode, Start{}).reason() == "not_your_turn");
  CHECK(r.plan(Start{}).ok());
  CHECK(r.plan(Handoff{Role::coder, "8080"}).ok());
  CHECK(where(r.state) == "CODER handoff feat/F001-log-in");
  CHECK(inbox_of(r.state).empty());
}

TEST_CASE("blocked: a human may answer in the role's place") {
  Repo r = Repo::coding();
  r.code(Block{Role::planner, "Which port?"});
  CHECK(r.me(Handoff{Role::coder, "8080"}).ok());
  CHECK(where(r.state) == "CODER handoff feat/F001-log-in");
}

TEST_CASE("task approval: the next task by number goes to the planner with title, slug and path") {
  Repo r = Repo::reviewing(3);
  CHECK(r.as(kCode, ApproveTask{}).reason() == "not_your_turn");
  r.review(Start{});
  CHECK(envelopes(r.review(ApproveTask{}).events) == "task.approved gemini>orchestrator");
  CHECK(where(r.state) == "PLANNER handoff feat/F001-log-in");
  CHECK(r.state.reg.msg ==
        "Next task: T02 Part 2 (part-2)\nTask file: docs/current/T02-part-2.md\n"
        "Feature: F001 Log in on feat/F001-log-in\nRoadmap: docs/ROADMAP.md\nApproved: T01");
  CHECK(r.files.at(task_path("T01-part-1")) == "# T01: Part 1\n\nStatus: done\n");
  CHECK(r.files.at(task_path("T02-part-2")) == "# T02: Part 2\n\nStatus: open\n");
  r.plan(Handoff{Role::coder, "T02"});
  CHECK(r.state.work->task == "T02");
  CHECK(r.plan(Handoff{Role::coder, "x", {}, "", "", "", "T01"}).reason() == "not_your_turn");
}

TEST_CASE("task approval: is the reviewer's") {
  Repo r = Repo::coding();
  CHECK(r.code(ApproveTask{}).reason() == "wrong_role");
  CHECK(r.code(ApproveFeature{}).reason() == "wrong_role");
  CHECK(r.me(ApproveTask{}).reason() == "wrong_role");
}

TEST_CASE("task approval: a task that only says that it is done was not approved") {
  Repo r = Repo::reviewing(2);
  r.files[task_path("T02-part-2")] = "# T02\n\nStatus: done\n";
  r.review(ApproveTask{});
  CHECK(r.state.work->task == "T02");
}

TEST_CASE("task approval: the last one leads to the feature's") {
  Repo r = Repo::reviewing(1);
  CHECK(envelopes(r.review(ApproveTask{"well done"}).events) ==
        "task.approved gemini>orchestrator, feature.approved gemini>orchestrator");
  CHECK(where(r.state) == "PLANNER in_progress -");
}

TEST_CASE("feature approval: every task has to be approved") {
  Repo r = Repo::reviewing(2);
  CHECK(r.review(ApproveFeature{}).what() == "F001 is not complete; T01 Part 1 is not approved");
}

TEST_CASE("feature approval: resets the register, marks the roadmap, clears docs/current") {
  Repo r = Repo::reviewing(1);
  r.register_text().insert(r.register_text().rfind('\n', r.register_text().size() - 2),
                           ",\n  \"team\": \"blue\"");
  r.me(SetAutopilot{Autopilot::full});
  r.review(ApproveTask{});
  CHECK(where(r.state) == "PLANNER in_progress -");
  CHECK(r.state.reg.msg == document::kDefaultMsg);
  CHECK_FALSE(r.state.reg.plan_slug);
  CHECK(r.state.reg.autopilot == Autopilot::full);  // a standing order stands
  CHECK(r.register_text().contains("\"team\": \"blue\""));
  CHECK(r.files.at(std::string(kRoadmapFile)).contains("- [x] F001: Log in\n- [ ] F002: Search"));
  CHECK_FALSE(r.files.contains(task_path("T01-part-1")));
  CHECK(r.git.checked_out == "main");
  CHECK_FALSE(r.state.work);
}

TEST_CASE("feature approval: a broken roadmap or a foreign checkout is named") {
  Repo r = Repo::reviewing(1);
  r.files[std::string(kRoadmapFile)] = "- [ ] F001: a\n- [ ] F001: b\n";
  CHECK(r.review(ApproveTask{}).ok());
  CHECK(where(r.state) == "REVIEWER handoff feat/F001-log-in");
  CHECK(r.state.reg.msg.contains("line 2: F001 is there twice"));
  r.files[std::string(kRoadmapFile)] = kRoadmap;
  r.git.checked_out = "main";
  CHECK(r.review(ApproveFeature{}).what() == "feat/F001-log-in is not checked out; main is");
  r.git.checked_out = "feat/F001-log-in";
  CHECK(r.review(ApproveFeature{}).ok());
}

TEST_CASE("who may do what: setting the autopilot is a human verb, reports are ours") {
  Repo r = Repo::coding();
  CHECK(r.as(kCode, SetAutopilot{Autopilot::full}).what() ==
        "this decision is the human's; it was asked for by codex");
  CHECK(r.orchestrator(SetAutopilot{Autopilot::full}).exit() == 1);
  CHECK(r.as(kCode, Decline{"F001"}).exit() == 1);
  CHECK(r.as(kCode, Automate{"r"}).exit() == 1);
  CHECK(r.as(kCode, Configure{}).exit() == 1);
  CHECK(r.as(kCode, ReportChecks{}).exit() == 1);
  CHECK(r.human(ReportChecks{}).exit() == 1);
  CHECK(r.orchestrator(Handoff{Role::reviewer, "x"}).exit() == 1);
  CHECK(r.me(SetAutopilot{Autopilot::review_only}).ok());
  CHECK(r.state.autopilot() == Autopilot::review_only);
  CHECK(r.me(SetAutopilot{Autopilot::review_only}).events.empty());
}

TEST_CASE("a repeated request changes nothing and gets the same answer") {
  Repo r = Repo::coding();
  const Request request = r.request({PrincipalKind::agent, kCode});
  const Done first = r.run(request, Start{});
  const std::string before = dump(codec::encode(r.state));
  CHECK(envelopes(r.run(request, Start{}).events) == envelopes(first.events));
  CHECK(dump(codec::encode(r.state)) == before);
  CHECK(r.run(request, Block{Role::planner, "?"}).exit() == 2);
}

}  // namespace
}  // namespace pf::role
