#!/usr/bin/env bats
# A roadmap of one feature by the two real agents, headless: every switch is made by themselves.

load helpers

teardown() { strike_roles; }

# Everything but the steps of the model. One agent plans and reviews, the other one codes.
stage_roles() { # CODER [LINE of [role]…]
  stage "$1"
  WORKTREE=$REPO ROLE=$REPO/.pairflow/role STATE=$REPO/docs/agents/state.json
  printf '%s\n' "" "[commands]" 'test = "test -f hello.txt"' "" "[role]" "${@:2}" "" "[role.agents]" \
    "planner = \"$REVIEWER\"" "coder = \"$IMPLEMENTER\"" "reviewer = \"$REVIEWER\"" \
    >>"$REPO/.pairflow/config.toml"
  mkdir -p "$REPO/docs"
  printf '# Roadmap\n\n- [ ] F001: Greet\n' >"$REPO/docs/ROADMAP.md"
  git -C "$REPO" add docs
  git -C "$REPO" commit -qm roadmap
  pf role init
  pf role autopilot full
}
strike_roles() {
  [ -n "${BATS_TEST_COMPLETED:-}" ] || { pf role log | tail -n 20; tail -n 20 "$SCRATCH/drive.out"; tail -n 5 "$ROLE"/runs/*.log; } 2>&1
  strike
}
drive() { pf role run >>"$SCRATCH/drive.out" 2>&1 3>&-; }

plans() {
  bash_step 'pairflow role start && mkdir -p docs/current && printf "# T01: Greet by name\n\nSay hello to Ada.\n" >docs/current/T01-greet.md'
  mcp_step handoff '{"to": "CODER", "feature": "F001", "message": "T01: docs/current/T01-greet.md"}'
  say_step 'handed over'
}
reviews() {
  mcp_step start '{}'
  bash_step 'cat hello.txt; echo x >hello.txt'
  mcp_step approve_task '{"message": "Ada it is"}'
  say_step 'good'
}
# The feature is merged, and the register is at its defaults.
is_merged() {
  [ "$(git -C "$REPO" show main:hello.txt)" = "hello, Ada" ]
  git -C "$REPO" show main:docs/ROADMAP.md | grep -q '\[x\] F001'
  [ "$(jq -r '.current_role + " " + .state + " " + (.branch | tostring)' "$STATE")" = "PLANNER in_progress null" ]
  [ "$(git -C "$REPO" symbolic-ref --short HEAD)" = main ]
  grep -q 'every feature of the roadmap is finished' "$SCRATCH/drive.out"
}

one_feature() { # CODER
  stage_roles "$1"
  script_agent "$REVIEWER" "$(plans | jq -cs .)" "$(reviews | jq -cs .)"
  script_agent "$IMPLEMENTER" \
    "$(mcp_step start '{}')" \
    "$(write_step "$IMPLEMENTER" name.txt Ada)" \
    "$(bash_step 'echo "hello, $(cat name.txt)" >hello.txt; pairflow role handoff --to REVIEWER --message "T01 is done"')" \
    "$(say_step 'handed over')"
  drive
  is_merged
  played_out "$IMPLEMENTER"
  played_out "$REVIEWER"
  # They were told their rules and how things stood; the reviewer could not write.
  model_saw "$IMPLEMENTER" "You are the CODER"
  model_saw "$IMPLEMENTER" "T01: docs/current/T01-greet.md"
  model_saw "$REVIEWER" "You are the PLANNER"
  model_saw "$REVIEWER" "Read-only file system"
  grep -qE '\[coder:(write|edit|bash)\]' "$SCRATCH/drive.out"
  [ "$(jq -r 'select(.type == "run.ended") | .payload.ending' "$ROLE/events.ndjson" | sort -u)" = switched ]
}

@test "a feature: claude codes, codex plans and reviews" { one_feature claude; }
@test "a feature: codex codes, claude plans and reviews" { one_feature codex; }

@test "a feature whose coder's part is a plan" {
  stage_roles codex 'coder = "plan"'
  printf '%s\n' "" "[plan]" 'coder = "codex"' 'reviewer = "claude"' >>"$REPO/.pairflow/config.toml"
  script_agent claude "$(plans | jq -cs .)" "$(mcp_step approve '{}')" "$(say_step 'approved')" \
    "$(reviews | jq -cs .)"
  script_agent codex "$(bash_step 'echo "hello, Ada" >hello.txt')" \
    "$(mcp_step request_review '{}')" "$(say_step 'handed over')"
  drive
  is_merged
  played_out claude
  played_out codex
  jq -se 'any(.[]; .type == "child.ended" and .payload.finished)' "$ROLE/events.ndjson" >/dev/null
}

@test "a feature whose coder's part is a bubble" {
  stage_roles codex 'coder = "bubble"'
  BUBBLE=f001-t01
  script_agent claude "$(plans | jq -cs .)" \
    "$(on_turn 1)" "$(bash_step 'pairflow pass --summary "fine" --no-findings')"
  script_agent codex "$(on_turn 1)" \
    "$(bash_step 'echo "hello, Ada" >hello.txt; pairflow pass --summary "by name"')" \
    "$(on_turn 2)" \
    "$(mcp_step converged "$(package "Greet Ada" | jq -Rs '{summary: "I agree", package: .}')")"
  drive
  grep -q 'the bubble f001-t01 waits for you' "$SCRATCH/drive.out"
  wait_state READY_FOR_APPROVAL
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
  push claude "$(reviews | jq -cs .)"
  drive
  is_merged
  played_out claude
  played_out codex
  jq -se 'any(.[]; .type == "child.ended" and .payload.finished)' "$ROLE/events.ndjson" >/dev/null
}
