#!/usr/bin/env bats
# Killed in the middle of a turn, an agent goes on in the conversation it had.

load helpers

teardown() { strike; }

# The agent has taken its turn and its model is thinking; everything before is in the conversation.
in_the_middle() { # IMPLEMENTER
  stage "$1"
  script_agent "$1" "$(on_turn 1)" "$(bash_step 'echo remember-the-blue-door')" \
    '{"hang": true, "say": "never heard"}' \
    "$(bash_step 'echo more >hello.txt; pairflow pass --summary "went on"')"
  start_bubble
  wait_step "$1" 3
  wait_for kept_by_program
}
# The program has written down what its tool said; it does so some time after it told its model.
kept_by_program() {
  grep -rqsE '(tool_result|_call_output).*remember-the-blue-door' "$HOME/.claude" "$HOME/.codex"
}

agent_processes() { # AGENT: its pane's process and all below it
  local pid
  pid=$(pane_pid "$1")
  echo "$pid"
  descendants "$pid"
}
descendants() {
  local child
  for child in $(pgrep -P "$1"); do
    echo "$child"
    descendants "$child"
  done
}
kill_agent() { [ "$(pane_pid "$1")" -gt 0 ] && kill -9 $(agent_processes "$1"); } # AGENT
kill_supervisor() { kill -9 "$(jq .pid "$REPO/.pairflow/runtime/$BUBBLE.json")"; }
kill_tmux() { kill -9 "$(tmx display-message -p '#{pid}')"; }

# The same conversation, each line told once, and the bubble goes on by itself.
goes_on() { # AGENT
  wait_for recorded '.type == "PASS"'
  played_out "$1"
  model_remembers "$1" "remember-the-blue-door"
  [ "$(times_told "$1" "TASK from orchestrator")" -eq 1 ]
  [ "$(conversations "$1" | sort -u | wc -l)" -eq 1 ]
  [ "$(count_of "$BUBBLE" PASS)" -eq 1 ]
}
# How often TEXT stands in a prompt of the conversation as the model sees it last.
times_told() { # AGENT TEXT
  requests "$1" | tail -n 1 |
    jq --arg text "$2" '[.history[] | select(.who == "user") | select(.text | contains($text))] | length'
}
conversations() { # AGENT: that the journal knows of
  jq -r --arg agent "$1" 'select(.payload.agent == $agent) | .payload.conversation // empty' \
    "$(transcript)"
}

agent_killed() { # IMPLEMENTER
  in_the_middle "$1"
  kill_agent "$1"
  wait_for is_state WAITING_HUMAN
  pf bubble resume --id "$BUBBLE"
  goes_on "$1"
}
@test "claude is killed" { agent_killed claude; }
@test "codex is killed" { agent_killed codex; }

supervisor_killed() { # IMPLEMENTER
  in_the_middle "$1"
  kill_supervisor
  pf bubble resume --id "$BUBBLE"
  release "$1"
  wait_saw "$1" "go on where you were"
  goes_on "$1"
}
@test "the supervisor is killed under claude" { supervisor_killed claude; }
@test "the supervisor is killed under codex" { supervisor_killed codex; }

tmux_killed() { # IMPLEMENTER
  in_the_middle "$1"
  kill_tmux
  wait_for is_state WAITING_HUMAN
  pf bubble resume --id "$BUBBLE"
  goes_on "$1"
}
@test "tmux is killed under claude" { tmux_killed claude; }
@test "tmux is killed under codex" { tmux_killed codex; }

@test "claude is killed again before it has taken anything" {
  in_the_middle claude
  kill_agent claude
  wait_for is_state WAITING_HUMAN
  pf bubble resume --id "$BUBBLE"
  wait_for kill_agent claude
  wait_for is_state WAITING_HUMAN
  pf bubble resume --id "$BUBBLE"
  goes_on claude
}

all_killed() { # IMPLEMENTER
  in_the_middle "$1"
  kill_supervisor
  kill_agent "$1"
  kill_tmux
  pf bubble resume --id "$BUBBLE"
  goes_on "$1"
}
@test "supervisor, claude and tmux are killed" { all_killed claude; }
@test "supervisor, codex and tmux are killed" { all_killed codex; }
