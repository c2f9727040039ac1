#!/usr/bin/env bats
# What is approved on its way into the branches, where people and remotes have a say too.

load helpers
load role_helpers

setup() { scratch_roles; }
teardown() { sweep_roles; }

# A remote, and one pull request for F001 that is open there; git pushed it.
pull_request_open() {
  git init -q --bare -b main "$SCRATCH/hub.git"
  git_of remote add origin "$SCRATCH/hub.git"
  git_of push -q -u origin main
  record_pulls
  roles_begun review_only
  tasks 1
  pf role handoff --to CODER --feature F001 --message go
  "${WORK:-just_work}"
  pf role handoff --to REVIEWER --message done
  as_agent rita approve-task --message fine
  [ "$(cat "$SCRATCH/pulls")" = feat/F001-log-in ]
  [ "$(git -C "$SCRATCH/hub.git" rev-parse feat/F001-log-in)" = "$(git_of rev-parse feat/F001-log-in)" ]
}
just_work() { echo work >"$REPO/work.txt"; }
merged_at_the_hub() { # MERGE-OPTION…
  git clone -q "$SCRATCH/hub.git" "$SCRATCH/elsewhere"
  git -C "$SCRATCH/elsewhere" config user.name Dev
  git -C "$SCRATCH/elsewhere" config user.email dev@example.org
  git -C "$SCRATCH/elsewhere" merge -q "$@" origin/feat/F001-log-in
  git -C "$SCRATCH/elsewhere" diff --cached --quiet || git -C "$SCRATCH/elsewhere" commit -qm "Log in (#1)"
  git -C "$SCRATCH/elsewhere" push -q origin main :feat/F001-log-in
}
pulled_and_approved() {
  run git_of pull -q --ff-only
  [ "$status" -ne 0 ] # the reason why the inbox says what to do
  [[ "$(pf inbox)" == *"rm docs/agents/state.json && git pull"* ]]
  rm "$STATE"
  git_of pull -q --ff-only
  pf role approve-feature --feature F001 --yes
  [ "$(git_of rev-parse main)" = "$(git -C "$SCRATCH/hub.git" rev-parse main)" ] # nothing was added
  [ "$(pf inbox)" = "nothing waits for you" ]
  is_at_defaults
  [ -z "$(changes)" ]
  [ "$(cat "$REPO/work.txt")" = work ]
  grep -q '^- \[x\] F001' "$REPO/docs/ROADMAP.md"
}

@test "a pull request that was merged at the remote is taken over by git pull" {
  pull_request_open
  merged_at_the_hub --no-ff --no-edit
  pulled_and_approved
}

@test "opening a pull request runs nothing that an agent wrote" {
  mkdir "$REPO/.husky"
  printf '#!/bin/sh\nexit 0\n' | tee "$REPO/.husky/pre-push" >"$REPO/helper.sh"
  chmod +x "$REPO/.husky/pre-push" "$REPO/helper.sh"
  git_of add .husky helper.sh
  git_of commit -qm "hooks of ours"
  git_of config core.hooksPath .husky
  git_of config credential.helper "!./helper.sh"
  evil() { printf '#!/bin/sh\ntouch "%s/ran"\n' "$SCRATCH" | tee "$REPO/.husky/pre-push" >"$REPO/helper.sh"; }
  evil_work() { evil && echo work >"$REPO/work.txt"; }
  WORK=evil_work pull_request_open
  [ ! -e "$SCRATCH/ran" ]
  git_of checkout -qf feat/F001-log-in
  git_of push -q origin feat/F001-log-in:again # the human's own git would
  [ -e "$SCRATCH/ran" ]
}

@test "checks of a landing begin from nothing each time, with a git of their own" {
  sed -i '/^test = /d' "$REPO/.pairflow/config.toml"
  cat >>"$REPO/.pairflow/config.toml" <<'TOML'
lint = "test -z \"$(git status --porcelain)\" && test $(git rev-list --count HEAD) -gt 1"
test = "! mkdir been" # green by what it left itself
TOML
  printf 'been\n' >"$REPO/.gitignore"
  git_of add .gitignore
  git_of commit -qm "ignore what checks leave"
  roles_begun full
  tasks 1
  pf role handoff --to CODER --feature F001 --message go
  echo work >"$REPO/work.txt"
  pf role handoff --to REVIEWER --message done
  run as_agent rita approve-task --message fine
  [ "$(grep -c '^## exit 0' "$ROLE"/checks/0001.txt)" -eq 1 ] # lint
  [ "$(grep -c '^## exit 1' "$ROLE"/checks/0001.txt)" -eq 2 ] # test, tried again
  pf role log | grep -q "checks of F001 Log in: red.*! mkdir been"
  [ ! -e "$SCRATCH/.pairflow-worktrees/repo/role.loop.checks" ]
}

@test "where git is configured by a file of the checkout, no pull request is opened" {
  printf '[core]\n\teditor = vi\n' >"$REPO/shared.config"
  git_of add shared.config
  git_of commit -qm "shared configuration"
  git_of config include.path ../shared.config
  record_pulls
  roles_begun review_only
  tasks 1
  pf role handoff --to CODER --feature F001 --message go
  echo work >"$REPO/work.txt"
  pf role handoff --to REVIEWER --message done
  run as_agent rita approve-task --message fine
  [ "$status" -eq 0 ]
  [ ! -e "$SCRATCH/pulls" ]
  pf role log | grep -q 'also read from shared.config, which agents can write'
}

@test "a pull request that was squashed at the remote is taken over, too" {
  pull_request_open
  merged_at_the_hub --squash
  pulled_and_approved
}

@test "the remote's own default branch is where features begin" {
  git_of branch -m main trunk
  git_of branch main
  git init -q --bare -b trunk "$SCRATCH/hub.git"
  git_of remote add origin "$SCRATCH/hub.git"
  git_of push -q -u origin trunk
  git_of remote set-head origin -a
  run pf role init
  [[ $output == *"Features begin at trunk"* ]]
  [ "$(jqr .default_branch)" = trunk ]
}

# off: the landing is stopped while it clears the tree.
stopped_at_clear() {
  roles_begun
  tasks 1
  pf role handoff --to CODER --feature F001 --message go
  echo '*.log' >"$REPO/.gitignore"
  echo noise >"$REPO/a.log"
  echo work >"$REPO/work.txt"
  pf role handoff --to REVIEWER --message done
  as_agent rita approve-task --message fine
  pf inbox | grep -q 'stopped at clear: only this feature'
}

@test "a feature that stopped while the tree was cleared can be declined" {
  stopped_at_clear
  pf inbox | grep -q 'or pairflow role decline F001'
  pf role decline F001 --message "not like this" --yes
  is_turn "CODER handoff"
  jq -r .msg "$STATE" | grep -q 'not like this'
  jq -r .msg "$STATE" | grep -q 'As approved it is kept in refs/pairflow/role.loop/salvage/F001-'
  [ "$(checked_out)" = feat/F001-log-in ]
  [ "$(cat "$REPO/work.txt")" = work ]
  [ "$(git_of rev-parse main)" = "$(git_of rev-parse feat/F001-log-in)" ] # nothing was committed
  rm "$REPO/.gitignore" "$REPO/a.log"
  pf role handoff --to REVIEWER --message "without the logs"
  pf role approve-feature --yes
  [ "$(git_of ls-tree --name-only main work.txt .gitignore)" = work.txt ]
  is_at_defaults
}

@test "what is merged cannot be declined, only cleared" {
  roles_begun full
  tasks 1
  pf role handoff --to CODER --feature F001 --message go
  git_of worktree add -q "$SCRATCH/other" main
  echo work >"$REPO/work.txt"
  pf role handoff --to REVIEWER --message done
  as_agent rita approve-task --message fine
  [ "$(git_of show main:work.txt)" = work ]
  pf inbox | grep -q "stopped at clear: main is checked out in $SCRATCH/other"
  run pf role decline F001 --yes
  [ "$status" -eq 1 ]
  [[ $output == *"F001 Log in is merged into main already"* ]]
  git_of worktree remove "$SCRATCH/other"
  pf role approve-feature --feature F001 --yes
  is_at_defaults
  [ "$(checked_out)" = main ]
  [ -z "$(changes)" ]
}

@test "a feature's branch that was deleted or moved while it waited: the way back is told" {
  roles_begun
  tasks 1
  pf role handoff --to CODER --feature F001 --message go
  echo work >"$REPO/work.txt"
  pf role handoff --to REVIEWER --message done
  as_agent rita approve-task --message fine
  local tip way
  tip=$(git_of rev-parse feat/F001-log-in)
  git_of branch -q -D feat/F001-log-in
  pf role approve-feature --feature F001 --yes
  pf inbox | grep -q "feat/F001-log-in is gone; put it back: git branch feat/F001-log-in $tip"
  git_of branch feat/F001-log-in "$(git_of commit-tree -p main -m other 'main^{tree}')"
  pf role approve-feature --feature F001 --yes
  way=$(pf inbox | sed -n 's/.*put it back: git \(branch -f [^ ]* [0-9a-f]*\).*/\1/p')
  [ -n "$way" ]
  git_of $way
  pf role approve-feature --feature F001 --yes
  [ "$(git_of show main:work.txt)" = work ]
  [ "$(pf inbox)" = "nothing waits for you" ]
}

@test "what git cannot take in stops the landing, and the inbox says it" {
  reviewing
  git init -q "$REPO/nested"
  as_agent rita approve-task
  pf role handoff --to CODER --message "T02"
  pf role handoff --to REVIEWER --message "done"
  as_agent rita approve-task
  is_turn "CODER blocked"
  pf inbox | grep -q "nested"
  [ "$(git_of rev-parse main)" = "$(git_of rev-parse feat/F001-log-in)" ]
  rm -rf "$REPO/nested"
  pf role handoff --to REVIEWER --message "it is gone"
  pf role approve-feature --yes
  [ "$(git_of show main:work.txt)" = work ]
}

@test "a broken state.json is named by status, and no promise is made" {
  roles_begun
  echo '{' >"$STATE"
  run pf role status
  [ "$status" -eq 0 ]
  [[ $output == *"state.json is not sound"*"pairflow role validate"* ]]
  [[ $output != *"takes it in"* ]]
}

@test "two roadmaps that are sound are not merged into one that is not" {
  printf '# Roadmap\n\n- [ ] F001: Log in\n\none\ntwo\nthree\nfour\nfive\nsix\n\n- [ ] F002: Search\n' >"$REPO/docs/ROADMAP.md"
  git_of commit -qam "a longer roadmap"
  roles_begun
  tasks 1
  pf role handoff --to CODER --feature F001 --message go
  sed -i '3a - [ ] F003: Log out' "$REPO/docs/ROADMAP.md"
  pf role handoff --to REVIEWER --message done
  as_agent rita approve-task --message fine
  echo '- [ ] F003: Sort' >>"$REPO/docs/ROADMAP.md"
  git_of commit -qam "another third feature"
  pf role approve-feature --feature F001 --yes
  pf inbox | grep -q 'merged, docs/ROADMAP.md line 14.*F003'
  [ -z "$(git_of log --format=%s main | grep '^Finish')" ]
  sed -i 's/F003: Sort/F004: Sort/' "$REPO/docs/ROADMAP.md"
  git_of commit -qam "the fourth"
  pf role approve-feature --feature F001 --yes
  [ "$(git_of show main:docs/ROADMAP.md | grep -c '^- \[')" -eq 4 ]
  pf role validate
}

@test "a repository without a commit is told, and left as it was" {
  git init -q "$SCRATCH/empty"
  cp -a "$SCRATCH/empty" "$SCRATCH/before"
  run pf role init --repo "$SCRATCH/empty"
  [ "$status" -eq 1 ]
  [[ $output == *"has no commit yet"*"git commit --allow-empty"* ]]
  diff -r "$SCRATCH/empty" "$SCRATCH/before"
}

# The check is red where work.txt and other.txt are both there; main gets other.txt while F001, with
# work.txt, is at work.
apart() { # AUTOPILOT
  sed -i 's/^test = .*/test = "test ! -e work.txt || test ! -e other.txt || { echo they do not go together; exit 1; }"/' "$REPO/.pairflow/config.toml"
  roles_begun "$1"
  tasks 1
  pf role handoff --to CODER --feature F001 --message go
  echo work >"$REPO/work.txt"
  main_gets other.txt
  pf role handoff --to REVIEWER --message done
}
main_gets() { # FILE
  git_of worktree add -q --detach "$SCRATCH/elsewhere" main
  echo new >"$SCRATCH/elsewhere/$1"
  git -C "$SCRATCH/elsewhere" add "$1"
  git -C "$SCRATCH/elsewhere" commit -qm "meanwhile: $1"
  git_of update-ref refs/heads/main "$(git -C "$SCRATCH/elsewhere" rev-parse HEAD)"
  git_of worktree remove "$SCRATCH/elsewhere"
}
main_loses() { # FILE
  if [ "$(checked_out)" = main ]; then
    git_of rm -q "$1"
    git_of commit -qm "without $1"
    return
  fi
  git_of worktree add -q --detach "$SCRATCH/elsewhere" main
  git -C "$SCRATCH/elsewhere" rm -q "$1"
  git -C "$SCRATCH/elsewhere" commit -qm "without $1"
  git_of update-ref refs/heads/main "$(git -C "$SCRATCH/elsewhere" rev-parse HEAD)"
  git_of worktree remove "$SCRATCH/elsewhere"
}
on_main() { git_of ls-tree --name-only main other.txt work.txt | paste -sd ' '; }

@test "full: two changes, each green alone and red together: main never turns red" {
  apart full
  local before
  before=$(git_of rev-parse main)
  as_agent rita approve-task --message fine
  is_turn "CODER handoff"
  jq -r .msg "$STATE" | grep -q "the checks are red on the merge with main"
  jq -r .msg "$STATE" | grep -q "they do not go together"
  [ "$(git_of rev-parse main)" = "$before" ]
  [ "$(cat "$REPO/work.txt")" = work ]
  grep -q "they do not go together" "$ROLE/checks/0001-merge.txt"
  main_loses other.txt
  pf role handoff --to REVIEWER --message "the other one is gone"
  as_agent rita approve-feature --message fine
  [ "$(on_main)" = work.txt ]
  is_at_defaults
}

red_after_your_word() { # AUTOPILOT
  apart "$1"
  local before
  before=$(git_of rev-parse main)
  as_agent rita approve-task --message fine
  pf role approve-feature --feature F001 --yes
  pf inbox | grep -q "the checks are red on the merge with main"
  pf role approve-feature --feature F001 --yes # tried again, not waved through
  [ "$(git_of rev-parse main)" = "$before" ]
  pf role log | grep -q "checks of the merge of F001 Log in: red"
  main_loses other.txt
  pf role approve-feature --feature F001 --yes
  [ "$(on_main)" = work.txt ]
  [ "$(pf inbox)" = "nothing waits for you" ]
}

@test "off: what is red together stops after your word, and is tried again by it" {
  red_after_your_word off
}

@test "review_only: what is red together stops after your word, and is tried again by it" {
  red_after_your_word review_only
}

@test "full: green together, the merge is checked once before main moves" {
  roles_begun full
  tasks 1
  pf role handoff --to CODER --feature F001 --message go
  echo work >"$REPO/work.txt"
  main_gets other.txt
  pf role handoff --to REVIEWER --message done
  as_agent rita approve-task --message fine
  [ "$(on_main)" = "other.txt work.txt" ]
  [ -e "$ROLE/checks/0001-merge.txt" ]
  is_at_defaults
}
