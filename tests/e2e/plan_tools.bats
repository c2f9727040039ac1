#!/usr/bin/env bats
# The tools of a plan's agents: by MCP inside of their sandbox, and what they try without them.

load helpers
load plan_helpers

setup() { scratch_plan; }
teardown() { sweep_plan; }

# One call as a client sends it.
call() { # TOOL ARGUMENTS [ID]
  jq -nc --arg tool "$1" --argjson arguments "$2" --argjson id "${3:-1}" \
    '{jsonrpc: "2.0", $id, method: "tools/call", params: {name: $tool, $arguments}}'
}
list_tools() { echo '{"jsonrpc":"2.0","id":"list","method":"tools/list"}'; }
# Run N is one connection of `pairflow mcp`: its answers go to the transcript, which is what a
# program that may not write has. Lines of standard input are what the client sends.
connects() { # RUN [SCRIPT to go on with]
  cat >"$REPO/agents/run-$1.lines"
  plays "$1" "pairflow mcp <agents/run-$1.lines; ${2:-:}"
}
answers() { cat "$PLAN/runs/$1.ndjson"; } # RUN-ROLE
answer() { answers "$1" | jq -r "select(.id == $2) | $3"; } # RUN-ROLE ID .json.path
text_of() { answer "$1" "$2" '.result.content[0].text'; }   # RUN-ROLE ID
tools_of() { answer "$1" '"list"' '.result.tools[].name' | paste -sd ' '; } # RUN-ROLE
# Which calls were refused as tools, and which by the protocol.
outcomes() { answers "$1" | jq -r 'select(.id | type == "number") | "\(.id):\(.error.code // .result.isError)"' | paste -sd ' '; } # RUN-ROLE
# pairflow mcp as a client outside of the sandbox starts it, with the lines of standard input.
mcp_of() { # RUN AGENT [ROLE]
  (cd "$REPO" && PAIRFLOW_REPO=$REPO PAIRFLOW_PLAN=login PAIRFLOW_RUN=$1 PAIRFLOW_AGENT=$2 \
    PAIRFLOW_ROLE=${3:-} "$PAIRFLOW" mcp)
}

@test "step 4, tests: tool invocations dispatch correct events, by MCP in the sandbox" {
  connects 1 < <(
    list_tools
    call ask_user '{"message": "tabs or \"spaces\"?"}' 1
    call request_review '{"note": "by MCP: $HOME `id`"}' 2
  )
  connects 2 < <(
    list_tools
    call ask_user '{"message": "is that so?"}' 1
    call request_changes '{"text": "no, ünïcödé\nand a second line"}' 2
  )
  connects 3 < <(call request_review '{}' 1)
  connects 4 < <(call approve '{"note": "good"}' 1)
  plays 5 'echo alive; sleep 600'
  drive
  wait_for waits_for ask_user
  pf plan reply login --message "spaces, of course"
  wait_for logged reviewer agent.ask_user
  pf plan reply login --message "it is"
  wait_for run_is_live 5

  [ "$(tools_of 0001-coder)" = "request_review ask_user" ]
  [ "$(tools_of 0002-reviewer)" = "request_changes approve ask_user" ]
  [[ "$(text_of 0001-coder 1)" == *"spaces, of course"* ]]
  [[ "$(text_of 0002-reviewer 1)" == *"it is"* ]]
  for run in 0001-coder 0002-reviewer; do [ "$(outcomes "$run")" = "1:false 2:false" ]; done
  for run in 0003-coder 0004-reviewer; do [ "$(outcomes "$run")" = "1:false" ]; done
  [ "$(transitions)" = "plan.opened agent.ask_user user.reply coder.request_review agent.ask_user \
user.reply reviewer.request_changes coder.request_review reviewer.approve" ]
  recorded_in_plan '.type == "agent.ask_user" and .payload.message == "tabs or \"spaces\"?"'
  recorded_in_plan '.type == "coder.request_review" and .payload.note == "by MCP: $HOME `id`"'
  recorded_in_plan '.type == "reviewer.request_changes" and .payload.text == "no, ünïcödé\nand a second line"'
  recorded_in_plan '.type == "reviewer.approve" and .payload.note == "good"'
  [ "$(endings)" = "1 handed_over 2 handed_over 3 handed_over 4 handed_over" ]
  [ "$(active_step)" = 2 ]
}

@test "MCP: a tool of the other role is none; wrong arguments and empty texts are refused and change nothing" {
  connects 1 'echo alive; sleep 600' < <(
    call approve '{}' 1
    call request_changes '{"text": "x"}' 2
    call pass '{"summary": "x"}' 3
    call plan_pause '{}' 4
    call request_review '{"text": "x"}' 5
    call request_review '{"note": 7}' 6
    call request_review '{"id": "other"}' 7
    call ask_user '{}' 8
    call ask_user '{"message": " "}' 9
    call ask_user '["hm"]' 10
  )
  drive
  wait_for grep -q alive "$PLAN/runs/0001-coder.ndjson"
  [ "$(outcomes 0001-coder)" = "1:-32602 2:-32602 3:-32602 4:-32602 5:true 6:true 7:true 8:true 9:true 10:-32602" ]
  [[ "$(text_of 0001-coder 5)" == *"request_review has no argument 'text'"*"note"* ]]
  [[ "$(text_of 0001-coder 6)" == *"note is not a string"* ]]
  [[ "$(text_of 0001-coder 7)" == *"no argument 'id'"* ]]
  [[ "$(text_of 0001-coder 8)" == *"--message is missing"* ]]
  is_plan coder_active
  [ "$(event_types)" = "plan.opened run.started" ]
}

@test "MCP: the door refuses what the list does not: a wrong role, an old run, no run" {
  plays 1 'pairflow plan request-review'
  plays 2 'echo alive; sleep 600'
  drive
  wait_for run_is_live 2
  # The role that a client claims only filters the list: the run has the turn, or has not.
  run -0 mcp_of 1 alice reviewer < <(list_tools; call approve '{}' 1)
  [ "$(jq -r 'select(.id == 1) | .result.isError' <<<"$output")" = true ]
  run -0 mcp_of 2 bob coder < <(call request_review '{}' 1)
  [ "$(jq -r .result.isError <<<"$output")" = true ]
  run -0 mcp_of 2 bob stranger < <(list_tools)
  [ "$(jq -r '.result.tools[].name' <<<"$output")" = ask_user ]
  run -0 mcp_of 2 bob explainer < <(list_tools)
  [ "$(jq -c .result.tools <<<"$output")" = '[]' ]
  run -0 mcp_of 9 bob reviewer < <(call approve '{}' 1)
  [ "$(jq -r .result.isError <<<"$output")" = true ]
  run -0 mcp_of 2 alice reviewer < <(call approve '{}' 1)
  [ "$(jq -r .result.isError <<<"$output")" = true ]
  is_plan reviewer_active
  [ "$(transitions)" = "plan.opened coder.request_review" ]
  # The same call by whom the turn is.
  plays 3 'echo alive; sleep 600'
  run -0 mcp_of 2 bob reviewer < <(call approve '{}' 1)
  [ "$(jq -r .result.isError <<<"$output")" = false ]
  wait_for is_plan coder_active
}

@test "MCP: a connection that hears garbage lives, and a call after the turn is over is refused" {
  connects 1 < <(
    echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}'
    echo 'garbage'
    printf '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"request_review","arguments":{"note":"caf\xe9"}}}\n'
    call request_review '{"note": "once"}' 3
    call request_review '{"note": "twice"}' 4
    call ask_user '{"message": "late?"}' 5
  )
  plays 2 'echo alive; sleep 600'
  drive
  wait_for run_is_live 2
  [ "$(answers 0001-coder | jq -c '[.id, .error.code // .result.isError]' | paste -sd ' ')" = \
    '[1,null] [null,-32700] [null,-32700] [3,false] [4,true] [5,true]' ]
  [[ "$(answer 0001-coder 1 .result.instructions)" == *"step by step"* ]]
  [ "$(transitions)" = "plan.opened coder.request_review" ]
}

# A scenario's run that fails as a real agent's does: its stream tells of the tool and of its end.
@test "step 3, tests: reviewer write attempts are blocked, and plan log shows what the sandbox said" {
  needs sandbox
  cat >"$REPO/agents/scenario.toml" <<'TOML'
[[run]]
role = "coder"
run = ["sh", "-c", "echo coder >done.txt"]
request_review = ""

[[run]]
role = "reviewer"
round = 1
say = "I mend it myself."
run = ["sh", "-c", "echo reviewer >done.txt"]
request_changes = "say it yourself"

[[run]]
role = "reviewer"
round = 2
write = [ { path = "mine.txt", text = "x\n" } ]
request_changes = "still not"

[[run]]
role = "reviewer"
round = 3
run = ["sh", "-c", "rm done.txt"]
hang = true
TOML
  scripted_agents agents/scenario.toml
  drive
  wait_for recorded_in_plan '.payload.run == 6 and .payload.blocked'
  run -0 pf plan log login
  [[ "$output" == *"[coder:bash] "*"echo coder >done.txt"* ]]
  [ "$(grep -cE '\[reviewer:(bash|write)\] blocked: .*(Read-only file system|read-only)' <<<"$output")" -eq 3 ]
  [ "$(grep -c '\[coder:.*blocked' <<<"$output")" -eq 0 ]
  said '\[reviewer:bash\] blocked: .*done.txt: Read-only file system'
  [ "$(cat "$REPO/done.txt")" = coder ]
  [ ! -e "$REPO/mine.txt" ]
  [ "$(jq -r 'select(.payload.blocked) | "\(.payload.run) \(.payload.role)"' "$PLAN/events.ndjson" | paste -sd ' ')" = \
    "2 reviewer 4 reviewer 6 reviewer" ]
}
