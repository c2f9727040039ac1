# A plan of two steps in a scratch repository; its agents are alice, who codes, and bob, who reviews.

scratch_plan() {
  scratch
  PLAN=$REPO/.pairflow/plans/login
  cat >"$REPO/.pairflow/config.toml" <<'TOML'
[agents.alice]
kind = "custom"
command = ["cat"]
headless = ["sh", "-c", "cat >/dev/null; exec sh agents/run-$PAIRFLOW_RUN.sh"]

[agents.bob]
kind = "custom"
command = ["cat"]
headless = ["sh", "-c", "cat >/dev/null; exec sh agents/run-$PAIRFLOW_RUN.sh"]

[plan]
coder = "alice"
reviewer = "bob"
TOML
  mkdir -p "$REPO/docs/login" "$REPO/agents"
  printf '# Spec\n\nPeople log in.\n' >"$REPO/docs/login/spec.md"
  printf 'Because.\n' >"$REPO/docs/login/intent.md"
  cat >"$REPO/docs/login/plan.md" <<'MD'
---
active_step: 1
---
# Login

## Step 1: Begin

- Acceptance:
  - done.txt says two

## Step 2: Go on
MD
}
sweep_plan() {
  local code=$?
  [ -n "${BATS_TEST_COMPLETED:-}" ] || { pf plan log login | tail -n 12; tail -n 5 "$SCRATCH/drive.out"; } 2>&1
  sweep
  return $code
}

append_config() { # TABLE LINE: into the table that is there
  sed -i "/^\[plan\]$/a $2" "$REPO/.pairflow/config.toml"
}
# Both agents play a scenario, whose stream tells of tools as a real agent's does.
scripted_agents() { # FILE
  sed -i -e 's/^kind = .*/kind = "scripted"/' -e "s|^command = .*|scenario = \"$1\"|" \
    -e '/^headless/d' "$REPO/.pairflow/config.toml"
}
plays() { printf '%s\n' "$2" >"$REPO/agents/run-$1.sh"; } # RUN SCRIPT

# Has the plan driven and shows it in line mode, in the background.
drive() { view plan run login --plain; }
resume() { view plan resume login --plain "$@"; } # [OPTION…]
view() { # WORD…
  (cd "$REPO" && exec "$PAIRFLOW" "$@" >>"$SCRATCH/drive.out" 2>&1 3>&-) &
  VIEWER=$!
}
kill_viewer() {
  kill -9 "$VIEWER" 2>/dev/null || true
  wait "$VIEWER" 2>/dev/null || true
}
view_ended() { ! kill -0 "$VIEWER" 2>/dev/null; }
# The process that drives the plan, which outlives who looks on.
LEASE=.pairflow/locks/plan.login.run.lock
driver() { is_driven && head -n 1 "$REPO/$LEASE"; }
is_driven() { [ -e "$REPO/$LEASE" ] && ! flock -s -n "$REPO/$LEASE" true; }
not_driven() { ! is_driven; }
# Both: a viewer would start another driver.
kill_driver() {
  local pid
  kill_viewer
  pid=$(driver)
  kill -9 "$pid"
  wait_for not_driven
}
# Asked to end, as by the machine that shuts down.
end_driver() {
  kill_viewer
  kill -TERM "$(driver)"
  wait_for not_driven
}

jqs() { pf plan status login --json | jq -r "$1"; }
is_plan() { [ "$(jqs .state)" = "$1" ]; }
waits_for() { [ "$(jqs .waits_for 2>/dev/null)" = "$1" ]; }
active_step() { sed -n 's/^active_step: *//p' "$REPO/docs/login/plan.md" | tr -d '"\r'; }
run_is_live() { jqs ".runs[] | select(.number == $1 and .recorded and .ending == null) | .number" 2>/dev/null | grep -q .; }
run_on_step() { jqs '.runs[-1] | select(.recorded and .ending == null) | .step' | grep -qx "$1"; }
no_run_lives() { [ -z "$(jqs '.runs[] | select(.recorded and .ending == null) | .number')" ]; }
runs_started() { jqs '[.runs[] | select(.recorded) | .number | tostring] | join(" ")'; }
endings() { jqs '[.runs[] | select(.ending) | "\(.number) \(.ending)"] | join(" ")'; }
logged() { jq -se "any(.[]; .type == \"$2\" and (.sender == \"$1\" or (.payload.role // \"\") == \"$1\"))" "$PLAN/events.ndjson" >/dev/null; } # WHO TYPE
recorded_in_plan() { jq -se "any(.[]; $1)" "$PLAN/events.ndjson" >/dev/null; }
event_types() { jq -r .type "$PLAN/events.ndjson" | paste -sd ' '; }
prompt() { cat "$PLAN/runs/$1.prompt.md"; } # RUN-ROLE
said() { grep -qE -- "$1" "$SCRATCH/drive.out"; } # PATTERN

# pairflow as a run's agent, outside of its sandbox.
as_run() { # RUN AGENT WORD…
  local run=$1 agent=$2
  shift 2
  (cd "$REPO" && PAIRFLOW_REPO=$REPO PAIRFLOW_PLAN=login PAIRFLOW_RUN=$run PAIRFLOW_AGENT=$agent "$PAIRFLOW" plan "$@")
}
# Shells of agents whose driver is gone.
agents_of_killed_drivers() {
  local pid
  for pid in $(running_in "$REPO"); do
    if grep -q "agents/run-[13]" "/proc/$pid/cmdline" 2>/dev/null; then echo "$pid"; fi
  done
}
# What happened to the plan itself, in order: everything but runs, and files that were looked at.
transitions() { jq -r .type "$PLAN/events.ndjson" | grep -vE '^(run|document)\.|^plan\.written$|^PROTOCOL_WARNING$' | paste -sd ' '; }
