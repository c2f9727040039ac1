#!/usr/bin/env bats
# Whole bubbles by the two real agents: every command of the protocol is run by themselves.

load helpers

teardown() { strike; }

# By the shell: implemented, refused with a P1, fixed, reviewed clean by one and then by the other.
by_shell() {
  script_agent "$IMPLEMENTER" \
    "$(on_turn 1)" \
    "$(write_step "$IMPLEMENTER" name.txt Ada)" \
    "$(bash_step 'echo "hello, world" >hello.txt; pairflow pass --summary "greets everybody"')" \
    "$(on_turn 2)" \
    "$(bash_step 'echo "hello, $(cat name.txt)" >hello.txt
pairflow pass --summary "by name now" --fixed F1.1')" \
    "$(on_turn 3)" \
    "$(bash_step "cat >/tmp/package.md <<'END'
$(package "Greet Ada")
END
pairflow converged --summary 'I agree' --package /tmp/package.md
pairflow bubble approve --id $BUBBLE --yes || echo NOT SO \$((6 * 7))
env -i $PAIRFLOW bubble approve --repo $REPO --id $BUBBLE --yes || echo NOT THIS WAY \$((6 * 7))")"
  script_agent "$REVIEWER" \
    "$(on_turn 1)" \
    "$(bash_step 'git diff
pairflow pass --summary "one thing" --finding "P1:Nobody is named @hello.txt:1"')" \
    "$(on_turn 2)" \
    "$(bash_step 'pairflow pass --summary "fine" --no-findings')"
}

# The same by MCP.
by_mcp() {
  script_agent "$IMPLEMENTER" \
    "$(on_turn 1)" \
    "$(write_step "$IMPLEMENTER" name.txt Ada)" \
    "$(bash_step 'echo "hello, world" >hello.txt')" \
    "$(mcp_step pass '{"summary": "greets everybody"}')" \
    "$(on_turn 2 "$(mcp_step turn '{}')")" \
    "$(bash_step 'echo "hello, $(cat name.txt)" >hello.txt')" \
    "$(mcp_step pass '{"summary": "by name now", "fixed": ["F1.1"]}')" \
    "$(on_turn 3 "$(mcp_step turn '{}')")" \
    "$(mcp_step converged "$(package "Greet Ada" | jq -Rs '{summary: "I agree", package: .}')")"
  script_agent "$REVIEWER" \
    "$(on_turn 1 "$(mcp_step turn '{}')")" \
    "$(mcp_step pass '{"summary": "one thing", "findings":
      [{"severity": "P1", "title": "Nobody is named", "path": "hello.txt", "line": 1}]}')" \
    "$(on_turn 2)" \
    "$(mcp_step pass '{"summary": "fine", "no_findings": true}')"
}

senders() { # TYPE…, as "round sender"
  jq -r 'select(.type | IN($ARGS.positional[])) | "\(.round) \(.sender)"' "$(transcript)" \
    --args "$@" | paste -sd ,
}

# What the agents' programs know of their user, and are not to change.
of_the_user() { cat "$HOME/.claude.json" "$HOME/.codex/config.toml" "$HOME/.gitconfig" 2>/dev/null | sha256sum; }

converges() {
  local before
  before=$(of_the_user)
  start_bubble
  wait_state READY_FOR_APPROVAL
  played_out "$IMPLEMENTER"
  played_out "$REVIEWER"
  # Each saw what the other did, by pairflow's own words.
  model_saw "$IMPLEMENTER" "F1.1 P1 [open] Nobody is named @hello.txt:1"
  model_saw "$REVIEWER" "F1.1 P1 [claimed] Nobody is named @hello.txt:1"
  model_saw "$IMPLEMENTER" "$REVIEWER found nothing serious in this very tree"
  [ "$(senders PASS CONVERGENCE)" = \
    "1 $IMPLEMENTER,1 $REVIEWER,2 $IMPLEMENTER,2 $REVIEWER,3 $IMPLEMENTER" ]
  [ "$(jq -r .payload.enforcement "$(transcript)" | sort -u | paste -sd ' ')" = "null sandbox" ]
  [ "$(lines_of "$BUBBLE" PROTOCOL_WARNING)" = "" ]
  [ "$(of_the_user)" = "$before" ]
}

# Who has just agreed would like to approve as well.
cannot_approve() {
  wait_saw "$IMPLEMENTER" "NOT SO 42"
  wait_saw "$IMPLEMENTER" "NOT THIS WAY 42"
  is_state READY_FOR_APPROVAL
}

closed() { [ "$(jq -r .payload.event "$(transcript)" | tail -n 1)" = closed ]; }

# The human's part: what is committed is what both agreed to.
approved_and_committed() {
  local tree
  tree=$(field "$BUBBLE" .converged_tree)
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
  is_state DONE
  [ "$(git -C "$REPO" rev-parse "bubble/$BUBBLE^{tree}")" = "$tree" ]
  [ "$(git -C "$REPO" rev-parse "bubble/$BUBBLE^")" = "$(git -C "$REPO" rev-parse main)" ]
  [ "$(git -C "$REPO" ls-tree -r --name-only "$tree" | paste -sd ' ')" = "hello.txt name.txt" ]
  [ "$(git -C "$REPO" show "$tree:hello.txt" "$tree:name.txt" | paste -sd ' ')" = "hello, Ada Ada" ]
  [ "$(git -C "$REPO" log -1 --format='%an %s' "bubble/$BUBBLE")" = "Dev Greet Ada" ]
  wait_for closed
  [ "$(types)" = "LIFECYCLE LIFECYCLE TASK EVIDENCE PASS PASS PASS PASS CONVERGENCE \
APPROVAL_REQUEST APPROVAL_DECISION LIFECYCLE LIFECYCLE DONE_PACKAGE LIFECYCLE" ]
  pf bubble verify --id "$BUBBLE"
}

@test "claude implements and codex reviews, by the shell" {
  stage claude
  by_shell
  converges
  cannot_approve
  approved_and_committed
}

@test "codex implements and claude reviews, by the shell" {
  stage codex
  by_shell
  converges
  cannot_approve
  approved_and_committed
}

@test "claude implements and codex reviews, by MCP" {
  stage claude
  by_mcp
  converges
  approved_and_committed
}

@test "codex implements and claude reviews, by MCP" {
  stage codex
  by_mcp
  converges
  approved_and_committed
}
