#!/usr/bin/env bats
# The agents' commands as MCP tools: one JSON message a line on standard input and output.

load helpers

setup() { scratch; }
teardown() { sweep; }

# What `pairflow mcp` of AGENT answers to the lines of standard input.
mcp() { as "$1" mcp; } # AGENT
# As in the sandbox of AGENT.
mcp_through() { # AGENT
  (export PAIRFLOW_CHANNEL=$REPO/.pairflow/runtime/$BUBBLE.channels/$1/socket && mcp "$1")
}
# One call as a client sends it; the arguments come as JSON on standard input.
call() { jq -c --arg tool "$1" '{jsonrpc: "2.0", id: 1, method: "tools/call", params: {name: $tool, arguments: .}}'; } # TOOL
# Calls a tool as AGENT, prints its text; ends with 1 for isError. WAY is mcp or mcp_through.
tool() { # AGENT TOOL ARGUMENTS
  local answer
  [[ $2 != @(pass|converged) ]] || wait_for is_shown "$1"
  answer=$(call "$2" <<<"$3" | "${WAY:-mcp}" "$1")
  jq -rj '.result.content[0].text' <<<"$answer"
  [ "$(jq .result.isError <<<"$answer")" = false ]
}
codes() { jq -c '[.id, .error.code // 0]' | paste -sd ' '; } # of the answers on standard input

whole_bubble() {
  begin
  edit hello.txt "hello, world"
  run -0 tool codex turn '{}'
  [ "$output" = "$(as codex turn)" ]
  run -0 tool codex pass '{"summary": "done", "refs": ["hello.txt"]}'
  [[ "$output" == msg_*"codex passed as implementer"* ]]
  lines_of "$BUBBLE" PASS | jq -e '.refs[0] | startswith("artifact://blobs/")'
  run -0 tool claude pass "$(jq -n '{summary: "two things", findings: [
    {severity: "P1", title: "Ask @them: \"why\" $HOME `id` \\ ünïcödé", path: "hello.txt", line: 1},
    "P2:As a string @hello.txt:1"]}')"
  [ "$(pf bubble findings --id "$BUBBLE" --json | jq -r '.findings[] | [.severity, .title, .path, .line] | join("|")')" = \
    $'P1|Ask @them: "why" $HOME `id` \\ ünïcödé|hello.txt|1\nP2|As a string|hello.txt|1' ]
  edit hello.txt "hello, big world"
  run -0 tool codex pass '{"summary": "mended", "fixed": ["F1.1", "F1.2"]}'
  run -0 tool claude pass '{"summary": "still", "resolved": ["F1.2"], "findings": [{"repeat": "F1.1"}]}'
  run -0 tool codex ask_human '{"question": "Why?"}'
  [[ "$output" == *"Wait: the answer will arrive here."* ]]
  pf bubble reply --id "$BUBBLE" --message "Because."
  edit hello.txt "hello, wide world"
  run -0 tool codex pass '{"summary": "mended again", "fixed": ["F1.1"]}'
  run -0 tool claude pass '{"summary": "fine", "no_findings": true}'
  run -0 tool codex converged "$(jq -n --arg package "$(package "By MCP.")" '{summary: "I agree", $package}')"
  is_state READY_FOR_APPROVAL
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
  [ "$(git -C "$REPO" log -1 --format=%s "bubble/$BUBBLE")" = "By MCP." ]
}

@test "a whole bubble by tools" { whole_bubble; }

@test "a whole bubble by tools, through the channel" { WAY=mcp_through whole_bubble; }

@test "one connection: initialize, list, calls, errors; it ends with its input" {
  begin
  edit hello.txt "hello, world"
  run -0 --separate-stderr mcp codex <<'LINES'
{"jsonrpc":"2.0","id":"d","method":"server/discover"}
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
garbage

[{"jsonrpc":"2.0","id":2,"method":"ping"}]
{"jsonrpc":"2.0","id":3,"method":"tools/list"}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"bubble_approve","arguments":{}}}
{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"pass","arguments":{"summary":"done"}}}
{"jsonrpc":"2.0","id":6,"method":"ping"}
LINES
  [ "$(codes <<<"$output")" = '["d",-32601] [1,0] [null,-32700] [null,-32600] [3,0] [4,-32602] [5,0] [6,0]' ]
  [ "$(jq -r 'select(.id == 1) | .result.protocolVersion' <<<"$output")" = 2025-06-18 ]
  [ "$(jq -r 'select(.id == 3) | .result.tools[].name' <<<"$output" | paste -sd ' ')" = "pass ask_human converged turn" ]
  [ -z "$stderr" ]
  [ "$(count_of "$BUBBLE" PASS)" -eq 1 ]
}

@test "a refusal is the command line's, word for word" {
  begin
  edit hello.txt "hello, world"
  same() { # CODE TOOL ARGUMENTS WORDS…
    run "-$1" as codex "${@:4}"
    local said=$output
    run -1 tool codex "$2" "$3"
    diff <(echo "$said") <(echo "$output")
  }
  same 2 pass '{"summary": " "}' pass --summary " "
  same 2 pass '{"summary": "x", "intent": "war"}' pass --summary x --intent war
  same 2 pass '{"summary": "x", "findings": ["P9:x"]}' pass --summary x --finding P9:x
  same 2 pass '{"summary": "x", "refs": ["../x"]}' pass --summary x --ref ../x
  same 1 converged '{"summary": "x"}' converged --summary x
  as codex pass --summary "done"
  same 1 pass '{"summary": "again"}' pass --summary again
  run -1 tool codex pass '{}'
  [[ "$output" == *"--summary is missing"* ]]
  run -1 tool codex pass '{"summary": "x", "finding": ["P1:x"]}'
  [[ "$output" == *"pass has no argument 'finding'"*"findings"* ]]
}

@test "a finding that cannot be written down exactly is refused" {
  begin
  implement "hello, world"
  run -1 tool claude pass '{"summary": "x", "findings": [{"severity": "P1", "title": "ask @them"}]}'
  [[ "$output" == *"the title's end reads as a place: @them"* ]]
  run -1 tool claude pass '{"summary": "x", "findings": [{"severity": "P1", "title": "T", "path": "my file"}]}'
  [[ "$output" == *"its place would be read as"* ]]
  [ "$(count_of "$BUBBLE" PASS)" -eq 1 ]
}

@test "every byte of a summary arrives; what is no text is refused and the connection lives" {
  begin
  edit hello.txt "hello, world"
  local text
  text=$'- \n costs $5 `id` "quoted" \'single\' \\n \\u0041\n\ttab — ünïcödé 日本 🚀 '
  text+=$(head -c 80000 /dev/zero | tr '\0' x)$'\n\n'
  {
    jq -n '{summary: "a\u0000b"}' | call pass
    printf '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"pass","arguments":{"summary":"caf\xe9"}}}\n'
    printf '{"jsonrpc":"2.0","id":3,"method":"pi\0ng"}\n'
    jq -n '{summary: ("x" * 131073)}' | call pass
    head -c 5000000 /dev/zero | tr '\0' a
    printf '\n'
    jq -n --rawfile summary <(printf '%s' "$text") '{$summary}' | call pass
  } >"$SCRATCH/lines"
  run -0 mcp codex <"$SCRATCH/lines"
  [ "$(codes <<<"$output")" = '[1,0] [null,-32700] [null,-32700] [1,0] [null,-32600] [1,0]' ]
  [ "$(jq -c '.result.isError // empty' <<<"$output" | paste -sd ' ')" = "true true" ]
  [[ "$output" == *"--summary contains control characters"*"--summary is too long"*"longer than 4194304 bytes"* ]]
  diff <(printf '%s' "$text") <(lines_of "$BUBBLE" PASS | jq -j .payload.summary)
}

@test "the same 80 kB by a shell" {
  begin
  edit hello.txt "hello, world"
  local text
  text=$'$5 "q" \n\tü '$(head -c 80000 /dev/zero | tr '\0' x)
  as codex pass --summary "$text"
  diff <(printf '%s' "$text") <(lines_of "$BUBBLE" PASS | jq -j .payload.summary)
}

@test "a package is the text itself, never a file's name" {
  begin
  edit hello.txt "hello, world"
  package >"$SCRATCH/package.md"
  (cd "$SCRATCH" && call pass <<<'{"summary": "done", "package": "package.md"}' |
    PAIRFLOW_REPO=$REPO PAIRFLOW_BUBBLE=$BUBBLE PAIRFLOW_AGENT=codex "$PAIRFLOW" mcp) >"$SCRATCH/answer"
  jq -e .result.isError "$SCRATCH/answer"
  run -1 tool codex pass '{"summary": "done", "package": "-"}'
  [ "$(count_of "$BUBBLE" PASS)" -eq 0 ]
}

@test "outside an agent's pane it starts, lists its tools and says what is missing" {
  begin
  run -0 --separate-stderr pf mcp <<<'{"jsonrpc":"2.0","id":1,"method":"tools/list"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"turn"}}'
  [ "$(jq -r '.result.tools // empty | length' <<<"$output")" -eq 4 ]
  [[ "$(jq -r 'select(.id == 2) | .result.content[0].text' <<<"$output")" == *"--id is missing"* ]]
  PAIRFLOW_BUBBLE=$BUBBLE run -0 pf mcp <<<'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"turn"}}'
  [[ "$output" == *"PAIRFLOW_AGENT is not set"* ]]
}

@test "a connection to the supervisor that breaks: the journal tells, and the next call is served" {
  begin
  edit hello.txt "hello, world"
  # Hangs up at once on the first caller; has the second's command run, then hangs up.
  perl -MIO::Socket::UNIX -e 'my $s = IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 5) or die;
    my $first = $s->accept; sysread($first, my $x, 100); close $first;
    my $c = $s->accept; my $out = IO::Socket::UNIX->new(Peer => $ARGV[1]) or die;
    print $out $_ while <$c>; $out->shutdown(1); my @answer = <$out>; close $c' \
    "$SCRATCH/rude" "$REPO/.pairflow/runtime/$BUBBLE.channels/codex/socket" 3>&- &
  wait_for test -S "$SCRATCH/rude"
  local line
  line=$(call pass <<<'{"summary": "done"}')
  PAIRFLOW_CHANNEL=$SCRATCH/rude run -0 mcp codex <<<"$line"$'\n'"$line"$'\n'"$(call turn <<<'{}')"
  jq -rs '.[].result | [.isError, .content[0].text] | @tsv' <<<"$output" >"$SCRATCH/said"
  [[ "$(sed -n 1p "$SCRATCH/said")" == true*"was not carried out"*"run the same command again"* ]]
  [[ "$(sed -n 2p "$SCRATCH/said")" == false*"recorded; the connection to the supervisor broke"* ]]
  [[ "$(sed -n 3p "$SCRATCH/said")" == false*"you are codex"* ]]
  [ "$(count_of "$BUBBLE" PASS)" -eq 1 ]
}

@test "inside the sandbox an agent's own process talks to it" {
  needs sandbox
  cat >"$REPO/agent.sh" <<SH
read line
echo 'hello, world' >hello.txt
printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"turn"}}' \
  '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"pass","arguments":{"summary":"costs \$5"}}}' |
  "$PAIRFLOW" mcp
exec cat
SH
  git -C "$REPO" add agent.sh && git -C "$REPO" commit -qm "an agent"
  config_file | sed "s|\[\"cat\"\]|[\"sh\", \"$REPO/agent.sh\"]|" >"$REPO/.pairflow/config.toml"
  begin
  passed() { [ "$(field "$BUBBLE" .active_role)" = reviewer ]; }
  wait_for passed
  [ "$(lines_of "$BUBBLE" PASS | jq -r '[.sender, .payload.summary] | join(" ")')" = 'codex costs $5' ]
  recorded '.payload.event == "launched" and .payload.enforcement == "sandbox"'
}
