#!/usr/bin/env bats
# What the user says to a plan's agents is kept, told on, listed and removed.

load helpers
load plan_helpers

setup() { scratch_plan; }
teardown() { sweep_plan; }

# Step 1 asks twice and is approved; step 2 waits in its coder's run.
answered_twice() {
  plays 1 'pairflow plan ask-user --message "Which port?" && pairflow plan ask-user --message "Which host?" && pairflow plan request-review'
  plays 2 'pairflow plan approve'
  plays 3 'pairflow plan ask-user --message "Ready?" && pairflow plan request-review'
  drive
  wait_for asked "Which port?"
  pf plan reply login --message 8080
  wait_for asked "Which host?"
  pf plan reply login --message "local
host"
  wait_for asked "Ready?"
}
asked() { pf inbox --json 2>/dev/null | jq -r '.items[].text' | grep -qF -- "$1"; }

@test "an answer reaches the reviewer and the next step with its question" {
  answered_twice
  for run in 0002-reviewer 0003-coder; do
    [[ "$(prompt "$run")" == *"- On step 1, the coder asked:
  > Which port?
  and the user answered:
  > 8080
- On step 1, the coder asked:
  > Which host?
  and the user answered:
  > local
  > host"* ]]
  done
}

@test "notes are listed and removed, and the next prompt does not tell them" {
  answered_twice
  run -0 pf plan notes login
  [ "${lines[0]}" = "note 1, on step 1" ]
  [[ "$output" == *"the coder asked:
    Which port?
  you said:
    8080"*"remove one: pairflow plan notes login --remove N" ]]
  [ "$(pf plan notes --json | jq -c '[.notes[] | [.number, .question, .told]]')" = '[[1,"Which port?",true],[2,"Which host?",true]]' ]
  run -0 pf plan notes login --remove 1
  [[ "$output" == *"note 1 is not told any more"* ]]
  run -1 pf plan notes login --remove 1
  [[ "$output" == *"there is no note 1"*"there are 2"*"pairflow plan notes login"* ]]
  run -2 pf plan notes login --remove one
  run -2 pf plan notes login --remove 0
  pf plan reply login --message yes
  wait_for test -s "$PLAN/runs/0004-reviewer.prompt.md"
  [[ "$(prompt 0004-reviewer)" != *8080* ]]
  [[ "$(prompt 0004-reviewer)" == *"> Ready?"* ]]
}

@test "a plan without a word of the user has no notes; one that was never run is refused" {
  run -1 pf plan notes login
  [[ "$output" == *"was never run"* ]]
  plays 1 'exec sleep 600'
  drive
  wait_for run_is_live 1
  run -0 pf plan notes login
  [ "$output" = "nothing yet: what you answer to agents is kept here" ]
  run -1 pf plan notes login --remove 1
  [[ "$output" == *"the plan has none"* ]]
}

@test "above 8 KiB the oldest notes are left out of prompts, and shown as left out" {
  plays 1 'for i in 1 2 3 4; do pairflow plan ask-user --message "Part $i?"; done; pairflow plan request-review'
  plays 2 'exec sleep 600'
  drive
  for i in 1 2 3 4; do
    wait_for asked "Part $i?"
    pf plan reply login --message "$i$(printf 'x%.0s' {1..3000})"
  done
  wait_for run_is_live 2
  [[ "$(prompt 0002-reviewer)" == *"… 2 earlier entries left out"*"> Part 3?"*"> Part 4?"* ]]
  [ "$(pf plan notes login --json | jq -c '[.notes[].told]')" = '[false,false,true,true]' ]
  [ "$(pf plan notes login | grep -c 'left out of prompts')" -eq 2 ]
}

@test "an agent cannot remove what the user said" {
  plays 1 'pairflow plan ask-user --message "Which port?"; pairflow plan notes --remove 1 >notes.txt 2>&1; exec sleep 600'
  drive
  wait_for asked "Which port?"
  pf plan reply login --message 8080
  wait_for test -s "$REPO/notes.txt"
  [ "$(pf plan notes login --json | jq '.notes | length')" -eq 1 ]
}

@test "an agent that cannot be resumed hears what happened on its step" {
  plays 1 'pairflow plan request-review --note "parsed it"'
  plays 2 'pairflow plan request-changes --text "CRLF breaks it"'
  plays 3 'pairflow plan request-review --note "CRLF works"'
  plays 4 'pairflow plan request-changes --text "no test"'
  plays 5 'exec sleep 600'
  drive
  wait_for run_is_live 5
  [[ "$(prompt 0005-coder)" == *"## What happened on this step, oldest first

- Step 1: review requested: parsed it
- Step 1: changes requested: CRLF breaks it
- Step 1: review requested: CRLF works
- Step 1: changes requested: no test"* ]]
  [[ "$(prompt 0005-coder)" == *'`pairflow plan request-review --note "'*'`pairflow plan ask-user --message "'* ]]
  [[ "$(prompt 0004-reviewer)" == *'`pairflow plan approve --note "'*'`pairflow plan request-changes --text "'* ]]
}

@test "a reviewer has a place to build, of its own, which is gone afterwards" {
  needs sandbox
  printf 'ignored.txt\n' >"$REPO/.gitignore"
  touch "$REPO/ignored.txt"
  plays 1 'echo new >new.txt; pairflow plan request-review'
  cat >"$REPO/agents/run-2.sh" <<'SH'
prompt=.pairflow/plans/login/runs/0002-reviewer.prompt.md
touch here.txt 2>/dev/null && exit 9
eval "$(grep -F 'To build or run it' $prompt | grep -o '`[^`]*`' | tr -d '`')"
touch built.txt && ls | paste -sd ' ' && pwd
pairflow plan approve
SH
  plays 3 'ls /tmp/pairflow-build; exec sleep 600'
  drive
  wait_for run_is_live 3
  said '\[reviewer\] agents built.txt docs hello.txt new.txt'
  said '\[reviewer\] /tmp/pairflow-build'
  [ ! -e "$REPO/.pairflow/runtime/plan.login.build" ]
}

@test "a tool of ours that was called wrongly is shown" {
  cat >"$REPO/.pairflow/wrong.toml" <<'TOML'
[[run]]
role = "coder"
request_review = "done"

[[run]]
role = "reviewer"
request_changes = ""
TOML
  scripted_agents .pairflow/wrong.toml
  drive
  wait_for said '\[reviewer:request-changes\] exit 2'
}
