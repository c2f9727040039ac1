#!/usr/bin/env bats
# What people do to a role loop that is at work, and what is left when somebody was killed.

load helpers
load role_helpers

setup() { scratch_roles; }
teardown() { sweep_roles; }

one_task() { # FEATURE [TEXT]: planned, worked on, and the reviewer's
  pf role start
  tasks 1
  pf role handoff --to CODER --feature "$1" --message go
  echo "${2:-$1}" >"$REPO/hello.txt"
  pf role handoff --to REVIEWER --message done
}
# The checks wait for a file in their own checkout.
slow_checks() {
  sed -i 's/^test = .*/test = "while [ ! -e go ]; do sleep 0.05; done"/' "$REPO/.pairflow/config.toml"
}
CHECKING=.pairflow-worktrees/repo/role.loop.checks
checks_run() { [ -e "$SCRATCH/$CHECKING/hello.txt" ]; }
checks_end() { touch "$SCRATCH/$CHECKING/go"; }
approving() { # WORD…: in the background, as the reviewer
  (cd "$REPO" && PAIRFLOW_AGENT=rita exec "$PAIRFLOW" role "$@" >"$SCRATCH/approving" 2>&1 3>&-) &
  APPROVING=$!
  wait_for checks_run
}

@test "less is allowed while a feature lands: it asks before anything is committed" {
  slow_checks
  pf role init
  pf role autopilot full
  one_task F001
  approving approve-task
  pf role autopilot off
  checks_end
  wait "$APPROVING"
  [ "$(git_of log --format=%s main | grep -c Finish)" -eq 0 ]
  [ "$(git_of rev-parse feat/F001-log-in)" = "$(git_of rev-parse main)" ]
  pf inbox | grep -q 'Committing and merging it into main waits for you'
  pf role approve-feature --feature F001 --yes
  [ "$(git_of show main:hello.txt)" = F001 ]
}

@test "less is allowed by hand while a feature lands: it asks, too" {
  slow_checks
  pf role init
  pf role autopilot full
  one_task F001
  approving approve-task
  sed -i 's/"autopilot": "full"/"autopilot": "off"/' "$STATE"
  checks_end
  wait "$APPROVING"
  [ "$(git_of log --format=%s main | grep -c Finish)" -eq 0 ]
  pf inbox | grep -q 'waits for you'
}

@test "killed in its checks, a landing is declined or asked about before it goes on" {
  slow_checks
  pf role init
  pf role autopilot full
  one_task F001
  approving approve-task
  kill -9 "$APPROVING"
  wait "$APPROVING" || true
  cp -a "$REPO" "$SCRATCH/saved"
  pf role decline F001 --yes
  is_turn "CODER handoff"
  put_back "$SCRATCH/saved"
  rm -rf "$SCRATCH/$CHECKING"
  (cd "$REPO" && exec "$PAIRFLOW" role autopilot off >"$SCRATCH/approving" 2>&1 3>&-) &
  APPROVING=$!
  wait_for checks_run
  checks_end
  wait "$APPROVING"
  [ "$(git_of log --format=%s main | grep -c Finish)" -eq 0 ]
  pf inbox | grep -q 'waits for you'
}

@test "a note that is edited while a feature lands is a note" {
  slow_checks
  pf role init
  one_task F001
  approving approve-task
  sed -i 's/"msg": ".*"/"msg": "my note"/' "$STATE"
  checks_end
  wait "$APPROVING"
  pf inbox | grep -q 'F001 Log in is approved by the reviewer'
}

@test "after a kill the same command finishes what was begun" {
  needs strace
  pf role init
  one_task F001
  as_agent rita approve-task
  cp -a "$REPO" "$SCRATCH/saved"
  local call k
  for call in renameat2,rename,renameat unlink,unlinkat clone3; do
    for k in 1 2 3 5 8; do
      put_back "$SCRATCH/saved"
      (cd "$REPO" && exec strace -qq -o /dev/null -e "trace=$call" -e "inject=$call:signal=KILL:when=$k" \
        "$PAIRFLOW" role approve-feature --feature F001 --yes >/dev/null 2>&1 3>&-) || true
      pf role approve-feature --feature F001 --yes >"$SCRATCH/again" 2>&1 ||
        grep -q 'neither waits for you' "$SCRATCH/again" || { echo "$call $k"; cat "$SCRATCH/again"; return 1; }
      [ "$(git_of show main:hello.txt)" = F001 ] || { echo "$call $k"; return 1; }
      [ -z "$(changes)" ] || { echo "$call $k"; changes; return 1; }
      pf role start >/dev/null
    done
  done
}

@test "a lock that somebody left in .git is named, and the command run again goes on" {
  pf role init
  one_task F001
  as_agent rita approve-task
  touch "$REPO/.git/refs/heads/main.lock"
  run pf role approve-feature --feature F001 --yes
  [[ $output == *"main.lock"*"pairflow role run goes on"* ]]
  rm "$REPO/.git/refs/heads/main.lock"
  pf role start
  [ "$(git_of show main:hello.txt)" = F001 ]
}

@test "what git was told to overlook is seen before a feature begins" {
  git_of update-index --assume-unchanged hello.txt
  echo password >"$REPO/hello.txt"
  pf role init
  run pf role start
  [ "$status" -eq 1 ]
  [[ $output == *"not committed: hello.txt"* ]]
  git_of update-index --no-assume-unchanged hello.txt
  git_of checkout -q hello.txt
  git_of update-index --assume-unchanged hello.txt
  pf role start
  pf role handoff --to CODER --feature F001 --message go
  echo new >"$REPO/new.txt"
  pf role handoff --to REVIEWER --message done
  pf role approve-feature --yes
  [ "$(git_of ls-files -v hello.txt)" = "h hello.txt" ] # the flag is the user's
}

@test "a conflict is resolved by hand as the refusal says" {
  pf role init
  one_task F001 one
  as_agent rita approve-task
  one_task F002 two
  as_agent rita approve-task
  pf role approve-feature --feature F001 --yes
  run pf role approve-feature --feature F002 --yes
  [ "$status" -eq 1 ]
  [[ $output == *"conflicts in hello.txt"* ]]
  local way
  way=$(sed -n 's/.*on main: \(rm .* && git merge [0-9a-f]*\).*/\1/p' <<<"$output")
  [ -n "$way" ]
  (cd "$REPO" && eval "$way") || true
  echo both >"$REPO/hello.txt"
  printf '# Roadmap\n\n- [x] F001: Log in\n- [x] F002: Search\n' >"$REPO/docs/ROADMAP.md"
  git_of checkout -q --ours -- docs/agents/state.json
  git_of add hello.txt docs
  git_of commit -qm "both of them"
  pf role approve-feature --feature F002 --yes
  [ "$(pf inbox)" = "nothing waits for you" ]
  [ "$(git_of show main:hello.txt)" = both ]
  [ "$(git_of log -1 --format=%s main)" = "both of them" ]
  is_at_defaults
}

@test "a waiting feature lands while the planner has written the next one's tasks" {
  pf role init
  one_task F001
  as_agent rita approve-task
  pf role start
  tasks 2
  echo mine >"$REPO/mine.txt"
  run pf role approve-feature --feature F001 --yes
  [ "$status" -eq 0 ]
  [[ $output != *stopped* ]]
  [ "$(git_of show main:hello.txt)" = F001 ]
  [ "$(cat "$REPO/hello.txt")" = F001 ]
  [ -e "$REPO/docs/current/T02-part.md" ]
  [ "$(cat "$REPO/mine.txt")" = mine ]
  [ "$(changes | sort | paste -sd ' ')" = "?? docs/current/T01-part.md ?? docs/current/T02-part.md ?? mine.txt" ]
}

@test "a file that became a directory, and a directory that became a file, are cleared" {
  mkdir "$REPO/dir"
  echo c >"$REPO/file"
  echo d >"$REPO/dir/in"
  git_of add file dir
  git_of commit -qm "both kinds"
  pf role init
  pf role start
  tasks 1
  pf role handoff --to CODER --feature F001 --message go
  rm -r "$REPO/file" "$REPO/dir"
  mkdir "$REPO/file"
  echo q >"$REPO/file/q"
  echo p >"$REPO/dir"
  pf role handoff --to REVIEWER --message done
  as_agent rita approve-task
  [ "$(cat "$REPO/file" "$REPO/dir/in" | paste -sd ' ')" = "c d" ]
  pf role approve-feature --feature F001 --yes
  [ "$(cat "$REPO/file/q" "$REPO/dir" | paste -sd ' ')" = "q p" ]
  [ -z "$(changes)" ]
}

@test "a declined feature that is chosen again goes on from its work, on its branch" {
  pf role init
  one_task F001
  as_agent rita approve-task
  pf role decline F001 --yes
  git_of commit -q --allow-empty -m moved
  pf role start
  tasks 1
  pf role handoff --to CODER --feature F001 --message again
  [ "$(checked_out)" = feat/F001-log-in ]
  [ "$(git_of log -1 --format=%s HEAD)" = "Finish F001 Log in" ]
  [ "$(cat "$REPO/hello.txt")" = F001 ]
  [ "$(git_of log -1 --format=%s main)" = moved ]
  [ "$(git_of show main:hello.txt)" != F001 ]
  [ -e "$REPO/docs/current/T01-part.md" ]
}

@test "tasks that were committed on the default branch, too, are gone with the feature" {
  pf role init
  pf role start
  tasks 1
  pf role handoff --to CODER --feature F001 --message go
  git_of switch -q main 2>/dev/null
  git_of add docs/current
  git_of commit -qm "the tasks"
  git_of switch -q feat/F001-log-in
  tasks 1
  pf role handoff --to REVIEWER --message done
  pf role approve-task
  pf role approve-feature --feature F001 --yes
  [ -z "$(git_of ls-tree -r --name-only main docs/current)" ]
}

@test "nobody but the planner takes a task away" {
  coding full
  rm "$REPO/docs/current/T02-part.md"
  as_agent carl handoff --to REVIEWER --message "all done"
  run as_agent rita approve-task
  [ "$status" -eq 1 ]
  [[ $output == *"tasks of F001 are gone: T02"* ]]
  run pf role approve-feature --yes
  [[ $output == *"tasks of F001 are gone: T02"* ]]
  pf role handoff --to PLANNER --message "T02 is not needed"
  pf role handoff --to CODER --message "right"
  pf role handoff --to REVIEWER --message "T01 is done"
  as_agent rita approve-task
  is_at_defaults
}

@test "prompts writes over its own files alone, and nowhere else" {
  mkdir -p "$REPO/docs/agents" "$SCRATCH/out"
  echo "my own rules" >"$REPO/docs/agents/REVIEWER.md"
  run pf prompts
  [ "$status" -eq 1 ]
  [[ $output == *"docs/agents/REVIEWER.md is not ours"* ]]
  [ ! -e "$REPO/docs/agents/PLANNER.md" ]
  [ "$(cat "$REPO/docs/agents/REVIEWER.md")" = "my own rules" ]
  ln -s "$SCRATCH/out" "$REPO/sub"
  local place
  for place in sub .git . "" .. /tmp .pairflow a/../..; do
    run pf prompts --into "$place"
    [ "$status" -ne 0 ] || { echo "$place"; return 1; }
  done
  [ -z "$(ls "$SCRATCH/out")" ]
  pf prompts --into rules
  pf prompts --into rules
}

@test "role run in a repository that holds the home directory is refused" {
  needs sandbox
  pf role init
  HOME=$REPO run -1 pf role run
  [[ "$output" == *"agents would see all of $REPO"*"directory of its own"* ]]
}
