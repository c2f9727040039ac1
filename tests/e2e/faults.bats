#!/usr/bin/env bats
# What breaks around a running bubble: tmux, the supervisor, an agent, the worktree.

load helpers

setup() { scratch 'reviewer_context_mode = "persistent"'; }
teardown() { sweep; }

supervisor() { jq -r .pid "$REPO/.pairflow/runtime/$BUBBLE.json" 2>/dev/null; }
# The holder of the lease, as soon as there is one.
kill_supervisor() { kill -9 "$(cat "$REPO/.pairflow/locks/$BUBBLE.run.lock")" 2>/dev/null; }
supervised_by_another() { # PID
  local now
  now=$(supervisor) && [ -n "$now" ] && [ "$now" != "$1" ] && kill -0 "$now" 2>/dev/null
}
questions() { jq -r 'select(.type == "HUMAN_QUESTION") | .payload.kind' "$(transcript)" | paste -sd ' '; }
events() { jq -r "select(.payload.event == \"$1\") | .seq" "$(transcript)" | wc -l; } # NAME
asked() { [ "$(questions)" = "$1" ]; }
event_seen() { [ "$(events "$1")" -ge "$2" ]; } # NAME TIMES
# A line that arrived shows twice in a pane of `cat`: as it was typed, and as cat says it.
arrived() { pane "$1" | grep -cF -- "$2"; } # AGENT TEXT
arrived_once() { [ "$(arrived "$@")" -eq 2 ]; }
at_rest() { arrived_once codex "| TASK from" && pane_has claude "you are claude"; }
nowhere() { (cd "$REPO" && PAIRFLOW_REPO=$REPO PAIRFLOW_BUBBLE=$BUBBLE PAIRFLOW_AGENT=$1 "$PAIRFLOW" "${@:2}"); }

@test "a killed tmux server is one question, and resume brings both agents and the message back" {
  begin
  wait_for at_rest
  tmx kill-server
  wait_for is_state WAITING_HUMAN
  wait_for event_seen agent_exited 1
  asked agent_dead
  [ "$(field "$BUBBLE" .active_agent)" = codex ]
  run pf bubble attach --id "$BUBBLE"
  [ "$status" -eq 1 ]
  [[ $output == *"bubble resume --id $BUBBLE"* ]]

  run pf bubble resume --id "$BUBBLE"
  [ "$status" -eq 0 ]
  is_state RUNNING
  wait_for pane_has codex "| TASK from orchestrator"
  wait_for pane_has claude "you are claude, reviewer"
  asked agent_dead
  implement "back again"
  wait_for arrived_once claude "| PASS from codex"
  run pf bubble verify --id "$BUBBLE"
  [ "$status" -eq 0 ]
}

@test "a tmux server killed in a review: the reviewer gets the pass again" {
  begin
  implement "one"
  wait_for arrived_once claude "| PASS from codex"
  tmx kill-server
  wait_for is_state WAITING_HUMAN
  pf bubble resume --id "$BUBBLE"
  wait_for arrived_once claude "| PASS from codex"
  asked agent_dead
  as claude pass --summary "seen" --finding "P1:Too short"
}

@test "a killed supervisor is restarted by the status pane" {
  begin
  wait_for at_rest
  local old
  old=$(supervisor)
  kill -9 "$old"
  wait_for supervised_by_another "$old"
  [ "$(field "$BUBBLE" .supervised)" = true ]
}

@test "a killed supervisor is restarted by the next command and by resume" {
  begin
  wait_for at_rest
  local old
  tmx kill-pane -t "$(pane_id status)"
  old=$(supervisor)
  kill -9 "$old"
  implement "one"
  wait_for supervised_by_another "$old"
  wait_for arrived_once claude "| PASS from codex"

  old=$(supervisor)
  kill -9 "$old"
  run pf bubble resume --id "$BUBBLE"
  [ "$status" -eq 0 ]
  wait_for supervised_by_another "$old"
  [ -z "$(questions)" ]
}

# Kills the supervisor; a command starts it again at once, even a refused one. (The status pane
# does so ever more slowly.)
replace_supervisor() { # INACTIVE-AGENT
  wait_for kill_supervisor
  run as "$1" converged --summary "not my turn"
  [ "$status" -eq 1 ]
}

# Two rounds; the supervisor is killed behind each pass and again when the line has been pasted,
# which is before its Enter.
rounds_with_kills() {
  begin
  wait_for at_rest
  local round
  for round in 1 2; do
    implement "round $round"
    replace_supervisor codex
    wait_for pane_has claude "| round $round | PASS from codex"
    replace_supervisor codex
    wait_for arrived_once claude "| round $round | PASS from codex"
    as claude pass --summary "again" --finding "P1:Not yet"
    replace_supervisor claude
    wait_for pane_has codex "| round $((round + 1)) | PASS from claude"
    replace_supervisor claude
    wait_for arrived_once codex "| round $((round + 1)) | PASS from claude"
  done
  # The next message comes behind everything that is still on its way.
  implement "round 3"
  wait_for arrived_once claude "| round 3 | PASS from codex"
  arrived_once codex "| TASK from orchestrator"
  arrived_once codex "| round 2 | PASS from claude"
  arrived_once codex "| round 3 | PASS from claude"
  [ -z "$(questions)" ]
  run pf bubble verify --id "$BUBBLE"
  [ "$status" -eq 0 ]
}

@test "nothing is delivered twice when the supervisor dies behind a pass or a paste" {
  rounds_with_kills
  arrived_once claude "| round 1 | PASS from codex"
  arrived_once claude "| round 2 | PASS from codex"
}

@test "the same when each review begins in a fresh process" {
  config_file >"$REPO/.pairflow/config.toml"
  rounds_with_kills
  [ "$(jq -r 'select(.payload.event == "launched" and .payload.agent == "claude") | .payload.cause' \
    "$(transcript)" | sort | uniq -d)" = "" ]
}

@test "the active agent's death is a question, and a reply starts it again" {
  begin
  wait_for at_rest
  local old
  old=$(pane_pid codex)
  kill -9 "$old"
  wait_for is_state WAITING_HUMAN
  asked agent_dead
  run as codex pass --summary "too late"
  [ "$status" -eq 1 ]

  run pf bubble reply --id "$BUBBLE" --message "go on, please"
  [ "$status" -eq 0 ]
  is_state RUNNING
  wait_for pane_has codex "| HUMAN_REPLY from human"
  [ "$(pane_pid codex)" != "$old" ]
  asked agent_dead
  implement "alive"
}

@test "the inactive agent's death is recorded only, and it is started again for its turn" {
  begin
  wait_for at_rest
  local old
  old=$(pane_pid claude)
  kill -9 "$old"
  wait_for event_seen agent_exited 1
  is_state RUNNING
  [ -z "$(questions)" ]

  implement "one"
  wait_for arrived_once claude "| PASS from codex"
  [ "$(pane_pid claude)" != "$old" ]
  [ "$(events agent_exited)" -eq 1 ]
  [ -z "$(questions)" ]
}

undelivered() { pf bubble status --id "$BUBBLE" --json | jq -e ".troubles | any(test(\"$1\"))" >/dev/null; }

@test "a pane in copy mode: undelivered in the status, delivered once when the mode is left" {
  begin
  wait_for at_rest
  tmx copy-mode -t "$(pane_id claude)"
  implement "one"
  wait_for undelivered "claude: not delivered.*copy mode"
  pane_lacks claude "| PASS from codex"
  run pf bubble status --id "$BUBBLE"
  [ "$status" -eq 0 ]
  [[ $output == *"copy mode"* ]]

  tmx send-keys -X -t "$(pane_id claude)" cancel
  wait_for arrived_once claude "| PASS from codex"
  [ "$(field "$BUBBLE" '.troubles | length')" -eq 0 ]
  arrived_once claude "| PASS from codex"
}

@test "a worktree removed by hand: a clear error, and resume makes it again" {
  unconfined # a reviewer with a checkout of its own does not need it
  begin
  implement "kept work"
  wait_for arrived_once claude "| PASS from codex"
  local before
  before=$(standing)
  rm -rf "$WORKTREE"
  run nowhere claude pass --summary "fine" --no-findings
  [ "$status" -eq 3 ]
  [[ $output == *"$WORKTREE"* ]]
  [[ $output == *"bubble resume --id $BUBBLE"* ]]
  run pf bubble diff --id "$BUBBLE"
  [ "$status" -ne 0 ]
  [ "$(standing)" = "$before" ]
  [ ! -e "$WORKTREE" ]
  [ -z "$(git -C "$REPO" status --porcelain)" ]

  run pf bubble resume --id "$BUBBLE"
  [ "$status" -eq 0 ]
  [ "$(cat "$WORKTREE/hello.txt")" = "kept work" ]
  run as claude pass --summary "fine" --no-findings
  [ "$status" -eq 0 ]
}

@test "unconfined, a tree edited during a review moves once; the second time in a round asks the human" {
  unconfined
  begin
  implement "one"
  local first
  first=$(field "$BUBBLE" .tree)
  edit hello.txt "one, edited"
  run as claude pass --summary "fine" --no-findings
  [ "$status" -eq 1 ]
  wait_for event_seen tree_moved 1
  is_state RUNNING
  [ "$(field "$BUBBLE" .tree)" != "$first" ]
  [ "$(count_of "$BUBBLE" PROTOCOL_WARNING)" -eq 1 ]

  edit hello.txt "one, edited again"
  run as claude pass --summary "fine" --no-findings
  [ "$status" -eq 1 ]
  wait_for is_state WAITING_HUMAN
  asked void
  [ "$(events tree_moved)" -eq 2 ]

  pf bubble reply --id "$BUBBLE" --message "it is quiet now"
  run as claude pass --summary "fine" --no-findings
  [ "$status" -eq 0 ]
  [ "$(field "$BUBBLE" .round)" -eq 2 ]
}
