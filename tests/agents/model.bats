#!/usr/bin/env bats
# The scripted model itself, asked as the two agents ask it.

load helpers

setup() {
  SCRATCH=$(mktemp -d "${BATS_TMPDIR:-/tmp}/pf-XXXXXX")
  start_model
}
teardown() { sweep; }

tmx() { :; } # no terminal is needed here

# A request that ends with TEXT as the user's words; prints the answer.
claude_asks() { # TEXT [CURL-OPTION…]
  jq -n --arg text "$1" '{model: "m", tools: [{name: "Bash"}, {name: "Read"}], messages: [
      {role: "user", content: "in the beginning"}, {role: "assistant", content: "I see"},
      {role: "user", content: [{type: "text", text: $text}]}]}' |
    curl -sS --data-binary @- "${@:2}" "$MODEL/agent/claude/v1/messages"
}
codex_asks() { # TEXT [CURL-OPTION…]
  jq -n --arg text "$1" '{model: "m", stream: true, tools: [{name: "exec_command"}], input: [
      {type: "message", role: "user", content: [{type: "input_text", text: $text}]}]}' |
    curl -sS --data-binary @- "${@:2}" "$MODEL/agent/codex/v1/responses"
}
said() { jq -r '.content[0].text'; }

@test "steps are taken one by one; then it is idle, and that is counted" {
  script_agent claude '{"bash": "ls"}' '{"say": "one"}'
  push claude '{"say": "two"}'
  [ "$(claude_asks a | jq -c '[.stop_reason, .content[0].name, .content[0].input.command]')" = '["tool_use","Bash","ls"]' ]
  [ "$(claude_asks b | said)$(claude_asks c | said)" = onetwo ]
  [ "$(claude_asks d | said)" = idle ]
  [ "$(model_state claude '[.steps, .taken, .requests, .unscripted] | tojson')" = '[3,3,4,1]' ]
  [ "$(codex_asks x | sed -n 's/^data: //p' | jq -rs '.[-1].response.output[0].content[0].text')" = idle ]
}

@test "a step with when is kept for its line; expect looks at all that was said" {
  script_agent claude '{"when": "round 2 |", "say": "now"}' '{"say": "x", "expect": "beginning"}' '{"say": "y", "expect": "never"}'
  [ "$(claude_asks "round 1 |" | said)" = idle ]
  [ "$(claude_asks "round 2 | go" | said)" = now ]
  claude_asks b && claude_asks c
  [ "$(model_state claude '[.held, .taken, .unexpected[].expect] | tojson')" = '[1,3,"never"]' ]
  model_saw claude "round 2 | go"
  run -1 model_saw claude "in the beginning"
  model_remembers claude "in the beginning"
}

@test "errors, as often as they are wanted; what else is sent with them" {
  script_agent codex '{"error": 529, "times": 2}' '{"error": 429, "headers": {"retry-after": "7"}, "body": {"x": 1}}'
  [ "$(codex_asks a -o /dev/null -w '%{http_code}')" = 529 ]
  [ "$(codex_asks a -o /dev/null -w '%{http_code}')" = 529 ]
  run -0 codex_asks a -i
  [[ "$output" == *" 429 "*"retry-after: 7"*'{"x":1}' ]]
  [ "$(model_state codex .taken)" = 2 ]
}

@test "an answer that breaks off, one that hangs, and waiting for them" {
  script_agent codex '{"say": "half", "drop": true}' '{"say": "late", "hang": true}'
  run -18 codex_asks a # curl: transfer closed with data outstanding
  codex_asks b >"$SCRATCH/late" 3>&- &
  wait_step codex 2
  [ ! -s "$SCRATCH/late" ]
  [ "$(model_state codex .hanging)" = 1 ]
  release codex
  wait $!
  grep -q late "$SCRATCH/late"
  wait_saw codex b
  run -22 ask "agent/codex/wait?taken=3&seconds=0.1"
}

@test "what is asked on the side takes no step; a wrong step is refused" {
  script_agent claude '{"say": "main"}'
  curl -sS -d '{"model": "m", "messages": [{"role": "user", "content": "a title?"}]}' "$MODEL/agent/claude/v1/messages"
  [ "$(model_state claude '[.taken, .side] | tojson')" = '[0,1]' ]
  run script_agent claude '{"sya": "typo"}'
  [ "$status" -ne 0 ]
}
