#!/usr/bin/env bats
# Evidence: our own runs of the checks, in a sandbox, on the tree under review.

load helpers

setup() { scratch; }
teardown() { sweep; }

# A bubble whose check is `sh ./check.sh` in the tree.
begin_checked() { # [FLAG…]
  printf 'exit 0\n' >"$REPO/check.sh"
  git -C "$REPO" add check.sh
  git -C "$REPO" commit -qm "a check"
  pf bubble create --id "$BUBBLE" --task "Say more." --test "sh ./check.sh" "$@"
  pf bubble start --id "$BUBBLE"
}
evidence_is() { [ "$(field "$BUBBLE" .evidence)" = "$1" ]; } # STANDING
hand_over() { # CHECK-SCRIPT: codex changes the check and passes
  edit check.sh "$1"
  as codex pass --summary "with a check"
}
checks_log() { cat "$REPO/.pairflow/bubbles/$BUBBLE/artifacts/round-$1.tests.txt"; }

@test "green: run once by us after the pass, shown and told to the reviewer" {
  begin_checked
  hand_over 'echo all is well'
  wait_for evidence_is green
  wait_for pane_has claude "EVIDENCE from orchestrator"
  [[ "$(checks_log 001)" == *"sh ./check.sh"*"exit 0"*"all is well"* ]]
  [[ "$(as claude turn)" == *"by pairflow itself: green"*"round-001.tests.txt"* ]]
  [[ "$(pf bubble evidence --id "$BUBBLE")" == *green*"all is well"* ]]
  as claude pass --summary "fine" --no-findings
  agree
  [ "$(count_of "$BUBBLE" EVIDENCE)" -eq 1 ]
}

@test "red cannot converge; fixed and green it does" {
  begin_checked
  hand_over 'echo it is broken; exit 1'
  wait_for evidence_is red
  [ "$(field "$BUBBLE" '.findings[0] | [.severity, .source, .status] | join(" ")')" = "P1 orchestrator open" ]
  as claude pass --summary "nothing of mine" --no-findings
  [ "$(field "$BUBBLE" .active_role)" = implementer ]
  hand_over 'exit 0'
  wait_for evidence_is green
  as claude pass --summary "fine" --no-findings
  agree
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
  [ "$(state)" = DONE ]
}

@test "a reviewer who is faster than the checks is not stuck" {
  begin_checked
  hand_over "while [ ! -e '$REPO/go' ]; do sleep 0.05; done"
  as claude pass --summary "fine" --no-findings
  run -1 agree
  [[ "$output" == *"still running"* ]]
  evidence_is running
  touch "$REPO/go"
  wait_for evidence_is green
  wait_for pane_has codex "EVIDENCE from orchestrator"
  agree
}

@test "a check that writes into the tree is void twice, then the human is asked by name" {
  begin_checked
  hand_over 'date +%N >hello.txt'
  wait_for is_state WAITING_HUMAN
  [ "$(field "$BUBBLE" '.inbox[0].kind')" = void ]
  [[ "$(field "$BUBBLE" '.inbox[0].text')" == *hello.txt* ]]
}

@test "a check in the sandbox sees no home, no locks and no tmux, and cannot decide anything" {
  needs sandbox
  echo token >"$HOME/secret"
  begin_checked
  hand_over "
cat '$HOME/secret' && exit 11
ls '$REPO/.pairflow/locks' 2>/dev/null | grep . && exit 12
tmux -S '$SOCKET' ls && exit 13
'$PAIRFLOW' bubble approve --repo '$REPO' --id $BUBBLE --yes && exit 14
echo x >'$REPO/hello.txt' && exit 15
echo x >.git && exit 16
exit 0"
  wait_for evidence_is green
  is_state RUNNING
  [ "$(lines_of "$BUBBLE" EVIDENCE | jq -r .payload.enforcement)" = sandbox ]
}

@test "a check that hangs ends, with all it started, when the bubble is stopped" {
  local long=9$$ # seconds that nobody else sleeps
  begin_checked
  hand_over "sleep $long & sleep $long"
  wait_for pgrep -f "sleep $long"
  evidence_is running
  pf bubble stop --id "$BUBBLE" --yes
  nothing_sleeps() { ! pgrep -f "sleep $long"; }
  wait_for nothing_sleeps
}

@test "a check that fills the disk is ended in time, and red" {
  local left
  left=$(df -m --output=avail "$SCRATCH" | tail -n 1)
  printf '\n[checks]\nkeep_free_mb = %d\n' $((left - 60)) >>"$REPO/.pairflow/config.toml"
  printf 'big.*\n' >"$REPO/.gitignore"
  git -C "$REPO" add .gitignore
  begin_checked
  hand_over 'i=0; while [ $i -lt 100 ]; do head -c 10000000 /dev/zero >big.$i; i=$((i+1)); sleep 0.05; done'
  wait_for evidence_is red
  [[ "$(checks_log 001)" == *"killed: the disk is nearly full"* ]]
  [[ "$(field "$BUBBLE" '.findings[0].title')" == *"the disk is nearly full"* ]]
  [ ! -e "$WORKTREE/big.99" ]
}

@test "a check that hangs and forks is killed with all it started when its time is over" {
  printf 'evidence_timeout_minutes = 1\n%s\n' "$(cat "$REPO/.pairflow/config.toml")" >"$SCRATCH/new"
  mv "$SCRATCH/new" "$REPO/.pairflow/config.toml"
  begin_checked
  local long=8$$ # seconds that nobody else sleeps
  hand_over "for i in 1 2 3; do (trap '' TERM HUP; exec sleep $long) & done; echo begun; sleep $long"
  over() { evidence_is red; }
  wait_for pgrep -f "sleep $long"
  wait_for over || wait_for over  # a minute is the shortest time there is
  [[ "$(checks_log 001)" == *"killed: out of time"*begun* ]]
  [[ "$(field "$BUBBLE" '.findings[0].title')" == *"(out of time)"* ]]
  nobody() { ! pgrep -f "sleep $long"; }
  wait_for nobody
}

@test "rerun and profile are the human's, and recorded" {
  begin_checked
  hand_over 'exit 1'
  wait_for evidence_is red
  run -1 as claude bubble evidence --id "$BUBBLE" --rerun
  run -1 as claude bubble profile --id "$BUBBLE" --no-tests "trust me"
  pf bubble evidence --id "$BUBBLE" --rerun
  wait_for recorded '.payload.event == "rerun_asked"'
  second() { [ "$(count_of "$BUBBLE" EVIDENCE)" -eq 2 ]; }
  wait_for second
  run -2 pf bubble profile --id "$BUBBLE"
  pf bubble profile --id "$BUBBLE" --check "lint=true"
  wait_for evidence_is green
  [ "$(field "$BUBBLE" '.findings[0].status')" = waived ]
}

@test "a clean checkout has no ignored files of the agents, and the setup is run in it" {
  printf '\n[checks]\ncheckout = "clean"\n[commands]\nsetup = "echo ready >built"\n' >>"$REPO/.pairflow/config.toml"
  printf 'cache\nbuilt\n' >"$REPO/.gitignore"
  git -C "$REPO" add .gitignore
  begin_checked
  edit cache/always-green "yes"
  hand_over 'test ! -e cache && grep -q ready built'
  wait_for evidence_is green
  [[ "$(checks_log 001)" == *"## setup: "*"## test: "* ]]
  [ ! -e "$WORKTREE.checks" ]
}

@test "a supervisor killed during a run: the run files its result, and it is not repeated" {
  begin_checked
  hand_over "while [ ! -e '$REPO/go' ]; do sleep 0.05; done"
  wait_for pgrep -f "run-checks --repo $REPO"
  kill -9 "$(jq -r .pid "$REPO/.pairflow/runtime/$BUBBLE.json")"
  pf bubble resume --id "$BUBBLE"
  two() { [ "$(pgrep -fc "run-checks --repo $REPO")" -eq 2 ]; }
  wait_for two
  touch "$REPO/go"
  wait_for evidence_is green
  none() { ! pgrep -f "run-checks --repo $REPO"; }
  wait_for none
  [ "$(count_of "$BUBBLE" EVIDENCE)" -eq 1 ]
}

@test "twenty bubbles do not start twenty runs: the slots are shared" {
  printf '\n[checks]\nslots = 1\n' >>"$REPO/.pairflow/config.toml"
  begin_checked
  hand_over "while [ ! -e '$REPO/go' ]; do sleep 0.05; done"
  wait_for pgrep -f "run-checks --repo $REPO --id $BUBBLE"
  BUBBLE=other WORKTREE=$SCRATCH/.pairflow-worktrees/repo/other
  pf bubble create --id other --task "Say less." --test "sh ./check.sh"
  pf bubble start --id other
  hand_over 'echo quick'
  wait_for pgrep -f "run-checks --repo $REPO --id other"
  evidence_is running
  touch "$REPO/go"
  wait_for evidence_is green
}

@test "a file that is swapped while the checks run, and put back, is named in the package" {
  printf '*.sig\n' >"$REPO/.gitignore"
  git -C "$REPO" add .gitignore
  begin_checked
  edit hello.txt "hello, world"
  hand_over ': >begun.sig
until grep -q swapped hello.txt; do sleep 0.05; done
: >seen.sig
until grep -q world hello.txt; do sleep 0.05; done'
  wait_for test -e "$WORKTREE/begun.sig"
  echo swapped >"$WORKTREE/hello.txt"
  wait_for test -e "$WORKTREE/seen.sig"
  echo "hello, world" >"$WORKTREE/hello.txt"
  wait_for evidence_is green
  [[ "$(pf bubble package --id "$BUBBLE")" == *"Written while the checks ran, and the same afterwards: hello.txt"* ]]
}
