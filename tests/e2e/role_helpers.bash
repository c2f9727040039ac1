# The roles in a scratch repository with a roadmap of two features. Its agents are ann, who plans,
# carl, who codes, and rita, who reviews: one shell script that plays whatever role it is started in.

scratch_roles() { # [LINE…]: more configuration
  scratch
  ROLE=$REPO/.pairflow/role
  STATE=$REPO/docs/agents/state.json
  export PATH=$SCRATCH/bin:$PATH
  mkdir -p "$SCRATCH/bin" "$REPO/docs" "$REPO/agents"
  cat >"$REPO/.pairflow/config.toml" <<'TOML'
[agents.ann]
kind = "custom"
headless = ["sh", "-c", "cat >/dev/null; exec sh agents/play.sh"]

[agents.carl]
kind = "custom"
headless = ["sh", "-c", "cat >/dev/null; exec sh agents/play.sh"]

[agents.rita]
kind = "custom"
headless = ["sh", "-c", "cat >/dev/null; exec sh agents/play.sh"]

[role.agents]
planner = "ann"
coder = "carl"
reviewer = "rita"

[role]
branch_types = ["feat", "fix"]

[commands]
test = "test ! -e broken"
TOML
  printf '# Roadmap\n\n- [ ] F001: Log in\n- [ ] F002: Search\n' >"$REPO/docs/ROADMAP.md"
  play_all_roles
  git -C "$REPO" add -A docs agents
  git -C "$REPO" commit -qm "roadmap"
}
sweep_roles() {
  local code=$?
  [ -n "${BATS_TEST_COMPLETED:-}" ] || { pf role log | tail -n 12; pf role status; tail -n 8 "$SCRATCH/drive.out"; } 2>&1
  sweep
  return $code
}

# Plans three tasks for the next open feature, does each of them, approves all.
play_all_roles() {
  cat >"$REPO/agents/play.sh" <<'SH'
set -e
pairflow role start
[ ! -x agents/before.sh ] || ./agents/before.sh
case $PAIRFLOW_ROLE in
planner)
  mkdir -p docs/current
  for task in 1 2 3; do
    [ -e docs/current/T0$task-part.md ] ||
      printf '# T0%s: Part %s\n\nStatus: open\n' $task $task >docs/current/T0$task-part.md
  done
  [ -n "$PAIRFLOW_STEP" ] && exec pairflow role handoff --to CODER --message "$PAIRFLOW_STEP is next"
  for feature in $(sed -n 's/^- \[ \] \(F[0-9]*\):.*/\1/p' docs/ROADMAP.md); do
    pairflow role handoff --to CODER --feature $feature --message "T01 of $feature" && exit 0
  done
  ;;
coder)
  branch=$(sed -n 's/.*"branch": "\(.*\)".*/\1/p' docs/agents/state.json)
  mkdir -p work
  echo done >work/$(basename $branch)-$PAIRFLOW_STEP.txt
  pairflow role handoff --to REVIEWER --message "$PAIRFLOW_STEP is done"
  ;;
reviewer) pairflow role approve-task --message "$PAIRFLOW_STEP is fine" ;;
esac
SH
}
# What each agent does before it plays its role; no part of the repository.
play_first() { # SCRIPT
  printf '#!/bin/sh\n%s\n' "$1" >"$REPO/agents/before.sh"
  chmod +x "$REPO/agents/before.sh"
  echo agents/before.sh >>"$REPO/.git/info/exclude"
}
# Every pull request is one line of pulls; there is a remote to push to.
record_pulls() {
  git_of remote get-url origin >/dev/null 2>&1 || {
    git init -q --bare "$SCRATCH/origin.git"
    git_of remote add origin "$SCRATCH/origin.git"
  }
  printf '#!/bin/sh\necho "$4" >>"%s/pulls"\necho "https://example.org/pull/$4"\n' "$SCRATCH" >"$SCRATCH/bin/gh"
  chmod +x "$SCRATCH/bin/gh"
}

roles_begun() { # [AUTOPILOT]
  pf role init >/dev/null
  pf role autopilot "${1:-off}" >/dev/null
  pf role start >/dev/null
}
# From the planner's first handoff to the coder's turn.
coding() { # [AUTOPILOT]
  roles_begun "$@"
  tasks 2
  pf role handoff --to CODER --feature F001 --message "T01 is next" >/dev/null
}
tasks() { # COUNT
  local task
  mkdir -p "$REPO/docs/current"
  for task in $(seq "$1"); do
    printf '# T0%s: Part %s\n\nStatus: open\n' "$task" "$task" >"$REPO/docs/current/T0$task-part.md"
  done
}
reviewing() { # [AUTOPILOT]
  coding "$@"
  echo work >"$REPO/work.txt"
  pf role handoff --to REVIEWER --message "T01 is done" >/dev/null
}

# Has the roles driven and shows them, in the background.
drive() {
  (cd "$REPO" && exec "$PAIRFLOW" role run >>"$SCRATCH/drive.out" 2>&1 3>&-) &
  VIEWER=$!
}
kill_viewer() {
  kill -9 "$VIEWER" 2>/dev/null || true
  wait "$VIEWER" 2>/dev/null || true
}
view_ended() { ! kill -0 "$VIEWER" 2>/dev/null; }
# The process that drives the roles, which outlives who looks on.
ROLE_LEASE=.pairflow/locks/role.loop.run.lock
role_driver() { are_driven && head -n 1 "$REPO/$ROLE_LEASE"; }
are_driven() { [ -e "$REPO/$ROLE_LEASE" ] && ! flock -s -n "$REPO/$ROLE_LEASE" true; }
not_driven_now() { ! are_driven; }
# Both: a viewer would start another driver.
kill_driver() {
  local pid
  kill_viewer
  pid=$(role_driver)
  kill -9 "$pid"
  wait_for not_driven_now
}

as_agent() { # AGENT WORD…
  local agent=$1
  shift
  (cd "$REPO" && PAIRFLOW_AGENT=$agent "$PAIRFLOW" role "$@")
}
jqr() { pf role status --json | jq -r "$1"; }
turn() { jq -r '.current_role + " " + .state' "$STATE"; }
is_turn() { [ "$(turn)" = "$1" ]; }
logged() { jq -se "any(.[]; .type == \"$1\")" "$ROLE/events.ndjson" >/dev/null; } # TYPE
git_of() { git -C "$REPO" "$@"; }
checked_out() { git_of symbolic-ref --short HEAD; }
# What is not committed, but for state.json.
changes() { git_of status --porcelain --untracked-files=all | grep -v 'docs/agents/state.json' || true; }
# What a finished run leaves on main.
landed() {
  git_of ls-tree -r --name-only main | grep '^work/' | paste -sd ' '
}
ALL_WORK="work/F001-log-in-T01.txt work/F001-log-in-T02.txt work/F001-log-in-T03.txt work/F002-search-T01.txt work/F002-search-T02.txt work/F002-search-T03.txt"
is_at_defaults() {
  jq -e '.plan_slug == null and .branch == null and .current_role == "PLANNER" and .state == "in_progress"' "$STATE" >/dev/null
}
run_is_live() { [ "$(jqr '.run.number // 0')" = "$1" ]; }
