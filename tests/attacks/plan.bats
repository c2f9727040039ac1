#!/usr/bin/env bats
# Attacks on the sandbox of a plan's coder, who works in the user's own checkout.

load helpers
load ../e2e/plan_helpers

setup() {
  needs sandbox
  BATS_TMPDIR=/var/tmp scratch_plan
  OUTSIDE=$(mktemp -d /var/tmp/pf-outside.XXXXXX)
}
teardown() {
  rm -rf "$OUTSIDE"
  sweep_plan
}

@test "in the user's own checkout a plan's coder leaves git as it is, and a new repository is told" {
  git init -q "$REPO/sub"
  mkdir -p "$REPO/.husky/_"
  echo exit 0 >"$REPO/.husky/_/pre-commit"
  git -C "$REPO" config core.hooksPath .husky/_
  plays 1 'git init -q made; : >started; until [ -e go ]; do sleep 0.05; done; pairflow plan request-review'
  drive
  wait_for test -e "$REPO/started"
  PLAN_P=$REPO/.pairflow/plans/login/runs/0001-coder.launch
  write_scripts "$REPO/.attacks" <<TABLE
P|git|plan-configures|drop:$REPO/.git|git -C $REPO config attack.name x
P|git|plan-plants-a-hook|drop:$REPO/.git|echo x >$REPO/.git/hooks/post-checkout && rm $REPO/.git/hooks/post-checkout
P|git|plan-commits|drop:$REPO/.git|cd $REPO && git -c core.hooksPath=/dev/null commit -q --allow-empty -m x
P|git|plan-configures-a-nested-one|drop:$REPO/sub/.git|git -C $REPO/sub config core.fsmonitor ./x
P|git|plan-moves-a-nested-one|drop:$REPO/sub|mv $REPO/sub $REPO/aside && mv $REPO/aside $REPO/sub
P|hooks|plan-changes-hooks|drop:$REPO/.husky/_|echo >>$REPO/.husky/_/pre-commit
P|hooks|plan-moves-hooks|drop:$REPO/.husky|mv $REPO/.husky $REPO/aside && mv $REPO/aside $REPO/.husky
P|files|plan-forges-its-log|drop:$REPO/.pairflow|echo x >>$REPO/.pairflow/plans/login/forged
P|files|plan-edits-the-configuration|drop:$REPO/.pairflow|echo >>$REPO/.pairflow/config.toml
P|locks|plan-sees-locks|drop:$REPO/.pairflow/locks|ls $REPO/.pairflow/locks | grep .
TABLE
  all_held "$REPO/.attacks"
  : >"$REPO/go"
  wait_for grep -qF "left a repository of its own: look at $REPO/made/.git" "$SCRATCH/drive.out"
}

@test "hooks behind a link are sealed, those that come up are told, and so is a bare repository" {
  mkdir -p "$REPO/build/h"
  echo exit 0 >"$REPO/build/h/pre-commit"
  ln -s build/h "$REPO/.hooks"
  git -C "$REPO" config core.hooksPath .hooks
  plays 1 'git init -q --bare store; : >started; until [ -e go ]; do sleep 0.05; done; rm .hooks; mkdir .hooks; echo x >.hooks/post-commit; pairflow plan request-review'
  drive
  wait_for test -e "$REPO/started"
  PLAN_P=$REPO/.pairflow/plans/login/runs/0001-coder.launch
  write_scripts "$REPO/.attacks" <<TABLE
P|hooks|plan-changes-linked-hooks|drop:$REPO/build/h|echo >>$REPO/build/h/pre-commit
P|hooks|plan-adds-linked-hooks|drop:$REPO/build/h|echo >$REPO/build/h/post-checkout && rm $REPO/build/h/post-checkout
P|hooks|plan-moves-what-holds-linked-hooks|drop:$REPO/build|mv $REPO/build $REPO/aside && mv $REPO/aside $REPO/build
TABLE
  all_held "$REPO/.attacks"
  : >"$REPO/go"
  wait_for grep -qF "left a repository of its own: look at $REPO/store before" "$SCRATCH/drive.out"
  wait_for grep -qF "left a hook: look at $REPO/.hooks/post-commit before" "$SCRATCH/drive.out"
}

@test "a hook that a plan's coder adds beside tracked ones is told" {
  mkdir "$REPO/.husky"
  echo exit 0 >"$REPO/.husky/pre-commit"
  git -C "$REPO" add .husky
  git -C "$REPO" commit -qm hooks
  git -C "$REPO" config core.hooksPath .husky
  plays 1 'echo x >.husky/post-commit; pairflow plan request-review'
  drive
  wait_for grep -qF "left a hook: look at $REPO/.husky/post-commit before" "$SCRATCH/drive.out"
}

@test "a hook is told where core.hooksPath named no directory yet" {
  git -C "$REPO" config core.hooksPath .husky/_
  plays 1 'mkdir -p .husky/_; echo x >.husky/_/post-commit; pairflow plan request-review'
  drive
  wait_for grep -qF "left a hook: look at $REPO/.husky/_/post-commit before" "$SCRATCH/drive.out"
}
