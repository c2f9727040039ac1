#!/usr/bin/env bats
# The role loop: each command, what is refused, and `role run` over a roadmap of two features.

load helpers
load role_helpers

setup() { scratch_roles; }
teardown() { sweep_roles; }

@test "init begins the journal and the register; only once" {
  run pf role status
  [ "$status" -eq 1 ]
  [[ $output == *"pairflow role init"* ]]
  run pf role init
  [ "$status" -eq 0 ]
  is_turn "PLANNER init"
  [ "$(jq -r 'keys_unsorted | join(" ")' "$STATE")" = "plan_slug current_role state branch msg autopilot last_updated" ]
  [ "$(stat -c %a "$STATE")" = "$(stat -c %a "$REPO/docs/ROADMAP.md")" ]
  run pf role init
  [ "$status" -eq 1 ]
  [[ $output == *"init is for the first run only"* ]]
  [ -z "$(changes)" ]
}

@test "a state.json that is there is taken over, unknown keys stay" {
  mkdir -p "$REPO/docs/agents"
  printf '{"plan_slug": null, "current_role": "PLANNER", "x-team": {"a": 1}, "state": "in_progress", "branch": null, "msg": "hi", "last_updated": "2026-01-01T00:00:00Z"}\n' >"$STATE"
  pf role init
  [ "$(jq -r .msg "$STATE")" = hi ]
  pf role start
  [ "$(jq -c '.["x-team"]' "$STATE")" = '{"a":1}' ]
  [ "$(jq -r .last_agent "$STATE")" = PLANNER ]
}

@test "planner, coder, reviewer: the register, the branch and the tasks follow each switch" {
  roles_begun
  tasks 2
  run pf role handoff --to CODER --feature F001 --message "T01 is next"
  [ "$status" -eq 0 ]
  [ "$(checked_out)" = feat/F001-log-in ]
  is_turn "CODER handoff"
  [ "$(jq -r '.plan_slug + " " + .branch' "$STATE")" = "log-in feat/F001-log-in" ]
  as_agent carl start
  is_turn "CODER in_progress"
  echo work >"$REPO/work.txt"
  as_agent carl handoff --to REVIEWER --message "T01 is done"
  as_agent rita approve-task --message "fine"
  is_turn "PLANNER handoff"
  jq -r .msg "$STATE" | grep -q 'Next task: T02 Part 2 (part)'
  jq -r .msg "$STATE" | grep -q 'docs/current/T02-part.md'
  grep -q 'Status: done' "$REPO/docs/current/T01-part.md"
  grep -q 'Status: open' "$REPO/docs/current/T02-part.md"
  pf role log | grep -q 'T01 of F001 is approved; next is T02'
  [ "$(git_of rev-parse HEAD)" = "$(git_of rev-parse main)" ]  # off: nothing is committed
}

@test "block asks, shows in the inbox, and is answered by a handoff" {
  coding
  run as_agent carl block --by PLANNER --message "I do not know."
  [ "$status" -eq 2 ]
  as_agent carl block --by PLANNER --message "Which port?"
  is_turn "PLANNER blocked"
  pf inbox | grep -q 'Which port?'
  pf inbox --json | jq -e '.items[] | select(.role == "role" and .kind == "blocked")' >/dev/null
  pf role handoff --to CODER --message "8080"
  is_turn "CODER handoff"
  [ "$(pf inbox)" = "nothing waits for you" ]
}

@test "wrong input says what, why and what to do" {
  roles_begun
  expect() { # EXIT TEXT WORD…
    local code=$1 text=$2
    shift 2
    run pf role "$@"
    [ "$status" -eq "$code" ] || { echo "$*: $status: $output"; return 1; }
    [[ $output == *"$text"* ]] || { echo "$*: $output"; return 1; }
  }
  expect 2 "'BOSS' is no role" handoff --to BOSS --message x
  expect 2 "--to" handoff --message x
  expect 2 "--message" handoff --to CODER
  expect 2 "no feature is chosen" handoff --to CODER --message x
  expect 1 "F009 is not in docs/ROADMAP.md" handoff --to CODER --feature F009 --message x
  expect 2 "is no branch's name" handoff --to CODER --feature F001 --branch nonsense --message x
  expect 2 "is no branch's name" handoff --to CODER --feature F001 --type perf --message x
  expect 2 "the note breaks a rule" handoff --to CODER --feature F001 --message '```sh'
  expect 2 "12 lines" handoff --to CODER --feature F001 --message "$(seq 13)"
  expect 2 "PLANNER cannot hand over to itself" handoff --to PLANNER --message x
  expect 1 "there is no task T07" handoff --to CODER --feature F001 --task T07 --message x
  expect 1 "approve-task is not PLANNER's" approve-task
  expect 1 "nothing of that name waits for you" decline F001 --yes
  expect 2 "'on' is no level" autopilot on
  expect 2 "needs a confirmation" approve-feature
  expect 2 "has no option '--feture'" handoff --to CODER --feture F001 --message x
  [ "$(checked_out)" = main ]
  is_turn "PLANNER in_progress"
  for verb in init start handoff block approve-task approve-feature decline autopilot status log validate run; do
    pf role "$verb" --help | grep -q Example
  done
}

@test "agents act in their own role only; what is the human's is refused" {
  coding
  run as_agent rita start
  [ "$status" -eq 1 ]
  [[ $output == *"it is CODER's turn"* ]]
  run as_agent rita start
  [ "$(grep -c PROTOCOL_WARNING "$ROLE/events.ndjson")" -eq 1 ]
  for verb in "autopilot full" "decline F001 --yes" "run"; do
    run as_agent carl $verb
    [ "$status" -eq 1 ]
    [[ $output == *"the human's"* ]]
  done
  [ "$(jqr .autopilot)" = off ]
}

@test "two take the role at once: one wins, the other is told who and when" {
  sed -i 's/^coder = "carl"/coder = "anyone"/' "$REPO/.pairflow/config.toml"
  coding
  local n
  for n in 1 2 3 4 5 6; do
    (as_agent "agent$n" start >"$SCRATCH/take.$n" 2>&1; echo $? >"$SCRATCH/code.$n") &
  done
  wait
  [ "$(cat "$SCRATCH"/code.* | grep -c '^0$')" -eq 1 ]
  local winner
  winner=$(jqr .taken.by)
  for n in 1 2 3 4 5 6; do
    [ "agent$n" = "$winner" ] || grep -q "$winner.*20[0-9][0-9]-" "$SCRATCH/take.$n" || { cat "$SCRATCH/take.$n"; return 1; }
  done
  run as_agent "$winner" start
  [ "$status" -eq 1 ]
  [[ $output == *"$winner took it at"* ]]
}

@test "a hand edit is taken in; one that is not sound is told with its key and never written over" {
  coding
  sed -i 's/"current_role": "CODER"/"current_role": "REVIEWER"/' "$STATE"
  pf role status | grep -q 'edited by hand'
  as_agent rita start
  logged register.edited || logged REGISTER_EDITED
  sed -i 's/"state": "in_progress"/"state": "wip"/' "$STATE"
  cp "$STATE" "$SCRATCH/broken"
  run pf role handoff --to CODER --message "again"
  [ "$status" -eq 1 ]
  [[ $output == *'state is "wip"'* ]]
  run pf role validate
  [ "$status" -eq 1 ]
  [[ $output == *'state is "wip"'* ]]
  cmp "$STATE" "$SCRATCH/broken"
  sed -i 's/"state": "wip"/"state": "in_progress"/' "$STATE"
  pf role validate
  pf role handoff --to CODER --message "again"
  rm "$STATE"
  pf role start
  is_turn "CODER in_progress"
}

@test "an autopilot that was raised by hand counts only when the human orders it" {
  coding
  sed -i 's/"autopilot": "off"/"autopilot": "full"/' "$STATE"
  pf role start
  [ "$(jqr .autopilot)" = off ]
  pf inbox | grep -q 'pairflow role autopilot full'
  pf role autopilot full
  [ "$(jqr .autopilot)" = full ]
}

@test "what is no plain file is told, and nothing hangs" {
  coding
  cp "$STATE" "$SCRATCH/state"
  for make in mkdir mkfifo "ln -s $SCRATCH/state"; do
    rm -rf "$STATE"
    $make "$STATE"
    for verb in start validate; do
      run timeout 20 bash -c 'cd "$1" && exec "$2" role "$3"' - "$REPO" "$PAIRFLOW" "$verb"
      [ "$status" -eq 1 ] || { echo "$make $verb: $status $output"; return 1; }
      [[ $output == *"docs/agents/state.json is "* ]]
    done
    pf role status >/dev/null
  done
  rm -rf "$STATE"
  head -c 2000000 /dev/zero >"$STATE"
  run pf role start
  [ "$status" -eq 1 ]
  [[ $output == *"too large"* ]]
  cp "$SCRATCH/state" "$STATE"
  mkfifo "$REPO/docs/current/T03-pipe.md"
  run pf role start
  [ "$status" -eq 1 ]
  [[ $output == *"T03-pipe.md is no plain file"* ]]
  rm "$REPO/docs/current/T03-pipe.md"
  printf -- '- [ ] F1: x\n' >"$REPO/docs/ROADMAP.md"
  run pf role validate
  [ "$status" -eq 1 ]
  [[ $output == *"docs/ROADMAP.md line 1"* ]]
}

@test "work that is not committed is never carried to another commit" {
  roles_begun
  git_of branch feat/F001-log-in "$(git_of commit-tree -p main -m own 'main^{tree}')"
  echo more >"$REPO/more.txt"
  tasks 1
  run pf role handoff --to CODER --feature F001 --message "T01"
  [ "$status" -eq 1 ]
  [[ $output == *"not committed on main: more.txt"* ]]
  [ "$(checked_out)" = main ]
  git_of add more.txt
  git_of commit -qm more
  pf role handoff --to CODER --feature F001 --message "T01"
  [ "$(checked_out)" = feat/F001-log-in ]
  [ ! -e "$REPO/more.txt" ]
  [ "$(changes)" = "?? docs/current/T01-part.md" ] # the planner's own come along
}

@test "off: what is approved waits in the inbox, the tree goes back, and approve-feature merges it" {
  reviewing
  as_agent rita approve-task
  pf role handoff --to CODER --message "T02"
  pf role handoff --to REVIEWER --message "done"
  as_agent rita approve-task --message "all good"
  is_at_defaults
  [ "$(checked_out)" = main ]
  [ ! -e "$REPO/work.txt" ]
  [ ! -e "$REPO/docs/current" ]
  [ -z "$(changes)" ]
  pf inbox | grep -q 'Committing and merging it into main waits for you. Checks: green'
  run pf role approve-feature --feature F001 --yes
  [ "$status" -eq 0 ]
  [ "$(cat "$REPO/work.txt")" = work ]
  grep -q '\[x\] F001' "$REPO/docs/ROADMAP.md"
  [ -z "$(changes)" ]
  [ "$(git_of log -1 --format=%s main)" = "Finish F001 Log in" ]
  [ "$(git_of rev-parse main)" = "$(git_of rev-parse feat/F001-log-in)" ]
  # The tasks are kept.
  salvage=$(git_of for-each-ref --format='%(refname)' refs/pairflow/role.loop/salvage)
  git_of show "$salvage:docs/current/T01-part.md" | grep -q 'Status: done'
}

@test "tasks that the default branch has are no obstacle, and go with the feature" {
  roles_begun
  tasks 1
  git_of add -A docs/current
  git_of commit -qm tasks
  pf role handoff --to CODER --feature F001 --message "T01"
  echo work >"$REPO/work.txt"
  pf role handoff --to REVIEWER --message "done"
  as_agent rita start
  as_agent rita approve-task
  [ ! -e "$REPO/docs/current" ]
  pf role approve-feature --feature F001 --yes
  [ "$(cat "$REPO/work.txt")" = work ]
  [ -z "$(git_of ls-tree main docs/current/)" ]
  [ -z "$(changes)" ]
}

@test "decline drops what waits and keeps its work on the branch, and its commit" {
  reviewing
  as_agent rita approve-task
  pf role handoff --to CODER --message "T02"
  pf role handoff --to REVIEWER --message "done"
  as_agent rita approve-task
  pf role decline F001 --message "not now" --yes
  [ "$(pf inbox)" = "nothing waits for you" ]
  [ "$(git_of show feat/F001-log-in:work.txt)" = work ]
  [ "$(git_of rev-parse main)" = "$(git_of rev-parse feat/F001-log-in^)" ]
  commit=$(git_of for-each-ref --format='%(refname)' refs/pairflow/role.loop/commit)
  [ "$(git_of show "$commit:work.txt")" = work ]
}

@test "a red check goes back to the coder with its reason; branches and tree stay as they were" {
  reviewing full
  touch "$REPO/broken"
  cp -r "$REPO/docs/current" "$SCRATCH/current"
  tip=$(git_of rev-parse HEAD)
  as_agent rita approve-task
  is_turn "CODER handoff"
  jq -r .msg "$STATE" | grep -q 'the checks are red'
  [ "$(jq -r '.ci_status + " " + (.tests_passed | tostring)' "$STATE")" = "red false" ]
  [ -s "$REPO/$(jq -r '.artifacts[0]' "$STATE")" ]
  [ "$(git_of rev-parse HEAD)" = "$tip" ]
  [ "$(checked_out)" = feat/F001-log-in ]
  [ -e "$REPO/work.txt" ]
  rm "$REPO/broken"
  pf role handoff --to REVIEWER --message "mended"
  as_agent rita approve-task
  is_turn "PLANNER handoff"
  [ "$(git_of log -1 --format=%s)" = "T01 of F001 Log in" ]
}

@test "a conflict blocks with its paths; branches and tree stay as they were" {
  reviewing full
  as_agent rita approve-task
  pf role handoff --to CODER --message "T02"
  pf role handoff --to REVIEWER --message "done"
  git_of worktree add -q "$SCRATCH/other" main
  echo theirs >"$SCRATCH/other/work.txt"
  git -C "$SCRATCH/other" add work.txt
  git -C "$SCRATCH/other" commit -qm theirs
  main=$(git_of rev-parse main) tip=$(git_of rev-parse HEAD)
  as_agent rita approve-task
  is_turn "CODER blocked"
  jq -r .msg "$STATE" | grep -q 'it conflicts with main in work.txt'
  [ "$(git_of rev-parse main) $(git_of rev-parse HEAD)" = "$main $tip" ]
  [ "$(cat "$REPO/work.txt")" = work ]
  [ "$(cat "$SCRATCH/other/work.txt")" = theirs ]
}

@test "a default branch that moved is merged onto, and a checkout of it elsewhere goes along" {
  reviewing full
  as_agent rita approve-task
  pf role handoff --to CODER --message "T02"
  pf role handoff --to REVIEWER --message "done"
  git_of worktree add -q "$SCRATCH/other" main
  echo theirs >"$SCRATCH/other/theirs.txt"
  git -C "$SCRATCH/other" add theirs.txt
  git -C "$SCRATCH/other" commit -qm theirs
  as_agent rita approve-task
  [ "$(git_of log -1 --format=%s main)" = "Merge branch 'feat/F001-log-in' into main" ]
  [ "$(git -C "$SCRATCH/other" status --porcelain)" = "" ]
  [ -e "$SCRATCH/other/work.txt" ]
  is_turn "REVIEWER done"  # main is checked out elsewhere, so the tree cannot go back to it
  pf inbox | grep -q 'stopped at clear'
  git_of worktree remove "$SCRATCH/other"
  pf role approve-feature --feature F001 --yes
  is_at_defaults
  [ "$(checked_out)" = main ]
  [ -z "$(changes)" ]
}

@test "hooks, configuration and staged files of the user are left alone" {
  printf '#!/bin/sh\necho ran >>"%s/hooks"\n' "$SCRATCH" >"$SCRATCH/hook"
  chmod +x "$SCRATCH/hook"
  for hook in pre-commit commit-msg post-commit post-checkout post-merge reference-transaction post-index-change pre-push; do
    cp "$SCRATCH/hook" "$REPO/.git/hooks/$hook"
  done
  cp "$REPO/.git/config" "$SCRATCH/config.before"
  roles_begun full
  tasks 1
  echo staged >"$REPO/staged.txt"
  git -c core.hooksPath=/dev/null -C "$REPO" add staged.txt
  pf role handoff --to CODER --feature F001 --message "T01"
  [ "$(git -c core.hooksPath=/dev/null -C "$REPO" diff --cached --name-only)" = staged.txt ]
  pf role handoff --to REVIEWER --message "done"
  as_agent rita approve-task
  is_at_defaults
  [ ! -e "$SCRATCH/hooks" ]
  cmp "$REPO/.git/config" "$SCRATCH/config.before"
  git_of show main:staged.txt
}

@test "an edit after the approval is not lost: the landing stops and says which file" {
  needs strace
  reviewing
  as_agent rita approve-task
  pf role handoff --to CODER --message "T02"
  pf role handoff --to REVIEWER --message "done"
  cp -a "$REPO" "$SCRATCH/saved"
  local k
  for k in $(seq 5 60); do
    put_back "$SCRATCH/saved"
    (cd "$REPO" && PAIRFLOW_AGENT=rita exec strace -qq -o /dev/null -e trace=clone3 \
      -e "inject=clone3:signal=KILL:when=$k" "$PAIRFLOW" role approve-task >/dev/null 2>&1 3>&-) || true
    [ "$(jqr '.landings[-1].stage // ""')" != checks ] || break
  done
  [ "$(jqr '.landings[-1].stage')" = checks ]
  echo mine >>"$REPO/work.txt"
  pf role autopilot off
  [ "$(tail -n 1 "$REPO/work.txt")" = mine ]
  [ "$(checked_out)" = feat/F001-log-in ]
  pf inbox | grep -q 'would be lost: work.txt'
  # As the message says.
  git_of restore --source="$(git_of for-each-ref --format='%(refname)' refs/pairflow/role.loop/salvage)" -- work.txt
  pf role approve-feature --feature F001 --yes
  is_at_defaults
  [ "$(checked_out)" = main ]
}

@test "role run, full: both features are merged and the register is at its defaults" {
  pf role init
  pf role autopilot full
  run pf role run
  [ "$status" -eq 0 ]
  [[ $output == *"every feature of the roadmap is finished"* ]]
  [[ $output == *"F002 Search is merged into main."* ]]
  [ "$(pf inbox)" = "nothing waits for you" ]
  [ "$(landed)" = "$ALL_WORK" ]
  is_at_defaults
  [ "$(checked_out)" = main ]
  [ -z "$(changes)" ]
  [ "$(grep -c '\[x\]' "$REPO/docs/ROADMAP.md")" -eq 2 ]
  [ "$(jq -r .last_agent "$STATE")" = REVIEWER ]
  jq -e .run_id "$STATE" >/dev/null
  # One transcript and one briefing for each run.
  for run in 0001-planner 0002-coder 0003-reviewer; do
    [ -f "$ROLE/runs/$run.ndjson" ]
    grep -q '## How the role changes' "$ROLE/runs/$run.prompt.md"
  done
}

@test "role run, off: both features wait in the inbox, and both can be merged" {
  pf role init
  run pf role run
  [ "$status" -eq 0 ]
  is_at_defaults
  [ "$(pf inbox --json | jq -r '[.items[] | select(.kind == "commit") | .id] | join(" ")')" = "F001 F002" ]
  [ -z "$(landed)" ]
  pf role approve-feature --feature F002 --yes
  pf role approve-feature --feature F001 --yes
  [ "$(landed)" = "$ALL_WORK" ]
  [ -z "$(changes)" ]
  [ "$(grep -c '\[x\]' "$REPO/docs/ROADMAP.md")" -eq 2 ]
}

@test "role run, review_only: two pull requests, merges wait" {
  record_pulls
  pf role init
  pf role autopilot review_only
  run pf role run
  [ "$status" -eq 0 ]
  [ "$(cat "$SCRATCH/pulls")" = "feat/F001-log-in
feat/F002-search" ]
  is_at_defaults
  [ "$(pf inbox --json | jq -r '[.items[] | select(.kind == "merge") | .id] | join(" ")')" = "F001 F002" ]
  [ -z "$(landed)" ]
  pf role approve-feature --feature F001 --yes
  pf role approve-feature --feature F002 --yes
  [ "$(landed)" = "$ALL_WORK" ]
  [ "$(wc -l <"$SCRATCH/pulls")" -eq 2 ]
}

# Starts the driver again and again, each time killed before its K-th CALL, until the agents rest.
killed_until_done() { # CALL
  local k=1 kills=0 code
  run die_at "$1" 1 role run
  [ "$status" -eq 137 ]
  # Begun, and nobody drives them.
  if are_driven; then kill -9 "$(role_driver)"; fi
  wait_for not_driven_now
  rm -f "$REPO/.pairflow/runtime/role.loop.log"
  mkdir -p "$REPO/.pairflow/runtime/role.loop.log"
  run -3 pf role run
  rmdir "$REPO/.pairflow/runtime/role.loop.log"
  while :; do
    code=0
    die_at "$1" "$k" drive --roles || code=$?
    [ "$code" -ne 0 ] || break
    [ "$code" -eq 137 ] || { echo "ended with $code"; return 1; }
    kills=$((kills + 1)) k=$((k % 47 + 1))  # one stage takes some thirty calls
    [ "$kills" -lt 400 ] || { echo "it does not get on"; return 1; }
  done
  [ "$kills" -ge 10 ] || { echo "only $kills"; return 1; }
}
die_at() { # CALL K WORD…
  (cd "$REPO" && exec strace -qq -o /dev/null -e "trace=$1" -e "inject=$1:signal=KILL:when=$2" \
    "$PAIRFLOW" "${@:3}" >>"$SCRATCH/drive.out" 2>&1 3>&-)
}

@test "killed at many points and run again, role run ends the same: fdatasync" {
  needs strace
  pf role init
  pf role autopilot full
  killed_until_done fdatasync
  [ "$(landed)" = "$ALL_WORK" ]
  is_at_defaults
  [ -z "$(changes)" ]
  [ "$(git_of log --format=%s main | grep -c '^Finish')" -eq 2 ]
}

@test "killed at many points and run again, role run ends the same: clone3" {
  needs strace
  record_pulls
  pf role init
  pf role autopilot review_only
  killed_until_done clone3
  [ "$(sort -u "$SCRATCH/pulls" | wc -l)" -eq "$(wc -l <"$SCRATCH/pulls")" ]  # one for a head at most
  is_at_defaults
  [ "$(pf inbox --json | jq -r '[.items[] | select(.kind == "merge") | .id] | join(" ")')" = "F001 F002" ]
  pf role approve-feature --feature F001 --yes
  pf role approve-feature --feature F002 --yes
  [ "$(landed)" = "$ALL_WORK" ]
  [ -z "$(changes)" ]
}

@test "killed at many points and run again, role run ends the same: pwrite64" {
  needs strace
  pf role init
  killed_until_done pwrite64
  is_at_defaults
  [ -z "$(landed)" ]
  [ -z "$(changes)" ]
  [ "$(pf inbox --json | jq -r '[.items[] | select(.kind == "commit") | .id] | join(" ")')" = "F001 F002" ]
  pf role approve-feature --feature F001 --yes
  pf role approve-feature --feature F002 --yes
  [ "$(landed)" = "$ALL_WORK" ]
  [ "$(git_of log --format=%s main | grep -c '^Finish')" -eq 2 ]
}

@test "a command that was killed is finished by the next one" {
  needs strace
  reviewing full
  as_agent rita approve-task
  pf role handoff --to CODER --message "T02"
  pf role handoff --to REVIEWER --message "done"
  cp -a "$REPO" "$SCRATCH/saved"
  local call k killed=0
  for call in fdatasync clone3 rename; do
    for k in 1 2 4 6 9 12 15 20; do
      put_back "$SCRATCH/saved"
      (cd "$REPO" && PAIRFLOW_AGENT=rita exec strace -qq -o /dev/null -e "trace=$call" \
        -e "inject=$call:signal=KILL:when=$k" "$PAIRFLOW" role approve-task >/dev/null 2>&1 3>&-) || killed=$((killed + 1))
      [ "$(jqr .current_role)" != REVIEWER ] || [ "$(jqr .state)" = done ] || as_agent rita approve-task >/dev/null
      pf role autopilot full >/dev/null  # any command does what is left
      is_at_defaults || { echo "$call $k"; return 1; }
      [ -z "$(changes)" ] || { echo "$call $k"; changes; return 1; }
      [ "$(git_of show main:work.txt)" = work ]
    done
  done
  [ "$killed" -ge 12 ]
}

@test "pause ends the run and the driver, and the next one goes on" {
  play_first 'sleep 600'
  pf role init
  pf role autopilot full
  drive
  wait_for logged role.started
  pf role pause
  wait "$VIEWER"
  grep -q 'The agents rest: you have paused them' "$SCRATCH/drive.out"
  wait_for not_driven_now
  [ -z "$(running_in "$REPO")" ]
  [ "$(jqr .rests)" = "you have paused them" ]
  [ "$(jqr .run)" = null ]
  [ -z "$(jqr '.taken // ""')" ]
  rm "$REPO/agents/before.sh"
  pf role run
  [ "$(landed)" = "$ALL_WORK" ]
}

@test "the interrupt key leaves, and so does a terminal that is killed: the agents go on to the end" {
  play_first 'until [ -e agents/go ]; do sleep 0.05; done'
  echo agents/go >>"$REPO/.git/info/exclude"
  pf role init
  pf role autopilot full
  drive
  wait_for logged role.started
  kill -INT "$VIEWER"
  wait "$VIEWER"
  grep -q 'The agents go on without you; look again: pairflow role run; stop them: pairflow role pause' "$SCRATCH/drive.out"
  drive
  kill_viewer
  : >"$REPO/agents/go"
  pf role run | grep -F 'every feature of the roadmap is finished'
  [ "$(landed)" = "$ALL_WORK" ]
  [ "$(pf role log --json | jq '[.events[] | select(.type == "run.ended")] | length')" -eq 18 ]
}

@test "a driver that is asked to end ends its run cleanly; who looks on starts the next one" {
  play_first 'sleep 600'
  pf role init
  pf role autopilot full
  drive
  wait_for logged role.started
  wait_for runs_in_repo agents/before.sh
  rm "$REPO/agents/before.sh"
  kill -TERM "$(role_driver)"
  wait "$VIEWER"
  [ "$(landed)" = "$ALL_WORK" ]
}

@test "an agent that ends without a switch is sent back once, then the agents rest" {
  echo 'echo nothing' >"$REPO/agents/play.sh"
  git_of commit -qam "agents that do nothing"
  pf role init
  run pf role run
  [ "$status" -eq 0 ]
  [[ $output == *"PLANNER ended twice without handing over"* ]]
  grep -q 'ended without handing over' "$ROLE/runs/0002-planner.prompt.md"
  pf inbox | grep -q 'The agents rest: PLANNER ended twice'
  echo 'echo gone >&2; exit 7' >"$REPO/agents/play.sh"
  run pf role run
  [[ $output == *"failed with exit code 7: gone"* ]]
}

@test "blocked for the human: the agents rest until it is answered" {
  play_first '[ $PAIRFLOW_ROLE != coder ] || { pairflow role block --by HUMAN --message "Which port?"; kill $PPID; }'
  pf role init
  pf role autopilot full
  run pf role run
  [ "$status" -eq 0 ]
  [[ $output == *"pairflow role handoff --to CODER"* ]]
  is_turn "PLANNER blocked"
  rm "$REPO/agents/before.sh"
  pf role handoff --to CODER --message "8080"
  pf role run
  [ "$(landed)" = "$ALL_WORK" ]
}

@test "one drives at a time, others look on, and a command given meanwhile is carried out by it" {
  play_first 'sleep 600'
  pf role init
  drive
  wait_for logged role.started
  local driver second
  driver=$(role_driver)
  (cd "$REPO" && exec "$PAIRFLOW" role run --json >"$SCRATCH/second.out" 2>&1 3>&-) &
  second=$!
  wait_for three_listen
  pf role autopilot full
  wait_for jq -e '.autopilot == "full"' "$STATE"
  wait_for grep -q autopilot "$SCRATCH/second.out"
  wait_for grep -q 'autopilot' "$SCRATCH/drive.out"
  [ "$(role_driver)" = "$driver" ]
  pf role pause
  wait "$VIEWER" "$second"
  [ "$(tail -n 1 "$SCRATCH/second.out" | jq -r '.type + " " + .rests')" = "left you have paused them" ]
}

three_listen() { [ "$(ls "$REPO/.pairflow/runtime/role.loop.bells" | wc -l)" -eq 3 ]; }

@test "an agent that is not configured, or has no program, is told before anything begins" {
  sed -i 's/^coder = "carl"/coder = "karl"/' "$REPO/.pairflow/config.toml"
  pf role init
  run pf role run
  [ "$status" -eq 2 ]
  [[ $output == *"[role.agents] coder names the unknown agent 'karl'"* ]]
  run ! logged run.begun
}

@test "prompts writes the rules of each role from the same table" {
  run pf prompts
  [ "$status" -eq 0 ]
  for role in PLANNER CODER REVIEWER; do
    grep -q "You are the $role" "$REPO/docs/agents/$role.md"
    grep -q 'pairflow role handoff' "$REPO/docs/agents/$role.md"
  done
  grep -q 'approve-task' "$REPO/docs/agents/REVIEWER.md"
  run ! grep -q 'approve-task' "$REPO/docs/agents/CODER.md"
  grep -q 'types feat, fix' "$REPO/docs/agents/PLANNER.md"
  run pf prompts --into ../elsewhere
  [ "$status" -eq 2 ]
}

@test "coder = plan: the task becomes a plan, its end hands over to the reviewer" {
  sed -i 's/^branch_types = .*/coder = "plan"/' "$REPO/.pairflow/config.toml"
  cat >>"$REPO/.pairflow/config.toml" <<'TOML'

[agents.paula]
kind = "custom"
headless = ["sh", "-c", "cat >/dev/null; exec sh agents/plan.sh"]

[plan]
coder = "paula"
reviewer = "paula"
TOML
  cat >"$REPO/agents/plan.sh" <<'SH'
if [ "$PAIRFLOW_ROLE" = coder ]; then
  mkdir -p work
  echo done >work/$PAIRFLOW_PLAN.txt
  exec pairflow plan request-review
fi
exec pairflow plan approve
SH
  git_of add -A agents
  git_of commit -qm agents
  pf role init
  pf role autopilot full
  run pf role run
  [ "$status" -eq 0 ]
  [[ $output == *"every feature of the roadmap is finished"* ]]
  [ "$(landed)" = "work/f001-t01.txt work/f001-t02.txt work/f001-t03.txt work/f002-t01.txt work/f002-t02.txt work/f002-t03.txt" ]
  is_at_defaults
  [ "$(jq -r 'select(.type == "DELEGATED") | .payload.child' "$ROLE/events.ndjson" | head -n 1)" = f001-t01 ]
  [ "$(pf inbox --json | jq '[.items[] | select(.plan)] | length')" -eq 0 ]
}

@test "coder = plan, killed at many points: it ends the same" {
  needs strace
  sed -i 's/^branch_types = .*/coder = "plan"/; s/^- \[ \] F002.*//' "$REPO/.pairflow/config.toml" "$REPO/docs/ROADMAP.md"
  cat >>"$REPO/.pairflow/config.toml" <<'TOML'

[agents.paula]
kind = "custom"
headless = ["sh", "-c", "cat >/dev/null; [ $PAIRFLOW_ROLE = coder ] || exec pairflow plan approve; mkdir -p work; echo done >work/$PAIRFLOW_PLAN.txt; exec pairflow plan request-review"]

[plan]
coder = "paula"
reviewer = "paula"
TOML
  git_of commit -qam "one feature"
  pf role init
  pf role autopilot full
  killed_until_done fdatasync
  [ "$(landed)" = "work/f001-t01.txt work/f001-t02.txt work/f001-t03.txt" ]
  is_at_defaults
}

@test "coder = bubble: made from the feature's branch; its change comes home once you have committed it" {
  sed -i 's/^branch_types = .*/coder = "bubble"/' "$REPO/.pairflow/config.toml"
  cat >>"$REPO/.pairflow/config.toml" <<TOML

[agents.codex]
kind = "custom"
command = ["cat"]

[agents.claude]
kind = "custom"
command = ["cat"]

[tmux]
socket = "$SOCKET"
TOML
  BUBBLE=f001-t01
  WORKTREE=$SCRATCH/.pairflow-worktrees/repo/$BUBBLE
  pf role init
  pf role autopilot full
  drive
  wait_for is_state RUNNING
  is_turn "CODER handoff"
  mkdir -p "$WORKTREE/work"
  implement "hello from the bubble"
  as claude pass --summary "nothing to say" --no-findings
  wait_for evidence_is green
  agree
  wait_for view_ended
  grep -q "the bubble f001-t01 waits for you" "$SCRATCH/drive.out"
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
  sed -i 's/coder = "bubble"/coder = "agent"/' "$REPO/.pairflow/config.toml"
  pf role run
  [ "$(git_of show main:hello.txt)" = "hello from the bubble" ]
  is_at_defaults
  [ "$(jq -r 'select(.type == "child.ended") | .payload.finished' "$ROLE/events.ndjson")" = true ]
}
evidence_is() { [ "$(field "$BUBBLE" .evidence)" = "$1" ]; }

@test "pause is heard while the checks run" {
  sed -i 's/^test = .*/test = "sleep 600"/' "$REPO/.pairflow/config.toml"
  pf role init
  pf role autopilot full
  drive
  wait_for logged commit.prepared
  pf role pause
  wait_for view_ended
  [ "$(jqr '.landings[-1].stage')" = checks ]
  sed -i 's/^test = .*/test = "true"/' "$REPO/.pairflow/config.toml"
  pf role run
  [ "$(landed)" = "$ALL_WORK" ]
}

@test "git does not know who commits: nothing is lost, and the same goes on once it does" {
  reviewing full
  git_of config --unset user.name
  git_of config --unset user.email
  run as_agent rita approve-task
  [ "$status" -eq 0 ]
  [[ $output == *"git does not know who commits"* ]]
  [[ $output == *"git config user.name"* ]]
  git_of config user.name Dev
  git_of config user.email dev@example.org
  pf role autopilot full
  is_turn "PLANNER handoff"
  [ "$(git_of log -1 --format=%s)" = "T01 of F001 Log in" ]
}

@test "scripted agents play the roles, too" {
  sed -i '/^kind = "custom"/d; s/^headless = .*/kind = "scripted"\nscenario = "agents\/roles.toml"/' "$REPO/.pairflow/config.toml"
  cat >"$REPO/agents/roles.toml" <<'TOML'
[[run]]
role = "planner"
say = "I plan."
run = ["sh", "agents/play.sh"]
nothing = true

[[run]]
say = "As {role} I do {step}."
run = ["sh", "agents/play.sh"]
nothing = true
TOML
  git_of add -A agents
  git_of commit -qm scenario
  pf role init
  pf role autopilot full
  run pf role run
  [ "$status" -eq 0 ]
  [[ $output == *"[reviewer] As reviewer I do T03."* ]]
  [ "$(landed)" = "$ALL_WORK" ]
  is_at_defaults
}

@test "a branch that the user has left is not worked on: the agents rest and say so" {
  coding full
  git_of switch -q main
  pf role handoff --to REVIEWER --message x
  run pf role run
  [ "$status" -eq 0 ]
  [[ $output == *"feat/F001-log-in is not checked out; git switch feat/F001-log-in"* ]]
  [ "$(jqr .run)" = null ]
  git_of switch -q feat/F001-log-in
  pf role handoff --to CODER --message "go on"
  pf role run
  is_at_defaults
}

@test "a damaged journal is never passed over, and state.json is taken over again" {
  coding
  sed -i '3s/human/humam/' "$ROLE/events.ndjson"
  rm "$ROLE/state.json"
  for verb in status start log; do
    run pf role "$verb"
    [ "$status" -eq 4 ] || { echo "$verb: $status $output"; return 1; }
    [[ $output == *"pairflow role init"* ]]
  done
  mv "$ROLE" "$SCRATCH/aside"
  pf role init
  is_turn "CODER handoff"
  [ "$(jqr .feature)" = F001 ]
}

@test "nothing lands while whoever approved it is still there" {
  printf '\n[sandbox]\nmode = "off"\n' >>"$REPO/.pairflow/config.toml"
  sed -i 's/^reviewer) .*/reviewer) pairflow role approve-task --message fine; sleep 1; echo "STILL $(git symbolic-ref --short HEAD) $(git log -1 --format=%s)" ;;/' \
    "$REPO/agents/play.sh"
  git_of commit -qam "a reviewer who stays"
  pf role init
  pf role autopilot full
  pf role run >"$SCRATCH/drive.out"
  grep -F "STILL feat/F001-log-in a reviewer who stays" "$SCRATCH/drive.out"
  run ! grep -F "STILL main" "$SCRATCH/drive.out"
  [ "$(landed)" = "$ALL_WORK" ]
}

@test "without a sandbox, too, an agent ends with the driver that was killed" {
  printf '\n[sandbox]\nmode = "off"\n' >>"$REPO/.pairflow/config.toml"
  printf 'pairflow role start; while :; do sleep 0.1; done\n' >"$REPO/agents/play.sh"
  git_of commit -qam "an agent that stays"
  pf role init
  drive
  wait_for logged role.started
  runs_in_repo agents/play.sh
  kill_driver
  wait_for eval '! runs_in_repo agents/play.sh'
}

@test "the roles, which work in the user's own checkout, say what is advisory" {
  needs sandbox
  pf role init
  [ "$(pf role status | grep -c advisory:)" -eq 1 ]
  [[ "$(pf role status)" == *'run what agents write in your checkout ([role] coder = "bubble"'* ]]
  [ "$(pf role status --json | jq ".advisory | length")" -eq 1 ]
  printf '[sandbox]\nmode = "off"\n' >>"$REPO/.pairflow/config.toml"
  [[ "$(pf role status)" == *"advisory: only their own rules"*"[sandbox] mode is off"* ]]
}
