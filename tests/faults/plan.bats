#!/usr/bin/env bats
# Every verb that changes a plan, killed at each call that changes something. Its driver, and who
# opens it, are killed by e2e/plan_faults.bats.

load ../e2e/helpers
load ../e2e/plan_helpers
load sweep

setup() {
  needs strace
  scratch_plan
  local run
  for run in 1 2 3 4 5; do plays "$run" 'exec sleep 600'; done
}
teardown() { sweep_kept; }

# What happened to the plan itself.
story() { transitions; }
sound() { pf verify --plan login >/dev/null; }
of_plan() { pf plan "$1" login --request sweep "${@:2}"; } # VERB OPTION…
at_work() { # RUN
  drive
  wait_for run_is_live "$1"
}
paused() {
  at_work 1
  pf plan pause login
  wait_for not_driven
}

@test "plan init" {
  story() { sha256sum <"$REPO/docs/search/plan.md"; }
  sound() { [ -z "$(ls "$REPO/docs/search" | grep -v '^plan.md$')" ]; }
  verb() { pf plan init search --request sweep; }
  keep
  kills_of "plan init"
}
@test "plan pause" {
  arrange() { at_work 1; }
  verb() { of_plan pause; }
  keep
  kills_of "plan pause"
}
@test "plan reset" {
  paused
  verb() { of_plan reset --yes; }
  keep
  kills_of "plan reset"
}
@test "plan force" {
  paused
  verb() { of_plan force reviewer --message "look at it"; }
  keep
  kills_of "plan force"
}
@test "plan request-review" {
  arrange() { at_work 1; }
  verb() { as_run 1 alice request-review --note "step 1" --request sweep; }
  keep
  kills_of "plan request-review"
}
@test "plan request-changes" {
  arrange() { at_work 1 && as_run 1 alice request-review --note "step 1" && wait_for run_is_live 2; }
  verb() { as_run 2 bob request-changes --text "again" --request sweep; }
  keep
  kills_of "plan request-changes"
}
@test "plan approve" {
  arrange() { at_work 1 && as_run 1 alice request-review --note "step 1" && wait_for run_is_live 2; }
  verb() { as_run 2 bob approve --note "fine" --request sweep; }
  over() { [ "$(active_step)" = 2 ]; }
  keep
  kills_of "plan approve"
}
@test "plan ask-user and plan reply" {
  append_config plan 'answer_wait_seconds = 1'
  arrange() { at_work 1; }
  verb() { as_run 1 alice ask-user --message "Which one?" --request sweep || [ $? -eq 1 ]; }
  keep
  kills_of "plan ask-user"
  arrange() { at_work 1; as_run 1 alice ask-user --message "Which one?" || [ $? -eq 1 ]; }
  verb() { of_plan reply --message "the blue one"; }
  kills_of "plan reply"
}
# Two steps, approved and reviewed by whoever is killed later.
approved_in() { # WORKSPACE
  append_config plan "workspace = \"$1\""
  plays 1 'echo one >one.txt; pairflow plan request-review'
  plays 2 'pairflow plan approve'
  plays 3 'echo two >two.txt; pairflow plan request-review'
  plays 4 'pairflow plan approve'
  git -C "$REPO" add agents
  git -C "$REPO" commit -qm agents
  drive
  wait_for waits_for no_pending_steps
  pf plan reply login --message "thank you"
  wait_for not_driven
}
# Finished once: each step is in the branch once, as it was approved.
landed_once() {
  [ "$(git -C "$REPO" log --format=%s main | grep -cxE 'Begin|Go on')" -eq 2 ] &&
    [ "$(git -C "$REPO" show main:one.txt main:two.txt)" = $'one\ntwo' ] &&
    [ -z "$(git -C "$REPO" status --porcelain | grep -v '^?? more.txt$')" ]
}
@test "plan land" {
  approved_in repo
  sound() { pf verify --plan login >/dev/null && landed_once; }
  verb() { of_plan land --yes; }
  keep
  kills_of "plan land"
}
@test "plan land, from a worktree into a branch that moved" {
  approved_in worktree
  echo more >"$REPO/more.txt"
  git -C "$REPO" add more.txt
  git -C "$REPO" commit -qm "meanwhile"
  sound() { pf verify --plan login >/dev/null && landed_once; }
  verb() { of_plan land --yes; }
  keep
  kills_of "plan land, from a worktree"
}
