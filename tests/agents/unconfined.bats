#!/usr/bin/env bats
# Without our sandbox each program's own strongest mode is in force, and everything says "advisory".

load helpers

teardown() { strike; }

# Whether a dialog of the process that runs now is in the inbox.
asked_in() { # AGENT
  pane_has "$1" "Is this a project you created" &&
    [ "$(field "$BUBBLE" '[.inbox[].kind] | join(" ")')" = dialog ]
}

# The dialog is painted before its program takes keys one by one.
listens() { stty -a -F "$(tmx display-message -p -t "$(pane_id "$1")" '#{pane_tty}')" | grep -q -- '-icanon'; } # AGENT

# The process that reviews is another one than that which waited for its turn.
reviewer_is_up() {
  jq -se --arg agent "$REVIEWER" '(map(select(.type == "PASS")) | first.seq) as $pass | $pass != null and
    any(.[]; .payload.event == "launched" and .payload.agent == $agent and .seq > $pass)' "$(transcript)" >/dev/null
}

own_rules() { # IMPLEMENTER
  stage "$1" '[sandbox]' 'mode = "off"'
  script_agent "$IMPLEMENTER" "$(on_turn 1)" "$(write_step "$IMPLEMENTER" name.txt Ada)" \
    "$(bash_step 'pairflow pass --summary "done"')"
  script_agent "$REVIEWER" "$(on_turn 1)" "$(write_step "$REVIEWER" new.txt x)" \
    "$(bash_step 'echo x >hello.txt')" \
    "$(bash_step 'pairflow pass --summary "one thing" --finding "P1:Not so"')"
  start_bubble
  # Claude Code asks whether its user trusts the worktree; it is in the inbox, and the user does.
  [ "$REVIEWER" != claude ] || wait_for reviewer_is_up
  wait_for asked_in claude
  wait_for listens claude
  tmx send-keys -t "$(pane_id claude)" Down
  wait_for pane_has claude "❯ Yes, I trust"
  tmx send-keys -t "$(pane_id claude)" Enter
  wait_for recorded ".type == \"PASS\" and .sender == \"$REVIEWER\""
  [ "$(cat "$WORKTREE/name.txt")" = Ada ]
  [ ! -e "$WORKTREE/new.txt" ]
  [ "$(cat "$WORKTREE/hello.txt")" = hello ]
  [ "$(jq -r 'select(.payload.event == "launched") | .payload.enforcement' "$(transcript)" | sort -u)" = \
    "advisory: [sandbox] mode is off" ]
  [ "$(field "$BUBBLE" '[.agents[].enforcement] | unique | join(" ")')" = \
    "advisory: [sandbox] mode is off" ]
}

@test "claude implements and codex reviews by their own rules" { own_rules claude; }
@test "codex implements and claude reviews by their own rules" { own_rules codex; }
