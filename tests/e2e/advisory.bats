#!/usr/bin/env bats
# What nothing but people's care holds is called advisory, with the reason.

load helpers
load plan_helpers

teardown() { sweep; }

# A plan that has been opened, and rests.
opened_plan() {
  plays 1 'exit 7'
  drive
  wait_for status_has 'exit code 7'
}
status_has() { pf plan status login 2>/dev/null | grep -qF -- "$1"; }
reasons() { jq -r '.advisory | length'; }

@test "a plan in the user's own checkout says once what is advisory" {
  needs sandbox
  scratch_plan
  opened_plan
  [ "$(pf plan status login | grep -c advisory:)" -eq 1 ]
  status_has 'your hooks, editor and shell run what agents write in your checkout ([plan] workspace = "worktree"'
  [ "$(pf plan status login --json | reasons)" -eq 1 ]
}

@test "a plan in a worktree of its own has nothing advisory" {
  needs sandbox
  scratch_plan
  append_config plan 'workspace = "worktree"'
  plays 1 'exit 7'
  git -C "$REPO" add -A && git -C "$REPO" commit -qm "a plan"
  opened_plan
  [[ "$(pf plan status login)" != *advisory* ]]
  [ "$(pf plan status login --json | reasons)" -eq 0 ]
}

@test "without a sandbox a plan says so, with the reason" {
  scratch_plan
  printf '[sandbox]\nmode = "off"\n' >>"$REPO/.pairflow/config.toml"
  opened_plan
  status_has 'advisory: only their own rules hold the agents back, since [sandbox] mode is off; your hooks'
  [ "$(pf plan status login --json | reasons)" -eq 2 ]
}

@test "where there is no sandbox, a shell and the hooks run all the same and say advisory" {
  scratch
  without_sandbox
  printf '#!/bin/sh\necho "hook in $PWD"\n' >"$REPO/.git/hooks/pre-commit"
  chmod +x "$REPO/.git/hooks/pre-commit"
  approved
  run -6 pf bubble shell --id "$BUBBLE" -- sh -c 'echo "in $PWD as $PAIRFLOW_CHECK"; exit 6'
  [[ "$output" == *"advisory: bubblewrap cannot start here"*"in $WORKTREE as $BUBBLE" ]]
  run -0 pf bubble commit --id "$BUBBLE" --run-hooks
  [[ "$output" == *"hook in $WORKTREE.checks"*"hooks ran without a sandbox (advisory: bubblewrap cannot start"* ]]
  is_state DONE
}

@test "a plan in a repository that holds the home directory is refused, and nothing is started" {
  needs sandbox
  scratch_plan
  HOME=$REPO run -1 pf plan run login --plain
  [[ "$output" == *"agents would see all of $REPO"*"directory of its own"* ]]
  [ ! -e "$PLAN" ]
}
