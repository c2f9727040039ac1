#!/usr/bin/env bats
# The commit: exactly the approved tree, exactly once, whatever happens on the way.

load helpers

setup() { scratch; }
teardown() { sweep; }

one_commit_of_the_approved_tree() {
  is_state DONE
  [ "$(git -C "$REPO" rev-list --count "main..bubble/$BUBBLE")" -eq 1 ]
  [ "$(git -C "$REPO" rev-parse "bubble/$BUBBLE^{tree}")" = "$(field "$BUBBLE" .approved_tree)" ]
  [ "$(field "$BUBBLE" .approved_tree)" = "$(field "$BUBBLE" .converged_tree)" ]
  [ "$(git -C "$REPO" rev-parse "bubble/$BUBBLE")" = "$(field "$BUBBLE" .commit)" ]
  [ "$(jq -r '.payload.event // empty' "$(transcript)" | grep -c '^committed$')" -eq 1 ]
  [ "$(count_of "$BUBBLE" DONE_PACKAGE)" -eq 1 ]
  pf bubble verify --id "$BUBBLE" >/dev/null
  [ -z "$(git -C "$WORKTREE" status --porcelain)" ]
}

# All of the scratch directory as it is, to come back to.
save() {
  wait_for nothing_runs
  cp -a "$REPO" "$SCRATCH/repo.saved"
  cp -a "$SCRATCH/.pairflow-worktrees" "$SCRATCH/worktrees.saved"
}
restore() {
  wait_for nothing_runs
  rm -rf "$REPO" "$SCRATCH/.pairflow-worktrees"
  cp -a "$SCRATCH/repo.saved" "$REPO"
  cp -a "$SCRATCH/worktrees.saved" "$SCRATCH/.pairflow-worktrees"
}

@test "killed at each point of the commit, it is finished by the next one: one commit" {
  needs strace
  approved
  save
  local call k killed=0
  # The command, the supervisor it starts and all they run are killed at their k-th call.
  for call in fdatasync pwrite64 clone3 flock; do
    for k in 1 2 3 4 5 6 7 8; do
      restore
      pf_killed "$call" "$k" || killed=$((killed + 1))
      wait_for nothing_runs
      run pf bubble commit --id "$BUBBLE"
      if [ "$status" -ne 0 ]; then  # it was done already
        [[ "$output" == *"is DONE"* ]] || { echo "$call $k: $output"; return 1; }
      fi
      one_commit_of_the_approved_tree || { echo "after $call $k"; return 1; }
    done
  done
  [ "$killed" -ge 10 ]
}
pf_killed() { # CALL K
  rm -f "$SCRATCH/code"
  (cd "$REPO" && exec strace -f -o /dev/null -e "trace=$1" -e "inject=$1:signal=KILL:when=$2" \
    sh -c '"$@"; echo $? >'"$SCRATCH/code" sh "$PAIRFLOW" bubble commit --id "$BUBBLE") \
    >/dev/null 2>&1 3>&- &  # it stays as long as a tmux server does
  wait_for test -s "$SCRATCH/code"
  [ "$(cat "$SCRATCH/code")" -eq 0 ]
}

@test "approve, then gc --prune=now, then commit" {
  approved
  wait_for nothing_runs
  git -C "$REPO" reflog expire --expire=now --all
  git -C "$REPO" gc -q --prune=now
  pf bubble commit --id "$BUBBLE"
  one_commit_of_the_approved_tree
}

@test "unconfined, one byte after the first clean review: the next verdict counts on the new tree only" {
  unconfined
  begin
  implement "hello, world"
  as claude pass --summary "fine" --no-findings
  printf x >>"$WORKTREE/hello.txt"
  run -1 agree
  [[ "$output" == *hello.txt* ]]
  wait_for recorded '.payload.event == "tree_moved"'
  run -1 agree
  [[ "$output" == *"claude has no clean verdict"* ]]
  as codex pass --summary "with an x" --no-findings
  package | as claude converged --summary "with an x" --package -
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
  [ "$(git -C "$REPO" show "bubble/$BUBBLE:hello.txt")" = $'hello, world\nx' ]
}

@test "edits between converged and approve, approve and commit, are refused by name" {
  begin
  converge
  edit sneaky.txt "one more"
  run -1 pf bubble approve --id "$BUBBLE" --yes
  [[ "$output" == *sneaky.txt* ]]
  rm "$WORKTREE/sneaky.txt"
  pf bubble approve --id "$BUBBLE" --yes
  edit sneaky.txt "one more"
  run -1 pf bubble commit --id "$BUBBLE"
  [[ "$output" == *sneaky.txt* ]]
  is_state APPROVED_FOR_COMMIT
  rm "$WORKTREE/sneaky.txt"
  pf bubble commit --id "$BUBBLE"
  one_commit_of_the_approved_tree
}

hook() { # NAME LINE…
  local file=$REPO/.git/hooks/$1
  shift
  printf '#!/bin/sh\n' >"$file"
  printf '%s\n' "$@" >>"$file"
  chmod +x "$file"
}

# What a hook finds is told by what it prints: it can write nothing outside of its checkout.
@test "hooks are run with --run-hooks only, and see the approved tree as git commit would show it" {
  hook pre-commit 'echo "staged: $(git diff --cached --name-only | paste -sd " ")"' \
    'echo "clean: $(git diff --name-only | wc -l) on $(git symbolic-ref --short HEAD)"' \
    'echo "head: $(git log -1 --format=%s) by $(git config user.name)"' 'echo "in: $PWD"'
  hook commit-msg 'printf "\nSigned-off-by: hook\n" >>"$1"'
  hook post-commit 'echo "after: $(git log -1 --format=%s)"'
  approved
  run -0 --separate-stderr pf bubble commit --id "$BUBBLE" --run-hooks --json
  [[ "$stderr" == *"staged: hello.txt"*"clean: 0 on bubble/$BUBBLE"*"head: first by Dev"* ]]
  [[ "$stderr" == *"in: $WORKTREE.checks"*"after: Say more."* ]]
  [ "$(jq -r .hooks <<<"$output")" = "$(enforcement)" ]
  [ "$(git -C "$REPO" log -1 --format=%B "bubble/$BUBBLE")" = $'Say more.\n\nSigned-off-by: hook' ]
  one_commit_of_the_approved_tree
  [ ! -e "$WORKTREE.checks" ] && [ ! -e "$REPO/.pairflow/bubbles/$BUBBLE/hooks.git" ]
  BUBBLE=other WORKTREE=$SCRATCH/.pairflow-worktrees/repo/other
  approved "hello again"
  run -0 pf bubble commit --id other
  [[ "$output" != *staged* ]]
}

# What commands that are confined where this machine can say of that.
enforcement() {
  if sandboxed true 2>/dev/null; then echo sandbox; else echo advisory; fi
}

@test "a hook that refuses, changes files, or was planted after the start stops the commit" {
  hook pre-commit 'test ! -e "$(cat where)/locked" || { echo "closed today"; exit 1; }' \
    'test ! -e "$(cat where)/meddle" || { echo more >>hello.txt; echo x >new.txt; echo x >a.log; rm where; }'
  printf '%s\n' "$REPO/switches" >"$REPO/where"
  printf '*.log\n' >"$REPO/.gitignore"
  git -C "$REPO" add -A && git -C "$REPO" commit -qm "switches"
  mkdir "$REPO/switches"
  approved
  touch "$REPO/switches/locked"
  run -1 pf bubble commit --id "$BUBBLE" --run-hooks
  [[ "$output" == *"closed today"*"pre-commit refused"* ]]
  rm "$REPO/switches/locked"
  touch "$REPO/switches/meddle"
  run -1 pf bubble commit --id "$BUBBLE" --run-hooks
  [[ "$output" == *"pre-commit changed files: hello.txt, new.txt, where"* ]]
  [[ "$output" != *a.log* ]]
  [ "$(cat "$WORKTREE/hello.txt")" = "hello, world" ]
  rm "$REPO/switches/meddle"
  hook commit-msg 'echo "I ran"'
  run -1 pf bubble commit --id "$BUBBLE" --run-hooks
  [[ "$output" == *"hooks/commit-msg (new)"* ]]
  [[ "$output" != *"I ran"* ]]
  is_state APPROVED_FOR_COMMIT
  [ ! -e "$REPO/.pairflow/bubbles/$BUBBLE/hooks.git" ]
  run -1 as codex bubble commit --id "$BUBBLE" --run-hooks
  pf bubble commit --id "$BUBBLE"
  one_commit_of_the_approved_tree
}

@test "hooks run what the setup makes in their own checkout, never what lies in the worktree" {
  needs sandbox
  printf 'tools\n' >"$REPO/.gitignore"
  git -C "$REPO" add -A && git -C "$REPO" commit -qm "ignore the tools"
  printf '[commands]\nsetup = "mkdir -p tools; echo echo clean tool >tools/check"\n' \
    >>"$REPO/.pairflow/config.toml"
  hook pre-commit 'sh tools/check'
  approved
  echo "echo planted tool; touch '$SCRATCH/ran'" >"$WORKTREE/tools/check"
  run -0 pf bubble commit --id "$BUBBLE" --run-hooks
  [[ "$output" == *"clean tool"* && "$output" != *planted* ]]
  one_commit_of_the_approved_tree
}

@test "hooks in an ignored directory come from the worktree, where no agent can write them" {
  printf '_\n' >"$REPO/.gitignore"
  git -C "$REPO" add -A && git -C "$REPO" commit -qm "ignore made hooks"
  git -C "$REPO" config core.hooksPath hooks/_
  cat >>"$REPO/.pairflow/config.toml" <<'TOML'
[commands]
setup = "test -d .git || { mkdir -p hooks/_; echo 'echo made hook at $0' >hooks/_/pre-commit; chmod +x hooks/_/pre-commit; }"
TOML
  approved
  run -0 pf bubble commit --id "$BUBBLE" --run-hooks
  [[ "$output" == *"made hook at $WORKTREE.checks/hooks/_/pre-commit"* ]]
  one_commit_of_the_approved_tree
}

@test "a hook cannot make the message out of a file outside" {
  echo "a secret" >"$SCRATCH/elsewhere"
  hook commit-msg "rm \"\$1\"; ln -s '$SCRATCH/elsewhere' \"\$1\""
  approved
  run pf bubble commit --id "$BUBBLE" --run-hooks
  [ "$status" -ne 0 ]
  [[ "$output" != *"a secret"* ]]
  is_state APPROVED_FOR_COMMIT
}

@test "hooks kept in the tree, or moved by somebody, are the agent's: they are not run" {
  mkdir "$REPO/.husky"
  printf '#!/bin/sh\n' >"$REPO/.husky/pre-commit"
  chmod +x "$REPO/.husky/pre-commit"
  git -C "$REPO" add -A && git -C "$REPO" commit -qm "hooks"
  git -C "$REPO" config core.hooksPath .husky
  begin
  printf '#!/bin/sh\ntouch %s\n' "$SCRATCH/ran" >"$WORKTREE/.husky/pre-commit"
  converge
  pf bubble approve --id "$BUBBLE" --yes
  run -1 pf bubble commit --id "$BUBBLE" --run-hooks
  [[ "$output" == *"hooks/pre-commit (changed)"* ]]
  [ ! -e "$SCRATCH/ran" ]
}

@test "a hook decides nothing in the human's place, and cannot empty the message" {
  cp "$PAIRFLOW" "$REPO/.git/hooks/pairflow"
  hook commit-msg "'$REPO/.git/hooks/pairflow' bubble stop --id $BUBBLE --yes --repo '$REPO'" ': >"$1"'
  approved
  run -1 pf bubble commit --id "$BUBBLE" --run-hooks
  [[ "$output" == *"human's"*"empty message"* ]]
  is_state APPROVED_FOR_COMMIT
}
