#!/usr/bin/env bats
# From the commit on the bubble's branch into the base branch.

load helpers

setup() { scratch; }
teardown() { sweep; }

# DONE with a new file.
finished_with_a_file() {
  begin
  edit new.txt "theirs"
  as codex pass --summary "new"
  as claude pass --summary "fine" --no-findings
  agree
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
}
main_is() { [ "$(git -C "$REPO" rev-parse main)" = "$1" ]; }

@test "into a clean checkout: a fast-forward, files and all" {
  finished
  run -0 pf bubble merge --id "$BUBBLE" --json
  main_is "$(field "$BUBBLE" .commit)"
  [ "$(jq -r .merged <<<"$output")" = "$(field "$BUBBLE" .commit)" ]
  [ "$(cat "$REPO/hello.txt")" = "hello, world" ]
  [ -z "$(git -C "$REPO" status --porcelain --untracked-files=no)" ]
  is_state DONE
  [[ "$(pf bubble status --id "$BUBBLE")" == *"merged into main"* ]]
  run -1 pf bubble merge --id "$BUBBLE"
  [[ "$output" == *"has this change already"* ]]
}

@test "a base that went on gets a merge commit" {
  finished
  echo other >"$REPO/other.txt"
  git -C "$REPO" add other.txt && git -C "$REPO" commit -qm "meanwhile"
  pf bubble merge --id "$BUBBLE"
  [ "$(git -C "$REPO" log -1 --format=%s main)" = "Merge branch 'bubble/$BUBBLE'" ]
  [ "$(cat "$REPO/hello.txt" "$REPO/other.txt" | paste -sd ' ')" = "hello, world other" ]
}

@test "uncommitted changes and conflicts are refused with the list, and nothing moves" {
  finished
  local before
  before=$(git -C "$REPO" rev-parse main)
  echo mine >>"$REPO/hello.txt"
  run -1 pf bubble merge --id "$BUBBLE"
  [[ "$output" == *"uncommitted changes"*"hello.txt"* ]]
  main_is "$before"
  git -C "$REPO" commit -qam "mine"
  before=$(git -C "$REPO" rev-parse main)
  run -1 pf bubble merge --id "$BUBBLE"
  [[ "$output" == *"conflicts with main"*"hello.txt"* ]]
  main_is "$before"
  [ -z "$(git -C "$REPO" status --porcelain --untracked-files=no)" ]
  [ ! -e "$REPO/.git/MERGE_HEAD" ]
}

@test "an untracked file in the way is named, and nothing moves" {
  finished_with_a_file
  echo "mine, not committed" >"$REPO/new.txt"
  local before
  before=$(git -C "$REPO" rev-parse main)
  run -1 pf bubble merge --id "$BUBBLE"
  [[ "$output" == *"uncommitted changes"*new.txt* ]]
  main_is "$before"
  [ "$(cat "$REPO/new.txt")" = "mine, not committed" ]
  rm "$REPO/new.txt"
  pf bubble merge --id "$BUBBLE"
  main_is "$(field "$BUBBLE" .commit)"
}

@test "what is not committed beside the change stays as it is, staged or not" {
  finished
  echo mine >"$REPO/mine.txt"
  echo staged >"$REPO/staged.txt"
  git -C "$REPO" add staged.txt
  pf bubble merge --id "$BUBBLE"
  main_is "$(field "$BUBBLE" .commit)"
  [ "$(cat "$REPO/hello.txt")" = "hello, world" ]
  [ "$(git -C "$REPO" status --porcelain)" = "A  staged.txt
?? mine.txt" ]
}

@test "a base that is not checked out is moved by its ref, merged or forwarded" {
  finished
  git -C "$REPO" checkout -q -b elsewhere
  pf bubble merge --id "$BUBBLE"
  main_is "$(field "$BUBBLE" .commit)"
  [ "$(cat "$REPO/hello.txt")" = hello ]
  BUBBLE=other WORKTREE=$SCRATCH/.pairflow-worktrees/repo/other
  pf bubble create --id other --base main --task "Say more." --no-tests "only a test"
  pf bubble start --id other
  edit second.txt "two"
  as codex pass --summary "two"
  as claude pass --summary "fine" --no-findings
  agree
  pf bubble approve --id other --yes
  pf bubble commit --id other
  git -C "$REPO" branch -f main "$(git -C "$REPO" commit-tree -p main -m meanwhile 'main^{tree}')"
  pf bubble merge --id other
  [ "$(git -C "$REPO" log -1 --format=%s main)" = "Merge branch 'bubble/other' into main" ]
  [ "$(git -C "$REPO" show main:second.txt)" = two ]
}

@test "only a finished bubble is merged, and only by the human" {
  begin
  run -1 pf bubble merge --id "$BUBBLE"
  [[ "$output" == *"nothing to merge yet"* ]]
  converge
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
  run -1 as codex bubble merge --id "$BUBBLE"
  [[ "$output" == *"the human's"* ]]
  git -C "$REPO" checkout -q -b elsewhere
  git -C "$REPO" branch -q -D main
  run -1 pf bubble merge --id "$BUBBLE"
  [[ "$output" == *"'main' is gone"* ]]
}

@test "killed before it could say so, a merge is recognised" {
  finished
  # The journal as it is between the intent and the merge's own line.
  pf bubble merge --id "$BUBBLE"
  sed -i '$d' "$(transcript)"
  rm "$REPO/.pairflow/bubbles/$BUBBLE/state.json"
  pf bubble merge --id "$BUBBLE"
  main_is "$(field "$BUBBLE" .commit)"
  [ "$(jq -r '.payload.event // empty' "$(transcript)" | grep -c '^merged$')" -eq 1 ]
}

@test "a merge that git leaves half done is none; a base under rebase is left alone" {
  finished
  git -C "$REPO" config branch.main.mergeoptions "--no-commit --no-ff"
  pf bubble merge --id "$BUBBLE"
  [ "$(git -C "$REPO" merge-base "bubble/$BUBBLE" main)" = "$(field "$BUBBLE" .commit)" ]
  [ ! -e "$REPO/.git/MERGE_HEAD" ]
  git -C "$REPO" reset -q --hard HEAD~1
  git -C "$REPO" checkout -q -b topic
  echo one >"$REPO/clash.txt"
  git -C "$REPO" add clash.txt && git -C "$REPO" commit -qm one
  git -C "$REPO" checkout -q main
  echo two >"$REPO/clash.txt"
  git -C "$REPO" add clash.txt && git -C "$REPO" commit -qm two
  run git -C "$REPO" rebase -q topic
  run -1 pf bubble merge --id "$BUBBLE"
  [[ "$output" == *"a rebase of it is under way"* ]]
}

@test "a merge that was undone and fails the second time says so" {
  finished_with_a_file
  pf bubble merge --id "$BUBBLE"
  git -C "$REPO" reset -q --hard HEAD~1
  echo mine >"$REPO/new.txt"
  run -1 pf bubble merge --id "$BUBBLE"
  [[ "$output" == *new.txt* ]]
}
