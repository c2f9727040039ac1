#pragma once
#include "bubble/domain/testing.h"
#include "bubble/view/status_view.h"

// Bubbles to look at, driven through the real decider.
namespace pf::status::testing {

using bubble::testing::Bubble;

// `minutes` after the last event, watched over, by a watchdog of five minutes.
inline StatusModel seen(const Bubble& bubble, int minutes = 3) {
  StatusModel model;
  model.state = bubble.state;
  model.state.id = BubbleId("b_search_01");
  model.state.task = "Add full-text search to the legal page\n\nWith paging.";
  model.supervised = true;
  model.runtime.emplace();
  const std::int64_t later = std::int64_t{60'000} * minutes;
  model.wall = {parse_iso8601(model.state.actions.back().ts).ms + later};
  model.now = {model.state.last_activity.boot, model.state.last_activity.mono_ms + later};
  return model;
}

inline StatusModel created() {
  Bubble bubble;
  bubble::testing::must(
      bubble.human(bubble::testing::create_with(bubble::testing::test_policy())).ok(), "create");
  StatusModel model = seen(bubble);
  model.supervised = false;
  model.runtime.reset();
  return model;
}

inline StatusModel running() { return seen(Bubble::running(), 1); }

inline StatusModel reviewed() {
  Bubble bubble = Bubble::running();
  bubble.worktree.changed = {{"src/search.ts", "M", 100, 3, {}}, {"src/page.ts", "A", 20, 0, {}}};
  bubble.implement(1);
  bubble.review({"P1:SQL injection through the search field @src/search/query.ts:120",
                 "P2:The page size is not bounded, a client may ask for all rows @src/page.ts",
                 "P3:Typo in the heading"});
  bubble.implement(2, {{FindingId("F1.1")}, {{FindingId("F1.2"), "no"}}});
  return seen(bubble);
}

inline StatusModel waiting() {
  Bubble bubble = Bubble::running();
  bubble.worktree.changed = {{"src/search.ts", "M", 100, 3, {}}};
  bubble.implement(1);
  bubble.reviewer(bubble::AskHuman{
      "Which database should the search use? Both Postgres and SQLite can do it; the first needs "
      "an extension on the server, the second is built in but has no Hungarian stemmer."});
  bubble.implementer(bubble::AskHuman{"May I change package.json?"});
  return seen(bubble, 90);
}

inline StatusModel ready() {
  Bubble bubble = Bubble::running();
  bubble.worktree.changed = {{"src/search.ts", "M", 100, 3, {}}};
  bubble.converge_on(1);
  return seen(bubble);
}

inline StatusModel done() {
  Bubble bubble = Bubble::running();
  bubble.worktree.changed = {{"src/search.ts", "M", 100, 3, {}}};
  bubble.converge_on(1);
  bubble.human(bubble::Approve{});
  bubble.human(bubble::Commit{});
  bubble.orchestrator(bubble::ReportMoved{});
  bubble.orchestrator(bubble::ReportPackage{});
  bubble.orchestrator(bubble::ReportClosed{});
  return seen(bubble, 5000);
}

// No supervisor, a message that did not arrive, and paths that are not the bubble's.
inline StatusModel troubled() {
  StatusModel model = reviewed();
  model.supervised = false;
  model.state.out_of_scope = {"docs/a.md", "package.json"};
  model.runtime->troubles = {"claude: not delivered, the pane is in copy mode"};
  model.restart = {MonoTime{std::chrono::milliseconds(model.now.mono_ms + 7'800)},
                   "the supervisor did not start: no space left on device"};
  return model;
}

}  // namespace pf::status::testing
