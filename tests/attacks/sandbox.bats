#!/usr/bin/env bats
# Attacks on the sandbox of a bubble's agents; docs/security.md has the table of classes.

load helpers

setup() { scratch_target; }
teardown() { sweep_target; }

# A bubble whose implementer is of kind claude and whose reviewer is of kind codex; both just wait.
attacked_bubble() {
  mkdir -p "$HOME/.claude" "$HOME/.codex" "$HOME/.ssh"
  own_files
  mkdir -p -m 700 "$OUTSIDE/tmux-$(id -u)"
  echo token >"$HOME/.ssh/key"
  cat >"$REPO/.pairflow/config.toml" <<TOML
[agents.codex]
kind = "claude"
command = ["sh", "-c", "exec cat"]
[agents.claude]
kind = "codex"
command = ["sh", "-c", "exec cat"]
[commands]
setup = "git init -q sub; git init -q lib/deep; mkdir -p .husky/_; echo exit 0 >.husky/_/pre-commit"
[tmux]
socket = "$SOCKET"
TOML
  git -C "$REPO" config core.hooksPath .husky/_
  create
  TMUX_TMPDIR=$OUTSIDE pf bubble start --id "$BUBBLE"
  PLAN_I=$REPO/.pairflow/runtime/$BUBBLE.codex.launch
  PLAN_R=$REPO/.pairflow/runtime/$BUBBLE.claude.launch
  wait_for recorded '.payload.event == "launched" and .payload.role == "reviewer"'
}

# What programs run in their own directories, besides their settings.
own_files() {
  mkdir -p "$HOME"/.claude/{local,shell-snapshots,projects/x} "$HOME"/.codex/{packages,tmp/arg0,sessions}
  local name
  for name in .claude/{statusline.sh,local/claude,shell-snapshots/s.sh,projects/x/run.py} \
    .codex/{notify.py,packages/codex,tmp/arg0/apply_patch,sessions/tool}; do
    echo 'echo mine' >"$HOME/$name"
    chmod +x "$HOME/$name"
  done
}

# Another repository of the user's, with a bubble that runs and a tmux of its own.
another_repository() {
  OTHER=$OUTSIDE/other
  git_repo "$OTHER"
  mkdir "$OTHER/.pairflow" "$OUTSIDE/sock"
  config_file | sed "s|^socket = .*|socket = \"$OUTSIDE/sock/t.sock\"|" >"$OTHER/.pairflow/config.toml"
  HERE=$OTHER pf bubble create --id elsewhere --task x --no-tests y
  HERE=$OTHER pf bubble start --id elsewhere
  wait_for test -S "$OTHER/.pairflow/runtime/elsewhere.channels/codex/socket"
}

# Something that runs outside, for those who look for it.
victims() {
  perl -MSocket -e 'socket(A, PF_UNIX, SOCK_STREAM, 0); bind(A, pack("S", 1) . "\0pf-$ARGV[0]") or exit 1;
    listen(A, 5); socket(B, PF_UNIX, SOCK_DGRAM, 0); bind(B, pack("S", 1) . "\0pfd-$ARGV[0]") or exit 1;
    shmget($ARGV[0], 64, 01600); open(F, ">$ARGV[1]"); close(F); sleep 300' $$ "$SCRATCH/victim" 3>&- &
  VICTIM=$!
  TMUX_TMPDIR=$OUTSIDE tmux -L users -f /dev/null new-session -d -s theirs "cat" 3>&-
  tmux_elsewhere
  wait_for test -e "$SCRATCH/victim"
}
# Servers of the user's that no variable and no configuration tells of.
tmux_elsewhere() {
  mkdir -p "$OUTSIDE/x" "$OUTSIDE/lone" "$HOME/.codex"
  TMUX_TMPDIR=$OUTSIDE/x tmux -f /dev/null new-session -d "cat" 3>&-
  tmux -S "$OUTSIDE/lone/socket" -f /dev/null new-session -d "cat" 3>&-
  tmux -S "$HOME/.codex/socket" -f /dev/null new-session -d "cat" 3>&-
}
victims_end() {
  TMUX_TMPDIR=$OUTSIDE tmux -L users kill-server
  TMUX_TMPDIR=$OUTSIDE/x tmux kill-server
  tmux -S "$OUTSIDE/lone/socket" kill-server
  tmux -S "$HOME/.codex/socket" kill-server
  kill "$VICTIM"
  ipcrm -M $$ 2>/dev/null || true
}

@test "files, processes, sockets, key rings, git and settings are out of reach" {
  another_repository
  victims
  attacked_bubble
  echo later >"$WORKTREE/late.txt"
  local key="perl -MErrno -e 'my (\$t, \$d, \$p) = qw(user pf x);"
  local locks=$REPO/.pairflow/locks control=$REPO/.pairflow runtime=$REPO/.pairflow/runtime
  write_scripts "$REPO/.attacks" <<TABLE
# files
I|files|write-the-machine|open:/|echo x >$OUTSIDE/written
I|files|link-out-of-the-worktree|open:/|ln -sf $OUTSIDE/written $WORKTREE/way && echo x >$WORKTREE/way
I|files|write-the-checkout|open:$REPO|echo x >>$REPO/hello.txt
I|files|forge-the-journal|open:$REPO open:$control|echo x >>$control/bubbles/$BUBBLE/forged
I|files|edit-the-configuration|open:$REPO open:$control|echo >>$control/config.toml
I|files|read-the-home|drop:$HOME drop:$SCRATCH|cat $HOME/.ssh/key
I|files|see-our-records|drop:$HOME drop:$SCRATCH|ls $HOME/.local/state/pairflow/held
I|files|read-tmp|drop:/tmp|test -e $BEHIND_TMP
I|files|see-run|drop:/run drop:/run/pairflow|ls /run | grep -vx pairflow | grep .
I|files|by-the-first-process|open:/|echo x >/proc/1/root$OUTSIDE/written
I|files|remount-as-root-of-its-own|open:$REPO|unshare -Um sh -c 'mount -o remount,rw,bind $REPO; echo x >>$REPO/hello.txt'
I|files|unmount-as-root-of-its-own|drop:$locks|unshare -Um sh -c 'umount $locks; ls $locks | grep .'
R|files|reviewer-edits|open:$WORKTREE|echo x >$WORKTREE/x
R|files|reviewer-removes|open:$WORKTREE|rm $WORKTREE/hello.txt && cd $WORKTREE && git show HEAD:hello.txt >hello.txt
# what is under review
R|review|see-what-the-writer-does-meanwhile|drop:$SCRATCH drop:$WORKTREE|test -e $WORKTREE/late.txt
R|review|edit-what-it-reviews|open:$WORKTREE|echo x >>$WORKTREE/hello.txt
R|review|commit-to-what-it-reviews|open:$WORKTREE|cd $WORKTREE && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x
R|review|edit-it-by-its-own-path|drop:$SCRATCH open:/|echo x >>$WORKTREE.review/hello.txt
I|review|edit-what-the-other-reviews|drop:$SCRATCH open:/|echo x >>$WORKTREE.review/hello.txt
I|review|plant-in-the-others-build|drop:$SCRATCH open:/|echo x >>$WORKTREE.claude.build/x
# locks and channels
I|locks|see-locks|drop:$locks|ls $locks | grep .
I|locks|take-the-door|drop:$locks|test -s $locks/$BUBBLE.lock && flock -w 5 $locks/$BUBBLE.lock true
I|channels|see-runtime|drop:$runtime|ls $runtime | grep .
I|channels|call-as-the-other|drop:$runtime|perl -MSocket -e 'chdir(shift) or exit 1; socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un("socket")) or exit 1' $runtime/$BUBBLE.channels/claude
I|locks|take-a-door-elsewhere|drop:$OTHER/.pairflow/locks|test -s $OTHER/.pairflow/locks/elsewhere.lock && flock -w 5 $OTHER/.pairflow/locks/elsewhere.lock true
I|channels|call-elsewhere|drop:$OTHER/.pairflow/runtime|perl -MSocket -e 'chdir(shift) or exit 1; socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un("socket")) or exit 1' $OTHER/.pairflow/runtime/elsewhere.channels/codex
I|channels|ring-elsewhere|drop:$OTHER/.pairflow/runtime|ls $OTHER/.pairflow/runtime/elsewhere.bells | grep .
I|channels|replace-its-own|open:/run/pairflow|mv /run/pairflow/socket /run/pairflow/x && mv /run/pairflow/x /run/pairflow/socket
I|channels|squat-its-own|open:/run/pairflow|mkdir /run/pairflow/socket.new && rmdir /run/pairflow/socket.new
# processes
I|processes|signal-outside|word:--unshare-pid|kill -0 $VICTIM
I|processes|see-commands-outside|word:--unshare-pid|grep -q perl /proc/$VICTIM/cmdline
I|processes|shared-memory|word:--unshare-ipc|perl -e 'exit(defined(shmget($$, 0, 0)) ? 0 : 1)'
# key rings and the terminal, by the filter
I|keyring|add-a-key|word:--seccomp|$key exit(syscall(248, \$t, \$d, \$p, 1, -2) >= 0 ? 0 : 1)'
I|keyring|ask-for-a-key|word:--seccomp|$key syscall(249, \$t, \$d, 0, 0); exit(\$!{EPERM} ? 1 : 0)'
I|keyring|read-the-session|word:--seccomp|perl -e 'exit(syscall(250, 0, -3, 0) >= 0 ? 0 : 1)'
I|terminal|type-into-it|word:--seccomp|perl -MErrno -e 'my \$k = "x"; ioctl(STDIN, 0x5412, \$k); exit(\$!{EPERM} ? 1 : 0)'
I|terminal|paste-into-it|word:--seccomp|perl -MErrno -e 'my \$k = "x"; ioctl(STDIN, 0x541c, \$k); exit(\$!{EPERM} ? 1 : 0)'
# tmux, wherever its sockets are
I|tmux|list-sessions|drop:$SCRATCH|tmux -S $SOCKET list-sessions
I|tmux|type-into-a-pane|drop:$SCRATCH|tmux -S $SOCKET send-keys -t =pf-$BUBBLE: x
I|tmux|run-outside|drop:$SCRATCH|tmux -S $SOCKET run-shell true
R|tmux|reviewer-reaches-it|drop:$SCRATCH|tmux -S $SOCKET list-sessions
I|tmux|the-users-own|drop:$OUTSIDE/tmux-$(id -u)|TMUX_TMPDIR=$OUTSIDE tmux -L users list-sessions
I|tmux|the-users-own-runs|drop:$OUTSIDE/tmux-$(id -u)|TMUX_TMPDIR=$OUTSIDE tmux -L users run-shell true
I|tmux|of-another-repository|drop:$OUTSIDE/sock|tmux -S $OUTSIDE/sock/t.sock list-sessions
I|tmux|of-another-repository-runs|drop:$OUTSIDE/sock|tmux -S $OUTSIDE/sock/t.sock run-shell true
R|tmux|reviewer-reaches-another-repository|drop:$OUTSIDE/sock|tmux -S $OUTSIDE/sock/t.sock run-shell true
I|tmux|unknown-directory-runs|drop:$OUTSIDE/x/tmux-$(id -u)|TMUX_TMPDIR=$OUTSIDE/x tmux run-shell true
R|tmux|reviewer-in-an-unknown-directory|drop:$OUTSIDE/x/tmux-$(id -u)|TMUX_TMPDIR=$OUTSIDE/x tmux run-shell true
I|tmux|unknown-socket-runs|drop:$OUTSIDE/lone/socket|tmux -S $OUTSIDE/lone/socket run-shell true
I|sockets|connect-to-any|drop:$OUTSIDE/lone/socket|perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un(shift)) or exit 1' $OUTSIDE/lone/socket
R|sockets|in-the-programs-own-directory|drop:$HOME/.codex/socket|tmux -S $HOME/.codex/socket run-shell true
# variables
I|variables|a-secret|environment|test -n "\$SECRET_TOKEN"
I|variables|the-ssh-agent|environment|test -n "\$SSH_AUTH_SOCK"
# git
I|git|configure|open:$REPO/.git|git -C $WORKTREE config attack.name x
I|git|plant-a-hook|open:$REPO/.git|echo x >$REPO/.git/hooks/post-checkout && rm $REPO/.git/hooks/post-checkout
I|git|exclude-files|open:$REPO/.git|echo >>$REPO/.git/info/exclude
I|git|borrow-objects|open:$REPO/.git|: >$REPO/.git/objects/info/alternates && rm $REPO/.git/objects/info/alternates
I|git|commit|open:$REPO/.git|cd $WORKTREE && git -c core.hooksPath=/dev/null commit -q --allow-empty -m x
I|git|move-a-branch|open:$REPO/.git|git -C $WORKTREE update-ref refs/heads/attack HEAD
I|git|remove-the-link|drop:$WORKTREE/.git|mv $WORKTREE/.git $WORKTREE/x && mv $WORKTREE/x $WORKTREE/.git
I|git|redirect-the-link|drop:$WORKTREE/.git|cp $WORKTREE/.git /tmp/link && cat /tmp/link >$WORKTREE/.git
I|git|configure-a-nested-one|drop:$WORKTREE/sub/.git|git -C $WORKTREE/sub config core.fsmonitor ./x
I|git|replace-a-nested-one|drop:$WORKTREE/sub/.git|mv $WORKTREE/sub/.git $WORKTREE/sub/x && mv $WORKTREE/sub/x $WORKTREE/sub/.git
I|git|move-a-nested-one-aside|drop:$WORKTREE/sub|mv $WORKTREE/sub $WORKTREE/aside && mv $WORKTREE/aside $WORKTREE/sub
I|git|move-what-holds-one|drop:$WORKTREE/lib|mv $WORKTREE/lib $WORKTREE/aside && mv $WORKTREE/aside $WORKTREE/lib
I|hooks|change-untracked-hooks|drop:$WORKTREE/.husky/_|echo >>$WORKTREE/.husky/_/pre-commit
I|hooks|add-untracked-hooks|drop:$WORKTREE/.husky/_|echo >$WORKTREE/.husky/_/post-checkout
I|hooks|move-them-aside|drop:$WORKTREE/.husky|mv $WORKTREE/.husky $WORKTREE/aside && mv $WORKTREE/aside $WORKTREE/.husky
# settings of the agents' programs that were not there
$(for name in settings.json settings.local.json CLAUDE.md; do
  echo "I|settings|claude-$name|drop:$HOME/.claude/$name|echo x >$HOME/.claude/$name"
done)
$(for name in hooks commands agents skills plugins output-styles rules bin; do
  echo "I|settings|claude-$name|drop:$HOME/.claude/$name|echo x >$HOME/.claude/$name/x.md"
done)
I|settings|claude-by-rename|drop:$HOME/.claude/settings.json|echo x >$HOME/.claude/x && mv $HOME/.claude/x $HOME/.claude/settings.json
I|settings|claude-hooks-moved|drop:$HOME/.claude/hooks|mv $HOME/.claude/hooks $HOME/.claude/x && mkdir $HOME/.claude/hooks
$(for name in config.toml hooks.json AGENTS.md AGENTS.override.md; do
  echo "R|settings|codex-$name|drop:$HOME/.codex/$name|echo x >$HOME/.codex/$name"
done)
$(for name in prompts rules skills plugins agents bin; do
  echo "R|settings|codex-$name|drop:$HOME/.codex/$name|echo x >$HOME/.codex/$name/x.md"
done)
# what the programs run in their own directories
I|own|change-the-status-line|drop:$HOME/.claude/statusline.sh|echo x >>$HOME/.claude/statusline.sh
I|own|replace-the-status-line|drop:$HOME/.claude/statusline.sh|echo x >$HOME/.claude/y && mv $HOME/.claude/y $HOME/.claude/statusline.sh
I|own|change-the-program|drop:$HOME/.claude/local|echo x >>$HOME/.claude/local/claude
I|own|add-to-the-program|drop:$HOME/.claude/local|echo x >$HOME/.claude/local/x
I|own|change-a-shell-snapshot|drop:$HOME/.claude/shell-snapshots|echo x >>$HOME/.claude/shell-snapshots/s.sh && grep -q mine $HOME/.claude/shell-snapshots/s.sh
I|own|change-a-script-among-records|drop:$HOME/.claude/projects/x/run.py|echo x >>$HOME/.claude/projects/x/run.py
I|own|move-aside-what-holds-a-script|drop:$HOME/.claude/projects|mv $HOME/.claude/projects $HOME/.claude/z && mv $HOME/.claude/z $HOME/.claude/projects
R|own|change-the-notifier|drop:$HOME/.codex/notify.py|echo x >>$HOME/.codex/notify.py
R|own|change-a-package|drop:$HOME/.codex/packages|echo x >>$HOME/.codex/packages/codex
R|own|change-a-running-helper|drop:$HOME/.codex/tmp|echo x >>$HOME/.codex/tmp/arg0/apply_patch && grep -q mine $HOME/.codex/tmp/arg0/apply_patch
R|own|change-a-program-among-records|drop:$HOME/.codex/sessions/tool|echo x >>$HOME/.codex/sessions/tool
TABLE
  all_held "$REPO/.attacks"
  victims_end
  tmux -S "$OUTSIDE/sock/t.sock" kill-server
}

@test "root changes nothing of the kernel's" {
  [ "$(id -u)" -eq 0 ] || skip "needs root: for others the kernel itself refuses"
  attacked_bubble
  write_scripts "$REPO/.attacks" <<TABLE
I|proc|core-pattern|drop:/proc/sys|: >>/proc/sys/kernel/core_pattern
I|proc|panic|drop:/proc/sys|: >>/proc/sys/kernel/panic
I|proc|memory|drop:/proc/sys|: >>/proc/sys/vm/drop_caches
I|proc|network|drop:/proc/sys|: >>/proc/sys/net/ipv4/ip_forward
R|proc|by-the-reviewer|drop:/proc/sys|: >>/proc/sys/kernel/core_pattern
I|proc|find-any|drop:/proc/sys|find /proc -path '/proc/[0-9]*' -prune -o -path '/proc/*self*' -prune -o -type f -writable -print | grep .
TABLE
  all_held "$REPO/.attacks"
}

@test "abstract sockets of others are out of reach" {
  perl -e 'exit(syscall(444, 0, 0, 1) >= 6 ? 0 : 1)' || skip "needs Linux 6.12 with Landlock"
  attacked_bubble
  victims
  write_scripts "$REPO/.attacks" <<TABLE
I|abstract|connect|landlock|perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, pack("S", 1) . "\0pf-$$") or exit 1'
I|abstract|send|landlock|perl -MSocket -e 'socket(S, PF_UNIX, SOCK_DGRAM, 0); defined(send(S, "x", 0, pack("S", 1) . "\0pfd-$$")) or exit 1'
R|abstract|by-the-reviewer|landlock|perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, pack("S", 1) . "\0pf-$$") or exit 1'
TABLE
  all_held "$REPO/.attacks"
  victims_end
}

@test "no agent's process is taken for a human" {
  attacked_bubble
  write_scripts "$REPO/.attacks" <<TABLE
I|human|create-a-bubble|all|$(as_nobody bubble create --id one --task x --no-tests y)
I|human|init-a-plan|all|$(as_nobody plan init two)
R|human|by-the-reviewer|all|$(as_nobody plan init three)
I|human|init-the-roles|all|$(as_nobody role init)
I|human|stop-the-bubble|all|$(as_nobody bubble stop --id $BUBBLE --yes)
TABLE
  all_held "$REPO/.attacks"
}
