#!/usr/bin/env bats
# Every verb that changes the roles, killed at each call that changes something.

load ../e2e/helpers
load ../e2e/role_helpers
load sweep

setup() {
  needs strace
  scratch_roles
}
teardown() { sweep_kept; }

# What happened; when a file was written is not part of it.
story() {
  jq -r 'select(.type | IN("PROTOCOL_WARNING", "file.written") | not) | [.type, .sender] | join(" ")' "$ROLE/events.ndjson"
}
# The register says what the journal does, and nothing of ours lies about.
sound() {
  pf verify --roles >/dev/null && [ "$(jqr '.current_role + " " + .state')" = "$(turn)" ] &&
    git_of fsck --no-dangling >/dev/null && [ -z "$(changes | grep -v 'docs/current\|work.txt')" ]
}
told_of_failure() { jq -se 'any(.[]; .sender == "orchestrator" and (.type | IN("landing.stopped", "role.blocked")))' "$ROLE/events.ndjson" >/dev/null; }
lead_on() {
  local command
  find "$REPO/.git" -name '*.lock' -delete # which a killed git left; git's message names it
  command=$(pf inbox --json | jq -r '.items[0].command')
  [[ $command != *approve-feature* ]] || command+=" --yes"
  (cd "$REPO" && eval "\"\$PAIRFLOW\" ${command#pairflow }")
}
ending() { turn; }
of_role() { pf role "$1" --request sweep "${@:2}"; } # VERB OPTION…
swept() { # VERB OPTION…
  keep
  verb() { of_role "${WORDS[@]}"; }
  WORDS=("$@")
  kills_of "role $1"
}

@test "role init" { swept init; }
@test "role autopilot" {
  pf role init
  swept autopilot full
}
@test "role start" {
  pf role init
  swept start
}
@test "role handoff to the coder makes the branch" {
  roles_begun
  tasks 2
  swept handoff --to CODER --feature F001 --message "T01 is next"
}
@test "role handoff to the reviewer" {
  coding
  echo work >"$REPO/work.txt"
  swept handoff --to REVIEWER --message "T01 is done"
}
@test "role block" {
  coding
  swept block --by PLANNER --message "Is the old form kept?"
}
@test "role approve-task" {
  reviewing
  swept approve-task
}

# From a task's approval to the feature's on main.
last_task() { # AUTOPILOT
  reviewing "$1"
  pf role approve-task
  pf role handoff --to CODER --message "T02"
  echo more >>"$REPO/work.txt"
  pf role handoff --to REVIEWER --message "T02 is done"
}
landed_once() {
  is_at_defaults && [ -z "$(changes)" ] && [ "$(git_of log --format=%s main | grep -c '^Finish')" -eq 1 ] &&
    [ "$(git_of show main:work.txt | paste -sd ' ')" = "work more" ]
}

@test "role approve-task of the last one, under autopilot full" {
  last_task full
  sound() { pf verify --roles >/dev/null && landed_once; }
  eval "usual_$(declare -f lead_on)"
  lead_on() { usual_lead_on && { is_at_defaults || pf role approve-feature --yes; }; } # it may be the coder's again
  swept approve-task
}
@test "role approve-feature" {
  last_task off
  pf role approve-task
  sound() { pf verify --roles >/dev/null && landed_once; }
  swept approve-feature --feature F001 --yes
}
@test "role decline" {
  last_task off
  pf role approve-task
  swept decline F001 --yes
}
@test "role rework" {
  last_task off
  pf role approve-task
  sound() {
    pf verify --roles >/dev/null && [ "$(jqr '.current_role + " " + .state')" = "$(turn)" ] &&
      [ "$(checked_out)" = feat/F001-log-in ] && [ "$(paste -sd ' ' "$REPO/work.txt")" = "work more" ] &&
      [ -f "$REPO/docs/current/T02-part.md" ]
  }
  swept rework F001 --message "The form loses its values"
}
@test "role pause" {
  pf role init
  play_first 'sleep 600'
  arrange() {
    drive
    wait_for logged role.started
  }
  story() { jq -r 'select(.type | startswith("run.") or IN("PROTOCOL_WARNING", "file.written") | not) | .type' "$ROLE/events.ndjson"; }
  over() { ! are_driven; }
  swept pause
}
