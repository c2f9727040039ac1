#!/usr/bin/env bats
# The driver of a plan, killed by the kernel right before a system call of its own.

load helpers
load plan_helpers

setup() {
  scratch_plan
  needs strace
  cat >"$REPO/agents/scenario.toml" <<'TOML'
[[run]]
role = "coder"
request_review = "step {step}, round {round}"

[[run]]
role = "reviewer"
step = "1"
round = 1
request_changes = "again"

[[run]]
role = "reviewer"
approve = ""
TOML
  scripted_agents agents/scenario.toml
  cp -a "$REPO" "$SCRATCH/fresh"
}
teardown() { sweep_plan; }

# Whether the driver lived to see the end: its Nth CALL is never made.
die_at() { # CALL N
  (cd "$REPO" && strace -qq -o /dev/null -e "trace=$1" -e "inject=$1:signal=KILL:when=$2" \
    "$PAIRFLOW" plan run login --plain --no-wait) >"$SCRATCH/died.out" 2>&1 3>&-
}
run_numbers() { jq -r "select(.type == \"$1\") | .payload.run" "$PLAN/events.ndjson" | paste -sd ' '; } # TYPE

# Every EVERYth of them, until one is not reached.
killed_at_each() { # CALL EVERY
  local at
  for ((at = 1; at < 1000; at += $2)); do
    rm -rf "$REPO" && cp -a "$SCRATCH/fresh" "$REPO"
    if die_at "$1" "$at"; then break; fi
    drive
    wait_for waits_for no_pending_steps
    wait_for no_run_lives
    [ "$(transitions)" = "plan.opened coder.request_review reviewer.request_changes \
coder.request_review reviewer.approve coder.request_review reviewer.approve" ] ||
      { echo "killed at $1 $at: $(transitions)"; return 1; }
    [ "$(run_numbers run.started)" = "$(run_numbers run.ended)" ]
    [ "$(run_numbers run.started)" = "$(run_numbers run.started | tr ' ' '\n' | sort -nu | paste -sd ' ')" ]
    [ "$(active_step)" = 2 ]
    kill_driver
  done
  [ "$at" -gt $(($2 * 3)) ] && [ "$at" -lt 1000 ] # it was killed, and the last one was not
}

@test "killed before a write, the next driver ends the plan with each transition once" {
  killed_at_each write 7
}
@test "killed before a rename, the next driver ends the plan with each transition once" {
  killed_at_each rename,renameat,renameat2 7
}
@test "killed before an fdatasync, the next driver ends the plan with each transition once" {
  killed_at_each fdatasync,fsync 5
}
