#!/usr/bin/env bats
# Things that go wrong around a bubble: taken places, missing programs and files, two repositories.

load helpers

setup() { scratch; }
teardown() { sweep; }

runs_in() { readlink "/proc/$(pane_pid "$1")/cwd"; } # AGENT
session_gone() { ! tmx has-session -t "=pf-${1:-$BUBBLE}" 2>/dev/null; }

@test "the same id in two repositories on one tmux server: neither touches the other" {
  local first=$REPO second=$SCRATCH/second
  begin
  git_repo "$second"
  mkdir "$second/.pairflow"
  config_file >"$second/.pairflow/config.toml"
  local agent
  agent=$(pane_pid claude)
  REPO=$second WORKTREE=$SCRATCH/.pairflow-worktrees/second/$BUBBLE
  begin
  implement "here, not there"
  as claude pass --summary "nothing" --no-findings
  [ "$(tmx list-sessions | grep -c "^pf-$BUBBLE")" -eq 2 ]
  kill -0 "$agent"
  [[ "$(readlink "/proc/$agent/cwd")" == *"/repo/$BUBBLE" ]]
  pf bubble stop --id "$BUBBLE" --yes
  kill -0 "$agent"
  REPO=$first WORKTREE=$SCRATCH/.pairflow-worktrees/repo/$BUBBLE
  is_state RUNNING
  [ "$(field "$BUBBLE" .round)" -eq 1 ]
  pf bubble stop --id "$BUBBLE" --yes
  wait_for session_gone
}

@test "a tree that cannot be saved aside does not keep a stopped bubble's agents alive" {
  begin
  git init -q "$WORKTREE/vendor" # a repository without a commit: git cannot add it
  edit vendor/file.txt "mine"
  run -0 pf bubble stop --id "$BUBBLE" --yes
  [[ "$output" == *"session closed"*"worktree"* ]]
  is_state CANCELLED
  session_gone
  [ "$(cat "$WORKTREE/vendor/file.txt")" = mine ]
}

# The status pane may start a supervisor again that sees a dead agent just when somebody resumes.
@test "a bubble that begins to wait while it is resumed is resumed" {
  needs strace
  begin
  (cd "$REPO" && exec strace -o "$SCRATCH/trace" -P "$REPO/.pairflow/locks/$BUBBLE.lock" \
    -e trace=openat -e inject=openat:signal=STOP:when=1 \
    "$PAIRFLOW" bubble resume --id "$BUBBLE" >"$SCRATCH/resumed" 2>&1 3>&-) &
  local tracer=$!
  wait_for grep -qs "stopped by SIGSTOP" "$SCRATCH/trace"
  as codex ask-human --question "Which of the two?"
  is_state WAITING_HUMAN
  pkill -CONT -P "$tracer"
  wait "$tracer" || { cat "$SCRATCH/resumed"; return 1; }
  is_state RUNNING
}

@test "bubble.toml edited before the start is adopted by the start" {
  create
  sed -i 's/^max_rounds.*/max_rounds = 3/' "$REPO/.pairflow/bubbles/$BUBBLE/bubble.toml"
  pf bubble start --id "$BUBBLE"
  [ "$(field "$BUBBLE" .limit)" -eq 3 ]
}

@test "what create has settled cannot be edited in bubble.toml" {
  begin
  local toml=$REPO/.pairflow/bubbles/$BUBBLE/bubble.toml count edit
  count=$(wc -l <"$(transcript)")
  cp "$toml" "$SCRATCH/toml"
  for edit in 's/^id = .*/id = "other"/' 's/^bubble_branch = .*/bubble_branch = "main"/' \
    's/^base_branch = .*/base_branch = "topic"/' 's/^work_mode = .*/work_mode = "clone"/' \
    's/^repo_path = .*/repo_path = "\/tmp"/'; do
    sed "$edit" "$SCRATCH/toml" >"$toml"
    run -2 pf bubble resume --id "$BUBBLE"
    [[ "$output" == *"bubble.toml"*"cannot be changed any more"*" again"* ]]
  done
  [ "$(jq -r .type "$(transcript)" | grep -c TASK)" -eq 1 ]
  cp "$SCRATCH/toml" "$toml"
  pf bubble resume --id "$BUBBLE"
}

@test "a bubble without its bubble.toml can be looked at and stopped" {
  begin
  rm "$REPO/.pairflow/bubbles/$BUBBLE/bubble.toml"
  pf bubble status --id "$BUBBLE"
  pf bubble stop --id "$BUBBLE" --yes
  is_state CANCELLED
  session_gone
}

@test "a deleted runtime directory does not cut the supervisor off" {
  begin
  wait_for pane_has codex "TASK from orchestrator"
  rm -rf "$REPO/.pairflow/runtime"
  implement "still heard"
  wait_for pane_has claude "PASS from codex"
  rm -rf "$REPO/.pairflow/runtime"
  pf bubble stop --id "$BUBBLE" --yes
  session_gone
}

@test "a place that is taken: start says so, and goes on once it is free" {
  create
  mkdir -p "$WORKTREE"
  echo precious >"$WORKTREE/notes"
  run -3 pf bubble start --id "$BUBBLE"
  [[ "$output" == *"is taken"*"move it away"* ]]
  [ "$(cat "$WORKTREE/notes")" = precious ]
  mv "$WORKTREE" "$SCRATCH/notes"
  git -C "$REPO" commit -q --allow-empty -m second
  git -C "$REPO" branch "bubble/$BUBBLE"
  run -3 pf bubble start --id "$BUBBLE"
  [[ "$output" == *"exists already"*"git branch -m"* ]]
  git -C "$REPO" branch -m "bubble/$BUBBLE" mine
  pf bubble start --id "$BUBBLE"
  is_state RUNNING
}

@test "without tmux a start makes nothing" {
  create
  mkdir "$SCRATCH/bin"
  ln -s "$(command -v git)" "$(command -v cat)" "$(command -v sh)" "$SCRATCH/bin"
  PATH=$SCRATCH/bin run -3 pf bubble start --id "$BUBBLE"
  [[ "$output" == *"there is no program 'tmux'"*"install"* ]]
  is_state CREATED
  [ ! -e "$WORKTREE" ]
}

@test "blank texts are refused, a commit message too" {
  begin
  local blank
  for blank in "" "  "; do
    run -2 as codex pass --summary "$blank"
    run -2 as codex ask-human --question "$blank"
    run -2 pf bubble replan --id "$BUBBLE" --task "$blank"
  done
  converge
  run -2 pf bubble request-rework --id "$BUBBLE" --message " "
  pf bubble approve --id "$BUBBLE" --yes
  run -2 pf bubble commit --id "$BUBBLE" --message ""
  [[ "$output" == *"--message is empty"* ]]
  is_state APPROVED_FOR_COMMIT
}

@test "after the human waived the last blocker the implementer hands over without a change" {
  begin
  implement "hello, world"
  as claude pass --summary "no" --finding "P1:I do not like it"
  run -1 as codex pass --summary "same"
  pf bubble waive --id "$BUBBLE" --finding F1.1 --reason "a matter of taste"
  as codex pass --summary "the human settled it"
  as claude pass --summary "fine then" --no-findings
  agree
  is_state READY_FOR_APPROVAL
}

@test "a line that means nothing to us: file, line and byte, and who may have written it" {
  create
  local line seq
  line=$(jq -c '.type = "HOLOGRAM" | .seq = 2 | .id = "msg_20260221_002"' "$(transcript)")
  local prev
  prev=$(pf bubble verify --id "$BUBBLE" --json | jq -r .head)
  jq -c --arg prev "$prev" '.prev = $prev' <<<"$line" >>"$(transcript)"
  local before
  before=$(sha256sum "$(transcript)")
  for verb in status verify start; do
    run -4 pf bubble "$verb" --id "$BUBBLE"
    [[ "$output" == *"transcript.ndjson: line 2, byte "*"HOLOGRAM"*"newer"* ]]
  done
  run -4 pf bubble verify --id "$BUBBLE"
  [[ "$output" != *"run: pairflow bubble verify"* ]]
  [ "$(sha256sum "$(transcript)")" = "$before" ]
}

@test "a worktree that was removed: said so, and resume starts the agents in the new one" {
  begin
  rm -rf "$WORKTREE"
  run -1 pf bubble diff --id "$BUBBLE"
  [[ "$output" == *"the worktree is gone"*resume* ]]
  pf bubble resume --id "$BUBBLE"
  wait_for pane_has codex "TASK from orchestrator"
  [ "$(runs_in codex)" = "$WORKTREE" ]
  [ "$(runs_in claude)" = "$WORKTREE" ]
}

@test "a request id belongs to one caller and one command" {
  begin
  edit hello.txt "one"
  as codex pass --summary "one" --request r1
  run -2 as claude pass --summary "fine" --no-findings --request r1
  [[ "$output" == *"request id has been used"* ]]
  run -2 as codex ask-human --question "and now?" --request r1
  [ "$(count_of "$BUBBLE" PASS)" -eq 1 ]
  as claude pass --summary "fine" --no-findings --request r2
  as claude pass --summary "fine" --no-findings --request r2
  [ "$(count_of "$BUBBLE" PASS)" -eq 2 ]
  run -2 as codex converged --summary "yes" --request "bad id !"
}

@test "in a linked worktree the base is the branch checked out there" {
  git -C "$REPO" worktree add -q -b side "$SCRATCH/side"
  HERE=$SCRATCH/side pf bubble create --id "$BUBBLE" --task "Say more." --no-tests none
  [ "$(jq -r '.payload.place.base_branch' "$(transcript)")" = side ]
}

@test "flags that cannot be are refused by name" {
  run -2 create --implementer claude --reviewer claude
  [[ "$output" == *"one agent cannot be both"* ]]
  run -2 create --reviewer nobody
  [[ "$output" == *"there is no agent 'nobody'"* ]]
  run -2 create --max-rounds 101
  [[ "$output" == *"1 to 100"* ]]
  run -2 create --work-mode cloud
  [[ "$output" == *"work mode 'cloud'"* ]]
  [ ! -e "$REPO/.pairflow/bubbles/$BUBBLE" ]
}

@test "a repository that was moved is recognised, and the command that is named mends it" {
  begin
  implement "hello, world"
  wait_for nothing_runs
  mv "$REPO" "$SCRATCH/moved"
  local verb before
  before=$(wc -l <"$SCRATCH/moved/.pairflow/bubbles/$BUBBLE/transcript.ndjson")
  for verb in "resume" "reply --message x" "approve --yes" "waive --finding F1.1 --reason x"; do
    HERE=$SCRATCH/moved run -1 pf bubble $verb --id "$BUBBLE"
    [[ $output == *"the repository was moved since bubble $BUBBLE was created"*"$WORKTREE"* ]]
    [[ $output == *"mv '$SCRATCH/moved' '$REPO'"* ]]
  done
  local mend="move it back: mv '$SCRATCH/moved' '$REPO'"
  [[ "$(HERE=$SCRATCH/moved pf bubble status --id "$BUBBLE" | tr -s ' \n' ' ')" == *"was moved since bubble $BUBBLE was created, from $REPO; $mend"* ]]
  [[ "$(HERE=$SCRATCH/moved pf bubble status --id "$BUBBLE")" != *"no supervisor"* ]]
  [[ "$(HERE=$SCRATCH/moved pf bubble status --id "$BUBBLE" --json | jq -r '.troubles[0]')" == *"$mend" ]]
  [[ "$(HERE=$SCRATCH/moved pf inbox)" == *"was moved since bubble $BUBBLE"* ]]
  [ "$(HERE=$SCRATCH/moved pf bubble inbox --id "$BUBBLE" --json | jq -r '.items[0] | .kind, .command')" = \
    "moved"$'\n'"mv '$SCRATCH/moved' '$REPO'" ]
  mv "$SCRATCH/moved" "$REPO"
  [[ "$(pf inbox)" != *"was moved"* ]]
  [ "$(wc -l <"$(transcript)")" -eq "$before" ]
  pf bubble resume --id "$BUBBLE"
  as claude pass --summary "fine" --no-findings
}

@test "a file of 100 GB, which costs nothing to make, is refused by name when it is passed" {
  begin
  edit hello.txt "more"
  truncate -s 100G "$WORKTREE/hole" || skip "needs a file system with holes"
  run -1 as codex pass --summary "done"
  [[ "$output" == *"'hole' is too large"*"2 GB"*".gitignore"* ]]
  edit .gitignore "hole"
  as codex pass --summary "done"
}
