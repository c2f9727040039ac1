#!/usr/bin/env bats
# What is asked on a terminal, and what happens where there is none.

load helpers

setup() {
  scratch
  printf 'test:\n\ttrue\n' >"$REPO/Makefile"
}
teardown() { sweep; }

# pairflow in a terminal of its own, a pane named "ask"; its exit code ends up in $SCRATCH/code.
asked() { # WORDS…
  rm -f "$SCRATCH/code"
  tmx new-session -d -s ask -x 100 -y 30 -c "$REPO" -- \
    sh -c 'export PAGER=cat; "$@"; echo $? >'"$SCRATCH/code; exec cat" sh "$PAIRFLOW" "$@"
}
screen_has() { tmx capture-pane -p -J -t ask | grep -qF -- "$1"; }
answer() { tmx send-keys -t ask "$1" Enter; } # LINE
ended_with() { # CODE
  wait_for test -s "$SCRATCH/code"
  [ "$(cat "$SCRATCH/code")" = "$1" ]
  tmx kill-session -t ask
}
checks() { # the profile as the creating event has it
  jq -r 'select(.payload.event == "created") | .payload.policy.profile | tostring' "$(transcript)"
}

@test "create shows what it detected and takes it when told to" {
  asked bubble create --id "$BUBBLE" --task "Say more."
  wait_for screen_has "make test"
  wait_for screen_has "[y/N]"
  answer y
  ended_with 0
  [[ "$(checks)" == *"make test"* ]]
}

@test "create takes another command instead, or a reason for none" {
  asked bubble create --id "$BUBBLE" --task "Say more."
  wait_for screen_has "[y/N]"
  answer n
  wait_for screen_has "Test command"
  answer "sh check.sh"
  ended_with 0
  [[ "$(checks)" == *"sh check.sh"* ]] && [[ "$(checks)" != *"make test"* ]]
  BUBBLE=other
  asked bubble create --id other --task "Say more."
  wait_for screen_has "[y/N]"
  answer n
  wait_for screen_has "Test command"
  answer n
  wait_for screen_has "Why are there no checks?"
  answer "prose only"
  ended_with 0
  [[ "$(checks)" == *"prose only"* ]]
}

@test "create without any answer leaves nothing" {
  asked bubble create --id "$BUBBLE" --task "Say more."
  wait_for screen_has "[y/N]"
  answer ""
  wait_for screen_has "Test command"
  answer ""
  wait_for screen_has "Why are there no checks?"
  answer ""
  ended_with 2
  [ ! -e "$REPO/.pairflow/bubbles/$BUBBLE" ]
}

@test "approve shows what it is about; only a yes approves" {
  begin
  converge
  asked bubble approve --id "$BUBBLE"
  wait_for screen_has "Approve exactly tree $(field "$BUBBLE" '.converged_tree[:12]')?"
  wait_for screen_has "[y/N]"
  answer ""
  ended_with 1
  is_state READY_FOR_APPROVAL
  asked bubble approve --id "$BUBBLE"
  wait_for screen_has "[y/N]"
  answer yes
  ended_with 0
  is_state APPROVED_FOR_COMMIT
}

@test "manual checks are confirmed one by one" {
  printf -- '- [ ] The greeting is kind\n- [ ] It fits a postcard\n' >"$SCRATCH/by-hand"
  pf bubble create --id "$BUBBLE" --task "Say more." --manual-checks "$SCRATCH/by-hand"
  pf bubble start --id "$BUBBLE"
  converge
  run -1 pf bubble approve --id "$BUBBLE" --yes
  [[ "$output" == *"1. The greeting is kind"*"2. It fits a postcard"*"--checked N"* ]]
  run -1 pf bubble approve --id "$BUBBLE" --yes --checked 2
  run -2 pf bubble approve --id "$BUBBLE" --yes --checked two
  asked bubble approve --id "$BUBBLE"
  wait_for screen_has "Check 1 of 2: The greeting is kind"
  answer y
  wait_for screen_has "Check 2 of 2: It fits a postcard"
  answer n
  ended_with 1
  is_state READY_FOR_APPROVAL
  asked bubble approve --id "$BUBBLE" --checked 2
  wait_for screen_has "Check 1 of 2"
  answer y
  wait_for screen_has "Approve exactly tree"
  answer y
  ended_with 0
  recorded '.payload.checked == ["The greeting is kind", "It fits a postcard"]'
}

@test "stop asks first" {
  begin
  asked bubble stop --id "$BUBBLE"
  wait_for screen_has "[y/N]"
  answer n
  ended_with 1
  is_state RUNNING
  asked bubble stop --id "$BUBBLE"
  wait_for screen_has "[y/N]"
  answer y
  ended_with 0
  is_state CANCELLED
}

@test "where nobody can be asked a decision needs --yes" {
  begin
  run -2 pf bubble stop --id "$BUBBLE"
  [[ "$output" == *"--yes"* ]]
  is_state RUNNING
  converge
  run -2 pf bubble approve --id "$BUBBLE"
  [[ "$output" == *"--yes"* ]]
  is_state READY_FOR_APPROVAL
}
