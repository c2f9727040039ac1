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
  # Opened, and nobody drives it.
  mkdir -p "$REPO/.pairflow/runtime/plan.login.log"
  run -3 pf plan run login --plain
  rmdir "$REPO/.pairflow/runtime/plan.login.log"
  cp -a "$REPO" "$SCRATCH/opened"
}
teardown() { sweep_plan; }

# Whether it lived to see the end: its Nth CALL is never made. A driver waits for the user then.
die_at() { # CALL N WORD…
  local tracer
  (cd "$REPO" && exec strace -qq -o /dev/null -e "trace=$1" -e "inject=$1:signal=KILL:when=$2" \
    "$PAIRFLOW" "${@:3}") >"$SCRATCH/died.out" 2>&1 3>&- &
  tracer=$!
  [ "$3" != drive ] || wait_for is_over "$tracer"
  if [ "$3" = drive ] && kill -0 "$tracer" 2>/dev/null; then
    end_all
    wait "$tracer" || true
    return 0
  fi
  wait "$tracer"
}
is_over() { # TRACER
  if ! kill -0 "$1" 2>/dev/null; then return 0; fi
  waits_for no_pending_steps && no_run_lives
}
end_all() { # and nobody is left who would go on
  if is_driven; then kill -9 "$(driver)"; fi
  wait_for not_driven
}
run_numbers() { jq -r "select(.type == \"$1\") | .payload.run" "$PLAN/events.ndjson" | paste -sd ' '; } # TYPE

# Every EVERYth of them, until one is not reached: of the driver, and of who opens and looks on.
killed_at_each() { # CALL EVERY
  killed_from opened "$@" drive --plan login
  killed_from fresh "$@" plan run login --plain --no-wait
}
killed_from() { # WHERE CALL EVERY WORD…
  local at
  for ((at = 1; at < 1000; at += $3)); do
    put_back "$SCRATCH/$1"
    if die_at "$2" "$at" "${@:4}"; then break; fi
    end_all
    drive
    wait_for waits_for no_pending_steps
    wait_for no_run_lives
    [ "$(transitions)" = "plan.opened coder.request_review reviewer.request_changes \
coder.request_review reviewer.approve coder.request_review reviewer.approve" ] ||
      { echo "killed at $2 $at: $(transitions)"; return 1; }
    [ "$(run_numbers run.started)" = "$(run_numbers run.ended)" ]
    [ "$(run_numbers run.started)" = "$(run_numbers run.started | tr ' ' '\n' | sort -nu | paste -sd ' ')" ]
    [ "$(active_step)" = 2 ]
    kill_viewer
    end_all
  done
  [ "$at" -gt 1 ] && [ "$at" -lt 1000 ] # it was killed, and the last one was not
  [ "$1" = fresh ] || [ "$at" -gt $(($3 * 3)) ]
}

@test "killed before a write, the next driver ends the plan with each transition once" {
  killed_at_each write,pwrite64 7
}
@test "killed before a rename, the next driver ends the plan with each transition once" {
  killed_at_each rename,renameat,renameat2 7
}
@test "killed before an fdatasync, the next driver ends the plan with each transition once" {
  killed_at_each fdatasync,fsync 5
}
