#pragma once
// A plan as the console is shown it, and the screen as text.
#include "plan/console/console.h"

namespace pf::console::testing {

inline const WallTime kNow{1'771'675'200'000 + 252'000};  // 2026-02-21T12:04:12Z

inline PlanView working() {
  PlanView view;
  view.feature = "login";
  view.phase = plan::Phase::coder_active;
  view.since = "2026-02-21T12:00:00Z";
  view.agent = "claude";
  view.turn = "coder_active · claude";
  view.step = "step 2 of 4: Check the password (needs-changes)";
  view.guard = "change requests 2 of 3";
  using enum plan::StepStatus;
  view.steps = {
      {"1", "Parse the form", done, 1},
      {"2",
       "Check the password",
       needs_changes,
       2,
       true,
       {"a wrong password is refused", "the comparison takes the same time for every password"}},
      {"3", "Remember the session", pending},
      {"4", "Say goodbye", pending},
  };
  return view;
}

inline PlanView reviewing() {
  PlanView view = working();
  view.phase = plan::Phase::reviewer_active;
  view.agent = "codex";
  view.turn = "reviewer_active · codex";
  return view;
}

inline PlanView asking() {
  PlanView view = working();
  view.phase = plan::Phase::awaiting_user_input;
  view.agent = "";
  view.turn = "awaiting_user_input (ask_user)";
  view.question = {"msg_1", plan::HaltKind::asked, "coder",
                   "Which hash should I take? argon2id needs libsodium, bcrypt is there already.",
                   "pairflow plan reply login --message \"…\""};
  return view;
}

inline PlanView parked() {
  PlanView view = working();
  view.phase = plan::Phase::awaiting_user_input;
  view.agent = "";
  view.turn = "awaiting_user_input (loop_guard)";
  view.guard = "change requests 4 of 3, parked";
  view.parked = true;
  view.steps[1].change_requests = 4;
  view.question = {"msg_2", plan::HaltKind::guard, "pairflow",
                   "The reviewer requested changes on step 2 for the 4th time.",
                   "pairflow plan reply login --message \"…\""};
  return view;
}

inline std::vector<StreamLine> story() {
  return {
      {"plan.opened", "2026-02-21T12:00:00Z", "[pairflow]",
       "opened with claude as coder and codex as reviewer, 4 steps"},
      {"run.started", "2026-02-21T12:00:01Z", "[coder]", "run 1 started (claude) on step 2"},
      {"said", "2026-02-21T12:00:20Z", "[coder]",
       "I compare in constant time now, and the error is the same for an unknown name and a wrong "
       "password, so that nobody learns which names exist."},
      {"run.tool", "2026-02-21T12:00:30Z", "[coder:edit]", "src/login/check.cc"},
      {"run.tool", "2026-02-21T12:01:00Z", "[coder:bash]",
       "cmake --build build && ctest --test-dir build"},
      {"coder.request_review", "2026-02-21T12:02:00Z", "[coder:request-review]",
       "step 2 is ready for review: tests pass"},
      {"run.started", "2026-02-21T12:02:01Z", "[reviewer]", "run 2 started (codex) on step 2"},
      {"run.tool", "2026-02-21T12:02:30Z", "[reviewer:bash]", "git diff"},
      {"reviewer.request_changes", "2026-02-21T12:03:00Z", "[reviewer:request-changes]",
       "#2 on step 2: 長い パスワード are cut at 72 bytes:\n  check.cc:40 gives bcrypt the raw "
       "text"},
      {"run.started", "2026-02-21T12:03:01Z", "[coder]", "run 3 started (claude) on step 2"},
  };
}

inline Console console(std::size_t columns, std::size_t rows, const PlanView& view) {
  Console console(columns, rows);
  console.tick(kNow);
  console.show(view);
  for (const StreamLine& line : story()) console.say(line);
  return console;
}

// The rows without the spaces at their ends.
inline std::string text_of(const Console& console) {
  std::string text = "\n";
  for (const Row& row : console.screen().rows) {
    std::string line = row.text();
    line.resize(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

inline std::vector<PlanWish> type(Console& console, std::string_view text) {
  std::vector<PlanWish> wishes;
  for (const Key& key : KeyReader().read(text))
    for (PlanWish& wish : console.key(key)) wishes.push_back(std::move(wish));
  return wishes;
}

}  // namespace pf::console::testing
