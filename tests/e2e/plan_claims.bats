#!/usr/bin/env bats
# One claim per checkout: of the loops that work in the same files one runs, the others name it.

load helpers
load plan_helpers

setup() {
  scratch_plan
  cat >>"$REPO/.pairflow/config.toml" <<'TOML'

[agents.ann]
kind = "custom"
headless = ["sh", "-c", "cat >/dev/null; exec sleep 600"]

[role.agents]
planner = "ann"
coder = "ann"
reviewer = "ann"
TOML
  mkdir -p "$REPO/docs/search"
  printf '## Step 1: Search\n' >"$REPO/docs/search/plan.md"
  printf '# Roadmap\n\n- [ ] F001: Log in\n' >"$REPO/docs/ROADMAP.md"
  plays 1 'exec sleep 600'
  plays 2 'exec sleep 600'
  git -C "$REPO" add -A docs agents
  git -C "$REPO" commit -qm "plans"
}
teardown() { sweep_plan; }

status_of() { pf plan status "$1" --json | jq -r "$2"; } # FEATURE FILTER
is_live() { status_of "$1" '.runs[] | select(.recorded and .ending == null) | .number' 2>/dev/null | grep -q .; } # FEATURE
roles_live() { [ "$(pf role status --json | jq -r '.run.number // empty' 2>/dev/null)" != "" ]; }
park() { # FEATURE
  pf plan pause "$1"
  wait_for not_live "$1"
}
not_live() { ! is_live "$1"; }

@test "a second plan is refused by name, and runs in a worktree of its own" {
  drive
  wait_for is_live login
  run -1 pf plan run search --plain
  [[ $output == *"plan login works in this checkout"* ]]
  [[ $output == *"pairflow plan run --worktree"* ]]
  [[ $output == *"pairflow plan pause login && pairflow plan release login"* ]]
  [ ! -e "$REPO/.pairflow/plans/search/events.ndjson" ]
  view plan run search --plain --worktree
  wait_for is_live search
  is_live login
  [ "$(status_of search .documents)" = "$SCRATCH/.pairflow-worktrees/repo/plan.search/docs/search" ]
  [ "$(status_of login .holds_checkout) $(status_of search .holds_checkout)" = "true false" ]
  run -1 pf plan run login --worktree
  [[ $output == *"was begun in your checkout"* ]]
}

@test "two plans in worktrees of their own never meet" {
  append_config plan 'workspace = "worktree"'
  drive
  view plan run search --plain
  wait_for is_live login
  wait_for is_live search
}

@test "a parked plan keeps the checkout until it is released, and asks for it again" {
  drive
  wait_for is_live login
  run -1 pf plan release login
  [[ $output == *"an agent is at work"*"pairflow plan pause login"* ]]
  park login
  pf plan status login | grep -q 'no other loop may begin in your checkout: pairflow plan release login'
  run -1 pf plan run search --plain
  [[ $output == *"plan login works in this checkout"*"pairflow plan release login"* ]]
  pf plan release login
  run -0 pf plan release login
  [[ $output == *"nothing had to be changed"* ]]
  view plan run search --plain
  wait_for is_live search
  run -1 pf plan resume login --plain
  [[ $output == *"plan search works in this checkout"* ]]
  run -1 pf plan reply login --message "go on"
  [[ $output == *"plan search works in this checkout"* ]]
  park search
  pf plan release search
  pf plan reply login --message "go on"
  wait_for is_live login
  run -1 pf plan resume search --plain
  [[ $output == *"plan login works in this checkout"* ]]
}

@test "a plan and the roles started at the same time: one runs, the other names it" {
  pf role init >/dev/null
  git -C "$REPO" add -A docs
  git -C "$REPO" commit -qm "roles" || true
  (cd "$REPO" && "$PAIRFLOW" plan run login --plain >"$SCRATCH/plan.out" 2>&1 3>&- || echo "exit $?" >>"$SCRATCH/plan.out") &
  (cd "$REPO" && "$PAIRFLOW" role run >"$SCRATCH/role.out" 2>&1 3>&- || echo "exit $?" >>"$SCRATCH/role.out") &
  wait_for grep -q '^exit 1' "$SCRATCH/plan.out" "$SCRATCH/role.out"
  if grep -q '^exit 1' "$SCRATCH/role.out"; then
    grep -q 'plan login works in this checkout' "$SCRATCH/role.out"
    wait_for is_live login
    run ! grep -q '^exit' "$SCRATCH/plan.out"
    [ "$(jq -r .type "$REPO/.pairflow/role/events.ndjson" | grep -c '^run\.')" -eq 0 ]
  else
    grep -q 'the roles work in this checkout' "$SCRATCH/plan.out"
    grep -q 'pairflow role pause && pairflow role release' "$SCRATCH/plan.out"
    [ ! -e "$PLAN/events.ndjson" ]
  fi
}

@test "the roles are refused beside a plan, and a plan beside the roles, until they are released" {
  pf role init >/dev/null
  drive
  wait_for is_live login
  run -1 pf role run
  [[ $output == *"plan login works in this checkout"*"pairflow plan pause login && pairflow plan release login"* ]]
  run -1 pf role start
  [[ $output == *"plan login works in this checkout"* ]]
  park login
  pf plan release login
  git -C "$REPO" add -A
  git -C "$REPO" commit -qm "what the plan left" || true
  pf role start
  run -1 pf plan resume login --plain
  [[ $output == *"the roles work in this checkout"*"pairflow role release"* ]]
  pf role release
  [[ "$(pf role log)" == *"the checkout is free for others"* ]]
  pf plan reply login --message "go on"
  wait_for is_live login
}

@test "a loop that is deleted or damaged blocks nobody" {
  drive
  wait_for is_live login
  kill_driver
  run -1 pf plan run search --plain
  [[ $output == *"plan login works in this checkout"* ]]
  sed -i '1s/plan.opened/plan.closed/' "$PLAN/events.ndjson"
  rm -f "$PLAN/state.json"
  run -4 pf plan status login
  view plan run search --plain
  wait_for is_live search
  park search
  rm -rf "$REPO/.pairflow/plans/search" "$PLAN"
  drive
  wait_for is_live login
}
