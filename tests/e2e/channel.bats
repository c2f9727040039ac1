#!/usr/bin/env bats
# The way out of a sandbox: an agent's commands are run by the supervisor, as the agent whose socket
# they came by.

load helpers

setup() { scratch; }
teardown() { sweep; }

channel() { echo "$REPO/.pairflow/runtime/$BUBBLE.channels/$1/socket"; }
# As in the sandbox of AGENT.
through() { # AGENT WORDS…
  (export PAIRFLOW_CHANNEL && PAIRFLOW_CHANNEL=$(channel "$1") && as "$@")
}
# What comes back for a raw line.
raw() { # AGENT LINE
  perl -MIO::Socket::UNIX -e 'my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die;
    print $s $ARGV[1]; $s->shutdown(1); print while <$s>' "$(channel "$1")" "$2"
}

@test "a whole bubble through the channel: same text, same codes" {
  begin
  edit hello.txt "hello, world"
  run -0 --separate-stderr through codex pass --summary "done"
  [[ "$output" == msg_*"codex passed as implementer"* ]]
  run -1 --separate-stderr through codex pass --summary "again"
  [[ "$stderr" == *"it is claude's turn"* ]]
  run -2 --separate-stderr through claude pass --summary "both" --finding "P1:x" --no-findings
  run -0 through claude pass --summary "fine" --no-findings --json
  [ "$(jq -r .active_agent <<<"$output")" = codex ]
  package >"$SCRATCH/package.md"
  wait_for is_shown codex
  (cd "$SCRATCH" && PAIRFLOW_CHANNEL=$(channel codex) PAIRFLOW_REPO=$REPO PAIRFLOW_BUBBLE=$BUBBLE \
    PAIRFLOW_AGENT=codex "$PAIRFLOW" converged --summary "I agree" --package package.md)
  is_state READY_FOR_APPROVAL
}

@test "every byte of a summary arrives" {
  begin
  edit hello.txt "hello, world"
  local text
  text=$'costs $5 `id` "quoted" \'single\' \\n\n\ttab — ünïcödé 日本 🚀 '
  text+=$(head -c 60000 /dev/zero | tr '\0' x)
  printf '%s' "$text" | through codex pass --summary -
  [ "$(jq -r 'select(.type == "PASS") | .payload.summary' "$(transcript)")" = "$text" ]
}

@test "the sender is the socket, whatever the environment says" {
  begin
  edit hello.txt "hello, world"
  (cd "$WORKTREE" && PAIRFLOW_CHANNEL=$(channel claude) PAIRFLOW_REPO=$REPO \
    PAIRFLOW_BUBBLE=$BUBBLE PAIRFLOW_AGENT=codex run -1 "$PAIRFLOW" pass --summary "I am codex")
  [ "$(lines_of "$BUBBLE" PROTOCOL_WARNING | jq -r .sender)" = claude ]
}

@test "no command of the human goes this way" {
  begin
  local verb
  for verb in approve "bubble approve" stop create supervise relay "" '../pass'; do
    [[ "$(raw codex "{\"verb\":\"$verb\",\"options\":[],\"json\":false}")" == *"no agent's command"* ]]
  done
  [[ "$(raw codex 'nonsense')" == *'"exit":'* ]]
  [[ "$(raw codex '{"verb":"pass","options":[{"name":"id","values":["other"]},{"name":"summary","values":["x"]}]}')" == *"no option"* ]]
  [[ "$(raw codex '{"verb":"pass","options":[{"name":"repo","values":["/"]},{"name":"summary","values":["x"]}]}')" == *"no option"* ]]
  [[ "$(raw codex '{"verb":"pass","options":[]}')" == *"--summary is missing"* ]]
  is_state RUNNING
}

@test "a dead supervisor is told at once; a new one listens at the same place" {
  begin
  edit hello.txt "hello, world"
  tmx kill-server
  gone() { ! pgrep -f -- "$1 --repo $REPO" >/dev/null; }
  wait_for gone --watch # the status pane: it would start another supervisor
  kill -9 "$(jq -r .pid "$REPO/.pairflow/runtime/$BUBBLE.json")"
  wait_for gone supervise
  run -3 through codex pass --summary "anybody?"
  [[ "$output" == *"does not answer"*"bubble resume --id $BUBBLE"* ]]
  pf bubble resume --id "$BUBBLE"
  through codex pass --summary "there you are"
}

@test "a connection that breaks: the journal tells whether it was recorded" {
  begin
  edit hello.txt "hello, world"
  as codex pass --summary "done" --request r-known
  # A supervisor that hangs up on everybody.
  perl -MIO::Socket::UNIX -e 'my $s = IO::Socket::UNIX->new(Local => $ARGV[0], Listen => 5) or die;
    while (my $c = $s->accept) { sysread($c, my $x, 100); close $c }' "$SCRATCH/rude" 3>&- &
  local rude=$!
  wait_for test -S "$SCRATCH/rude"
  hung_up() { (cd "$WORKTREE" && PAIRFLOW_CHANNEL=$SCRATCH/rude PAIRFLOW_REPO=$REPO \
    PAIRFLOW_BUBBLE=$BUBBLE PAIRFLOW_AGENT=codex "$PAIRFLOW" "$@"); }
  run -0 hung_up pass --summary "done" --request r-known
  [[ "$output" == recorded* ]]
  run -3 hung_up pass --summary "done" --request r-unknown
  [[ "$output" == *"was not carried out"*"run the same command again"* ]]
  kill "$rude"
}

@test "the use of a tool is taken in order, and no agent waits for that" {
  begin
  local supervisor n
  supervisor=$(jq -r .pid "$REPO/.pairflow/runtime/$BUBBLE.json")
  tells() { through codex hook <<<"{\"hook_event_name\": \"$1\", \"session_id\": \"c-1\", \"tool_name\": \"$2\"}"; }
  is_at() { [ "$(field "$BUBBLE" '.agents[] | select(.name == "codex") | .where')" = "$1" ]; }
  kill -STOP "$supervisor"
  for n in $(seq 1 20); do tells PreToolUse "Tool$n"; done
  kill -CONT "$supervisor"
  wait_for is_at "using Tool20"
  tells PermissionRequest Bash # journalled before it returns
  [ "$(field "$BUBBLE" '.inbox[0].kind')" = dialog ]
  tells PostToolUse Bash
  wait_for recorded '.payload.event == "freed"'
  [ "$(field "$BUBBLE" '.inbox | length')" = 0 ]
  # One that says nothing keeps nobody out.
  perl -MIO::Socket::UNIX -e 'my $s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die;
    print "here\n"; close STDOUT; sleep' "$(channel codex)" >"$SCRATCH/silent" 3>&- &
  local silent=$!
  wait_for test -s "$SCRATCH/silent"
  tells PreToolUse Last
  wait_for is_at "using Last"
  edit hello.txt "hello, world"
  through codex pass --summary "done"
  kill "$silent"
}
