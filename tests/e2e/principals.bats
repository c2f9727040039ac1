#!/usr/bin/env bats
# An agent acts in the loop, and in the run, that launched it, whatever its name is elsewhere.

load helpers
load role_helpers

# The roles and a bubble beside each other, with the same two agents.
setup() {
  scratch_roles
  config_file >"$REPO/.pairflow/config.toml"
  cat >>"$REPO/.pairflow/config.toml" <<'TOML'

[role.agents]
planner = "codex"
coder = "codex"
reviewer = "codex"
TOML
}
teardown() { sweep; }

channel() { echo "$REPO/.pairflow/runtime/$BUBBLE.channels/$1/socket"; }
role_lines() { wc -l <"$ROLE/events.ndjson"; }
of_roles() { PAIRFLOW_LOOP=role PAIRFLOW_RUN=$1 PAIRFLOW_REPO=$REPO PAIRFLOW_AGENT=codex "$PAIRFLOW" "${@:2}"; } # RUN WORD…
of_plan() { PAIRFLOW_PLAN=login PAIRFLOW_RUN=1 PAIRFLOW_REPO=$REPO PAIRFLOW_AGENT=codex "$PAIRFLOW" "$@"; }

@test "a bubble's agent does nothing in the roles, by its channel or without one" {
  pf role init
  pf role autopilot full --without-checks "only a test"
  begin
  local before verb
  before=$(role_lines)
  for verb in start approve-task approve-feature "handoff --to CODER --message x" "block --by PLANNER --message x?"; do
    run -1 as codex role $verb
    [[ $output == *"this agent belongs to bubble $BUBBLE"* ]]
    # What the environment says is not believed at the other end of the channel.
    export PAIRFLOW_CHANNEL
    PAIRFLOW_CHANNEL=$(channel codex)
    cd "$REPO"
    run -1 of_roles 1 role $verb
    unset PAIRFLOW_CHANNEL
    [[ $output == *"this agent belongs to bubble $BUBBLE"*"is for the agents of the roles"* ]]
    # Nor what a child says of itself, nor that it hides its name.
    run -1 as codex_child of_roles 1 role $verb
    [[ $output == *"this agent belongs to bubble $BUBBLE"* ]]
    run -1 as codex_child env -u PAIRFLOW_AGENT -u PAIRFLOW_BUBBLE "$PAIRFLOW" role $verb
    [[ $output == *"this agent belongs to bubble $BUBBLE"* ]]
  done
  [ "$(role_lines)" -eq "$before" ]
}
# A process of codex that gives its children another environment.
as() {
  if [ "$1" = codex_child ]; then
    (cd "$REPO" && export PAIRFLOW ROLE REPO && export -f of_roles &&
      PAIRFLOW_REPO=$REPO PAIRFLOW_BUBBLE=$BUBBLE PAIRFLOW_AGENT=codex bash -c '"$@"; exit $?' sh "${@:2}")
  else
    (cd "$WORKTREE" && PAIRFLOW_REPO=$REPO PAIRFLOW_BUBBLE=$BUBBLE PAIRFLOW_AGENT=$1 "$PAIRFLOW" "${@:2}")
  fi
}

@test "agents of the roles and of a plan do nothing in a bubble, nor in each other's loop" {
  pf role init
  begin
  edit hello.txt "more"
  local before
  before=$(standing)
  cd "$WORKTREE"
  run -1 of_roles 1 pass --id "$BUBBLE" --summary "mine"
  [[ $output == *"this agent belongs to the roles"*"'pass' is for the agents of a bubble"* ]]
  run -1 of_plan pass --id "$BUBBLE" --summary "mine"
  [[ $output == *"this agent belongs to plan login"* ]]
  run -1 of_plan role start
  [[ $output == *"this agent belongs to plan login"* ]]
  run -1 of_roles 1 plan approve
  [[ $output == *"this agent belongs to the roles"* ]]
  [ "$(standing)" = "$before" ]
}

@test "a bubble's agent does nothing in another bubble, nor in another repository" {
  begin
  pf bubble create --id other --base main --task "Say less." --no-tests none
  run -1 as codex pass --id other --summary "mine"
  [[ $output == *"this agent belongs to bubble $BUBBLE"*"about bubble other"* ]]
  cp -a "$REPO" "$SCRATCH/copy"
  run -1 as codex turn --repo "$SCRATCH/copy"
  [[ $output == *"this agent belongs to bubble $BUBBLE"* ]]
  as codex turn
}

@test "what is left of a run that is over speaks for nobody" {
  printf '[agents.ann]\nkind = "custom"\nheadless = ["sleep", "600"]\n' >>"$REPO/.pairflow/config.toml"
  sed -i -E 's/^(planner|coder|reviewer) = .*/\1 = "ann"/' "$REPO/.pairflow/config.toml"
  pf role init
  drive
  wait_for run_is_live 1
  of_ann() { (cd "$REPO" && PAIRFLOW_LOOP=role PAIRFLOW_RUN=$1 PAIRFLOW_REPO=$REPO PAIRFLOW_AGENT=ann "$PAIRFLOW" role "${@:2}"); }
  of_ann 1 start
  tr '\0' '\n' <"/proc/$(role_driver)/environ" | grep -qx 'PAIRFLOW_SUPERVISOR=role.loop'
  pf role pause
  wait_for not_driven_now
  run -1 of_ann 1 block --by PLANNER --message "Still me?"
  [[ $output == *"run 1 is over"*"no run is at work"* ]]
}

@test "nobody below the roles' driver is the human" {
  pf role init
  cd "$REPO"
  PAIRFLOW_SUPERVISOR=role.loop run -1 "$PAIRFLOW" role autopilot full
  [[ $output == *"human's"* ]]
  # What the driver itself begins in the human's name is refused to everybody else.
  run -1 pf ordered-create --id mine --base main --task "Say more."
  [[ $output == *"the supervisor's own"* ]]
  run -1 pf ordered-start --id mine
  [ ! -e "$REPO/.pairflow/bubbles/mine" ]
}
