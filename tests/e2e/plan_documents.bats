#!/usr/bin/env bats
# What agents and accidents do to the documents of a plan.
bats_require_minimum_version 1.5.0
load helpers
load plan_helpers

setup() { scratch_plan; }
teardown() { sweep_plan; }

problem() { pf plan status login | grep -qF "! plan.md line 1: $1"; }
mark_two_done() { sed -i 's/^active_step: 1/active_step: 1\nstep_status: {2: done}/' docs/login/plan.md; }

@test "a coder that marks a step done in plan.md is told, and the step is reviewed all the same" {
  plays 1 "$(declare -f mark_two_done); mark_two_done
pairflow plan request-review >first.txt 2>&1
sed -i '/step_status/d' docs/login/plan.md
pairflow plan request-review"
  plays 2 'pairflow plan approve'
  plays 3 'sleep 600'
  drive
  wait_for run_is_live 3
  grep -q 'step 2: Go on is called done and was not approved' "$REPO/first.txt"
  grep -q 'put it back' "$REPO/first.txt"
  [ "$(jqs '.active_step')" = 2 ]
  [ "$(jqs '.steps[1].status')" = pending ]
}

@test "a coder that drops a step and ends: the plan is not shorter for it" {
  plays 1 "sed -i '/## Step 2/,\$d' docs/login/plan.md"
  plays 2 'sleep 600'
  drive
  wait_for run_is_live 2
  problem 'step 2: Go on is gone and was not reviewed yet'
  prompt 0002-coder | grep -q 'step 2: Go on is gone'
  [ "$(jqs '.steps | length')" = 2 ]
  # It was the user after all: he says so while nobody is at work.
  pf plan pause login
  wait_for no_run_lives
  plays 3 'sleep 600'
  resume --take-edit
  wait_for run_is_live 3
  [ "$(jqs '.steps | length')" = 1 ]
  run -1 problem 'step 2'
}

@test "the user may do so while no agent is at work" {
  plays 1 'sleep 600'
  drive
  wait_for run_is_live 1
  pf plan pause login
  wait_for no_run_lives
  (cd "$REPO" && mark_two_done)
  pf plan status login | grep -q 'plan.md was edited since'
  plays 2 'pairflow plan request-review'
  plays 3 'pairflow plan approve'
  resume
  wait_for waits_for no_pending_steps
  recorded_in_plan '.type == "plan.edited" and .payload.during == null'
}

@test "plan.md that is a directory, a symlink, a pipe or huge is a problem that is told" {
  local plan=$REPO/docs/login/plan.md
  plays 1 'sleep 600'
  drive
  wait_for run_is_live 1
  mv "$plan" "$SCRATCH/kept.md"
  mkdir "$plan"
  wait_for_look 'it is not a regular file'
  rmdir "$plan"
  ln -s "$SCRATCH/kept.md" "$plan"
  wait_for_look 'a part of the path is a symlink'
  rm "$plan"
  mkfifo "$plan"
  wait_for_look 'it is not a regular file'
  rm "$plan"
  head -c 2000000 /dev/zero | tr '\0' x >"$plan"
  wait_for_look 'at most 1048576 bytes'
  run -1 pf plan validate login
  [[ $output == *"at most 1048576 bytes"* ]]
  run -1 as_run 1 alice request-review
  [[ $output == *"plan.md is not sound"* ]]
  cp "$SCRATCH/kept.md" "$plan"
  as_run 1 alice request-review
  is_driven
}
# Whatever comes next looks at the file; the driver lives on.
wait_for_look() { # WORDS
  run -1 as_run 1 alice request-review
  [[ $output == *"plan.md is not sound"* ]]
  [[ $output == *"$1"* ]]
  is_driven
}

@test "a spec.md that is a directory stops nobody" {
  rm "$REPO/docs/login/spec.md"
  mkdir "$REPO/docs/login/spec.md"
  plays 1 'pairflow plan request-review'
  plays 2 'sleep 600'
  drive
  wait_for run_is_live 2
  pf plan status login | grep -q '! spec.md line 1: it cannot be read: it is not a regular file'
}

@test "an explainer that writes nothing, or elsewhere, is not believed" {
  append_config '[plan]' 'explain = "bob"'
  sed -i '/^## Step 2/,$d' "$REPO/docs/login/plan.md"
  plays 1 'pairflow plan request-review'
  plays 2 'pairflow plan approve'
  plays 3 'echo x >done.txt; echo tried >docs/login/tried.md'
  drive
  wait_for recorded_in_plan '.type == "system.error" and (.payload.what | startswith("explained.md was not written"))'
  [ -e "$REPO/docs/login/tried.md" ]
  if sandboxed true 2>/dev/null; then [ ! -e "$REPO/done.txt" ]; fi # else nothing keeps it from that
  waits_for no_pending_steps
}

# The register lies in the checkout, which the coder may write.
@test "a coder that calls its own steps done gets no further by it" {
  printf -- '---\nactive_step: 1\nstep_status: {}\n---\n## Step 1: a\n## Step 2: b\n## Step 3: c\n' >"$REPO/docs/login/plan.md"
  cp "$REPO/docs/login/plan.md" "$REPO/agents/plan.md"
  plays 1 '
    printf -- "---\nactive_step: 3\nstep_status: {1: done, 2: done}\n---\n## Step 1: a\n## Step 2: b\n## Step 3: c\n" >docs/login/plan.md
    pairflow plan request-review 2>refused.txt; echo $? >code.txt
    cp agents/plan.md docs/login/plan.md; pairflow plan request-review'
  plays 2 'echo alive; sleep 600'
  drive
  wait_for run_is_live 2
  [ "$(cat "$REPO/code.txt")" = 1 ]
  grep -q 'not approved' "$REPO/refused.txt"
  [ "$(jqs '[.steps[].status] | join(" ")')" = "pending pending pending" ]
  [ "$(jqs .active_step)" = 1 ]
}

# What is there instead of a file that can be read: told like any other problem, and left by mending it.
odd_plan() { # COMMAND that puts something at docs/login/plan.md
  cp "$REPO/docs/login/plan.md" "$REPO/agents/plan.md"
  plays 1 "
    rm docs/login/plan.md; $1
    pairflow plan request-review 2>refused.txt; echo \$? >code.txt
    rm -rf docs/login/plan.md; cp agents/plan.md docs/login/plan.md; pairflow plan request-review"
  plays 2 'echo alive; sleep 600'
  drive
  wait_for run_is_live 2
  [ "$(cat "$REPO/code.txt")" = 1 ]
  grep -q 'plan.md' "$REPO/refused.txt"
  is_driven
}
@test "plan.md is gone while it is driven" { odd_plan ':'; }
@test "plan.md becomes other bytes than text while it is driven" { odd_plan 'printf "\377\376\0" >docs/login/plan.md'; }

# Whoever looks first, the driver by the agent's stream or the agent's own hook: the agent is told.
@test "a spec.md that breaks is told by the hook, although the driver has seen it already" {
  cat >"$REPO/agents/scenario.toml" <<'TOML'
[[run]]
role = "coder"
write = [ { path = "docs/login/spec.md", text = "no title\n" } ]
run = ["sh", "agents/hook.sh"]
hang = true
TOML
  cat >"$REPO/agents/hook.sh" <<'SH'
until grep -q document.validated .pairflow/plans/login/events.ndjson; do sleep 0.05; done
echo '{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Write"}' | pairflow hook >hook.new
mv hook.new hook.txt
SH
  scripted_agents agents/scenario.toml
  drive
  wait_for test -e "$REPO/hook.txt"
  grep -q 'spec.md line 1' "$REPO/hook.txt"
}
