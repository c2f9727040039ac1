#!/usr/bin/env bats
# A plan comes home: a commit for each approved step, of exactly the tree that its reviewer approved.

load helpers
load plan_helpers

setup() { scratch_plan; }
teardown() { sweep_plan; }

# Two steps, each with a file of its own; the second one is sent back once.
two_steps() {
  plays 1 'echo one >one.txt; pairflow plan request-review --note "one is there"'
  plays 2 'pairflow plan approve --note "one is good"'
  plays 3 'echo 2 >two.txt; pairflow plan request-review'
  plays 4 'pairflow plan request-changes --text "say two"'
  plays 5 'echo two >two.txt; pairflow plan request-review'
  plays 6 'pairflow plan approve --note "two is good"'
}
committed() { # PATH…
  git -C "$REPO" add "$@"
  git -C "$REPO" commit -qm "meanwhile"
}
in_worktree() {
  append_config plan 'workspace = "worktree"'
  committed agents
}
to_the_end() {
  two_steps
  "$@"
  drive
  wait_for waits_for no_pending_steps
  wait_for no_run_lives
}
git_of() { git -C "$REPO" "$@"; }
subjects() { git_of log --reverse --format=%s "$1"; } # RANGE
approved_trees() { jq -r 'select(.type == "reviewer.approve").payload.tree' "$PLAN/events.ndjson"; }
trees_of() { git_of log --reverse --format=%T "$1"; } # RANGE
files_of() { git_of show --format= --name-only "$1" | paste -sd ' '; } # COMMIT
untouched() { git_of status --porcelain | paste -sd ' '; }

@test "from a worktree: a commit for each step, merged into a branch that moved meanwhile" {
  to_the_end in_worktree
  local base
  base=$(git_of rev-parse main)
  echo more >"$REPO/more.txt"
  committed more.txt
  echo mine >"$REPO/mine.txt" # of the user, not committed
  run -0 pf plan land login --yes
  [[ $output == *"main is at $(git_of rev-parse main)"* ]]
  [ "$(subjects "$base..plan/login")" = $'Begin\nGo on' ]
  [ "$(trees_of "$base..plan/login")" = "$(approved_trees)" ]
  [ "$(git_of rev-parse 'plan/login^{tree}')" = "$(approved_trees | tail -n 1)" ]
  git_of log -1 --format=%b plan/login~1 | grep -q 'one is there'
  git_of log -1 --format=%b plan/login~1 | grep -q 'one is good'
  git_of log -1 --format=%b plan/login~1 | grep -qx 'Reviewed-by: bob'
  # A merge, never a rebase; the checkout went along, what is the user's stayed.
  [ "$(git_of rev-list --parents -n 1 main | wc -w)" -eq 3 ]
  [ "$(git_of rev-parse main^2)" = "$(git_of rev-parse plan/login)" ]
  [ "$(cat "$REPO/one.txt" "$REPO/two.txt" "$REPO/more.txt")" = $'one\ntwo\nmore' ]
  [ "$(untouched)" = "?? mine.txt" ]
  is_plan done
  # Again: all is there.
  local at
  at=$(git_of rev-parse main)
  run -0 pf plan land login --yes
  [[ $output == *"main is at $at"* ]]
  [ "$(jq -r 'select(.type == "plan.landed" or .type == "plan.merged").type' "$PLAN/events.ndjson" | paste -sd ' ')" = "plan.landed plan.merged" ]
}

@test "from a worktree, the base where it was: it goes forward, as one commit with --one" {
  to_the_end in_worktree
  pf plan reply login --message "thank you"
  wait_for is_plan done
  pf plan status login | grep -q 'Next: pairflow plan land login'
  pf plan land login --yes --one --json | jq -e '.branch == "plan/login" and .into == "main" and .commit == .merged'
  [ "$(git_of log -1 --format=%s main)" = "Plan login" ]
  git_of log -1 --format=%b main | grep -qx -- '- Begin'
  [ "$(git_of rev-parse 'main^{tree}')" = "$(approved_trees | tail -n 1)" ]
  [ -z "$(untouched)" ]
  pf plan status login | grep -q "landed as $(git_of rev-parse main)"
}

@test "documents of yours that changed since are not overwritten" {
  to_the_end in_worktree
  echo 'a remark' >>"$REPO/docs/login/spec.md"
  run -1 pf plan land login --yes
  [[ $output == *"main is checked out with uncommitted changes"*"docs/login/spec.md"* ]]
  grep -q 'a remark' "$REPO/docs/login/spec.md"
  [ "$(git_of rev-parse 'plan/login^{tree}')" = "$(approved_trees | tail -n 1)" ]
  # Mended, the same command goes on.
  mv "$REPO/docs/login/spec.md" "$SCRATCH/spec.md"
  pf plan land login --yes
  [ -e "$REPO/two.txt" ]
}

@test "a conflict and red checks keep it on its branch" {
  printf '\n[commands]\ntest = "test ! -e more.txt || test ! -e two.txt"\n' >>"$REPO/.pairflow/config.toml"
  to_the_end in_worktree
  local before
  echo other >"$REPO/two.txt"
  committed two.txt
  run -1 pf plan land login --yes
  [[ $output == *"the plan conflicts with main"*"two.txt"*"git merge plan/login"* ]]
  git_of rm -q two.txt
  git_of commit -qm "no two"
  echo more >"$REPO/more.txt"
  committed more.txt
  before=$(git_of rev-parse main)
  run -1 pf plan land login --yes
  [[ $output == *"main has moved: running the checks"*"the checks are red on the merge of plan/login with main"*"--unchecked"* ]]
  [ "$(git_of rev-parse main)" = "$before" ]
  run -2 pf plan land login --yes --unchecked " "
  pf plan land login --yes --unchecked "more goes away"
  recorded_in_plan '.type == "plan.merge_prepared" and .payload.unchecked == "more goes away"'
  [ -e "$REPO/two.txt" ]
}

@test "in your checkout: the approved files are committed, index and other changes stay" {
  git_of add docs
  git_of commit -qm docs
  local base
  base=$(git_of rev-parse main)
  echo changed >"$REPO/hello.txt"
  echo staged >"$REPO/staged.txt"
  git_of add staged.txt
  to_the_end true
  run -0 pf plan land login --yes
  [[ $output == *"main is at $(git_of rev-parse main)"* ]]
  [ "$(subjects "$base..main")" = $'Begin\nGo on' ]
  [ "$(files_of main~1)" = "one.txt" ]
  [ "$(files_of main)" = "docs/login/plan.md two.txt" ]
  [ "$(untouched)" = " M hello.txt A  staged.txt ?? agents/" ]
  [ "$(cat "$REPO/hello.txt")" = changed ]
  is_plan done
}

@test "in a clean checkout each commit's tree is what its reviewer approved" {
  two_steps
  committed agents docs
  drive
  wait_for waits_for no_pending_steps
  pf plan land login --yes
  [ "$(trees_of main~2..main)" = "$(approved_trees)" ]
  [ -z "$(untouched)" ]
}

@test "landing is refused with the paths, the step, the branch; --so-far lands what is approved" {
  echo yours >"$REPO/one.txt"
  two_steps
  plays 4 'exec sleep 600'
  drive
  wait_for run_is_live 4
  run -1 pf plan land login --yes
  [[ $output == *"an agent is at work"* ]]
  pf plan pause login
  wait_for no_run_lives
  run -1 pf plan land login --yes
  [[ $output == *"steps are open"*"2"*"--so-far"* ]]
  run -1 pf plan land login --yes --so-far
  [[ $output == *"held changes of yours when the plan began"*"one.txt"* ]]
  [ "$(git_of rev-list --count main)" -eq 1 ]
}

@test "a branch that was moved, another one checked out, staged files: refused, then the rest lands" {
  two_steps
  plays 4 'exec sleep 600'
  committed agents docs
  drive
  wait_for run_is_live 4
  pf plan pause login
  wait_for no_run_lives
  local base
  base=$(git_of rev-parse main)
  git_of checkout -q -b other
  run -1 pf plan land login --yes --so-far
  [[ $output == *"main is not checked out"*"other is"*"git checkout main"* ]]
  git_of checkout -q main
  git_of commit -q --allow-empty -m "of yours"
  run -1 pf plan land login --yes --so-far
  [[ $output == *"the branch main was moved"*"$base"* ]]
  git_of reset -q --soft "$base"
  echo another >"$REPO/one.txt"
  git_of add one.txt
  run -1 pf plan land login --yes --so-far
  [[ $output == *"staged otherwise"*"one.txt"* ]]
  git_of restore --staged one.txt
  run -1 pf plan land login --tree 0123456789012345678901234567890123456789 --so-far
  [[ $output == *"that is not what was approved last"* ]]
  run -2 pf plan land login --so-far
  [[ $output == *"--yes"* ]]
  pf plan land login --so-far --tree "$(approved_trees)"
  [ "$(subjects "$base..main")" = Begin ]
  [ "$(cat "$REPO/one.txt")" = another ] # since the approval: left as it is
  [ "$(git_of show main:one.txt)" = one ]
  plays 5 'pairflow plan request-changes --text "one says another"'
  plays 6 'echo one >one.txt; pairflow plan request-review'
  plays 7 'pairflow plan approve'
  resume
  wait_for waits_for no_pending_steps
  pf plan land login --yes
  [ "$(subjects "$base..main")" = $'Begin\nGo on' ]
  [ "$(git_of rev-parse 'main^{tree}')" = "$(approved_trees | tail -n 1)" ]
}

@test "plan diff: of the whole plan, of a step by number or title, of the one at work" {
  two_steps
  plays 4 'exec sleep 600'
  drive
  wait_for run_is_live 4
  run -0 pf plan diff login --step 1
  [[ $output == *"+one"* && $output != *two.txt* ]]
  run -0 pf plan diff login --step go-on
  [[ $output == *"+2"* && $output != *one.txt* ]]
  [ "$(pf plan diff login --stat | awk '{print $NF}' | paste -sd ' ')" = "docs/login/plan.md one.txt two.txt" ]
  [ "$(pf plan diff login --step 1 --json | jq -r '.files[].path')" = one.txt ]
  run -1 pf plan diff login --step 7
  [[ $output == *"there is no step '7'"*"there are 1, 2"* ]]
}

@test "the page: verdicts, words, change and warnings; asked on a terminal, with d for the diff" {
  two_steps
  plays 1 'printf "one\342\200\213\n" >one.txt; pairflow plan request-review'
  committed agents docs
  drive
  wait_for waits_for no_pending_steps
  wait_for no_run_lives
  run -0 pf plan decision login
  [[ $output == *"Plan login: 2 approved steps, main"* ]]
  [[ $output == *"✓ 1 Begin"*"approved by bob"*"> one is good"* ]]
  [[ $output == *"✓ 2 Go on"*"approved by bob after 1 change request"*"> two is good"* ]]
  [[ $output == *"what a reader does not see: one.txt:1 <U+200B>"* ]]
  [ "$(pf plan decision login --json | jq -r '.steps[1].note + " " + .tree')" = "two is good $(approved_trees | tail -n 1)" ]
  tmx new-session -d -s ask -x 100 -y 50 -c "$REPO" -- \
    sh -c 'export PAGER=cat; "$@"; echo $? >'"$SCRATCH/code; exec cat" sh "$PAIRFLOW" plan land login
  screen_has() { tmx capture-pane -p -J -t ask | grep -qF -- "$1"; }
  wait_for screen_has "d for the diff"
  screen_has "> two is good"
  run ! screen_has "diff --git"
  tmx send-keys -t ask d Enter
  wait_for screen_has "+two"
  tmx send-keys -t ask y Enter
  wait_for test -s "$SCRATCH/code"
  [ "$(cat "$SCRATCH/code")" = 0 ]
  [ "$(git_of show main:two.txt)" = two ]
}
