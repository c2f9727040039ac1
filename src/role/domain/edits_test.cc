// state.json as a register: hand edits between commands, and what is not sound.
#include "role/domain/testing.h"
#include "role/domain/views.h"

namespace pf::role {
namespace {

using namespace testing;

void change(std::string& text, std::string_view from, std::string_view to) {
  must(text.find(from) != std::string::npos, "the text is there");
  text.replace(text.find(from), from.size(), to);
}

TEST_CASE("a write of ours that comes after the next command was decided is no edit") {
  Repo r;
  REQUIRE(r.human(Init{test_policy()}).ok());
  r.settle();
  REQUIRE(r.as(kPlan, Start{}).ok());
  const std::string started = document::render_register(r.state.reg);
  r.write_tasks(1);
  REQUIRE(r.as(kPlan, Handoff{Role::coder, "T01 is next", {}, "F001"}).ok());
  r.register_text() = started;  // its writer has come to it only now
  r.settle();
  CHECK(where(r.state) == "CODER handoff feat/F001-log-in");
  CHECK(r.register_text() == document::render_register(r.state.reg));
  for (const std::string& line : r.log) CHECK_FALSE(line.contains("REGISTER_EDITED"));
}

TEST_CASE("a hand edit becomes a validated event before the command is decided") {
  Repo r = Repo::coding();
  change(r.register_text(), "\"current_role\": \"CODER\"", "\"current_role\": \"REVIEWER\"");
  const Done done = r.as(kRead, Start{});
  CHECK(envelopes(done.events) == "REGISTER_EDITED orchestrator>both, role.started gemini>both");
  const auto& edited = std::get<RegisterEdited>(done.events.at(0).body);
  CHECK(edited.keys == std::vector<std::string>{"current_role"});
  CHECK(edited.verb == "start");
  CHECK(edited.after == hash_of(r.register_text()));
  r.settle();
  CHECK(where(r.state) == "REVIEWER in_progress feat/F001-log-in");
}

TEST_CASE("an edit that takes the role away is told to who had it") {
  Repo r = Repo::coding();
  r.code(Start{});
  change(r.register_text(), "\"current_role\": \"CODER\"", "\"current_role\": \"PLANNER\"");
  const Done done = r.as(kCode, Handoff{Role::reviewer, "done"});
  CHECK(done.reason() == "not_your_turn");
  r.settle();
  CHECK(where(r.state) == "PLANNER in_progress feat/F001-log-in");
  CHECK_FALSE(r.state.taken);
}

TEST_CASE("an edit of a note or of a foreign key leaves the role where it is") {
  Repo r = Repo::coding();
  r.code(Start{});
  const Seq turn = r.state.turn;
  change(r.register_text(), "{\n", "{\n  \"team\": [1, 2],\n");
  r.settle();
  CHECK(r.state.actions.back().text == "[orchestrator] state.json was edited by hand: team");
  CHECK(r.state.turn == turn);
  CHECK(r.state.taken->by == "codex");
  change(r.register_text(), "T01 is next", "T01 is next, with care");
  r.settle();
  CHECK(r.state.taken->by == "codex");
  r.code(Handoff{Role::reviewer, "done"});
  CHECK(r.register_text().starts_with("{\n  \"team\": [1, 2],\n  \"plan_slug\""));
}

TEST_CASE("an edit in another form says the same and is no switch") {
  Repo r = Repo::coding();
  const Seq turn = r.state.turn;
  r.register_text() += "\n\n";
  r.settle();
  CHECK(r.state.turn == turn);
  CHECK(r.state.disk == hash_of(r.register_text()));
}

TEST_CASE("an edit to another feature is taken over with its task") {
  Repo r = Repo::coding();
  change(r.register_text(), "\"plan_slug\": \"log-in\"", "\"plan_slug\": \"search\"");
  change(r.register_text(), "feat/F001-log-in", "feat/F002-search");
  r.settle();
  CHECK(r.state.work->feature == "F002");
  CHECK(r.state.work->title == "Search");
  CHECK(work_text(r.state) == "F002 Search on feat/F002-search, T01");
}

TEST_CASE("an edit while our own write is due: what it changed wins, the rest is ours") {
  Repo r = Repo::coding();
  const std::string before = r.register_text();
  r.as(kCode, Handoff{Role::reviewer, "done"});  // the write is due
  r.register_text() = before;
  change(r.register_text(), "\"autopilot\": \"off\"", "\"autopilot\": \"review_only\"");
  r.settle();
  CHECK(where(r.state) == "REVIEWER handoff feat/F001-log-in");
  CHECK(r.state.reg.autopilot == Autopilot::review_only);
  CHECK(document::read_register(r.register_text()) == r.state.reg);
}

TEST_CASE("an edit that is not sound changes nothing, is told once, and can be mended") {
  Repo r = Repo::coding();
  const std::string sound = r.register_text();
  change(r.register_text(), "\"handoff\"", "\"hand-off\"");
  const Done done = r.as(kCode, Start{});
  CHECK(done.reason() == "invalid_register");
  CHECK(done.rejection->unmet.at(0) ==
        "docs/agents/state.json line 4: state is \"hand-off\", but it must be one of init, "
        "in_progress, handoff, blocked, done; write \"handoff\"");
  r.settle();
  const std::size_t lines = r.log.size();
  r.settle();
  CHECK(r.log.size() == lines);
  CHECK(inbox_of(r.state).at(0).kind == "document");
  CHECK(where(r.state) == "CODER handoff feat/F001-log-in");
  r.register_text() = sound;
  r.settle();
  CHECK(inbox_of(r.state).empty());
  CHECK(r.code(Start{}).ok());
}

TEST_CASE("a broken file is never written over") {
  Repo r = Repo::reviewing(1);
  r.as(kRead, ApproveTask{});
  r.stop_early = true;
  r.settle(3);
  r.register_text() = "{ broken";
  r.settle(20);
  CHECK(r.register_text() == "{ broken");
  CHECK(r.state.problems_of(kRegisterFile) != nullptr);
}

TEST_CASE("a register that was deleted is written again") {
  Repo r = Repo::coding();
  r.files.erase(std::string(kRegisterFile));
  r.settle();
  CHECK(document::read_register(r.register_text()) == r.state.reg);
  r.files.erase(std::string(kRegisterFile));
  CHECK(r.code(Handoff{Role::reviewer, "done"}).ok());
  CHECK(document::read_register(r.register_text())->current_role == Role::reviewer);
}

TEST_CASE("an edit drops a landing that has moved nothing, and no other") {
  Repo r = Repo::begun();
  r.write_tasks(2);
  r.plan(Handoff{Role::coder, "x", {}, "F001", "", "", "", "risky"});
  r.code(Handoff{Role::reviewer, "x"});
  r.review(ApproveTask{});
  CHECK(r.state.at_hand()->stage == Stage::approval);
  change(r.register_text(), "\"state\": \"done\"", "\"state\": \"handoff\"");
  r.settle();
  CHECK(r.state.at_hand() == nullptr);
  Repo full = Repo::reviewing(1);
  full.me(SetAutopilot{Autopilot::full});
  full.as(kRead, ApproveTask{});
  full.stop_early = true;
  while (full.state.landings.at(0).stage != Stage::move) full.settle(1);
  change(full.register_text(), "\"state\": \"done\"", "\"state\": \"handoff\"");
  full.settle();
  CHECK(where(full.state) == "PLANNER in_progress -");
  CHECK(full.state.landings.at(0).stage == Stage::landed);
}

TEST_CASE("an edit while a run is at work is told as that, and never raises the autopilot") {
  Repo r = Repo::coding();
  r.me(Automate{"run-1"});
  r.settle();
  REQUIRE(r.state.run);
  const int run = r.state.run->number;
  change(r.register_text(), "\"autopilot\": \"off\"", "\"autopilot\": \"full\"");
  change(r.register_text(), "T01 is next", "T01 is next, and merged at once");
  const Done done = r.orchestrator(ReportRunEnded{run, 0, false});  // nobody has looked before
  const auto& edited = std::get<RegisterEdited>(done.events.at(0).body);
  CHECK(edited.run == run);
  CHECK(edited.keys == std::vector<std::string>{"msg", "autopilot"});
  CHECK(describe(done.events.at(0)) ==
        fmt::format("[orchestrator] state.json was edited while run {} was at work, by its agent "
                    "or by hand: msg, autopilot",
                    run));
  r.settle();
  CHECK(r.state.reg.autopilot == Autopilot::off);
  CHECK(document::read_register(r.register_text())->autopilot == Autopilot::off);
  for (const InboxItem& item : inbox_of(r.state)) CHECK(item.kind != "autopilot");
}

TEST_CASE("an autopilot that was lowered by an edit is raised by an order alone") {
  Repo r = Repo::coding();
  r.me(SetAutopilot{Autopilot::full});
  r.settle();
  change(r.register_text(), "\"autopilot\": \"full\"", "\"autopilot\": \"off\"");
  r.settle();
  CHECK(r.state.autopilot() == Autopilot::off);
  change(r.register_text(), "\"autopilot\": \"off\"", "\"autopilot\": \"full\"");
  r.settle();
  CHECK(r.state.autopilot() == Autopilot::off);
  r.me(SetAutopilot{Autopilot::full});
  CHECK(r.state.autopilot() == Autopilot::full);
}

TEST_CASE("tasks that are not sound are named") {
  Repo r = Repo::reviewing(2);
  r.files[task_path("T02-again")] = "# Again\n";
  const Done done = r.review(ApproveTask{});
  CHECK(done.what() ==
        "the tasks in docs/current/ are not sound; docs/current/T02-part-2.md line 1: T02 has the "
        "number of docs/current/T02-again.md; give every task a number of its own");
  r.files.erase(task_path("T02-again"));
  r.files["docs/current/notes/T9.md"] = "x", r.files["docs/current/brief.md"] = "x";
  CHECK(r.review(ApproveTask{}).ok());
}

}  // namespace
}  // namespace pf::role
