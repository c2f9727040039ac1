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

@test "plan run: when nobody reads it any more it leaves, and the plan goes on" {
  scratch_plan
  plays 1 'until [ -e agents/go ]; do sleep 0.05; done; pairflow plan ask-user --message "what now?"'
  first_line_of plan run login --plain
  : >"$REPO/agents/go"
  wait "$DRIVER"
  wait_for waits_for ask_user
  run ! nothing_runs_there
  pf plan run login --plain --no-wait | grep -F "what now?"
}

@test "role run: when nobody reads it any more it leaves, and the agents go on" {
  scratch_roles
  play_first 'until [ -e agents/go ]; do sleep 0.05; done'
  echo agents/go >>"$REPO/.git/info/exclude"
  pf role init
  first_line_of role run
  : >"$REPO/agents/go"
  wait "$DRIVER"
  wait_for handed_over
}
handed_over() { pf role log | grep -qF "T01 of F001"; }
