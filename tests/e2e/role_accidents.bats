#!/usr/bin/env bats
# The roles in repositories where something is in the way: nothing of anybody's is lost, nothing
# gets into a commit that nobody meant to be there.

load helpers
load role_helpers

setup() { scratch_roles; }
teardown() { sweep_roles; }

# One feature from the planner's handoff to the reviewer's approval.
work_on() { # FEATURE
  pf role start >/dev/null
  pf role handoff --to CODER --feature "$1" --message go >/dev/null
  echo "$1" >"$REPO/$1.txt"
}
approved() {
  pf role handoff --to REVIEWER --message done >/dev/null
  as_agent rita start >/dev/null
  as_agent rita approve-feature --message ok
}
roadmap_of_main() { git_of show main:docs/ROADMAP.md; }

@test "two features that wait: each one's line of the roadmap, and no other" {
  roles_begun
  work_on F001 && approved
  work_on F002 && approved
  pf role approve-feature --feature F002 --yes
  pf role approve-feature --feature F001 --yes
  [ "$(roadmap_of_main)" = $'# Roadmap\n\n- [x] F001: Log in\n- [x] F002: Search' ]
  pf role validate
  [ -z "$(changes)" ]
}

@test "a roadmap that both sides wrote in is a conflict: nothing of it is lost, no marker is committed" {
  roles_begun
  work_on F001
  echo '- [ ] F003: From the first' >>"$REPO/docs/ROADMAP.md"
  approved
  work_on F002
  echo '- [ ] F004: From the second' >>"$REPO/docs/ROADMAP.md"
  approved
  pf role approve-feature --feature F002 --yes
  before=$(git_of rev-parse main)
  run pf role approve-feature --feature F001 --yes
  [ "$status" -eq 1 ]
  [[ $output == *"docs/ROADMAP.md"* ]]
  [ "$(git_of rev-parse main)" = "$before" ]
  roadmap_of_main | grep -q 'F004: From the second'
  run grep -q '<<<<' <(roadmap_of_main)
  [ "$status" -eq 1 ]
  pf role validate
}

@test "what only a feature's .gitignore hides does not get into the next one" {
  roles_begun
  work_on F001
  printf '.env\n*.log\n' >"$REPO/.gitignore"
  echo secret >"$REPO/.env"
  run approved
  [[ $output == *".gitignore"* ]]
  [[ $output == *".env"* ]]
  [ "$(cat "$REPO/.env")" = secret ]
  [ "$(checked_out)" = feat/F001-log-in ]
  echo .env >>"$REPO/.git/info/exclude"
  pf role approve-feature --feature F001 --yes
  work_on F002 && approved
  pf role approve-feature --feature F002 --yes
  [ "$(cat "$REPO/.env")" = secret ]
  [ -z "$(git_of log --all --format=%h -- .env)" ]
}

@test "a roadmap that git ignores is told, and the feature is not merged again and again" {
  roles_begun
  git_of rm -q --cached docs/ROADMAP.md
  echo docs/ROADMAP.md >"$REPO/.gitignore"
  git_of add .gitignore
  git_of commit -qm "ignore the roadmap"
  work_on F001
  run approved
  [[ $output == *"git ignores docs/ROADMAP.md"* ]]
  [ "$(git_of log -1 --format=%s main)" = "ignore the roadmap" ]
}

@test "files with conflicts are not approved, although no merge is under way" {
  roles_begun
  work_on F001
  echo mine >"$REPO/hello.txt"
  git_of add hello.txt
  git_of stash -q
  echo theirs >"$REPO/hello.txt"
  git_of add hello.txt
  git_of commit -qm theirs
  run git -C "$REPO" stash pop
  pf role handoff --to REVIEWER --message done
  run pf role approve-feature --yes
  [ "$status" -eq 1 ]
  [[ $output == *merge* ]]
  run grep -q '<<<<' <(git_of show feat/F001-log-in:hello.txt)
  [ "$status" -eq 1 ]
}

@test "a feature that waits may be looked at in its branch; approved, its files are there" {
  roles_begun
  work_on F001 && approved
  git_of stash -q 2>/dev/null || true
  git_of switch -q feat/F001-log-in
  pf role approve-feature --feature F001 --yes
  [ "$(cat "$REPO/F001.txt")" = F001 ]
  [ -z "$(changes)" ]
}

@test "a branch that another worktree has is not taken from it" {
  git_of branch feat/F001-log-in
  git_of worktree add -q "$SCRATCH/other" feat/F001-log-in
  echo staged >"$SCRATCH/other/new.txt"
  git -C "$SCRATCH/other" add new.txt
  roles_begun
  pf role handoff --to CODER --feature F001 --message go
  run pf role status
  [[ $output == *"it is checked out in $SCRATCH/other"* ]]
  [ "$(checked_out)" = main ]
  [ "$(git -C "$SCRATCH/other" diff --cached --name-only)" = new.txt ]
}

@test "a run cannot review its own work in another role" {
  sed -i 's/^reviewer = .*/reviewer = "carl"/' "$REPO/.pairflow/config.toml"
  cat >"$REPO/agents/play.sh" <<'SH'
case $PAIRFLOW_ROLE in
planner) pairflow role start && exec pairflow role handoff --to CODER --feature F001 --message go ;;
coder)
  pairflow role start && echo w >w.txt && pairflow role handoff --to REVIEWER --message done
  pairflow role start --role REVIEWER >self.txt 2>&1
  pairflow role approve-feature --role REVIEWER >>self.txt 2>&1
  mv self.txt told.txt
  ;;
reviewer) sleep 600 ;;
esac
SH
  git_of commit -qam "one agent for both"
  roles_begun full
  drive
  wait_for test -e "$REPO/told.txt"
  grep -q "was CODER's, and that is over" "$REPO/told.txt"
  wait_for run_is_live 3
  is_turn "REVIEWER handoff"
}

@test "commits that no branch has are not left behind" {
  roles_begun
  git_of checkout -q --detach
  git_of commit -q --allow-empty -m "mine alone"
  run pf role handoff --to CODER --feature F001 --message go
  [ "$status" -eq 1 ]
  [[ $output == *"git switch -c"* ]]
  [ "$(git_of log -1 --format=%s)" = "mine alone" ]
  git_of switch -q -c kept
  pf role handoff --to CODER --feature F001 --message go
  [ "$(checked_out)" = feat/F001-log-in ]
}

@test "a task that was written after the planner's handoff goes back to the planner" {
  roles_begun
  work_on F001
  tasks 1
  pf role handoff --to REVIEWER --message done
  run pf role approve-feature --yes
  [ "$status" -eq 1 ]
  [[ $output == *"role handoff --to PLANNER"* ]]
}

@test "a repository whose .git lies elsewhere lands its features, too" {
  git_of init -q --separate-git-dir "$SCRATCH/apart.git"
  roles_begun
  work_on F001 && approved
  pf role approve-feature --feature F001 --yes
  [ "$(cat "$REPO/F001.txt")" = F001 ]
  [ "$(git_of log -1 --format=%s main)" = "Finish F001 Log in" ]
  [ -z "$(changes)" ]
}

@test "an earlier state.json that git puts there is no edit: ours is written again" {
  roles_begun
  work_on F001 && approved
  pf role approve-feature --feature F001 --yes
  sed -i 's/"last_updated": "2/"last_updated": "1/' "$STATE" # the clock of a test goes by seconds
  git_of commit -qm "an old one" -- docs/agents/state.json
  pf role status >/dev/null
  tasks 2
  pf role handoff --to CODER --feature F002 --message go
  pf role handoff --to REVIEWER --message done
  as_agent rita start
  as_agent rita approve-task
  [ "$(jqr '.tasks_done | join(" ")')" = T01 ]
  git_of checkout -q -- docs/agents/state.json
  pf role start
  [ "$(jqr '.feature + " " + (.tasks_done | join(" "))')" = "F002 T01" ]
  is_turn "PLANNER in_progress"
  [ "$(jq -r .plan_slug "$STATE")" = search ]
}

@test "what lay there before a feature begins goes into none" {
  echo secret >"$REPO/notes.txt"
  echo more >>"$REPO/hello.txt"
  run pf role init
  [ "$status" -eq 0 ]
  [[ $output == *"not committed: hello.txt, notes.txt"* ]]
  run pf role start
  [ "$status" -eq 1 ]
  [[ $output == *"not committed: hello.txt, notes.txt"*"commit it, stash it or let git ignore it"* ]]
  is_turn "PLANNER init"
  tasks 1
  run pf role handoff --to CODER --feature F001 --message go
  [[ $output == *"not committed: hello.txt, notes.txt"* ]]
  pf role autopilot full
  run pf role run
  [ "$status" -eq 0 ]
  [[ $output == *"The agents rest: "*"not committed: hello.txt, notes.txt"* ]]
  [ "$(pf role log --json | jq '[.events[] | select(.type == "run.started")] | length')" -eq 0 ]
  git_of commit -qam "the greeting"
  echo notes.txt >>"$REPO/.git/info/exclude"
  pf role run
  [ "$(landed)" = "$ALL_WORK" ]
  [ "$(cat "$REPO/notes.txt")" = secret ]
  [ -z "$(git_of log --all --format=%h -- notes.txt)" ]
}

@test "another feature does not take over what the active one has not committed" {
  coding
  echo work >"$REPO/work.txt"
  pf role handoff --role CODER --to PLANNER --message "F002 is more urgent"
  run pf role handoff --to CODER --feature F002 --message go
  [ "$status" -eq 1 ]
  [[ $output == *"not committed: work.txt"* ]]
  [ "$(checked_out)" = feat/F001-log-in ]
}

@test "a submodule that a waiting feature has moved is not taken along by the next one" {
  git init -q "$SCRATCH/lib"
  git -C "$SCRATCH/lib" config user.name Dev
  git -C "$SCRATCH/lib" config user.email dev@example.org
  git -C "$SCRATCH/lib" commit -q --allow-empty -m one
  git_of -c protocol.file.allow=always submodule --quiet add "$SCRATCH/lib" lib
  git_of commit -qm "a library"
  git -C "$SCRATCH/lib" commit -q --allow-empty -m two
  git -C "$REPO/lib" fetch -q
  roles_begun
  tasks 1
  pf role handoff --to CODER --feature F001 --message go
  git -C "$REPO/lib" checkout -q FETCH_HEAD
  pf role handoff --to REVIEWER --message done
  as_agent rita approve-task
  run pf role start
  [ "$status" -eq 1 ]
  [[ $output == *"not committed: lib"* ]]
  git_of -c protocol.file.allow=always submodule --quiet update lib
  pf role start
}
