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
  wait_for base_is green
}
base_is() { # STATUS: what the last run on the base said
  [ "$(lines_of "$BUBBLE" EVIDENCE | jq -r 'select(.payload.log == "base.tests.txt").payload.status' | tail -n 1)" = "$1" ]
}
in_worktree() { printf '\n[checks]\ncheckout = "worktree"\n' >>"$REPO/.pairflow/config.toml"; }
# Of trees under review.
evidence_runs() { lines_of "$BUBBLE" EVIDENCE | jq -r 'select(.payload.log != "base.tests.txt").seq' | wc -l; }
evidence_is() { [ "$(field "$BUBBLE" .evidence)" = "$1" ]; } # STANDING
hand_over() { # CHECK-SCRIPT: codex changes the check and passes
  edit check.sh "$1"
  as codex pass --summary "with a check"
}
asked_unable() { # PART: the human, and no agent
  is_state WAITING_HUMAN
  [ "$(field "$BUBBLE" '[.inbox[].kind] | join(" ")')" = unable ]
  [[ "$(field "$BUBBLE" '.inbox[0].text')" == *"$1"* ]]
  [ "$(field "$BUBBLE" '.findings | length')" -eq 0 ]
}
checks_log() { cat "$REPO/.pairflow/bubbles/$BUBBLE/artifacts/round-$1.tests.txt"; }

@test "green: run by us after the pass, and from empty once one has passed it; shown and told" {
  begin_checked
  hand_over 'echo all is well'
  wait_for evidence_is green
  wait_for pane_has claude "EVIDENCE from orchestrator"
  [[ "$(checks_log 001)" == *"sh ./check.sh"*"exit 0"*"all is well"* ]]
  [[ "$(as claude turn)" == *"by pairflow itself: green"*"round-001.tests.txt"* ]]
  [[ "$(pf bubble evidence --id "$BUBBLE")" == *green*"all is well"* ]]
  [ "$(evidence_runs)" -eq 1 ]
  as claude pass --summary "fine" --no-findings
  agree
  [ "$(evidence_runs)" -eq 2 ]
  [ "$(lines_of "$BUBBLE" EVIDENCE | jq -c '[.payload.status, .payload.cold]' | paste -sd ' ')" = \
    '["green",true] ["green",null] ["green",true]' ] # the base, then in what it left, then from empty
  [[ "$(pf bubble package --id "$BUBBLE")" == *"| exit 0, from empty |"* ]]
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
  run -1 as codex converged --summary "I agree"
  [[ "$output" == *"still running"* ]]
  evidence_is running
  touch "$REPO/go"
  wait_for evidence_is green
  wait_for pane_has codex "EVIDENCE from orchestrator"
  agree
}

@test "in the worktree a check that writes into the tree is void twice, then the human is asked by name" {
  in_worktree
  begin_checked
  hand_over 'date +%N >hello.txt'
  wait_for is_state WAITING_HUMAN
  [ "$(field "$BUBBLE" '.inbox[0].kind')" = void ]
  [[ "$(field "$BUBBLE" '.inbox[0].text')" == *hello.txt* ]]
}

@test "in the worktree it is advisory, by status and package" {
  in_worktree
  begin_checked
  hand_over 'echo all is well'
  wait_for evidence_is green
  [[ "$(pf bubble status --id "$BUBBLE")" == *"checks green (advisory: in the worktree)"* ]]
  [[ "$(pf bubble package --id "$BUBBLE")" == *"The checks are advisory: "* ]]
}

@test "a check that leaves files behind, or changes the tree's, is judged, and the next one begins as it did" {
  begin_checked
  hand_over 'grep -q "^hello$" hello.txt && test ! -e left && date +%N >hello.txt && echo x >left'
  wait_for evidence_is green
  as claude pass --summary "no" --finding "P1:Not yet"
  edit more.txt "more"
  as codex pass --summary "again"
  wait_for evidence_is green
  is_state RUNNING
  [ "$(evidence_runs)" -eq 2 ]
}

@test "what is written in the worktree while the checks run is not what is checked" {
  begin_checked
  edit hello.txt "hello, world"
  hand_over ": >begun.sig
    until [ -e '$REPO/swapped' ]; do sleep 0.05; done; grep -q world hello.txt"
  wait_for test -e "$WORKTREE.checks/begun.sig"
  echo swapped >"$WORKTREE/hello.txt"
  mv "$WORKTREE" "$WORKTREE.aside" && mv "$WORKTREE.aside" "$WORKTREE"
  touch "$REPO/swapped"
  wait_for evidence_is green
}

@test "what the worktree shows otherwise than the tree by git's rules is checked as the tree has it" {
  printf '*.sh ident\n*.txt eol=crlf\n' >"$REPO/.gitattributes"
  git -C "$REPO" add .gitattributes
  begin_checked
  edit hello.txt "hello, world"
  hand_over '# $Id: $
grep -q "Id: [0-9a-f]\{40\}" check.sh && printf "hello, world\r\n" | cmp - hello.txt'
  wait_for evidence_is green
}

@test "green by what an earlier run left is red from an empty checkout, and cannot converge" {
  printf 'cache\n' >"$REPO/.gitignore"
  git -C "$REPO" add .gitignore
  printf 'echo 1 >cache\n' >"$REPO/check.sh"
  git -C "$REPO" add check.sh
  git -C "$REPO" commit -qm "a check that leaves something"
  pf bubble create --id "$BUBBLE" --task "Say more." --test "sh ./check.sh"
  pf bubble start --id "$BUBBLE"
  wait_for base_is green
  hand_over 'test -e cache'
  wait_for evidence_is green
  as claude pass --summary "fine" --no-findings
  wait_for evidence_is red
  [[ "$(field "$BUBBLE" '.findings[0].title')" == *"sh ./check.sh (from an empty checkout; it was green"* ]]
  run as codex converged --summary "I agree"
  [ "$status" -eq 1 ]
  is_state RUNNING
}

@test "the setup is run once, and again when a lock file changes" {
  printf '\n[commands]\nsetup = "echo ran >>count"\n' >>"$REPO/.pairflow/config.toml"
  printf 'count\n' >"$REPO/.gitignore"
  printf '{}\n' >"$REPO/package-lock.json"
  git -C "$REPO" add .gitignore package-lock.json
  begin_checked
  hand_over 'test "$(wc -l <count)" -eq 1'
  wait_for evidence_is green
  as claude pass --summary "no" --finding "P1:Not yet"
  edit package-lock.json '{"a": 1}'
  hand_over 'test "$(wc -l <count)" -eq 2'
  wait_for evidence_is green
}

@test "checks find a git of their own, in which the tree is a commit on the base, and cannot write it" {
  needs sandbox
  git -C "$REPO" tag v1
  begin_checked
  edit hello.txt "hello, world"
  hand_over 'set -e
test "$(git diff --name-only main | paste -sd " ")" = "check.sh hello.txt"
test -z "$(git status --porcelain)" && git describe --tags HEAD~2
git rev-parse HEAD^{tree} && ! git commit --allow-empty -qm x && ! touch .git/x'
  wait_for evidence_is green
  [[ "$(checks_log 001)" == *"$(field "$BUBBLE" .tree)"* ]]
}

@test "the checkout is kept while the bubble lives, listed with its size, and goes with it" {
  begin_checked
  [ -e "$WORKTREE.checks/check.sh" ]
  sized() { [[ "$(pf bubble list)" == *"checkout 0 MB"* ]]; }
  wait_for sized
  pf bubble stop --id "$BUBBLE" --yes
  [ ! -e "$WORKTREE.checks" ]
  [[ "$(pf bubble list)" != *checkout* ]]
}

@test "a check in the sandbox sees no home, no locks, no tmux and no keys, and cannot decide anything" {
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
perl -e 'exit(syscall(250, 0, -3, 0) >= 0 ? 0 : 1)' && exit 17 # a key ring
(: >>/proc/sys/kernel/core_pattern) 2>/dev/null && exit 18
exit 0"
  wait_for evidence_is green
  is_state RUNNING
  [ "$(lines_of "$BUBBLE" EVIDENCE | jq -r .payload.enforcement | sort -u)" = sandbox ]
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

@test "without a sandbox, too, a check ends with all it started, in whatever session" {
  without_sandbox
  local long=7$$ # seconds that nobody else sleeps
  begin_checked
  hand_over "setsid -f sleep $long; exit 0"
  wait_for evidence_is green
  run -1 pgrep -f "sleep $long"
  as claude pass --summary "hm" --finding "P1:Once more"
  hand_over "setsid -f sleep $long; setsid sleep $long"
  wait_for pgrep -f "sleep $long"
  (cd "$SCRATCH" && PAIRFLOW_CHECK_OF=$SCRATCH/other setsid -f sleep 6$$)
  pf bubble stop --id "$BUBBLE" --yes
  nothing_sleeps() { ! pgrep -f "sleep $long"; }
  wait_for nothing_sleeps
  pgrep -f "sleep 6$$" # of somebody else
}

@test "without a sandbox, what a killed run of the checks left behind ends with the bubble" {
  without_sandbox
  local long=5$$
  begin_checked
  hand_over "setsid sleep $long"
  wait_for pgrep -f "sleep $long"
  kill -9 "$(jq .pid "$REPO/.pairflow/runtime/$BUBBLE.json")" $(pgrep -f "run-checks --repo $REPO")
  pf bubble stop --id "$BUBBLE" --yes
  nothing_sleeps() { ! pgrep -f "sleep $long"; }
  wait_for nothing_sleeps
}

@test "a check that fills the disk is ended in time, and the human is asked" {
  local left
  left=$(df -m --output=avail "$SCRATCH" | tail -n 1)
  printf '\n[checks]\nkeep_free_mb = %d\n' $((left - 60)) >>"$REPO/.pairflow/config.toml"
  printf 'big.*\n' >"$REPO/.gitignore"
  git -C "$REPO" add .gitignore
  begin_checked
  hand_over 'i=0; while [ $i -lt 100 ]; do head -c 10000000 /dev/zero >big.$i; i=$((i+1)); sleep 0.05; done'
  wait_for evidence_is unable
  [[ "$(checks_log 001)" == *"killed: the disk is nearly full"* ]]
  asked_unable "the disk is nearly full"
  [ ! -e "$WORKTREE/big.99" ]
}

@test "a check that hangs and forks is killed with all it started when its time is over" {
  printf 'evidence_timeout_minutes = 1\n%s\n' "$(cat "$REPO/.pairflow/config.toml")" >"$SCRATCH/new"
  mv "$SCRATCH/new" "$REPO/.pairflow/config.toml"
  begin_checked
  local long=8$$ # seconds that nobody else sleeps
  hand_over "for i in 1 2 3; do (trap '' TERM HUP; exec sleep $long) & done; echo begun; sleep $long"
  over() { evidence_is unable; }
  wait_for pgrep -f "sleep $long"
  wait_for over || wait_for over  # a minute is the shortest time there is
  [[ "$(checks_log 001)" == *"killed: out of time"*begun* ]]
  asked_unable "(out of time)"
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
  second() { [ "$(evidence_runs)" -eq 2 ]; }
  wait_for second
  run -2 pf bubble profile --id "$BUBBLE"
  run -2 pf bubble profile --id "$BUBBLE" --drop-check test
  pf bubble profile --id "$BUBBLE" --check "lint=true" --drop-check test
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
  [ "$(evidence_runs)" -eq 1 ]
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
  in_worktree
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

@test "the profile is one table of configuration, detection and flags; dropping is explicit" {
  printf '\n[commands]\ntest = "make test"\nlint = "make lint"\n' >>"$REPO/.pairflow/config.toml"
  printf 'test:\n\ttrue\ntypecheck:\n\ttrue\n' >"$REPO/Makefile"
  profile() { jq -sr '.[0].payload.policy.profile | ((.checks // [])[] | .name + "=" + .command), "-" + (.dropped // [])[]' \
    "$(transcript "$1")" | paste -sd ' '; }
  run -0 pf bubble create --id flagged --task "Go." --test "make quick"
  [[ "$output" == *"  test: make quick   (flag)"*"  lint: make lint   (configuration)"* ]]
  [ "$(profile flagged)" = "test=make quick lint=make lint" ]
  echo "- look" >"$SCRATCH/list"
  pf bubble create --id by-hand --task "Go." --manual-checks "$SCRATCH/list"
  [ "$(profile by-hand)" = "test=make test lint=make lint" ]
  run -0 pf bubble create --id detected --task "Go." --accept-detected
  [[ "$output" == *"typecheck: make typecheck   (detected: Makefile has a typecheck target)"* ]]
  [ "$(profile detected)" = "test=make test lint=make lint typecheck=make typecheck" ]
  run -0 pf bubble create --id dropped --task "Go." --drop-check lint
  [[ "$output" == *"dropped by you: lint"* ]]
  [ "$(profile dropped)" = "test=make test -lint" ]
  run -2 pf bubble create --id abc --task "Go." --drop-check lnt
  [[ "$output" == *"the checks are: test, lint"* ]]
  run -2 pf bubble create --id abc --task "Go." --drop-check lint --drop-check test
  [[ "$output" == *"--no-tests"* ]]
  pf bubble create --id without --task "Go." --no-tests "a text"
  [ "$(profile without)" = "-test -lint" ]
  run -0 pf bubble profile --id flagged --check "spell=true" --drop-check lint
  recorded_profile() { jq -sr 'map(select(.payload.event == "profile_changed"))[-1].payload.profile |
    (.checks[] | .name + " " + .from), "-" + (.dropped // [])[]' "$(transcript "$1")" | paste -sd,; }
  [ "$(recorded_profile flagged)" = "test flag,spell flag,-lint" ]
  [[ "$(pf bubble evidence --id flagged --json | jq -r '.profile.dropped[0]')" == lint ]]
}

@test "a check that cannot run asks the human with the log's end; the reply runs it again" {
  begin_checked
  hand_over 'echo looking for it; exec ./tool'
  wait_for evidence_is unable
  asked_unable "sh ./check.sh (not found: exit 127)"
  [[ "$(pf inbox)" == *"looking for it"* ]]
  run -1 as claude pass --summary "fine" --no-findings
  pf bubble reply --id "$BUBBLE" --message "try again"
  second() { [ "$(evidence_runs)" -eq 2 ]; }
  wait_for second
  asked_unable "not found: exit 127"
  pf bubble profile --id "$BUBBLE" --test "true"
  wait_for evidence_is green
  is_state RUNNING
}

# Says red and green by turns, whoever asks; nothing in a checkout knows which is next.
by_turns() {
  perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1") or die;
    open(F, ">$ARGV[0].new"); print F $s->sockport; close F; rename("$ARGV[0].new", $ARGV[0]); my $n = 0;
    while (my $c = $s->accept) { print $c $n++ % 2 ? "green\n" : "red\n"; close $c }' "$SCRATCH/port" 3>&- &
  TURNS=$!
  wait_for test -s "$SCRATCH/port"
}
ask_by_turns() { echo "perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(q(127.0.0.1:$(cat "$SCRATCH/port")))->getline' | grep green"; }

@test "red and then green on one tree is flaky: green, and named" {
  by_turns
  begin_checked
  hand_over "$(ask_by_turns)"
  wait_for evidence_is green
  [[ "$(checks_log 001)" == *"(flaky)"*"tried again"* ]]
  [ "$(field "$BUBBLE" '.flaky[0]')" = test ]
  [[ "$(pf bubble status --id "$BUBBLE")" == *"checks green (flaky: test)"* ]]
  [[ "$(as claude turn)" == *"green (flaky: test)"* ]]
  as claude pass --summary "fine" --no-findings
  agree
  [[ "$(pf bubble package --id "$BUBBLE")" == *"Flaky checks"*": test"*"| exit 0 (flaky: red at first) |"* ]]
  kill "$TURNS"
}

@test "a check that is green by what its own red try left is red" {
  printf 'been\n' >"$REPO/.gitignore"
  printf 'old\n' >"$REPO/expected"
  git -C "$REPO" add .gitignore expected
  begin_checked
  hand_over 'echo new | cmp -s - expected || { echo new >expected; exit 1; }'
  wait_for evidence_is red
  [[ "$(checks_log 001)" == *"tried again"* ]]
  as claude pass --summary "red" --finding "P1:It is red"
  hand_over 'if mkdir been 2>/dev/null; then exit 1; fi' # git ignores it: kept until it begins from empty
  wait_for evidence_is green
  as claude pass --summary "fine" --no-findings
  wait_for evidence_is red
  run -1 as codex converged --summary "I agree"
}

@test "without retries red is red" {
  printf '\n[checks]\nretries = 0\n' >>"$REPO/.pairflow/config.toml"
  begin_checked
  hand_over 'exit 1'
  wait_for evidence_is red
  [[ "$(checks_log 001)" != *"tried again"* ]]
}

@test "a setup that fails leaves the checks unable, not red" {
  printf '\n[checks]\ncheckout = "clean"\n[commands]\nsetup = "test -e hello.txt"\n' >>"$REPO/.pairflow/config.toml"
  begin_checked
  rm "$WORKTREE/hello.txt"
  hand_over 'exit 0'
  wait_for evidence_is unable
  asked_unable "failed: exit 1"
}

@test "what sets a check and drops it is refused, by both names" {
  run -2 pf bubble create --id "$BUBBLE" --task "x" --drop-check test --test true
  [[ "$output" == *"--test and --drop-check test exclude each other"* ]]
  [ ! -e "$REPO/.pairflow/bubbles/$BUBBLE" ]
  begin_checked
  run -2 pf bubble profile --id "$BUBBLE" --check lint=true --drop-check lint
  [[ "$output" == *"--check lint=… and --drop-check lint exclude each other"* ]]
  [ "$(pf bubble evidence --id "$BUBBLE" --json | jq -r '[.profile.checks[].name] | join(" ")')" = test ]
}

@test "red before any change: the human drops the check, or calls it part of the task" {
  printf 'exit 1\n' >"$REPO/check.sh"
  git -C "$REPO" add check.sh && git -C "$REPO" commit -qm "a red check"
  pf bubble create --id "$BUBBLE" --task "Say more." --test "sh ./check.sh" --typecheck true
  pf bubble start --id "$BUBBLE"
  wait_for is_state WAITING_HUMAN
  base_is red
  [ "$(field "$BUBBLE" '[.inbox[].kind] | join(" ")')" = base ]
  [[ "$(pf inbox)" == *"red before any change: sh ./check.sh"*"--drop-check test"* ]]
  [[ "$(pf bubble evidence --id "$BUBBLE")" == *"of the base you are asked:"*"red before any change"* ]]
  pf bubble profile --id "$BUBBLE" --drop-check test
  is_state RUNNING
  wait_for base_is green
  implement "hello, world"
  wait_for evidence_is green
  as claude pass --summary "fine" --no-findings
  agree

  BUBBLE=other WORKTREE=$SCRATCH/.pairflow-worktrees/repo/other
  pf bubble create --id other --task "Mend it." --test "sh ./check.sh"
  pf bubble start --id other
  wait_for is_state WAITING_HUMAN
  pf bubble reply --id other --message "that is the task"
  is_state RUNNING
  implement "hello, moon"
  wait_for evidence_is red
  [ "$(field other '.findings[0].source')" = orchestrator ]
  as claude pass --summary "no" --no-findings
  hand_over 'exit 0'
  wait_for evidence_is green
  [[ "$(pf bubble package --id other)" == *"The checks were red before the change too"* ]]
}
