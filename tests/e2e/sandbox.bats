#!/usr/bin/env bats
# Agents in their sandbox: what they can reach, what they cannot, and that they notice nothing of it
# as long as they behave.

load helpers

setup() { scratch; }
teardown() { sweep; }

# Both agents run this shell script, then wait as a prompt would.
agents_run() { # SCRIPT
  printf '%s\nexec cat\n' "$1" >"$REPO/agent.sh"
  git -C "$REPO" add agent.sh && git -C "$REPO" commit -qm "an agent"
  config_file | sed "s|\[\"cat\"\]|[\"sh\", \"$REPO/agent.sh\"]|" >"$REPO/.pairflow/config.toml"
}
try() { printf 'if (%s) >/dev/null 2>&1; then echo "CAN %s"; else echo "CANNOT %s"; fi\n' "$2" "$1" "$1"; } # NAME COMMAND
# The same in a second bubble, with other rules.
begin_another() { # LINE of [sandbox]…
  pf bubble stop --id "$BUBBLE" --yes
  printf '%s\n' '' '[sandbox]' "$@" >>"$REPO/.pairflow/config.toml"
  BUBBLE=other WORKTREE=$SCRATCH/.pairflow-worktrees/repo/other
  begin
}

@test "an implementer writes in its worktree and nowhere else; nobody commits or decides" {
  needs sandbox
  echo token >"$HOME/secret"
  agents_run "
$(try edit 'echo x >new.txt && rm new.txt')
$(try temp 'echo x >/tmp/x')
$(try outside "echo x >$REPO/hello.txt")
$(try beside "echo x >$SCRATCH/x")
$(try home "cat $HOME/secret")
$(try config 'git config user.name Evil')
$(try hook "echo x >$REPO/.git/hooks/pre-commit")
$(try commit 'echo x >>hello.txt; git commit -qam x')
$(try unlink 'rm .git || mv .git x')
$(try transcript "echo x >>$(transcript)")
$(try lock "ls $REPO/.pairflow/locks | grep .")
$(try runtime "ls $REPO/.pairflow/runtime | grep .")
$(try stop "env -i $PAIRFLOW bubble stop --repo $REPO --id $BUBBLE --yes")
$(try tmux "tmux -S $SOCKET list-sessions")
$(try sockets 'find /run /tmp -type s -not -path /run/pairflow/socket | grep .')
$(try other "ls $REPO/.pairflow/runtime/$BUBBLE.channels/claude")
$(try typing "perl -e 'my \$key = q(x); ioctl(STDIN, 0x5412, \$key) or exit 1' </dev/tty")
git checkout -q hello.txt 2>/dev/null
echo hello >hello.txt
$(try status 'git status && git diff && git log')
$(try turn "$PAIRFLOW turn")
echo THE END"
  begin
  wait_for pane_has codex "THE END"
  [ "$(pane codex | grep -o 'CAN [a-z]*' | paste -sd ' ')" = "CAN edit CAN temp CAN beside CAN status CAN turn" ]
  [ ! -e "$SCRATCH/x" ] # a /tmp of its own
  [ "$(pane codex | grep -o 'CANNOT [a-z]*' | wc -l)" -eq 14 ]
  [ "$(jq -r 'select(.payload.event == "launched") | .payload.enforcement' "$(transcript)" | sort -u)" = sandbox ]
  is_state RUNNING
}

@test "what waits for the human is decided by no agent" {
  agents_run "
until [ -e '$REPO/ready' ]; do sleep 0.05; done
$(try approve "$PAIRFLOW bubble approve --id $BUBBLE --yes")
$(try approve "env -i $PAIRFLOW bubble approve --repo $REPO --id $BUBBLE --yes")
$(try rework "env -i $PAIRFLOW bubble request-rework --repo $REPO --id $BUBBLE --message x")
echo FIRST
until [ -e '$REPO/approved' ]; do sleep 0.05; done
$(try commit "$PAIRFLOW bubble commit --id $BUBBLE")
$(try commit "env -i $PAIRFLOW bubble commit --repo $REPO --id $BUBBLE")
echo THE END"
  begin && converge
  is_state READY_FOR_APPROVAL
  : >"$REPO/ready"
  local agent
  for agent in codex claude; do
    wait_for pane_has "$agent" FIRST
    [ "$(pane "$agent" | grep -o 'CANNOT [a-z]*' | wc -l)" -eq 3 ]
  done
  is_state READY_FOR_APPROVAL
  pf bubble approve --id "$BUBBLE" --yes
  : >"$REPO/approved"
  for agent in codex claude; do
    wait_for pane_has "$agent" "THE END"
    [ "$(pane "$agent" | grep -o 'CANNOT [a-z]*' | wc -l)" -eq 5 ]
  done
  is_state APPROVED_FOR_COMMIT
  pf bubble commit --id "$BUBBLE"
  is_state DONE
}

@test "what is allowed by the configuration is writable, and nothing beside it" {
  needs sandbox
  mkdir "$HOME/.cache" "$HOME/.ssh"
  agents_run "
$(try cache "echo x >$HOME/.cache/x")
$(try keys "ls $HOME/.ssh")
$(try config 'git config user.name Evil')
echo THE END"
  begin
  wait_for pane_has codex "THE END"
  run -1 pane_has codex "CAN "
  begin_another 'allow = ["~/.cache"]' 'git = "writable"'
  wait_for pane_has codex "THE END"
  [ "$(pane codex | grep -o 'CAN [a-z]*' | paste -sd ' ')" = "CAN cache CAN config" ]
  [ -e "$HOME/.cache/x" ]
}

@test "a reviewer cannot write in the worktree, unless that is configured" {
  needs sandbox
  agents_run "
$(try redirect 'echo x >hello.txt')
$(try make 'touch new.txt')
$(try perl "perl -e 'open(F, q(>new.txt)) or exit 1'")
$(try remove 'rm hello.txt')
$(try temp 'echo x >/tmp/x')
echo THE END"
  begin
  wait_for pane_has claude "THE END"
  [ "$(pane claude | grep -o 'CAN [a-z]*' | paste -sd ' ')" = "CAN temp" ]
  begin_another 'reviewer_writable = true'
  wait_for pane_has claude "THE END"
  # Of two who may remove the same file one can.
  [ "$(pane claude | grep -o 'CAN [a-z]*' | grep -v remove | paste -sd ' ')" = \
    "CAN redirect CAN make CAN perl CAN temp" ]
}

@test "its own commands reach the supervisor, whoever it says it is" {
  agents_run "
read line
echo 'hello, world' >hello.txt
PAIRFLOW_AGENT=claude '$PAIRFLOW' pass --summary 'costs \$5'"
  begin
  passed() { [ "$(field "$BUBBLE" .active_role)" = reviewer ]; }
  wait_for passed
  [ "$(lines_of "$BUBBLE" PASS | jq -r '[.sender, .payload.summary] | join(" ")')" = 'codex costs $5' ]
}

@test "a resized window reaches the agent" {
  agents_run "
trap 'echo NOW \$(stty size </dev/tty)' WINCH
echo READY
while :; do sleep 0.05; done"
  begin
  wait_for pane_has codex READY
  tmx resize-window -t "=pf-$BUBBLE:" -x 91 -y 44
  wait_for pane_has codex "NOW "
}

@test "only the usual variables and those that are configured are seen" {
  agents_run 'env | cut -d = -f 1 | sort >/tmp/names
echo "SEEN $(grep -c SECRET /tmp/names) $(grep -c WANTED /tmp/names) THE END"'
  sed -i 's/^command = .*/&\nenv = ["WANTED_*"]/' "$REPO/.pairflow/config.toml"
  SECRET_TOKEN=x WANTED_TOKEN=y pf bubble create --id "$BUBBLE" --task "Say more." --no-tests "only a test"
  SECRET_TOKEN=x WANTED_TOKEN=y pf bubble start --id "$BUBBLE"
  wait_for pane_has codex "THE END"
  pane_has codex "SEEN 0 1 THE END"
}

@test "without a sandbox everything says advisory" {
  printf '\n[sandbox]\nmode = "off"\n' >>"$REPO/.pairflow/config.toml"
  begin
  converge
  recorded '.payload.event == "launched" and (.payload.enforcement | startswith("advisory"))'
  [[ "$(pf bubble package --id "$BUBBLE")" == *"codex ran without a sandbox (advisory: [sandbox] mode is off)"* ]]
}

@test "the home directory, and a setting in it, may be symbolic links" {
  needs sandbox
  mkdir -p "$HOME/.claude" "$HOME/dotfiles"
  echo '{}' >"$HOME/dotfiles/settings.json"
  echo token >"$HOME/secret"
  ln -s "$HOME/dotfiles/settings.json" "$HOME/.claude/settings.json"
  agents_run "
$(try settings 'cat ~/.claude/settings.json')
$(try remember 'echo x >~/.claude/history.jsonl')
$(try change 'echo x >~/.claude/settings.json')
$(try secret 'cat ~/secret')
echo THE END"
  sed -i 's/kind = "custom"/kind = "claude"/' "$REPO/.pairflow/config.toml"
  ln -s "$HOME" "$SCRATCH/link"
  HOME=$SCRATCH/link begin
  wait_for pane_has codex "THE END"
  [ "$(pane codex | grep -o 'CAN [a-z]*' | paste -sd ' ')" = "CAN settings CAN remember" ]
  [ -e "$HOME/.claude/history.jsonl" ]
}

@test "without HOME the home directory is still hidden, or nothing is started" {
  needs sandbox
  local own
  own=$(find "$(getent passwd "$(id -u)" | cut -d : -f 6)" -maxdepth 1 -type f -print -quit)
  [ -n "$own" ] || skip "needs a home directory with a file in it"
  agents_run "
$(try home "test -e '$own'")
echo THE END"
  create
  (unset HOME; pf bubble start --id "$BUBBLE")
  wait_for pane_has codex "THE END"
  pane_has codex "CANNOT home"
  pf bubble stop --id "$BUBBLE" --yes
  BUBBLE=other
  create
  HOME=$SCRATCH/missing run -3 pf bubble start --id "$BUBBLE"
  [[ "$output" == *"set HOME to your home directory"* ]]
}

@test "a home directory that lies in the repository is refused before anything is started" {
  needs sandbox
  create
  mkdir "$REPO/inside"
  local home
  for home in "$REPO" "$REPO/inside"; do
    HOME=$home run -1 pf bubble start --id "$BUBBLE"
    [[ "$output" == *"agents would see all of $home"*"your home directory lies in $REPO"* ]]
    is_state CREATED
  done
}

@test "a socket of tmux that agents would be shown, and a path that breaks terminals, are refused" {
  needs sandbox
  sed -i "s|^socket = .*|socket = \"$REPO/tmux.sock\"|" "$REPO/.pairflow/config.toml"
  create
  pf bubble start --id "$BUBBLE" || true
  wait_for reported "the socket of tmux lies in"
  tmux -S "$REPO/tmux.sock" kill-server
  local bad=$SCRATCH/$'a\e[31mb'
  cp -r "$REPO" "$bad"
  HERE=$bad run -1 pf bubble create --id another --task x --no-tests y
  [[ "$output" == *"control characters"*"rename the directory"* ]]
  [[ "$output" != *$'\e[31m'* ]]
  HERE=$bad run -1 pf plan init login
  HERE=$bad run -1 pf role init
}
