#!/usr/bin/env bats
# A command that was killed is given again: what it had begun is finished, and who has to know hears.

load helpers

setup() { scratch 'reviewer_context_mode = "persistent"'; }
teardown() { sweep; }

# The same command, which the kernel kills right before its Nth CALL.
killed_at() { # CALL N WORD…
  (cd "$REPO" && exec strace -qq -o /dev/null -e "trace=$1" -e "inject=$1:signal=KILL:when=$2" \
    "$PAIRFLOW" "${@:3}") >"$SCRATCH/killed" 2>&1 3>&-
}
# Both agents are up and have what they are told.
at_rest() { [ "$(pane codex | grep -cF "| TASK from")" -eq 2 ] && pane_has claude "you are claude"; }
within() { timeout "$1" "$PAIRFLOW" "${@:2}"; } # SECONDS WORD…
events() { jq -r "select(.payload.event == \"$1\") | .seq" "$(transcript)" | wc -l; } # NAME

@test "commit killed at its bell is finished by the same command, at once" {
  needs strace
  approved
  run killed_at sendto 1 bubble commit --id "$BUBBLE"
  [ "$status" -eq 137 ]
  is_state APPROVED_FOR_COMMIT
  cd "$REPO"
  within 20 bubble commit --id "$BUBBLE"
  is_state DONE
  [ "$(events committed)" -eq 1 ]
}

@test "reply killed at its bell: the retry says that it is answered, and the agent hears of it" {
  needs strace
  begin
  wait_for at_rest
  as codex ask-human --question "Which one?"
  run killed_at sendto 1 bubble reply --id "$BUBBLE" --message "the blue one"
  [ "$status" -eq 137 ]
  run -0 pf bubble reply --id "$BUBBLE" --message "the blue one" --json
  [ "$(jq -r '[.ok, .repeated, .state] | join(" ")' <<<"$output")" = "true true RUNNING" ]
  run -0 pf bubble reply --id "$BUBBLE" --message "the blue one"
  [[ $output == *"it is answered already, in these words"* ]]
  run -1 pf bubble reply --id "$BUBBLE" --message "the red one"
  [[ $output == *"no question is open"* ]]
  wait_for pane_has codex "| HUMAN_REPLY from human"
  [ "$(count_of "$BUBBLE" HUMAN_REPLY)" -eq 1 ]
}

@test "create killed anywhere is finished by the same create" {
  needs strace
  local call at killed=0
  for call in pwrite64 ftruncate fsync fdatasync rename; do
    for ((at = 1; at < 30; at++)); do
      run killed_at "$call" "$at" bubble create --id "$BUBBLE" --base main --task "Say more." --no-tests none
      [ "$status" -eq 137 ] || break
      killed=$((killed + 1))
      run create
      [ "$status" -eq 0 ] || [[ $output == *"exists"* ]] || { echo "$call $at: $output"; return 1; }
      is_state CREATED || { echo "$call $at"; return 1; }
      [ "$(events created)" -eq 1 ]
      pf bubble verify --id "$BUBBLE"
      rm -rf "$REPO/.pairflow/bubbles/$BUBBLE" "$REPO/.pairflow/locks"
    done
    [ "$status" -eq 0 ]
    rm -rf "$REPO/.pairflow/bubbles/$BUBBLE" "$REPO/.pairflow/locks"
  done
  [ "$killed" -ge 15 ]
}

@test "create repeated with the same --request gives the same answer; for another one it is refused" {
  create --request one
  local first
  first=$(pf bubble status --id "$BUBBLE" --json | jq .last_seq)
  run create --request one --json
  [ "$status" -eq 0 ]
  [ "$(jq -r '[.ok, .repeated, .state, .id] | join(" ")' <<<"$output")" = "true true CREATED $BUBBLE" ]
  [ "$(pf bubble status --id "$BUBBLE" --json | jq .last_seq)" = "$first" ]
  run -1 create --request two
  [[ $output == *"a bubble '$BUBBLE' exists"* ]]
  pf bubble stop --id "$BUBBLE" --yes --request three
  run -2 create --request three
  [[ $output == *"used for something else"* ]]
  [ -e "$(transcript)" ]
}

@test "the locks deleted under a writer: it records nothing, and what others recorded stays" {
  needs strace
  begin
  local slow code=0
  (cd "$WORKTREE" && exec env PAIRFLOW_REPO="$REPO" PAIRFLOW_BUBBLE="$BUBBLE" PAIRFLOW_AGENT=codex \
    strace -qq -o "$SCRATCH/trace" -e trace=pwrite64 -e inject=pwrite64:delay_enter=5s:when=2 \
    "$PAIRFLOW" ask-human --question "Mine?") >"$SCRATCH/slow" 2>&1 3>&- &
  slow=$!
  wait_for test -s "$SCRATCH/trace" # it has the door, and is about to leave its note
  rm -rf "$REPO/.pairflow/locks"
  as claude ask-human --question "Or mine?"
  wait "$slow" || code=$?
  [ "$code" -eq 3 ]
  grep -q "not recorded: the lock of '.*transcript.ndjson' was removed" "$SCRATCH/slow"
  grep -q "run the same command again" "$SCRATCH/slow"
  pf bubble verify --id "$BUBBLE"
  [ "$(lines_of "$BUBBLE" HUMAN_QUESTION | jq -r .payload.question)" = "Or mine?" ]
  as codex ask-human --question "Mine?"
  [ "$(count_of "$BUBBLE" HUMAN_QUESTION)" -eq 2 ]
}

@test "start with the same --request goes on once its setup is mended" {
  config_file '[commands]' "setup = \"test -e $SCRATCH/mended\"" >"$REPO/.pairflow/config.toml"
  create
  run -3 pf bubble start --id "$BUBBLE" --request one
  [[ $output == *"run the same command again"* ]]
  touch "$SCRATCH/mended"
  pf bubble start --id "$BUBBLE" --request one
  is_state RUNNING
}
