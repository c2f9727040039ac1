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
