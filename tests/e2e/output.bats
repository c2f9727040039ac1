#!/usr/bin/env bats
# Standard output that cannot be written, and readers who go away.

load helpers
load plan_helpers
load role_helpers

teardown() { sweep; }

@test "a full disk: what only shows fails; what was done stands, and that is said" {
  scratch_plan
  local command
  for command in --help "plan list" "plan validate login" doctor "bubble list --json"; do
    run -3 sh -c "cd '$REPO' && '$PAIRFLOW' $command 2>&1 >/dev/full"
    [[ "$output" == *"standard output could not be written"*"No space left on device"*"make room or print elsewhere"* ]]
  done
  run -0 sh -c "cd '$REPO' && '$PAIRFLOW' plan init search 2>&1 >/dev/full"
  [[ "$output" == *"No space left on device; the command is carried out"* ]]
  [ -e "$REPO/docs/search/plan.md" ]
  run -1 sh -c "cd '$REPO' && '$PAIRFLOW' plan pause nothing 2>&1 >/dev/full"
}

@test "a reader who has enough is no error" {
  scratch_plan
  run -0 bash -c "set -o pipefail; cd '$REPO' && '$PAIRFLOW' --help | true"
  [ -z "$output" ]
}

# The command's output goes to a reader who leaves after the first line.
first_line_of() { # WORD…
  mkfifo "$SCRATCH/pipe"
  (cd "$REPO" && exec "$PAIRFLOW" "$@" >"$SCRATCH/pipe" 2>"$SCRATCH/err" 3>&-) &
  DRIVER=$!
  head -n 1 "$SCRATCH/pipe" >"$SCRATCH/first"
  [ -s "$SCRATCH/first" ]
}
nothing_runs_there() { [ -z "$(running_in "$REPO")" ]; }

@test "plan run: when nobody reads it any more it ends with its agent, and the plan is kept" {
  scratch_plan
  plays 1 'sleep 86399'
  first_line_of plan run login --plain
  wait "$DRIVER"
  wait_for nothing_runs_there
  pf plan status login | grep -F "coder"
  plays 1 'pairflow plan ask-user --message "what now?"'
  plays 2 'pairflow plan ask-user --message "what now?"'
  pf plan run login --plain --no-wait | grep -F "what now?"
}

@test "role run: when nobody reads it any more it ends with its agent, and the next one goes on" {
  scratch_roles
  play_first 'sleep 86399'
  pf role init
  first_line_of role run
  wait "$DRIVER"
  wait_for nothing_runs_there
  play_first true
  pf role run | grep -F "T01 of F001"
}
