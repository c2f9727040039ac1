#!/usr/bin/env bats
# Which lines of plan.md are its steps: found, listed, and asked about.
bats_require_minimum_version 1.5.0
load helpers
load plan_helpers

setup() { scratch_plan; }
teardown() { sweep_plan; }

competing_plan() {
  cat >"$REPO/docs/login/plan.md" <<'MD'
# Login

1. Queue table
2. Worker

## 1. Why now

People complain.

## 2. What it costs

- Acceptance: two weeks
MD
}

@test "numbered headings are the steps, the lists in them are not" {
  cat >"$REPO/docs/login/plan.md" <<'MD'
## 1. Parse the form

1. read it
2. refuse it

## 2. Check the password

- Acceptance: a wrong one is refused
MD
  run -0 pf plan validate login
  [ "$output" = 'plan.md is sound: 2 steps, active step 1; spec.md is sound
  1  Parse the form
  2  Check the password
      · a wrong one is refused' ]
  [ "$(pf plan validate login --json | jq -c '[.form, .steps[0].title, .steps[1].acceptance[0], .steps[1].line]')" = \
    '["headings","Parse the form","a wrong one is refused",6]' ]
  plays 1 'pairflow plan request-review'
  plays 2 'pairflow plan approve'
  plays 3 'sleep 600'
  drive
  wait_for run_on_step 2
  said '\[pairflow\] 1  Parse the form$'
  said '· a wrong one is refused'
  prompt 0003-coder | grep -q 'Check the password'
  [ "$(active_step)" = 2 ]
}

@test "where two families compete nothing is made until the user has said which one" {
  competing_plan
  run -1 pf plan validate login
  [[ $output == *"the steps may be the headings from line 6 on (2 of them), or the numbered list from line 3 on (2 of them); say --steps headings, or --steps list"* ]]
  [[ $output == *"with --steps headings the 2 steps are:"*"line 6: 1  Why now"* ]]
  [[ $output == *"with --steps list the 2 steps are:"*"line 4: 2  Worker"* ]]
  [ "$(pf plan validate login --json | jq -c '[.ways[] | [.steps, .form, .found[0].title]]')" = \
    '[["headings","headings","Why now"],["list","numbered list","Queue table"]]' ]
  run -1 pf plan run login --plain
  [[ $output == *"it is not clear which lines of plan.md are its steps"* ]]
  [[ $output == *"line 6: 1  Why now"*"line 4: 2  Worker"* ]]
  [[ $output == *"pairflow plan run login --steps headings, or --steps list"* ]]
  run -1 pf plan run login --plain --steps lines
  [ ! -e "$PLAN" ]
  run -0 pf plan validate login --steps list
  [[ $output == *"plan.md is sound: 2 steps"*"2  Worker"* ]]
  run -1 pf plan validate login --steps lines
  [[ $output == *'`lines` does not say which ones are the steps'* ]]
}

@test "the user's word is kept in the log, holds, and is not taken back under way" {
  competing_plan
  plays 1 'pairflow plan request-review'
  plays 2 'pairflow plan approve'
  plays 3 'sleep 600'
  view plan run login --plain --steps list
  wait_for run_on_step 2
  recorded_in_plan '.type == "plan.opened" and .sender == "human" and .payload.form == "numbered list" and .payload.form_said'
  prompt 0003-coder | grep -q Worker
  [ "$(sed -n 1,3p "$REPO/docs/login/plan.md" | paste -sd ' ')" = '--- active_step: "2" ---' ]
  pf plan log login | grep -q 'by your word they are the numbered list'
  run -1 pf plan run login --plain --steps headings
  [[ $output == *"this one is under way with its numbered list"* ]]
  [[ $output == *"leave --steps out: pairflow plan run login"* ]]
  run -1 pf plan resume login --plain --steps headings
  run -1 pf plan validate login --steps headings
  run -0 pf plan validate login
  [[ $output == *"active step 2"*"2  Worker"* ]]
  # The same word again is no other word.
  pf plan pause login
  wait_for not_driven
  run -0 pf plan run login --plain --no-wait --steps list
}

@test "more than a thousand steps are refused with the number, by validate and by run" {
  for i in $(seq 1001); do echo "$i. x"; done >"$REPO/docs/login/plan.md"
  run -1 pf plan validate login
  [[ $output == *"the plan has 1001 steps, and a plan has at most 1000"* ]]
  run -1 pf plan run login --plain
  [[ $output == *"the plan has 1001 steps, and a plan has at most 1000"* ]]
  [ ! -e "$PLAN" ]
  sed -i '$d' "$REPO/docs/login/plan.md"
  run -0 pf plan validate login
  [[ $output == *"plan.md is sound: 1000 steps"* ]]
}

@test "a plan that is refused leaves no worktree behind, so that mending it counts" {
  append_config plan 'workspace = "worktree"'
  echo 'no steps' >"$REPO/docs/login/plan.md"
  run -1 pf plan run login --plain
  [[ $output == *"the plan has no steps"* ]]
  ! git -C "$REPO" rev-parse -q --verify plan/login
  printf '## Task 1: Mended\n' >"$REPO/docs/login/plan.md"
  plays 1 'sleep 600'
  git -C "$REPO" add agents && git -C "$REPO" commit -qm agents
  drive
  wait_for run_is_live 1
  [ "$(jqs '.steps[0].title')" = Mended ]
}

@test "a finished plan with a new step says how it goes on" {
  printf '## Step 1: Begin\n' >"$REPO/docs/login/plan.md"
  plays 1 'pairflow plan request-review'
  plays 2 'pairflow plan approve'
  plays 3 'sleep 600'
  drive
  wait_for waits_for no_pending_steps
  pf plan reply login --message done
  wait_for view_ended
  wait_for is_plan done
  run -0 pf plan run login --plain
  [[ $output != *"not done yet"* ]]
  printf '\n## Step 2: Go on\n' >>"$REPO/docs/login/plan.md"
  for verb in "run login --plain" "status login"; do
    run -0 pf plan $verb
    [[ $output == *"plan.md has a step that is not done yet: 2 (Go on); go on with: pairflow plan resume login"* ]]
  done
  resume
  wait_for run_on_step 2
}

@test "a feature and its steps in another alphabet" {
  mv "$REPO/docs/login" "$REPO/docs/größe"
  printf '## Schritt: Größe ändern\n## Schritt: 表单\n' >"$REPO/docs/größe/plan.md"
  plays 1 'pairflow plan request-review'
  plays 2 'pairflow plan approve'
  plays 3 'sleep 600'
  run -0 pf plan validate
  [[ $output == *"2 steps, active step grösse-ändern"* ]]
  view plan run größe --plain
  on_second() { [ "$(pf plan status größe --json | jq -r '.runs[-1] | select(.recorded) | .step')" = 表单 ]; }
  wait_for on_second
  grep -qxF 'active_step: "表单"' "$REPO/docs/größe/plan.md"
  pf plan list | grep -q '^größe '
  run -2 pf plan init $'a\u200bb'
  [[ $output == *"is no feature's name"* ]]
}
