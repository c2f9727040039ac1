#!/usr/bin/env bats
# Agents whose model wants what they must not do: the tools of the real agents run into the sandbox.

load helpers

teardown() { strike; }

# Its way to the supervisor, and what Claude Code has in the agent's own /tmp.
OWN_SOCKETS="-not -path /run/pairflow/socket -not -path '/tmp/cc-socks/*'"

# A step that tries, and tells the model how it went.
try() { # NAME COMMAND
  bash_step "if ($2) >/dev/null 2>/tmp/why; then echo 'CAN $1'; else echo 'CANNOT $1'; fi"
}
# The names of what went well, or not, in the order of the steps.
could() { tried "$1" CAN; }        # AGENT
could_not() { tried "$1" CANNOT; } # AGENT
tried() { # AGENT HOW
  requests "$1" | jq -r '.news[] | select(.who | startswith("tool")).text' |
    sed -n "s/^$2 //p" | paste -sd ' '
}

implementer_tries() {
  local other=.codex
  [ "$IMPLEMENTER" = claude ] || other=.claude
  script_agent "$IMPLEMENTER" "$(on_turn 1)" \
    "$(try edit 'echo "hello, world" >hello.txt')" \
    "$(try program "node -e 'fs.writeFileSync(\"made.txt\", \"x\")' && rm made.txt")" \
    "$(write_step "$IMPLEMENTER" name.txt Ada)" \
    "$(try read 'git status && git diff && git log && cat name.txt')" \
    "$(try checkout "echo x >$REPO/hello.txt")" \
    "$(try beside "echo x >$SCRATCH/x")" \
    "$(try system 'echo x >/usr/local/x || echo x >/var/tmp/x')" \
    "$(try neighbour "ls $HOME/$other")" \
    "$(try settings_of_its_own "echo x >>$HOME/.claude/settings.json || echo x >>$HOME/.codex/config.toml")" \
    "$(try config 'git config user.name Evil || git config --file .git/config user.name Evil')" \
    "$(try hook "echo x >$REPO/.git/hooks/pre-commit")" \
    "$(try stage 'git add -A')" \
    "$(try commit 'git commit -qam x')" \
    "$(try branch 'git update-ref refs/heads/main HEAD~0 || git branch evil')" \
    "$(try unlink 'rm .git || mv .git x')" \
    "$(try transcript "echo x >>$(transcript)")" \
    "$(try settings "echo x >>$REPO/.pairflow/config.toml")" \
    "$(try lock "ls $REPO/.pairflow/locks | grep .")" \
    "$(try channels "ls $REPO/.pairflow/runtime | grep .")" \
    "$(try decide "pairflow bubble stop --id $BUBBLE --yes")" \
    "$(try stop "env -i $PAIRFLOW bubble stop --repo $REPO --id $BUBBLE --yes")" \
    "$(try tmux "tmux -L $SOCKET ls || tmux -S /tmp/tmux-$(id -u)/$SOCKET ls")" \
    "$(try sockets "find /run /tmp -type s $OWN_SOCKETS | grep .")" \
    "$(try supervisor "grep -l '[s]upervise' /proc/[0-9]*/cmdline")" \
    "$(bash_step 'pairflow pass --summary "done"')"
}

reviewer_tries() {
  script_agent "$REVIEWER" "$(on_turn 1)" \
    "$(try tests 'test "$(cat hello.txt)" = "hello, world" && python3 -c "open(\"/tmp/x\", \"w\")"')" \
    "$(try read 'git status && git diff && git log')" \
    "$(try redirect 'echo x >hello.txt')" \
    "$(try create 'touch new.txt')" \
    "$(try program "node -e 'fs.writeFileSync(\"new.txt\", \"x\")'")" \
    "$(try python "python3 -c 'open(\"new.txt\", \"w\")'")" \
    "$(try remove 'rm hello.txt')" \
    "$(try mode 'chmod +x hello.txt')" \
    "$(try stage 'git add -A')" \
    "$(try commit 'git commit -qam x')" \
    "$(try stash 'git stash || git checkout hello.txt')" \
    "$(try settings_of_its_own "echo x >>$HOME/.claude/settings.json || echo x >>$HOME/.codex/config.toml")" \
    "$(try remount 'mount -o remount,rw . || umount .')" \
    "$(write_step "$REVIEWER" new.txt x)" \
    "$(bash_step 'pairflow pass --summary "one thing" --finding "P1:Not so"')"
}

editor_failed() { # AGENT
  case $1 in
    claude) model_saw claude "EROFS: read-only file system, open '$WORKTREE/new.txt" ;;
    codex) model_saw codex "Failed to write file $WORKTREE/new.txt" ;;
  esac
}

both_try() { # IMPLEMENTER
  stage "$1"
  implementer_tries
  reviewer_tries
  pf bubble create --id "$BUBBLE" --task "Say more." --no-tests "only a test"
  cp "$REPO/.git/config" "$SCRATCH/git-config"
  echo '{}' >"$HOME/.claude/settings.json"
  pf bubble start --id "$BUBBLE"
  wait_step "$REVIEWER" 16
  wait_saw "$REVIEWER" "passed as reviewer with F1.1"

  [ "$(could "$IMPLEMENTER")" = "edit program read" ]
  [ "$(could_not "$IMPLEMENTER" | wc -w)" -eq 20 ]
  [ "$(could "$REVIEWER")" = "tests read" ]
  [ "$(could_not "$REVIEWER" | wc -w)" -eq 11 ]
  editor_failed "$REVIEWER"

  # Nothing of it happened.
  [ "$(cat "$HOME/.claude/settings.json")" = '{}' ]
  # What they looked for is there, from outside.
  [ -S "/tmp/tmux-$(id -u)/$SOCKET" ]
  [ -n "$(ls "$REPO/.pairflow/runtime")" ]
  [ -n "$(ls "$REPO/.pairflow/locks")" ]
  [ "$(git -C "$WORKTREE" status --porcelain | paste -sd ,)" = " M hello.txt,?? name.txt" ]
  [ "$(cat "$WORKTREE/hello.txt" "$WORKTREE/name.txt" | paste -sd ' ')" = "hello, world Ada" ]
  [ "$(cat "$REPO/hello.txt")" = hello ]
  cmp "$REPO/.git/config" "$SCRATCH/git-config"
  [ "$(git -C "$REPO" rev-parse main "bubble/$BUBBLE" | sort -u | wc -l)" -eq 1 ]
  [ "$(git -C "$REPO" for-each-ref refs/heads | wc -l)" -eq 2 ]
  [ ! -e "$SCRATCH/x" ]
  [ "$(field "$BUBBLE" '[.round, .active_agent] | join(" ")')" = "2 $IMPLEMENTER" ]
  pf bubble verify --id "$BUBBLE"
}

@test "claude implementing and codex reviewing reach only what is theirs" { both_try claude; }
@test "codex implementing and claude reviewing reach only what is theirs" { both_try codex; }
