#!/usr/bin/env bats
# Agents that stop, hang, are refused by their model, or show a dialog.

load helpers

teardown() { strike; }

kinds_in_inbox() { field "$BUBBLE" '[.inbox[].kind] | join(" ")'; }
inbox_has() { [[ " $(kinds_in_inbox) " == *" $1 "* ]]; } # KIND
inbox_text() { field "$BUBBLE" '[.inbox[].text] | join(" ")'; }

sent_back_then_asked() { # IMPLEMENTER
  stage "$1"
  script_agent "$1" "$(on_turn 1)" "$(say_step 'I think I am done.')" \
    "$(say_step 'Really, I am done.')"
  start_bubble
  wait_for is_state WAITING_HUMAN
  played_out "$1"
  model_saw "$1" "it is still your turn"
  [ "$(lines_of "$BUBBLE" PROTOCOL_WARNING | jq -r .payload.reason)" = no_handover ]
  [ "$(kinds_in_inbox)" = no_handover ]
  [[ "$(inbox_text)" == *"Really, I am done."* ]]
  # The answer reaches it, and the bubble goes on.
  push "$1" "$(jq -nc '{when: "HUMAN_REPLY", bash: "echo more >hello.txt; pairflow pass --summary ok"}')"
  pf bubble reply --id "$BUBBLE" --message "hand over, please"
  wait_for recorded '.type == "PASS"'
}

@test "claude, which stops without handing over, is sent back once, then the human is asked" {
  sent_back_then_asked claude
}

@test "codex, which stops without handing over, is sent back once, then the human is asked" {
  sent_back_then_asked codex
}

@test "an agent that is sent back and hands over goes on" {
  stage codex
  script_agent codex "$(on_turn 1)" "$(say_step 'Done.')" \
    "$(bash_step 'echo more >hello.txt; pairflow pass --summary "handed over"')"
  start_bubble
  wait_for recorded '.type == "PASS"'
  [ "$(lines_of "$BUBBLE" PROTOCOL_WARNING | jq -r .payload.reason)" = no_handover ]
}

# The model's answer is 529 until codex gives up: that is named, and it is told to go on later.
@test "a model that answers 529 is named as such" {
  stage codex
  script_agent codex "$(on_turn 1)" '{"error": 529, "times": 1000}'
  start_bubble
  wait_for inbox_says "codex gets no answer from its model"
  wait_for inbox_says "it is told to go on at"
  [[ "$(inbox_text)" == *"status 529"* ]]
  [ "$(field "$BUBBLE" '.agents[] | select(.name == "codex") | .where' | cut -c1-24)" = \
    "no answer from its model" ]
  is_state RUNNING
}

# Claude Code tries again by itself for minutes; its user is to know why nothing happens.
@test "claude, whose model answers 529, is named while it retries" {
  stage claude
  script_agent claude "$(on_turn 1)" '{"error": 529, "times": 4}' \
    "$(bash_step 'pairflow ask-human --question "and now?"')"
  start_bubble
  wait_for inbox_says "claude gets no answer from its model"
  wait_for is_state WAITING_HUMAN
  [ "$(kinds_in_inbox)" = ask ]
}

@test "an agent whose model hangs is named when the watchdog's time is up" {
  stage claude
  sed -i 's/^watchdog_timeout_minutes = .*/watchdog_timeout_minutes = 1/' "$REPO/.pairflow/config.toml"
  script_agent claude "$(on_turn 1)" '{"hang": true, "say": "late"}'
  start_bubble
  wait_step claude 2
  # A minute of silence from the last sign of life on: twice what is waited for at most.
  wait_for watchdog_bites || wait_for watchdog_bites
  [ "$(kinds_in_inbox)" = watchdog ]
  [[ "$(inbox_text)" == *"Its model hangs"* ]]
  release claude
}
# The same without the minute: whoever looks has a clock that is ahead.
@test "codex, whose model hangs, is named as well" {
  needs clock
  stage codex
  script_agent codex "$(on_turn 1)" '{"hang": true, "say": "late"}'
  start_bubble
  wait_step codex 2
  (cd "$REPO" && unshare --time --monotonic $((601 * 60)) "$PAIRFLOW" bubble watchdog --id "$BUBBLE")
  is_state WAITING_HUMAN
  [ "$(kinds_in_inbox)" = watchdog ]
  [[ "$(inbox_text)" == *"Its model hangs"* ]]
  release codex
}
watchdog_bites() { pf bubble watchdog --id "$BUBBLE" >/dev/null; is_state WAITING_HUMAN; }

# Nobody has accepted anything for this home directory: both ask before they begin.
@test "a first-run dialog is in the inbox within five seconds" {
  stage claude
  jq 'del(.hasCompletedOnboarding)' "$HOME/.claude.json" >"$SCRATCH/new" &&
    mv "$SCRATCH/new" "$HOME/.claude.json"
  create
  pf bubble start --id "$BUBBLE"
  within_five_seconds inbox_has dialog
  [[ "$(inbox_text)" == *"claude asks something in its pane"* ]]
  pf inbox | grep -F "pairflow bubble attach --id $BUBBLE"
}

within_five_seconds() { # CONDITION…
  local began=$EPOCHREALTIME ended
  wait_for "$@"
  ended=$EPOCHREALTIME
  [ $((${ended/./} - ${began/./})) -lt 5000000 ]
}

# Without our sandbox a program asks; its user trusts the repository already.
@test "a permission that is asked for is in the inbox, and gone when it is given" {
  stage claude '[sandbox]' 'mode = "off"'
  jq --arg repo "$REPO" '.projects[$repo].hasTrustDialogAccepted = true' "$HOME/.claude.json" \
    >"$SCRATCH/new" && mv "$SCRATCH/new" "$HOME/.claude.json"
  script_agent claude "$(on_turn 1)" "$(bash_step "mkdir '$SCRATCH/made'")" \
    "$(bash_step 'pairflow ask-human --question "and now?"')"
  start_bubble
  wait_for inbox_says "claude asks something in its pane; answer it there: a permission for Bash"
  [ "$(field "$BUBBLE" '.agents[] | select(.name == "claude") | .how')" = hook ]
  [ ! -e "$SCRATCH/made" ]
  tmx send-keys -t "$(pane_id claude)" Enter
  wait_for is_state WAITING_HUMAN
  [ "$(kinds_in_inbox)" = ask ]
  [ -d "$SCRATCH/made" ]
}
inbox_says() { [[ "$(inbox_text)" == *"$1"* ]]; } # TEXT

# One agent paints all the time; the other's dialog is found all the same.
@test "a dialog is found while the other agent works" {
  stage claude
  script_agent claude "$(on_turn 1)" '{"hang": true, "say": "late"}'
  start_bubble
  wait_step claude 2
  tmx send-keys -t "$(pane_id codex)" -l /model
  wait_for pane_has codex /model
  tmx send-keys -t "$(pane_id codex)" Enter
  within_five_seconds inbox_says "codex asks something in its pane"
  tmx send-keys -t "$(pane_id codex)" Escape
  wait_for inbox_is_empty
  release claude
}
inbox_is_empty() { [ "$(field "$BUBBLE" '.inbox | length')" -eq 0 ]; }

@test "text in the input box is left alone and reported; the line arrives once it is gone" {
  stage claude
  script_agent claude "$(on_turn 1)" \
    "$(bash_step 'echo more >hello.txt; pairflow pass --summary "first"')"
  script_agent codex "$(on_turn 1)" '{"hang": true, "bash": "pairflow pass --summary x --finding P1:Not-so"}'
  start_bubble
  wait_step codex 2
  tmx send-keys -t "$(pane_id claude)" -l "half a thought"
  wait_for pane_has claude "half a thought"
  release codex
  wait_for reported "claude: not delivered yet, text is in its input box"
  pane_has claude "half a thought"
  pane_lacks claude "round 2 |"
  tmx send-keys -t "$(pane_id claude)" C-u
  wait_saw claude "round 2 |"
}
@test "a resized terminal redraws both agents" {
  stage claude
  script_agent claude "$(on_turn 1)" '{"hang": true, "say": "late"}'
  start_bubble
  wait_step claude 2
  local agent
  for size in 280x60 160x40 300x60; do  # a larger one shows nothing new by itself
    tmx resize-window -t "$(tmx list-sessions -F '#{session_name}')" -x "${size%x*}" -y "${size#*x}"
    for agent in claude codex; do wait_for fills_its_pane "$agent"; done
  done
  release claude
}
# Its widest line is as wide as its pane, as its rules or its footer are.
fills_its_pane() { # AGENT
  local width
  width=$(tmx display-message -p -t "$(pane_id "$1")" '#{pane_width}')
  [ "$(tmx capture-pane -p -t "$(pane_id "$1")" | LC_ALL=C.UTF-8 awk '{ if (length > most) most = length } END { print most }')" \
    -ge $((width - 12)) ]
}
