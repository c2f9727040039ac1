#!/usr/bin/env bats
# Whoever obeys every printed sentence literally comes to the end: no sentence misleads.

load helpers
load plan_helpers
load obedient

teardown() { sweep; }

# The user does what the inbox says, too.
user_obeys() { # ANSWER
  local command
  command=$(pf inbox --json | jq -r '.items[0].command // .items[0].answer')
  command=${command/…/$1}
  (cd "$REPO" && PATH=$(dirname "$PAIRFLOW"):$PATH bash -c "$command")
}

@test "a plan of two steps, with a change request and a question that is answered late" {
  needs sandbox
  scratch_plan
  obedient_run >"$REPO/agents/obey.sh"
  sed -i -e 's|^headless = .*|headless = ["bash", "agents/obey.sh"]|' "$REPO/.pairflow/config.toml"
  append_config plan 'check = "test ! -e one.txt -o -s two.txt"'
  append_config plan 'answer_wait_seconds = 1'
  cat >"$REPO/docs/login/plan.md" <<'MD'
# Login

## Step 1: Begin

Run `echo one >one.txt`, and `[ ! -e docs/again ] || echo two >two.txt; mkdir -p docs/again`.

## Step 2: Go on

First `ask` the user, then run `echo three >three.txt`.
MD
  drive
  wait_for waits_for ask_user
  wait_for no_run_lives
  user_obeys "blue"
  wait_for waits_for no_pending_steps
  user_obeys "thank you"
  wait_for is_plan done
  [ "$(transitions)" = "plan.opened coder.request_review reviewer.request_changes \
coder.request_review reviewer.approve agent.ask_user user.reply coder.request_review \
reviewer.approve user.reply plan.finished" ]
  [ "$(cat "$REPO"/{one,two,three}.txt | paste -sd ' ')" = "one two three" ]
  # Nobody was sent back or refused anything.
  [[ "$(event_types)" != *run.sent_back* ]]
  [[ "$(event_types)" != *PROTOCOL_WARNING* ]]
  [[ "$(endings)" != *silent* ]]
  # The next step's reviewer knows what was asked.
  grep -A1 'the coder asked' "$(ls "$PLAN"/runs/*-reviewer.prompt.md | tail -n 1)" | grep -q '> your question'
  [ ! -e "$REPO/.pairflow/runtime/plan.login.build" ]
}

@test "a bubble from its start to READY" {
  needs sandbox
  scratch
  mkdir "$REPO/agents"
  obedient_pane >"$REPO/agents/obey.sh"
  sed -i "s|^command = .*|command = [\"bash\", \"$REPO/agents/obey.sh\"]|" "$REPO/.pairflow/config.toml"
  pf bubble create --id "$BUBBLE" --base main --task 'Run `echo hello, world >hello.txt`.' --test 'test -s hello.txt'
  pf bubble start --id "$BUBBLE"
  wait_for is_state READY_FOR_APPROVAL
  [ "$(count_of "$BUBBLE" PROTOCOL_WARNING)" -eq 0 ]
  [ "$(count_of "$BUBBLE" HUMAN_QUESTION)" -eq 0 ]
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
  [ "$(git -C "$REPO" show "bubble/$BUBBLE:hello.txt")" = "hello, world" ]
}
