#!/usr/bin/env bats
# Several bubbles at once in one repository, and the agents' commands under their older name.

load helpers

setup() { scratch; }
teardown() { sweep; }

all_ready() {
  [ "$(pf bubble list --json | jq '[.bubbles[] | select(.state == "READY_FOR_APPROVAL")] | length')" -eq 5 ]
}

scripted_agents() {
  cat >"$REPO/.pairflow/config.toml" <<TOML
watchdog_timeout_minutes = 600

[agents.codex]
kind = "scripted"
scenario = "demo"

[agents.claude]
kind = "scripted"
scenario = "demo"

[tmux]
socket = "$SOCKET"
TOML
}

@test "five bubbles at once all become ready, without cross-talk" {
  scripted_agents
  local id
  for id in one two three four five; do
    pf bubble create --id "the-$id" --task "Greet, as the $id." --no-tests "a scratch repository"
  done
  for id in one two three four five; do
    pf bubble start --id "the-$id" >"$SCRATCH/start.$id" 2>&1 3>&- &
  done
  wait
  for id in one two three four five; do
    grep -q RUNNING "$SCRATCH/start.$id" || { cat "$SCRATCH/start.$id" && return 1; }
  done
  wait_for all_ready

  for id in one two three four five; do
    run pf bubble verify --id "the-$id"
    [ "$status" -eq 0 ]
    [ "$(jq -r .bubble_id "$(transcript "the-$id")" | sort -u)" = "the-$id" ]
    [ "$(types "the-$id")" = "$(types the-one)" ]
    [ "$(jq -r 'select(.type == "TASK") | .payload.task' "$(transcript "the-$id")")" = "Greet, as the $id." ]
    # Every pairflow line in the session's panes is of this bubble.
    local panes mentioned
    panes=$(tmx list-panes -s -t "=pf-the-$id:" -F '#{pane_id}')
    [ "$(wc -l <<<"$panes")" -eq 3 ]
    mentioned=$(for pane in $panes; do tmx capture-pane -p -J -S - -t "$pane"; done | grep -oE 'the-(one|two|three|four|five)' | sort -u)
    [ "$mentioned" = "the-$id" ]
    [ "$(git -C "$SCRATCH/.pairflow-worktrees/repo/the-$id" symbolic-ref --short HEAD)" = "bubble/the-$id" ]
  done
  [ "$(jq -r .pid "$REPO"/.pairflow/runtime/the-*.json | sort -u | wc -l)" -eq 5 ]
  [ -z "$(git -C "$REPO" status --porcelain)" ]
}

@test "a bubble started twice at once starts once" {
  create
  local i
  for i in 1 2 3 4; do
    start_into "$i" >"$SCRATCH/said.$i" 2>&1 3>&- &
  done
  wait
  [ "$(grep -lx 0 "$SCRATCH"/exit.* | wc -l)" -eq 1 ]
  [ "$(grep -lx 1 "$SCRATCH"/exit.* | wc -l)" -eq 3 ]
  [ "$(count_of "$BUBBLE" TASK)" -eq 1 ]
  [ "$(tmx list-sessions | wc -l)" -eq 1 ]
  is_state RUNNING
}
start_into() { # N
  local code=0
  pf bubble start --id "$BUBBLE" || code=$?
  echo "$code" >"$SCRATCH/exit.$1"
}

@test "one id created by many at once exists once" {
  local i
  for i in 1 2 3 4 5 6; do
    create_into "$i" >"$SCRATCH/said.$i" 2>&1 3>&- &
  done
  wait
  [ "$(grep -lx 0 "$SCRATCH"/exit.* | wc -l)" -eq 1 ]
  [ "$(grep -lx 1 "$SCRATCH"/exit.* | wc -l)" -eq 5 ]
  [ "$(wc -l <"$(transcript)")" -eq 1 ]
}
create_into() { # N
  local code=0
  create || code=$?
  echo "$code" >"$SCRATCH/exit.$1"
}

@test "orchestra is the agents' commands under an older name" {
  begin
  edit hello.txt "changed"
  run as codex orchestra pass --summary "by the alias"
  [ "$status" -eq 0 ]
  ln -s "$(realpath "$PAIRFLOW")" "$SCRATCH/orchestra"
  PAIRFLOW=$SCRATCH/orchestra run as claude pass --summary "by the link" --finding "P1:Too short"
  [ "$status" -eq 0 ]
  [ "$(lines_of "$BUBBLE" PASS | jq -r .payload.summary | paste -sd ,)" = "by the alias,by the link" ]
  PAIRFLOW=$SCRATCH/orchestra run as codex turn
  [ "$status" -eq 0 ]
  [[ $output == *"Too short"* ]]
  # The human's commands are not among them.
  run pf orchestra bubble status --id "$BUBBLE"
  [ "$status" -eq 2 ]
  PAIRFLOW=$SCRATCH/orchestra run pf bubble status --id "$BUBBLE"
  [ "$status" -eq 2 ]
}
