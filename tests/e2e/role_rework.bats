#!/usr/bin/env bats
# What the human does not let land: sent back with a note, or declined; nothing is redone from
# nothing.

load helpers
load role_helpers

setup() { scratch_roles; }
teardown() { sweep_roles; }

# F001 with two tasks waits for approval; main is checked out.
waiting() { # [AUTOPILOT]
  reviewing "${1:-off}"
  as_agent rita approve-task >/dev/null
  pf role handoff --to CODER --message "T02" >/dev/null
  echo more >>"$REPO/work.txt"
  pf role handoff --to REVIEWER --message "done" >/dev/null
  as_agent rita approve-task --message "all good" >/dev/null
  [ "$(checked_out)" = main ]
}
refused() { # CODE TEXT WORD…
  local code=$1 text=$2
  shift 2
  run pf role "$@"
  [ "$status" -eq "$code" ] || { echo "$*: $status: $output"; return 1; }
  [[ $output == *"$text"* ]] || { echo "$*: $output"; return 1; }
}

@test "rework: the files come back as they were, on the branch as it is; approved again, it lands" {
  waiting
  tip=$(git_of rev-parse feat/F001-log-in)
  run pf role rework F001 --message "The form loses its values"
  [ "$status" -eq 0 ]
  is_turn "CODER handoff"
  [ "$(checked_out)" = feat/F001-log-in ]
  [ "$(git_of rev-parse feat/F001-log-in)" = "$tip" ]
  [ "$(paste -sd ' ' "$REPO/work.txt")" = "work more" ]
  [ -f "$REPO/docs/current/T02-part.md" ]
  grep -q '\[ \] F001' "$REPO/docs/ROADMAP.md"
  [ "$(jq -r '.plan_slug + " " + .branch' "$STATE")" = "log-in feat/F001-log-in" ]
  jq -r .msg "$STATE" | grep -q 'The form loses its values'
  [ "$(pf inbox)" = "nothing waits for you" ]
  as_agent carl start
  echo mended >>"$REPO/work.txt"
  as_agent carl handoff --to REVIEWER --message "mended"
  run as_agent rita start
  [[ $output == *"pairflow role approve-feature"* ]]
  as_agent rita approve-feature --message "good"
  is_at_defaults
  [ ! -e "$REPO/docs/current" ]
  pf role approve-feature --feature F001 --yes
  [ "$(git_of show main:work.txt | paste -sd ' ')" = "work more mended" ]
  [ -z "$(changes)" ]
  [ "$(git_of log --format=%s main | grep -c '^Finish')" -eq 1 ]
  refused 1 "F001 has landed" rework F001 --message x
}

@test "rework, review_only: the pull request's branch is gone on with" {
  record_pulls
  waiting review_only
  tip=$(git_of rev-parse feat/F001-log-in)
  pf role rework F001 --task T01 --message "Check the password, too"
  [ "$(git_of rev-parse feat/F001-log-in)" = "$tip" ]
  [ "$(jqr .task)" = T01 ]
  [ "$(jqr '.tasks_done | join(" ")')" = T02 ]
  grep -q '\[ \] F001' "$REPO/docs/ROADMAP.md"
  echo mended >>"$REPO/work.txt"
  pf role handoff --to REVIEWER --message "done"
  as_agent rita approve-task
  is_at_defaults
  pf role approve-feature --feature F001 --yes
  [ "$(git_of show main:work.txt | paste -sd ' ')" = "work more mended" ]
  grep -q '\[x\] F001' "$REPO/docs/ROADMAP.md"
  [ -z "$(changes)" ]
}

@test "rework under role run: the coder's next prompt quotes it, and so do those that follow" {
  pf role init
  pf role run
  [ "$(pf inbox --json | jq -r '[.items[].id] | join(" ")')" = "F001 F002" ]
  pf role rework F001 --message "The form loses its values"
  sed -i 's/approve-task/approve-feature/' "$REPO/agents/play.sh"
  run pf role run
  [ "$status" -eq 0 ]
  for run in 0019-coder 0020-reviewer; do
    grep -q '  > The form loses its values' "$ROLE/runs/$run.prompt.md"
  done
  [ "$(pf inbox --json | jq -r '[.items[].id] | join(" ")')" = "F002 F001" ]
  pf role rework F001 --message "And the button is gone"
  pf role run
  grep -q '  > The form loses its values' "$ROLE/runs/0021-coder.prompt.md"
  grep -q '  > And the button is gone' "$ROLE/runs/0021-coder.prompt.md"
}

@test "rework: what cannot be sent back is refused with the list, and nothing changes" {
  waiting
  cp "$ROLE/events.ndjson" "$SCRATCH/before"
  refused 2 "--message" rework F001
  refused 2 "empty" rework F001 --message ""
  refused 2 "--message is empty" rework F001 --message "  "
  refused 2 "12 lines" rework F001 --message "$(seq 13)"
  refused 1 "F009 is not in docs/ROADMAP.md" rework F009 --message x
  refused 1 "these can be sent back: F001" rework F002 --message x
  refused 1 "its tasks: T01, T02" rework F001 --task T07 --message x
  echo mine >"$REPO/mine.txt"
  refused 1 "not committed: mine.txt" rework F001 --message x
  rm "$REPO/mine.txt"
  run as_agent carl rework F001 --message x
  [ "$status" -eq 1 ]
  cmp "$ROLE/events.ndjson" "$SCRATCH/before"
  tasks 1
  refused 1 "not committed: docs/current/T01-part.md" rework F001 --message x
  pf role handoff --to CODER --feature F002 --message "T01"
  refused 1 "F002 is under way in the checkout" rework F001 --message x
  [[ $output == *"pairflow role run"* ]]
}

@test "rework while an agent is at work is refused, with the way on" {
  play_first 'sleep 600'
  coding
  drive
  wait_for logged run.started
  refused 1 "carl is at work as CODER" rework F001 --message x
  pf role pause
  wait "$VIEWER"
  pf role rework F001 --message "Smaller steps"
  is_turn "CODER handoff"
}

@test "rework: a file that would be lost stops it, is told, and the next try brings all back" {
  waiting
  printf 'agents/\n' >>"$REPO/.git/info/exclude"
  mkdir -p "$REPO/docs/current"
  echo '*' >"$REPO/docs/current/.gitignore"
  refused 1 "docs/current/.gitignore" rework F001 --message x
  rm -r "$REPO/docs/current"
  git_of worktree add -q "$SCRATCH/other" feat/F001-log-in
  run pf role rework F001 --message "x"
  [ "$status" -eq 0 ]
  is_turn "PLANNER blocked"
  pf inbox | grep -q "it is checked out in $SCRATCH/other"
  git_of worktree remove "$SCRATCH/other"
  pf role handoff --to CODER --message "it is out of the way"
  [ "$(checked_out)" = feat/F001-log-in ]
  [ "$(paste -sd ' ' "$REPO/work.txt")" = "work more" ]
  [ -f "$REPO/docs/current/T02-part.md" ]
}

@test "decline keeps the work on its branch, and the planner goes on from there, told why" {
  waiting
  run pf role decline F001 --message "Not before May" --yes
  [ "$status" -eq 0 ]
  [[ $output == *"The work is kept on feat/F001-log-in."*"can choose F001 again"* ]]
  [ "$(git_of show feat/F001-log-in:work.txt | paste -sd ' ')" = "work more" ]
  [ "$(git_of rev-parse feat/F001-log-in^)" = "$(git_of rev-parse main)" ]
  [ -z "$(changes)" ]
  [ "$(pf inbox)" = "nothing waits for you" ]
  run pf role run
  [ "$status" -eq 0 ]
  git_of show feat/F001-log-in:work.txt >/dev/null
  grep -q '  > Not before May' "$ROLE/runs/0001-planner.prompt.md"
  grep -q '  > Not before May' "$ROLE/runs/0002-coder.prompt.md"
}

@test "decline of a branch that others use leaves it alone and says where the work is" {
  waiting
  git_of branch -f feat/F001-log-in "$(git_of commit-tree -p main -m own 'main^{tree}')"
  tip=$(git_of rev-parse feat/F001-log-in)
  run pf role decline F001 --yes
  [ "$status" -eq 0 ]
  [[ $output == *"feat/F001-log-in has moved; the work is kept in refs/pairflow/role.loop/salvage/F001-"* ]]
  [ "$(git_of rev-parse feat/F001-log-in)" = "$tip" ]
}

@test "autopilot without checks is refused with the way on, unless the human says why" {
  sed -i '/^\[commands\]/,$d' "$REPO/.pairflow/config.toml"
  pf role init
  refused 1 "autopilot full needs checks, and none are configured" autopilot full
  [[ $output == *'pairflow role autopilot full --without-checks "<reason>"'* ]]
  refused 1 "autopilot review_only needs checks" autopilot review_only
  refused 2 "--without-checks is empty" autopilot full --without-checks " "
  [ "$(jqr .autopilot)" = off ]
  pf role autopilot full --without-checks "a spike"
  pf role status | grep -q 'autopilot full without checks: a spike'
  run pf role run
  [ "$status" -eq 0 ]
  [ "$(landed)" = "$ALL_WORK" ]
  [ "$(pf inbox)" = "nothing waits for you" ]
  jq -se 'any(.[]; .type == "human.autopilot" and .payload.without_checks == "a spike")' "$ROLE/events.ndjson" >/dev/null
}

@test "role run on a finished roadmap leaves state.json as it is committed" {
  pf role init
  pf role autopilot full
  pf role run
  git_of add -A docs
  git_of diff --cached --quiet || git_of commit -qm "state"
  pf role run
  pf role run
  [ -z "$(git_of status --porcelain)" ]
}

@test "a push that is rejected is no pull request" {
  record_pulls
  printf '#!/bin/sh\nexit 1\n' >"$SCRATCH/origin.git/hooks/pre-receive"
  chmod +x "$SCRATCH/origin.git/hooks/pre-receive"
  waiting review_only
  [ ! -e "$SCRATCH/pulls" ]
  pf inbox | grep -q 'The pull request could not be opened: exit 1'
  [ "$(jqr '.landings[-1].pull // ""')" = "" ]
}
