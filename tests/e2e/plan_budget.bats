#!/usr/bin/env bats
# The time budget of a step. Nobody waits for a minute: a process in a time namespace of its own has
# a clock that is ahead, and one that is told so is all that these tests need.

load helpers
load plan_helpers

setup() {
  scratch_plan
  needs clock
  append_config '[plan]' 'step_time_budget_minutes = 10'
}
teardown() { sweep_plan; }

ahead() { unshare --time --monotonic "$(($1 * 60))" "${@:2}"; } # MINUTES COMMAND…
# Runs that do nothing until their tool was called.
wait_for_tools() { # RUN…
  local run
  for run in "$@"; do plays "$run" "echo alive; until [ -e agents/over-$run ]; do sleep 0.05; done"; done
}
# The tool of a run, called by a process whose clock is MINUTES ahead; then the run is over.
late_tool() { # MINUTES RUN AGENT WORD…
  local minutes=$1 run=$2 agent=$3
  shift 3
  (cd "$REPO" && export PAIRFLOW_REPO=$REPO PAIRFLOW_PLAN=login PAIRFLOW_RUN=$run PAIRFLOW_AGENT=$agent &&
    ahead "$minutes" "$PAIRFLOW" plan "$@") && : >"$REPO/agents/over-$run"
}

@test "a step that takes too long asks the user, and resume gives as much again" {
  wait_for_tools 1 2 3
  drive
  wait_for run_is_live 1
  late_tool 11 1 alice request-review
  wait_for waits_for time_budget
  wait_for no_run_lives
  [ "$(jqs .active_step)" = 1 ]
  [ "$(transitions)" = "plan.opened coder.request_review flow.parked" ]
  pf plan status login | grep -q 'the limit is 10m 0s'
  [ "$(pf inbox --json | jq -r '.items[0].plan')" = login ]
  resume
  wait_for is_plan reviewer_active
  wait_for run_is_live 3
}

@test "turns add up on one step; a new step has a budget of its own" {
  wait_for_tools 1 2 3 4 5
  drive
  wait_for run_is_live 1
  late_tool 6 1 alice request-review
  wait_for run_is_live 2
  late_tool 3 2 bob approve
  wait_for run_is_live 3
  [ "$(jqs .active_step)" = 2 ]
  is_plan coder_active
  late_tool 6 3 alice request-review
  wait_for run_is_live 4
  late_tool 6 4 bob request-changes --text "too slow"
  wait_for waits_for time_budget
}

@test "while the user is waited for, the step's time stands still" {
  wait_for_tools 1 2
  drive
  wait_for run_is_live 1
  as_run 1 alice ask-user --message "hm?" 3>&- &
  wait_for waits_for ask_user
  (cd "$REPO" && ahead 60 "$PAIRFLOW" plan reply login --message "after an hour")
  wait_for is_plan coder_active
  late_tool 61 1 alice request-review
  wait_for run_is_live 2
  is_plan reviewer_active
}

# Drives the plan MINUTES later.
drive_ahead() { # MINUTES
  (cd "$REPO" && exec unshare --time --monotonic "$(($1 * 60))" "$PAIRFLOW" plan run login --plain \
    >>"$SCRATCH/drive.out" 2>&1 3>&-) &
  VIEWER=$!
}

# The plan goes on 10 hours later, and its coder needs a minute.
goes_on_overnight() {
  drive_ahead 600
  wait_for has_started 2
  late_tool 601 2 alice request-review || true
  wait_for has_moved
  is_plan reviewer_active
  run_is_live 3
}
has_started() { [[ " $(runs_started) " == *" $1 "* ]]; } # RUN
has_moved() { run_is_live 3 || waits_for time_budget; }

@test "while nobody drives the plan, the step's time stands still" {
  wait_for_tools 1 2 3
  drive
  wait_for run_is_live 1
  end_driver
  [ "$(endings)" = "1 lost" ]
  goes_on_overnight
}

@test "a driver that was killed: what came after is not the agents' time" {
  wait_for_tools 1 2 3
  drive
  wait_for run_is_live 1
  kill_driver
  goes_on_overnight
}
