#!/usr/bin/env bats
# A shell of the human's in a bubble's worktree, confined as a check is.

load helpers

setup() { scratch; }
teardown() { sweep; }

shell() { pf bubble shell --id "$BUBBLE" "$@"; }

@test "a shell is confined as a check is, writes the worktree, and passes its code on" {
  needs sandbox
  begin
  echo mine >"$HOME/secret"
  run -0 shell -- sh -c 'pwd; echo "$PAIRFLOW_CHECK"; echo "${SECRET:-none}"; ls -A "$HOME" | wc -l; echo x >made'
  [ "$output" = "$WORKTREE
$BUBBLE
none
0" ]
  [ "$(cat "$WORKTREE/made")" = x ]
  run -7 shell -- sh -c 'exit 7'
  run shell -- sh -c "echo x >'$REPO/hello.txt'"
  [ "$status" -ne 0 ]
  run shell -- sh -c "echo x >>'$WORKTREE/.git'"
  [ "$status" -ne 0 ]
  run -0 shell -- sh -c "ls -A '$REPO/.pairflow' | wc -l"
  [ "$output" = 0 ]
  SHELL=/bin/sh run -0 shell <<<'echo "by $0"'
  [ "$output" = "by /bin/sh" ]
  [ "$(shell --json -- true | jq -r .enforcement)" = sandbox ]
}

@test "human commands are refused in a shell, and a shell is refused to agents" {
  needs sandbox
  begin
  cp "$PAIRFLOW" "$REPO/pf-copy"
  run shell -- "$REPO/pf-copy" bubble stop --id "$BUBBLE" --yes --repo "$REPO"
  [ "$status" -eq 1 ]
  [[ "$output" == *"human's"*"\`bubble shell\`"*"decides nothing"*"a terminal of your own"* ]]
  [[ "$output" != *ask-human* && "$output" != *orchestrator* ]]
  is_state RUNNING
  run -1 as codex bubble shell --id "$BUBBLE" -- true
  [[ "$output" == *"human's"* ]]
}

@test "a shell is interactive on the terminal" {
  needs sandbox
  begin
  tmx new-session -d -x 100 -y 20 -s look \
    "cd '$REPO' && SHELL=/bin/bash '$PAIRFLOW' bubble shell --id $BUBBLE; echo ended with \$?; exec cat"
  tmx send-keys -t look 'tty -s && echo on"-"a-tty; sleep 300' Enter
  wait_for screen_has "on-a-tty"
  tmx send-keys -t look C-c
  tmx send-keys -t look 'exit 5' Enter
  wait_for screen_has "ended with 5"
}
screen_has() { tmx capture-pane -p -t look | grep -qF -- "$1"; }

@test "without a worktree there is no shell" {
  create
  run -1 shell -- true
  [[ "$output" == *worktree* ]]
}
