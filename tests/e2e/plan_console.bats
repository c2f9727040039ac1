#!/usr/bin/env bats
# `plan run` on a real terminal, with agents at work: whole screens, compared as text with the files
# of tests/golden/plan_run.

load helpers
load plan_helpers

GOLDEN=$BATS_TEST_DIRNAME/../golden/plan_run

setup() {
  scratch_plan
  unset NO_COLOR
}
teardown() { sweep_plan; }

run_in_terminal() { # COLUMNS ROWS
  tmx -f /dev/null new-session -d -x "$1" -y "$2" -c "$REPO" "'$PAIRFLOW' plan run login; echo \"left with \$?\"; stty -a | grep -o ' .\\?echo '; sleep 600"
}
keys() { tmx send-keys "$@"; }
# All but how long it took, at the end of the first line.
screen() { tmx capture-pane -p | sed -E '1s/ +([0-9]+[dhms] ?)+$//'; }
header_has() { screen | head -n 3 | grep -qF -- "$1"; }
shows() { screen | grep -qF -- "$1"; }
hides() { ! shows "$1"; }
is_golden() { diff <(screen) "$GOLDEN/$1.txt" >"$SCRATCH/diff" 2>&1; }
must_be() { # NAME, at its size
  local name
  name=$1-$(tmx display-message -p '#{pane_width}x#{pane_height}')
  if [ -n "${NEW_SCREENS:-}" ]; then wait_for is_still "$name"; fi
  wait_for is_golden "$name" || { cat "$SCRATCH/diff"; return 1; }
}
# NEW_SCREENS=1 writes the files anew: each screen that has been the same for a second, to be read
# before it is committed.
is_still() { # NAME
  local look
  screen >"$GOLDEN/$1.txt"
  for look in $(seq 20); do sleep 0.05 && is_golden "$1" || return 1; done
}
# A script that waits there until the test has seen enough of it.
until_seen() { echo "until [ -e agents/seen-$1 ]; do sleep 0.05; done;"; } # NAME
seen() { : >"$REPO/agents/seen-$1"; }                                      # NAME

# The whole story of the seed on one screen: who is active, what is asked, and where active_step is.
story() { # COLUMNS ROWS
  plays 1 "echo 'I begin.'; $(until_seen 1) pairflow plan ask-user --message 'tabs or spaces?' >answer.txt
    echo one >done.txt; pairflow plan request-review --note 'first try' >/dev/null"
  plays 2 "echo 'Let me read.'; $(until_seen 2) pairflow plan request-changes --text 'say two' >/dev/null"
  plays 3 "echo 'I see.'; sleep 600"
  plays 4 "echo 'On to the second.'; $(until_seen 4) pairflow plan request-review >/dev/null"
  plays 5 "echo 'Reading again.'; $(until_seen 5) pairflow plan approve >/dev/null"
  plays 6 "echo 'Back to the first.'; sleep 600"
  run_in_terminal "$@"
  must_be coder
  seen 1
  must_be asking
  hides 'ready for review'
  keys -l 'spaces'
  keys Enter
  must_be reviewer
  grep -q spaces "$REPO/answer.txt"
  seen 2
  must_be changes
  # A hand edit is there with the next thing that happens: a key, at the latest.
  sed -i 's/^active_step: 1/active_step: 2/' "$REPO/docs/login/plan.md"
  keys C-l
  must_be edited
  seen 4
  wait_for shows 'Reading again.'
  wait_for header_has 'REVIEWER bob'
  wait_for header_has 'step 2 of 2: Go on (pending)'
  # An approval moves both, the frontmatter and the screen.
  seen 5
  must_be approved
  [ "$(active_step)" = 1 ]
  tmx resize-window -x 280 -y 84 # wider, then narrow, then as it was
  wait_for shows 'plan.md was edited while run 3 was at work'
  for size in 200,60 80,24 "$1,$2"; do
    tmx resize-window -x "${size%,*}" -y "${size#*,}"
    must_be approved
  done
  keys :
  keys -l pause
  keys Enter
  must_be paused
  keys C-c
  wait_for shows 'left with 0'
  wait_for shows ' echo'
  waits_for paused
}

@test "step 5, tests: active agent, blocking question, active_step of the frontmatter at 80×24" { story 80 24; }
@test "step 5, tests: active agent, blocking question, active_step of the frontmatter at 200×60" { story 200 60; }
