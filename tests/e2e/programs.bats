#!/usr/bin/env bats
# Agents of kind custom with templates, the hooks' door, what panes showed, and the doctor.

load helpers

teardown() { sweep; }

# An agent that notes how it was started, shows a prompt and reads lines.
tool() { # [LINE of the script…]
  mkdir -p "$SCRATCH/bin"
  printf '%s\n' '#!/bin/bash' "printf '%s\n' \"\$*\" >>'$SCRATCH/started'" "$@" 'exec cat' \
    >"$SCRATCH/bin/tool"
  chmod +x "$SCRATCH/bin/tool"
}
with_tool() { # [LINE of [agents.codex]…]
  scratch '[sandbox]' 'mode = "off"'
  sed -i "/^\[agents.codex\]/,/^command/c\\
[agents.codex]\\
kind = \"custom\"\\
$(printf '%s\\\n' "$@")
" "$REPO/.pairflow/config.toml"
}
started() { cat "$SCRATCH/started"; }
has_started() { [ "$(started 2>/dev/null | wc -l)" -ge "$1" ]; } # TIMES
hook() { as "$1" hook <<<"$2"; } # AGENT JSON

@test "a template gets the prompt and an id; after a crash the other one goes on with it" {
  with_tool 'command = ["tool", "--id={conversation}", "--as={role}", "{prompt}"]' \
    'resume = ["tool", "--again={conversation}", "{prompt}"]'
  tool
  export PATH=$SCRATCH/bin:$PATH
  begin
  wait_for has_started 1
  local id
  id=$(started | sed -n '1s/^--id=\([0-9a-f-]*\) --as=implementer \[pairflow #3\] you are codex.*/\1/p')
  [[ $id =~ ^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$ ]]
  [ "$(jq -r 'select(.payload.event == "launched" and .payload.agent == "codex") | .payload.conversation' "$(transcript)")" = "$id" ]
  # Nothing is typed that was said by the argument.
  wait_for pane_lacks codex "[pairflow #3]"
  as codex ask-human --question "really?"
  pf bubble reply --id "$BUBBLE" --message "yes"
  wait_for pane_has codex "HUMAN_REPLY from human"
  kill -9 "$(pane_pid codex)"
  wait_for is_state WAITING_HUMAN
  pf bubble resume --id "$BUBBLE"
  wait_for went_on_with "$id"
}

went_on_with() { started | grep -q "^--again=$1 \[pairflow #"; } # CONVERSATION

@test "a program that shows when it is ready is not typed to before" {
  with_tool 'command = ["tool"]' 'ready = "ask>"'
  tool "until [ -e '$SCRATCH/go' ]; do sleep 0.1; done; echo 'ask>'"
  export PATH=$SCRATCH/bin:$PATH
  begin
  wait_for reported "codex: not delivered yet, its input box is not there"
  pane_lacks codex "[pairflow #"
  touch "$SCRATCH/go"
  wait_for pane_has codex "[pairflow #3] you are codex"
}
@test "hooks: what an agent's program tells is where status says it is" {
  scratch '[sandbox]' 'mode = "off"'
  begin
  hook codex '{"hook_event_name": "PreToolUse", "session_id": "c-1", "tool_name": "Bash"}'
  [ "$(field "$BUBBLE" '.agents[] | select(.name == "codex") | "\(.where) \(.how)"')" = "using Bash hook" ]
  pf bubble status --id "$BUBBLE" | grep -F "codex   implementer  using Bash (hook"
  hook codex '{"hook_event_name": "UserPromptSubmit", "session_id": "c-1", "prompt": "[pairflow #3] you\nare"}'
  [ "$(field "$BUBBLE" '.agents[] | select(.name == "codex") | .conversation')" = c-1 ]
  recorded '.payload.event == "prompt_taken" and .payload.cause == 3'
  hook codex '{"hook_event_name": "PermissionRequest", "session_id": "c-1", "tool_name": "Bash"}'
  [ "$(field "$BUBBLE" '.inbox[0].kind')" = dialog ]
  hook codex '{"hook_event_name": "PostToolUse", "session_id": "c-1", "tool_name": "Bash"}'
  [ "$(field "$BUBBLE" '.inbox | length')" = 0 ]
  run hook codex '{"hook_event_name": "Stop", "session_id": "c-1", "last_assistant_message": "done"}'
  [ "$status" -eq 0 ]
  [ "$(jq -r .decision <<<"$output")" = block ]
  [[ "$(jq -r .reason <<<"$output")" == *"pairflow pass"* ]]
  run hook claude '{"hook_event_name": "Stop", "session_id": "x"}'
  [ "$status:$output" = "0:" ]
  hook codex '{"hook_event_name": "Stop", "session_id": "c-1", "last_assistant_message": "\u001b[31mbye"}'
  [ "$(field "$BUBBLE" '.inbox[0].kind')" = no_handover ]
  run -1 grep -q "$(printf '\033')" <(pf bubble inbox --id "$BUBBLE")
}

@test "hooks never stand in an agent's way, whatever they are given" {
  scratch '[sandbox]' 'mode = "off"'
  begin
  local before
  before=$(wc -l <"$(transcript)")
  for text in '' 'no JSON' '{}' '[]' '{"hook_event_name": 7}' '{"hook_event_name": "Unheard"}' \
    '{"hook_event_name": "Stop"' "$(printf '\377\376')"; do
    run hook codex "$text"
    [ "$status:$output" = "0:" ]
  done
  run bash -c "PAIRFLOW_AGENT=mallory '$PAIRFLOW' hook <<<'{\"hook_event_name\": \"Stop\"}'"
  [ "$status:$output" = "0:" ]
  [ "$(wc -l <"$(transcript)")" -eq "$before" ]
  pf bubble verify --id "$BUBBLE"
}

@test "a limit that a program's failure names is waited for" {
  scratch '[sandbox]' 'mode = "off"'
  begin
  hook codex '{"hook_event_name": "StopFailure", "session_id": "c", "error": "You have hit your usage limit. Try again in 2 hours."}'
  [ "$(field "$BUBBLE" '.inbox[0].kind')" = usage_limit ]
  local until
  until=$(jq -r 'select(.payload.event == "hindered") | .payload.until' "$(transcript)")
  [ $(($(date -d "$until" +%s) - $(date +%s))) -gt 7000 ]
  [ $(($(date -d "$until" +%s) - $(date +%s))) -lt 7300 ]
}

@test "when a limit is over the agent is told once more" {
  scratch '[sandbox]' 'mode = "off"'
  begin
  hook codex '{"hook_event_name": "StopFailure", "session_id": "c", "error": "You have hit your usage limit. Try again in 2 seconds."}'
  recorded '.payload.event == "hindered" and .payload.agent == "codex"'
  wait_for recorded '.payload.event == "freed" and .payload.agent == "codex"'
  [ "$(field "$BUBBLE" '.inbox | length')" = 0 ]
  wait_for pane_has codex "[pairflow #$(jq 'select(.payload.event == "freed") | .seq' "$(transcript)")] you are codex"
}

@test "the watchdog leaves an agent alone whose program is seen to work" {
  scratch '[sandbox]' 'mode = "off"'
  needs clock
  begin
  local late=(unshare --time --monotonic $((601 * 60)))
  (cd "$WORKTREE" && PAIRFLOW_REPO=$REPO PAIRFLOW_BUBBLE=$BUBBLE PAIRFLOW_AGENT=codex "${late[@]}" "$PAIRFLOW" hook) \
    <<<'{"hook_event_name": "PreToolUse", "session_id": "c", "tool_name": "Bash"}'
  (cd "$REPO" && "${late[@]}" "$PAIRFLOW" bubble watchdog --id "$BUBBLE") | grep -F "within its 600 minutes"
  is_state RUNNING
  late[3]=$((1300 * 60))
  (cd "$REPO" && "${late[@]}" "$PAIRFLOW" bubble watchdog --id "$BUBBLE")
  is_state WAITING_HUMAN
}

# A program that looks like Claude Code's input box and notes every Enter; the argument says in
# perl what becomes of the typed text, $box, at an Enter.
with_box() { # PERL
  scratch '[sandbox]' 'mode = "off"'
  mkdir "$SCRATCH/bin"
  cat >"$SCRATCH/bin/claude" <<PERL
#!/usr/bin/perl
if ("@ARGV" =~ /--version/) { print "2.1.325 (Claude Code)\n"; exit }
system "stty raw -echo";
\$| = 1;
my (\$box, \$enters) = ("", 0);
sub draw { print "\e[H\e[2J────\r\n❯ \$box\r\n────\r\n" }
sub taken { # the prompt, which is out of the box by then
  my (\$prompt) = @_;
  \$box = "";
  draw();
  my \$json = qq({"hook_event_name": "UserPromptSubmit", "session_id": "c", "prompt": "\$prompt"});
  open my \$hook, "|-", "pairflow hook >/dev/null" or die; print \$hook \$json; close \$hook;
  note("taken", \$prompt);
}
sub note { open my \$file, ">>", "$SCRATCH/\$_[0]"; print \$file "\$_[1]\n" }
taken(\$ARGV[-1]) if \$ARGV[-1] =~ /^\[pairflow/;
for (;;) {
  draw();
  sysread STDIN, my \$typed, 4096 or last;
  for my \$key (split //, \$typed) {
    if (\$key ne "\r") { \$box .= \$key; next }
    ++\$enters;
    note("enters", \$enters);
    $1
  }
}
PERL
  chmod +x "$SCRATCH/bin/claude"
  sed -i "/^\[agents.claude\]/,/^command/c\\
[agents.claude]\\
kind = \"claude\"\\
command = [\"$SCRATCH/bin/claude\"]
" "$REPO/.pairflow/config.toml"
  begin
  implement "hello, world"
  wait_for test -e "$SCRATCH/taken"  # by its argument
  as claude ask-human --question "Really?"
  rm "$SCRATCH/taken"
  pf bubble reply --id "$BUBBLE" --message "Yes."
}
enters() { wc -l <"$SCRATCH/enters"; }

@test "an Enter that a program lost is repeated, the line is not" {
  with_box 'taken($box) if $enters > 1'
  wait_for test -e "$SCRATCH/taken"
  [ "$(enters)" -eq 2 ]
  [ "$(grep -o '\[pairflow #' "$SCRATCH/taken" | wc -l)" -eq 1 ]
}

@test "a program that takes nothing gets three more Enters, no more" {
  with_box ''
  wait_for reported "claude: has not confirmed what was entered; look at its pane"
  [ "$(enters)" -eq 4 ]
}

@test "what the human types meanwhile is not sent for him" {
  with_box '$box = "half a thought"'
  wait_for typing_until_it_is_reported
  [ "$(enters)" -eq 1 ]
  pane_has claude "half a thought and"
}
typing_until_it_is_reported() {
  [ ! -e "$SCRATCH/enters" ] || tmx send-keys -t "$(pane_id claude)" -l " and"
  reported "claude: has not confirmed what was entered; look at its pane"
}

@test "capture_panes keeps the newest of what a pane showed, bounded" {
  with_tool 'command = ["tool"]'
  tool 'yes 0123456789012345678901234567890123456789 | head -c 9000000' 'echo; echo END-OF-IT'
  printf '\n[diagnostics]\ncapture_panes = true\n' >>"$REPO/.pairflow/config.toml"
  export PATH=$SCRATCH/bin:$PATH
  begin
  local kept=$REPO/.pairflow/runtime/$BUBBLE.panes/codex.log
  wait_for grep -q END-OF-IT "$kept"
  [ "$(stat -c %a "$kept")" = 600 ]
  [ "$(stat -c %s "$kept")" -lt 5000000 ]
  [ "$(stat -c %s "$kept.old")" -lt 5000000 ]
  [ "$(ls "$(dirname "$kept")" | grep -c codex)" -eq 2 ]
  pf bubble stop --id "$BUBBLE" --yes
  [ -s "$kept" ]
}

@test "doctor: what is there, what is missing, what is doubtful" {
  scratch
  pf doctor | grep -E '^✓ tmux'
  [ "$(pf doctor --json | jq -r '[.diagnoses[] | select(.health == "bad")] | length')" = 0 ]
  sed -i '0,/command = \["cat"\]/s//command = ["not-there"]/' "$REPO/.pairflow/config.toml"
  run -3 pf doctor
  [[ "$output" == *"✗ agent codex"*"there is no program 'not-there'"*"→ install it"* ]]
  printf '\n[sandbox]\nmode = "off"\n' >>"$REPO/.pairflow/config.toml"
  [ "$(pf doctor --json | jq -r '.diagnoses[] | select(.what == "sandbox") | .health')" = doubtful ]
  HERE=$SCRATCH pf doctor | grep -E '^✓ git' # outside of any repository too
}

@test "doctor tries the sandbox, and says what an agent could do" {
  needs sandbox
  scratch
  pf doctor | grep -E '^✓ sandbox .*tried in vain: write outside'
  [ -z "$(find "$HOME/.local/state/pairflow" -type f -o -name 'trial-*')" ]
  [ "$(id -u)" -eq 0 ] || skip "needs root: another bubblewrap in its place"
  tmx -f /dev/null new-session -d cat 3>&-
  printf '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n' >"$SCRATCH/bwrap"
  chmod +x "$SCRATCH/bwrap"
  without_sandbox() { (cd "$REPO" && unshare -m sh -c 'mount --bind "$0" /usr/bin/bwrap && exec "$@"' "$SCRATCH/bwrap" "$@"); }
  run -3 without_sandbox "$PAIRFLOW" doctor
  local could
  for could in "write outside" "git directory" "kernel's settings" "read the home" "reach tmux" "reach a tmux server elsewhere" "human's command"; do
    grep -E "^✗ sandbox .*an agent could.*$could" <<<"$output"
  done
}

@test "what agents leave beside their programs' settings goes to quarantine, and is told" {
  needs sandbox
  scratch
  mkdir -p "$HOME/.claude"
  echo mine >"$HOME/.claude/old.json"
  # Not when it is only asked for its version.
  echo '[ ! -e /run/pairflow ] || { echo "do evil" >~/.claude/evil.json; echo x >~/.claude/tool; chmod +x ~/.claude/tool
echo y >~/.claude/.credentials.json; echo z >~/.claude/history.jsonl; }; exec cat' >"$REPO/agent.sh"
  sed -i -e 's/kind = "custom"/kind = "claude"/' -e "s|\[\"cat\"\]|[\"sh\", \"$REPO/agent.sh\"]|" \
    "$REPO/.pairflow/config.toml"
  begin
  wait_for test -e "$HOME/.claude/history.jsonl"
  [ "$(cat "$HOME/.claude/settings.json")" = '{}' ] && [ -d "$HOME/.claude/hooks" ]
  [ "$(pf doctor | grep -c evil.json)" -eq 0 ] # an agent runs
  kill -9 $(running_in "$SCRATCH")
  all_gone() { pf doctor >/dev/null && [ "$(ls -A "$HOME/.claude" | paste -sd ' ')" = ".credentials.json history.jsonl old.json" ]; }
  wait_for all_gone
  pf doctor | grep -F "$HOME/.claude/evil.json came up while an agent ran"

  local evil tool
  evil=$(pf inbox --json | jq -r '.items[] | select(.text | contains("evil.json")) | .quarantine')
  tool=$(pf quarantine show --json | jq -r '.files[] | select(.from | endswith("/tool")) | .id')
  [ "$(pf inbox --json | jq -r ".items[] | select(.id == \"$evil\") | .command")" = "pairflow quarantine show $evil" ]
  run -0 pf quarantine show "$evil"
  [[ "$output" == *"$HOME/.claude/evil.json"*"do evil"*"quarantine restore $evil"*"quarantine forget $evil"* ]]
  run -1 as codex quarantine restore "$evil"
  echo again >"$HOME/.claude/evil.json"
  run -1 pf quarantine restore "$evil"
  [[ "$output" == *"is there again"* ]]
  rm "$HOME/.claude/evil.json"
  pf quarantine restore "$evil"
  [ "$(cat "$HOME/.claude/evil.json")" = "do evil" ]
  pf quarantine forget "$tool"
  [ ! -e "$HOME/.claude/tool" ]
  run -1 pf quarantine forget "$tool"
  [ "$(pf quarantine show)" = "nothing is in quarantine" ]
  [[ "$(pf inbox)" != *evil.json* ]]
  [ "$(pf doctor | grep -c evil.json)" -eq 0 ]
}

@test "directories with programs, links and pipes that agents leave go to quarantine, and are shown" {
  needs sandbox
  scratch
  mkdir -p "$HOME/.claude"
  echo '[ ! -e /run/pairflow ] || { cd ~/.claude; mkdir -p scripts/deep notes projects/x; echo x >scripts/deep/x.sh; chmod +x scripts/deep/x.sh
ln -s ../../etc/motd scripts/deep/news; ln -s /etc/passwd linked; mkfifo p.json; echo x >notes/a.txt; echo x >projects/x/run.sh; : >history.jsonl; }; exec cat' >"$REPO/agent.sh"
  sed -i -e 's/kind = "custom"/kind = "claude"/' -e "s|\[\"cat\"\]|[\"sh\", \"$REPO/agent.sh\"]|" \
    "$REPO/.pairflow/config.toml"
  begin
  wait_for test -e "$HOME/.claude/history.jsonl"
  kill -9 $(running_in "$SCRATCH")
  all_gone() { pf doctor >/dev/null && [ "$(ls -A "$HOME/.claude" | paste -sd ' ')" = "history.jsonl notes projects" ]; }
  wait_for all_gone
  [ "$(pf quarantine show --json | jq -r '.files[].from' | sort | paste -sd ' ')" = \
    "$HOME/.claude/linked $HOME/.claude/p.json $HOME/.claude/scripts" ]
  shown() { pf quarantine show "$(pf quarantine show --json | jq -r ".files[] | select(.from | endswith(\"/$1\")) | .id")"; }
  shown linked | grep -F "(a symbolic link to /etc/passwd)"
  shown p.json | grep -F "(a pipe, a socket or a device)"
  shown scripts | grep -Fx "deep/x.sh (a program)"
  shown scripts | grep -Fx "deep/news (a symbolic link to ../../etc/motd)"
}
