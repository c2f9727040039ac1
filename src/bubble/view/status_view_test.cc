// Whole screens as text: runs of rule characters shortened, spaces at line ends dropped.
#include "bubble/view/status_view.h"

#include <doctest/doctest.h>

#include "bubble/view/status_testing.h"

namespace pf {
namespace {

using namespace status::testing;

std::string shown(const StatusModel& model, std::size_t width, std::size_t height) {
  std::string text = "\n";
  for (const screen::Row& row : render_status(model, width, height)) {
    std::string line = row.text();
    for (auto at = line.find("──"); at != std::string::npos; at = line.find("──"))
      line.erase(at, 3);
    line.resize(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("CREATED") {
  CHECK(shown(created(), 120, 8) == R"(
 CREATED   b_search_01  Add full-text search to the legal page
─┬─
 Next      → pairflow bubble start --id b_search_01   │ Inbox     nothing waits for you
                                                      │
 Findings  none                                       │ Last      12:00  created from main at base; CREATED
                                                      │
                                                      │
                                                      │
)");
}

TEST_CASE("RUNNING, the implementer's turn") {
  CHECK(shown(running(), 120, 14) == R"(
 RUNNING   b_search_01  Add full-text search to the legal page                                                round 1/3
─┬─
 Turn      codex as implementer · since 12:00 · 1m    │ Inbox     nothing waits for you
 Watchdog  asks you in 4m if codex stays silent       │
                                                      │ Last      12:00  created from main at base; CREATED
 Findings  none                                       │           12:00  preparing the workspace; PREPARING_WORKSPACE
                                                      │           12:00  workspace is ready, task given; round 1: code…
                                                      │           12:00  evidence for tree-0: not_available
                                                      │
                                                      │
                                                      │
                                                      │
                                                      │
                                                      │
)");
}

TEST_CASE("RUNNING, the reviewer's turn, with findings") {
  CHECK(shown(reviewed(), 200, 14) == R"(
 RUNNING   b_search_01  Add full-text search to the legal page                                                                                                                                round 2/3
─┬─
 Turn      claude as reviewer · since 12:00 · 3m                                          │ Inbox     nothing waits for you
 Watchdog  asks you in 2m if claude stays silent                                          │
 Change    2 files  +120 −3                                                               │ Last      12:00  created from main at base; CREATED
                                                                                          │           12:00  preparing the workspace; PREPARING_WORKSPACE
 Findings  P1 1 claimed · P2 1 disputed · P3 1 open                                       │           12:00  workspace is ready, task given; round 1: codex is on turn as implementer
           P1  F1.1  claimed   SQL injection through the search…  src/search/query.ts:120 │           12:00  evidence for tree-0: not_available
           P2  F1.2  disputed  The page size is not bounded, a client may a…  src/page.ts │           12:00  codex passed as implementer; round 1: claude is on turn as reviewer
           P3  F1.3  open      Typo in the heading                                        │           12:00  claude passed as reviewer with F1.1 P1 “SQL injection through the search field”, F1.2 P2 …
                                                                                          │           12:00  codex passed as implementer; round 2: claude is on turn as reviewer
 Rounds     1  new 1 P1, 1 P2, 1 P3 · +120 −3                                             │
                                                                                          │
                                                                                          │
)");
}

TEST_CASE("WAITING_HUMAN with two questions") {
  CHECK(shown(waiting(), 200, 14) == R"(
 WAITING_HUMAN   b_search_01  Add full-text search to the legal page                                                                                                                          round 1/3
─┬─
 Turn      claude as reviewer, paused · since 12:00 · 1h 30m                              │ Inbox     claude asks · 12:00  Which database should the search use? Both Postgres and SQLite can do it;
 Change    1 file  +100 −3                                                                │             the first needs an extension on the server, the second is built in but has no Hungarian stemme…
                                                                                          │           → pairflow bubble reply --id b_search_01 --question msg_20260221_006 --message "…"
 Findings  none                                                                           │           codex asks · 12:00  May I change package.json?
                                                                                          │           → pairflow bubble reply --id b_search_01 --question msg_20260221_007 --message "…"
                                                                                          │
                                                                                          │ Last      12:00  preparing the workspace; PREPARING_WORKSPACE
                                                                                          │           12:00  workspace is ready, task given; round 1: codex is on turn as implementer
                                                                                          │           12:00  evidence for tree-0: not_available
                                                                                          │           12:00  codex passed as implementer; round 1: claude is on turn as reviewer
                                                                                          │           12:00  claude asks: Which database should the search use? Both Postgres and SQLite can do it; th…
                                                                                          │           12:00  codex asks: May I change package.json?; WAITING_HUMAN
)");
}

TEST_CASE("the checks stand beside the change they are about") {
  bubble::Policy policy = bubble::testing::test_policy();
  policy.profile = {{{"test", "make test"}}, "", ""};
  Bubble bubble = Bubble::running(policy);
  bubble.worktree.changed = {{"src/search.ts", "M", 100, 3, {}}};
  bubble.implement(1);
  CHECK(shown(seen(bubble), 120, 14).contains("1 file  +100 −3 · checks running"));
  bubble.evidence(bubble::EvidenceStatus::red);
  CHECK(shown(seen(bubble), 120, 14).contains("1 file  +100 −3 · checks red"));
  bubble.evidence(bubble::EvidenceStatus::green);
  CHECK(shown(seen(bubble), 120, 14).contains("1 file  +100 −3 · checks green"));
}

TEST_CASE("READY_FOR_APPROVAL") {
  CHECK(shown(ready(), 120, 14) == R"(
 READY_FOR_APPROVAL   b_search_01  Add full-text search to the legal page                                     round 2/3
─┬─
 Turn      yours · since 12:00 · 3m                   │ Inbox     approval · 12:00  Both models found nothing serious
 Change    1 file  +100 −3                            │             in tree tree-1.
                                                      │           → pairflow bubble approve --id b_search_01
 Findings  none                                       │
                                                      │ Last      12:00  created from main at base; CREATED
 Rounds     1  nothing found · +100 −3                │           12:00  preparing the workspace; PREPARING_WORKSPACE
            2  nothing found                          │           12:00  workspace is ready, task given; round 1: code…
                                                      │           12:00  evidence for tree-0: not_available
                                                      │           12:00  codex passed as implementer; round 1: claude …
                                                      │           12:00  claude passed as reviewer with no findings; r…
                                                      │           12:00  codex declares convergence on tree-1
                                                      │           12:00  approval requested from the human; READY_FOR_…
)");
}

TEST_CASE("DONE") {
  CHECK(shown(done(), 120, 14) == R"(
 DONE   b_search_01  Add full-text search to the legal page                                                   round 2/3
─┬─
 End       commit commit-of- on bubble/b_test · 21 F… │ Inbox     nothing waits for you
 Change    1 file  +100 −3                            │
                                                      │ Last      12:00  evidence for tree-0: not_available
 Findings  none                                       │           12:00  codex passed as implementer; round 1: claude …
                                                      │           12:00  claude passed as reviewer with no findings; r…
 Rounds     1  nothing found · +100 −3                │           12:00  codex declares convergence on tree-1
            2  nothing found                          │           12:00  approval requested from the human; READY_FOR_…
                                                      │           12:00  the human approved tree tree-1; APPROVED_FOR_…
                                                      │           12:00  commit commit-of- prepared
                                                      │           12:00  committed commit-of-; COMMITTED
                                                      │           12:00  done: commit-of- on bubble/b_test; DONE
                                                      │           12:00  session closed
)");
}

TEST_CASE("no supervisor, an undelivered message, paths out of scope") {
  CHECK(shown(troubled(), 120, 14) == R"(
 RUNNING   b_search_01  Add full-text search to the legal page                                                round 2/3
─┬─
 Trouble   no supervisor; next start in 8s            │ Inbox     nothing waits for you
           the supervisor did not start: no space     │
             left on device                           │ Last      12:00  created from main at base; CREATED
           claude: not delivered, the pane is in copy │           12:00  preparing the workspace; PREPARING_WORKSPACE
             mode                                     │           12:00  workspace is ready, task given; round 1: code…
 Turn      claude as reviewer · since 12:00 · 3m      │           12:00  evidence for tree-0: not_available
 Watchdog  asks you in 2m if claude stays silent      │           12:00  codex passed as implementer; round 1: claude …
 Change    2 files  +120 −3                           │           12:00  claude passed as reviewer with F1.1 P1 “SQL i…
 Scope     2 outside: docs/a.md, package.json         │           12:00  codex passed as implementer; round 2: claude …
 Findings  P1 1 claimed · P2 1 disputed · P3 1 open   │
           P1  F1.1  claimed   SQL injection through… │
           … 2 more: pairflow bubble findings --id b… │
)");
}

TEST_CASE("one column") {
  CHECK(shown(troubled(), 80, 14) == R"(
 RUNNING   b_search_01  Add full-text search to the legal page        round 2/3
─
 Trouble   no supervisor; next start in 8s
           the supervisor did not start: no space left on device
           claude: not delivered, the pane is in copy mode
 Turn      claude as reviewer · since 12:00 · 3m
 Watchdog  asks you in 2m if claude stays silent
 Change    2 files  +120 −3
 Scope     2 outside: docs/a.md, package.json
 Findings  P1 1 claimed · P2 1 disputed · P3 1 open
           P1  F1.1  claimed   SQL injection through the search field
           … 2 more: pairflow bubble findings --id b_search_01
 Last      12:00  claude passed as reviewer with F1.1 P1 “SQL injection throug…
           12:00  codex passed as implementer; round 2: claude is on turn as r…
)");
}

TEST_CASE("narrow") {
  CHECK(shown(reviewed(), 40, 14) == R"(
 RUNNING   b_search_01        round 2/3
─
 claude as reviewer · 3m
 watchdog in 2m
 2 files  +120 −3

 P1 1 claimed · P2 1 disputed · P3 1 o…
 P1  F1.1  claimed   SQL injection thr…
 P2  F1.2  disputed  The page size is …
 P3  F1.3  open      Typo in the headi…

 12:00  codex passed as implementer; r…
 12:00  claude passed as reviewer with…
 12:00  codex passed as implementer; r…
)");
}

TEST_CASE("narrow, with questions") {
  CHECK(shown(waiting(), 40, 14) == R"(
 WAITING_HUMAN   b_search_01  round 1/3
─
 claude as reviewer, paused · 1h 30m
 1 file  +100 −3
 claude: Which database should the
   search use? Both Postgres and SQLit…
 → pairflow bubble reply --id
   b_search_01 --question
   msg_20260221_006 --message "…"
 codex: May I change package.json?
 → pairflow bubble reply --id
   b_search_01 --question
   msg_20260221_007 --message "…"
 12:00  codex asks: May I change packa…
)");
}

TEST_CASE("tiny, running") {
  CHECK(shown(running(), 20, 3) == R"(
 RUNNING   round 1/3
codex implementer 1m
watchdog in 4m
)");
}

TEST_CASE("tiny, waiting") {
  CHECK(shown(waiting(), 20, 3) == R"(
 WAITING   round 1/3
claude reviewer 1h …
claude: Which datab…
)");
}

TEST_CASE("tiny, troubled") {
  CHECK(shown(troubled(), 20, 3) == R"(
 RUNNING   round 2/3
no supervisor; next…
claude reviewer 3m
)");
}

TEST_CASE("tiny, ready") {
  CHECK(shown(ready(), 20, 3) == R"(
 READY     round 2/3
yours 3m
approval: Both mode…
)");
}

TEST_CASE("for a shell") {
  CHECK("\n" + status_text(troubled(), 80, false) == R"(
 RUNNING   b_search_01  Add full-text search to the legal page        round 2/3

 Trouble   no supervisor; next start in 8s
           the supervisor did not start: no space left on device
           claude: not delivered, the pane is in copy mode
 Turn      claude as reviewer · since 12:00 · 3m
 Watchdog  asks you in 2m if claude stays silent
 Change    2 files  +120 −3
 Scope     2 outside: docs/a.md, package.json

 Inbox     nothing waits for you

 Findings  P1 1 claimed · P2 1 disputed · P3 1 open
           P1  F1.1  claimed   SQL injection through the search field
                               src/search/query.ts:120
           P2  F1.2  disputed  The page size is not bounded, a client may ask
                               for all rows  src/page.ts
           P3  F1.3  open      Typo in the heading

 Rounds     1  new 1 P1, 1 P2, 1 P3 · +120 −3

 Last      12:00  created from main at base; CREATED
           12:00  preparing the workspace; PREPARING_WORKSPACE
           12:00  workspace is ready, task given; round 1: codex is on turn as
                  implementer
           12:00  evidence for tree-0: not_available
           12:00  codex passed as implementer; round 1: claude is on turn as
                  reviewer
           12:00  claude passed as reviewer with F1.1 P1 “SQL injection through
                  the search field”, F1.2 P2 “The page size is not bounded, a
                  client may ask for all rows”, F1.3 P3 “Typo in the heading”;
                  round 2: codex is on turn as implementer
           12:00  codex passed as implementer; round 2: claude is on turn as
                  reviewer
)");
}

TEST_CASE("the watchdog's countdown: minutes, then seconds, and only while RUNNING") {
  StatusModel model = running();
  const auto after = [&](int seconds) {
    model.now.mono_ms = model.state.last_activity.mono_ms + 1000 * seconds;
    return shown(model, 80, 14);
  };
  CHECK(after(0).contains("asks you in 5m "));
  CHECK(after(1).contains("asks you in 5m "));
  CHECK(after(60).contains("asks you in 4m "));
  CHECK(after(239).contains("asks you in 2m "));
  CHECK(after(240).contains("asks you in 60s "));
  CHECK(after(299).contains("asks you in 1s "));
  CHECK(after(300).contains("asks you now "));
  CHECK(after(1000).contains("asks you now "));
  model.now = {"another boot", 100'000};  // it counts from the boot
  CHECK(shown(model, 80, 14).contains("asks you in 4m "));
  for (const StatusModel& other : {created(), waiting(), ready(), done()})
    CHECK(!shown(other, 80, 30).contains("Watchdog"));
}

TEST_CASE("a missing supervisor") {
  StatusModel model = running();
  model.supervised = false;
  CHECK(shown(model, 80, 14).contains("no supervisor; start it: pairflow bubble resume"));
  model.restart = StatusModel::Restart{MonoTime{std::chrono::milliseconds(model.now.mono_ms)}};
  CHECK(shown(model, 80, 14).contains("no supervisor; starting one"));
  model.moved = MovedRepository{"x", "/old/.pairflow-worktrees/r/x", "/old/r", "/new/r"};
  CHECK(!shown(model, 160, 14).contains("no supervisor"));
  CHECK(shown(model, 160, 14).contains("move it back: mv '/new/r' '/old/r'"));
  model = created();  // needs none
  CHECK(!shown(model, 80, 14).contains("supervisor"));
}

TEST_CASE("times are local, with the day when it is another") {
  StatusModel model = waiting();
  model.utc_offset = std::chrono::hours(13);  // 01:00 on the next day
  CHECK(shown(model, 200, 14).contains("since 01:00 · 1h 30m"));
  model.wall.ms += std::int64_t{24 * 3600} * 1000;
  CHECK(shown(model, 200, 14).contains("since 22 Feb 01:00 · 1d 1h"));
  CHECK(shown(model, 200, 14).contains("claude asks · 22 Feb 01:00"));
  model.state.actions.front().ts = "2026-02-20T10:00:00Z";
  CHECK(shown(model, 40, 30).contains("\n 20 Feb created"));
}

TEST_CASE("a failed and a stopped bubble say why and what is kept") {
  StatusModel model = running();
  model.state.phase = bubble::Phase::failed;
  model.state.trouble = "the worktree is gone";
  model.state.closed = true;
  CHECK(
      shown(model, 80, 14).contains(" Trouble   the worktree is gone\n End       failed · 21 Feb"));
  model.state.phase = bubble::Phase::cancelled;
  CHECK(shown(model, 80, 14).contains(" End       stopped; bubble/b_test is kept · 21 Feb"));
}

}  // namespace pf
