#!/usr/bin/env bats
# Attacks on what the human runs over files that agents wrote: a shell in the worktree, and the
# hooks of a commit. Both are started by the launch plans that pairflow wrote for them.

load helpers

setup() { scratch_target; }
teardown() { sweep_target; }

victim() {
  perl -e 'open(F, ">$ARGV[0]"); close(F); sleep 300' "$SCRATCH/victim" 3>&- &
  VICTIM=$!
  wait_for test -e "$SCRATCH/victim"
}

# What both are kept from; $1 is who, $2 what makes the names of its rows its own.
common_rows() { # WHO PREFIX
  local control=$REPO/.pairflow
  cat <<TABLE
$1|files|$2-writes-the-machine|open:/|echo x >$OUTSIDE/written
$1|files|$2-writes-the-checkout|open:$REPO|echo x >>$REPO/hello.txt
$1|files|$2-reads-the-home|drop:$HOME drop:$SCRATCH|cat $HOME/.ssh/key
$1|files|$2-reads-tmp|drop:/tmp|test -e $BEHIND_TMP
$1|files|$2-by-the-first-process|open:/|echo x >/proc/1/root$OUTSIDE/written
$1|locks|$2-sees-locks|drop:$control|ls $control/locks | grep .
$1|files|$2-forges-the-journal|drop:$control open:$REPO|echo x >>$control/bubbles/$BUBBLE/forged
$1|channels|$2-sees-channels|drop:$control|ls $control/runtime | grep .
$1|git|$2-configures|open:$REPO/.git|git -C $REPO config attack.name x
$1|git|$2-plants-a-hook|open:$REPO/.git|echo x >$REPO/.git/hooks/post-checkout && rm $REPO/.git/hooks/post-checkout
$1|git|$2-moves-a-branch|open:$REPO/.git|git -C $REPO update-ref refs/heads/attack HEAD
$1|processes|$2-signals|word:--unshare-pid|kill -0 $VICTIM
$1|keyring|$2-reads-the-session|word:--seccomp|perl -e 'exit(syscall(250, 0, -3, 0) >= 0 ? 0 : 1)'
$1|terminal|$2-types-into-it|word:--seccomp|perl -MErrno -e 'my \$k = "x"; ioctl(STDIN, 0x5412, \$k); exit(\$!{EPERM} ? 1 : 0)'
$1|tmux|$2-lists-sessions|drop:$SCRATCH|tmux -S $SOCKET list-sessions
$1|variables|$2-finds-a-secret|environment|test -n "\$SECRET_TOKEN"
$1|variables|$2-finds-the-ssh-agent|environment|test -n "\$SSH_AUTH_SOCK"
$1|human|$2-decides|all|$(as_nobody bubble create --id "by-$2" --task x --no-tests y)
TABLE
}

@test "a shell in the worktree reaches no more than a check does" {
  mkdir "$HOME/.ssh" && echo token >"$HOME/.ssh/key"
  begin
  victim
  pf bubble shell --id "$BUBBLE" -- true
  PLAN_S=$REPO/.pairflow/runtime/$BUBBLE.shell.launch
  {
    common_rows S shell
    echo "S|git|shell-redirects-the-link|drop:$WORKTREE/.git|mv $WORKTREE/.git $WORKTREE/x && mv $WORKTREE/x $WORKTREE/.git"
  } | write_scripts "$REPO/.attacks"
  all_held "$REPO/.attacks"
  kill "$VICTIM"
}

@test "hooks of a commit write nothing but their own checkout" {
  mkdir "$HOME/.ssh" && echo token >"$HOME/.ssh/key"
  git -C "$REPO" config core.hooksPath made
  printf '%s\n' made attacks >"$REPO/.gitignore"
  git -C "$REPO" add -A && git -C "$REPO" commit -qm "ignore what is made"
  cat >>"$REPO/.pairflow/config.toml" <<'TOML'
[commands]
setup = "mkdir -p made attacks; echo 'echo >attacks/started; until [ -e attacks/go ]; do sleep 0.05; done' >made/pre-commit; chmod +x made/pre-commit"
TOML
  approved
  victim
  local checkout=$WORKTREE.checks
  pf bubble commit --id "$BUBBLE" --run-hooks >"$SCRATCH/commit.out" 2>&1 3>&- &
  wait_for test -e "$checkout/attacks/started"
  PLAN_H=$REPO/.pairflow/runtime/$BUBBLE.hook.launch
  {
    common_rows H hook
    cat <<TABLE
H|files|hook-writes-the-worktree|drop:$SCRATCH open:/|echo x >$WORKTREE/planted && rm $WORKTREE/planted
H|git|hook-writes-the-checks-git|drop:$checkout/.git drop:$checkout/.git|echo x >$checkout/.git/commondir && test ! -e $checkout/.git/refs/heads/bubble && rm $checkout/.git/commondir
H|hooks|hook-changes-hooks|drop:$checkout/made|echo >>$checkout/made/pre-commit
H|hooks|hook-adds-hooks|drop:$checkout/made|echo >$checkout/made/post-commit && rm $checkout/made/post-commit
TABLE
  } | write_scripts "$checkout/attacks"
  all_held "$checkout/attacks"
  kill "$VICTIM"
  : >"$checkout/attacks/go"
  wait_for is_state DONE
}
