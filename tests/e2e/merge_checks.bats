#!/usr/bin/env bats
# What lands is what was checked: the base branch moved while a bubble was at work.

load helpers

setup() { scratch; }
teardown() { sweep; }

# The check is red where a.txt and b.txt are both there. Arguments: what the check does first.
with_check() { # [SHELL]
  printf '%s\n[ ! -e a.txt ] || [ ! -e b.txt ] || { echo "a and b do not go together"; exit 1; }\n' "${1:-:}" >"$REPO/check.sh"
  git -C "$REPO" add check.sh
  git -C "$REPO" commit -qm "a check"
}
start_checked() {
  pf bubble create --id "$BUBBLE" --task "Say a." --test "sh ./check.sh"
  pf bubble start --id "$BUBBLE"
}
evidence_is() { [ "$(field "$BUBBLE" .evidence)" = "$1" ]; } # STANDING
# From the first turn to READY_FOR_APPROVAL, with FILE.
agreed_on() { # FILE [TEXT]
  edit "$1" "${2:-new}"
  as codex pass --summary "a new file"
  wait_for evidence_is green
  as claude pass --summary "fine" --no-findings
  wait_for evidence_is green # once more, from an empty checkout
  agree
}
# DONE with a.txt, on a base that has only the check.
finished_with_a() {
  start_checked
  agreed_on a.txt
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
}
main_gets() { # FILE [TEXT]
  printf '%s\n' "${2:-new}" >"$REPO/$1"
  git -C "$REPO" add "$1"
  git -C "$REPO" commit -qm "meanwhile: $1"
}
main_is() { [ "$(git -C "$REPO" rev-parse main)" = "$1" ]; }
main_has() { git -C "$REPO" cat-file -e "main:$1"; }
is_green() { (cd "$REPO" && sh ./check.sh); }
merge_runs() { lines_of "$BUBBLE" EVIDENCE | jq -r 'select((.payload.log // "") | startswith("merge-")).payload.status' | paste -sd ' '; }
goes_on_as() { # ID
  BUBBLE=$1 WORKTREE=$SCRATCH/.pairflow-worktrees/repo/$1
}

@test "two changes, each green alone and red together: nothing moves, main stays green" {
  with_check
  finished_with_a
  main_gets b.txt
  local before
  before=$(git -C "$REPO" rev-parse main)
  run -1 pf bubble merge --id "$BUBBLE"
  [[ "$output" == *"main has moved: running test on the merge result"* ]]
  [[ "$output" == *"a and b do not go together"* ]]
  [[ "$output" == *"red on the merge of $BUBBLE with main"*"bubble continue --id $BUBBLE"*"--unchecked"* ]]
  main_is "$before"
  is_green
  [ -z "$(git -C "$REPO" status --porcelain --untracked-files=no)" ]
  # Judged once: the same command is refused at once.
  run -1 pf bubble merge --id "$BUBBLE"
  [[ "$output" != *"running test"* ]]
  [ "$(merge_runs)" = red ]
  run -2 pf bubble merge --id "$BUBBLE" --unchecked " "
  pf bubble merge --id "$BUBBLE" --unchecked "b goes away tomorrow"
  main_has a.txt
  recorded '.payload.unchecked == "b goes away tomorrow"'
  [[ "$(pf bubble timeline --id "$BUBBLE")" == *"merging into main, unchecked: b goes away tomorrow"* ]]
}

@test "green together: checked once, and exactly the checked tree is merged" {
  with_check
  finished_with_a
  main_gets c.txt
  run -0 pf bubble merge --id "$BUBBLE"
  [ "$(merge_runs)" = green ]
  [ "$(lines_of "$BUBBLE" EVIDENCE | jq -r 'select((.payload.log // "") | startswith("merge-")).payload.tree')" = "$(git -C "$REPO" rev-parse 'main^{tree}')" ]
  [ "$(git -C "$REPO" log -1 --format=%s main)" = "Merge branch 'bubble/$BUBBLE'" ]
  [ "$(git -C "$REPO" rev-list --parents -n 1 main | wc -w)" -eq 3 ]
  [ -e "$REPO/a.txt" ] && [ -e "$REPO/c.txt" ]
  [ -z "$(git -C "$REPO" status --porcelain --untracked-files=no)" ]
  is_state DONE
}

@test "a base that did not move, or has the same files, needs no further run" {
  with_check
  finished_with_a
  git -C "$REPO" commit -q --allow-empty -m "nothing"
  pf bubble merge --id "$BUBBLE"
  [ -z "$(merge_runs)" ]
  main_has a.txt
}

@test "settings of the checkout have no say in what is merged" {
  with_check
  finished_with_a
  main_gets c.txt
  git -C "$REPO" config branch.main.mergeoptions "-s ours"
  pf bubble merge --id "$BUBBLE"
  main_has a.txt
}

@test "main moves again while the checks run: tried anew, never merged unchecked" {
  with_check "[ ! -e c.txt ] || until [ -e '$REPO/.git/go' ]; do sleep 0.05; done"
  finished_with_a
  main_gets c.txt
  (pf bubble merge --id "$BUBBLE" >"$SCRATCH/out" 2>&1 3>&- || echo "exit $?" >>"$SCRATCH/out") &
  wait_for grep -q "running test" "$SCRATCH/out"
  main_gets b.txt
  touch "$REPO/.git/go"
  wait_for grep -q "^exit" "$SCRATCH/out"
  cat "$SCRATCH/out"
  grep -q "^exit 1" "$SCRATCH/out"
  [ "$(merge_runs)" = "green red" ]
  ! main_has a.txt
  is_green
}

@test "interrupted while the checks run, nothing has changed and it can be given again" {
  with_check "[ ! -e c.txt ] || until [ -e '$REPO/.git/go' ]; do sleep 0.05; done"
  finished_with_a
  main_gets c.txt
  local before
  before=$(git -C "$REPO" rev-parse main)
  (cd "$REPO" && exec "$PAIRFLOW" bubble merge --id "$BUBBLE" >"$SCRATCH/out" 2>&1 3>&-) &
  local pid=$!
  wait_for grep -q "running test" "$SCRATCH/out"
  kill -TERM "$pid"
  wait "$pid" || true
  main_is "$before"
  [ "$(field "$BUBBLE" .state)" = DONE ]
  touch "$REPO/.git/go"
  pf bubble merge --id "$BUBBLE"
  main_has a.txt
  [ "$(merge_runs)" = green ]
}

@test "checks that cannot run on the result say nothing: refused, mended, run again" {
  with_check "[ ! -e c.txt ] || [ -e '$REPO/.git/go' ] || exit 127"
  finished_with_a
  main_gets c.txt
  run -1 pf bubble merge --id "$BUBBLE"
  [[ "$output" == *"could not run on the merge"*"run the same command again"* ]]
  ! main_has a.txt
  touch "$REPO/.git/go"
  pf bubble merge --id "$BUBBLE"
  [ "$(merge_runs)" = "unable green" ]
  main_has a.txt
}

@test "red together, it goes on as <id>-2: mended by the agents, reviewed by both, merged" {
  with_check
  finished_with_a
  main_gets b.txt
  run -1 pf bubble merge --id "$BUBBLE"
  run -0 pf bubble continue --id "$BUBBLE" --json
  [ "$(jq -r .id <<<"$output")" = fix-login-2 ]
  [ "$(jq -r .continues <<<"$output")" = fix-login ]
  run -0 pf bubble continue --id "$BUBBLE" # given again
  [[ "$output" == *"fix-login goes on as fix-login-2"* ]]
  goes_on_as fix-login-2
  recorded '.payload.continues.bubble == "fix-login"'
  [ "$(field "$BUBBLE" .base_commit)" = "$(git -C "$REPO" rev-parse main)" ]
  ls "$REPO/.pairflow/bubbles/$BUBBLE/artifacts/earlier" | grep -q '^fix-login-.*-codex-pass.md$'
  pf bubble start --id "$BUBBLE"
  [ -e "$WORKTREE/a.txt" ] && [ -e "$WORKTREE/b.txt" ]
  [[ "$(as codex turn)" == *"Say a."*"goes on with bubble fix-login"*"artifacts/earlier/"* ]]
  rm "$WORKTREE/b.txt"
  as codex pass --summary "b is not needed"
  wait_for evidence_is green
  as claude pass --summary "fine" --no-findings
  wait_for evidence_is green
  agree
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
  pf bubble merge --id "$BUBBLE"
  main_has a.txt
  ! main_has b.txt
  is_green
  run -1 pf bubble continue --id "$BUBBLE"
  [[ "$output" == *"main has this change already"* ]]
}

@test "a conflict goes on as <id>-2: marked, resolved by the implementer, reviewed by both" {
  finished "hello from the bubble"
  echo "hello from main" >"$REPO/hello.txt"
  git -C "$REPO" commit -qam "meanwhile"
  run -1 pf bubble merge --id "$BUBBLE"
  [[ "$output" == *"conflicts with main"*"hello.txt"*"pairflow bubble continue --id fix-login"* ]]
  run -0 pf bubble continue --id "$BUBBLE"
  [[ "$output" == *"conflicts to be resolved by codex: hello.txt"* ]]
  goes_on_as fix-login-2
  pf bubble start --id "$BUBBLE"
  run -0 pf bubble continue --id fix-login
  [[ "$output" == *"goes on as fix-login-2"*"Next: pairflow bubble status --id fix-login-2"* ]]
  [[ "$output" != *"bubble start"* ]]
  grep -q '^<<<<<<< ' "$WORKTREE/hello.txt"
  grep -q "hello from main" "$WORKTREE/hello.txt"
  [ "$(field "$BUBBLE" '.findings[0] | [.severity, .status, .title] | join(" ")')" = "P1 open Conflicts with main: hello.txt" ]
  run -1 as codex pass --summary "as it is"
  [[ "$output" == *"conflicts with the base are not resolved"*"hello.txt"* ]]
  edit hello.txt "hello from both"
  as codex pass --summary "resolved" --fixed F1.1
  as claude pass --summary "fine" --no-findings
  agree
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
  pf bubble merge --id "$BUBBLE"
  [ "$(cat "$REPO/hello.txt")" = "hello from both" ]
  # It was itself one that went on: the next number.
  [ "$(git -C "$REPO" log --format=%s -1 main)" = "Say more." ]
}

@test "sync: a conflict is resolved by the agents in a new round, reviewed by both, on the new base" {
  begin
  converge "hello from the bubble"
  echo "hello from main" >"$REPO/hello.txt"
  git -C "$REPO" commit -qam "meanwhile"
  [ "$(field "$BUBBLE" .base_moved)" -eq 1 ]
  [[ "$(pf bubble status --id "$BUBBLE")" == *"main has moved on by 1 commit"*"pairflow bubble sync --id $BUBBLE"* ]]
  run -0 pf bubble sync --id "$BUBBLE"
  [[ "$output" == *"conflicts in hello.txt"* ]]
  is_state RUNNING
  [ "$(field "$BUBBLE" '[.active_agent, .active_role, .round] | join(" ")')" = "claude implementer 3" ]
  [ "$(field "$BUBBLE" .base_moved)" -eq 0 ]
  grep -q '^>>>>>>> ' "$WORKTREE/hello.txt"
  wait_for pane_has claude "synced.md"
  run -1 as claude pass --summary "as it is"
  [[ "$output" == *"not resolved"* ]]
  edit hello.txt "hello from both"
  as claude pass --summary "resolved" --fixed F3.1
  run -1 as codex converged --summary "at once"
  as codex pass --summary "fine" --no-findings
  package | as claude converged --summary "I agree" --package -
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
  [ "$(git -C "$REPO" rev-parse "bubble/$BUBBLE^")" = "$(git -C "$REPO" rev-parse main)" ]
  pf bubble merge --id "$BUBBLE"
  [ "$(cat "$REPO/hello.txt")" = "hello from both" ]
  [ -z "$(git -C "$WORKTREE" status --porcelain)" ]
}

@test "sync: without conflicts both review the new tree; approval and verdicts are void" {
  approved
  echo other >"$REPO/other.txt"
  git -C "$REPO" add other.txt && git -C "$REPO" commit -qm "meanwhile"
  run -0 pf bubble sync --id "$BUBBLE" --json
  [ "$(jq -r '.conflicts | length' <<<"$output")" -eq 0 ]
  [ "$(field "$BUBBLE" '[.state, .active_agent, .active_role, .round] | join(" ")')" = "RUNNING codex reviewer 3" ]
  [ "$(field "$BUBBLE" .approved_tree)" = null ]
  [ "$(cat "$WORKTREE/other.txt")" = other ]
  run -1 pf bubble commit --id "$BUBBLE"
  run -1 pf bubble sync --id "$BUBBLE"
  [[ "$output" == *"main has nothing new"* ]]
  [ "$(pf bubble diff --id "$BUBBLE" --stat | grep -c other.txt)" -eq 0 ]
  as codex pass --summary "fine" --no-findings
  as claude converged --summary "I agree"
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
  pf bubble merge --id "$BUBBLE"
  [ "$(git -C "$REPO" rev-list --count main)" -eq 3 ]
}

@test "sync: the implementer at work keeps its turn and its files; agents cannot ask for it" {
  begin
  edit hello.txt "half done"
  echo other >"$REPO/other.txt"
  git -C "$REPO" add other.txt && git -C "$REPO" commit -qm "meanwhile"
  run -1 as codex bubble sync --id "$BUBBLE"
  pf bubble sync --id "$BUBBLE"
  [ "$(field "$BUBBLE" '[.active_agent, .active_role, .round] | join(" ")')" = "codex implementer 2" ]
  [ "$(cat "$WORKTREE/hello.txt")" = "half done" ]
  [ "$(cat "$WORKTREE/other.txt")" = other ]
  as codex pass --summary "done"
  [ "$(field "$BUBBLE" '.changes.files')" -eq 1 ]
}

@test "sync: refused before the start and once it is done, with what to do instead" {
  create
  run -1 pf bubble sync --id "$BUBBLE"
  [[ "$output" == *"nothing to bring the base into"* ]]
  pf bubble start --id "$BUBBLE"
  run -1 pf bubble continue --id "$BUBBLE"
  [[ "$output" == *"pairflow bubble sync --id $BUBBLE"* ]]
  converge
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
  run -1 pf bubble sync --id "$BUBBLE"
  [[ "$output" == *"pairflow bubble continue --id $BUBBLE"* ]]
}
