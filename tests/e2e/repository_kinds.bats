#!/usr/bin/env bats
# A repository with a submodule, a filter that keeps large files, `ident`, line ends by attributes,
# and a sparse checkout in the user's own worktree: each loop comes to its commit there, what is
# committed is what was checked, and the user's checkout stays as sparse and clean as it was.

load helpers
load role_helpers
load plan_helpers

teardown() { sweep; }

# What the checks look at: the files of a checkout, not those that an agent wrote.
CHECK='sh check.sh'

kinds() { # adds all of that to the repository, as its last commit
  git init -q -b main "$SCRATCH/lib"
  echo 'int lib;' >"$SCRATCH/lib/lib.c"
  git -C "$SCRATCH/lib" add lib.c
  git -C "$SCRATCH/lib" -c user.name=a -c user.email=a@b commit -qm lib
  git_in -c protocol.file.allow=always submodule --quiet add "$SCRATCH/lib" lib
  cp "$BATS_TEST_DIRNAME/keep_large.sh" "$SCRATCH/keep-large"
  git_in config filter.large.clean "$SCRATCH/keep-large clean"
  git_in config filter.large.smudge "$SCRATCH/keep-large smudge"
  git_in config filter.large.required true
  git_in config core.safecrlf false
  git_in config lfs.storage "$REPO/.git/lfs"
  printf '%s\n' '*.bin filter=large -text' 'run.sh ident' '*.txt text eol=crlf' >"$REPO/.gitattributes"
  echo 'large: one' >"$REPO/data.bin"
  printf '# $Id$\ntrue\n' >"$REPO/run.sh"
  printf 'one\r\n' >"$REPO/dos.txt"
  mkdir -p "$REPO/left/out"
  echo 'large: left out' >"$REPO/left/out/more.bin"
  echo 'not here' >"$REPO/left/out/file.md"
  cat >"$REPO/check.sh" <<'SH'
set -e
grep -q '^large: ' data.bin
grep -q '^# \$Id: [0-9a-f]* \$$' run.sh
grep -q 'int lib;' lib/lib.c
[ "$(tail -c 2 dos.txt | od -An -tx1 | tr -d ' ')" = 0d0a ]
SH
  echo .pairflow/ >>"$REPO/.git/info/exclude"
  git_in add -A .
  git_in commit -qm "all kinds of files"
  git_in sparse-checkout set --no-cone '/*' '!/left/'
  rm "$REPO/hello.txt" "$REPO/run.sh" "$REPO/dos.txt"
  git_in checkout -q -- hello.txt run.sh dos.txt
  [ ! -e "$REPO/left" ]
  [ -z "$(git_in status --porcelain)" ]
}
role_event() { jq -r "select(.type == \"$1\") | .payload | $2" "$ROLE"/*.ndjson | tail -n 1; } # TYPE PATH
git_in() { git -C "$REPO" "$@"; }
stays_sparse() {
  [ ! -e "$REPO/left" ]
  [ "$(git_in ls-files -t left | cut -c1 | sort -u)" = S ]
  [ "$(cat "$REPO/lib/lib.c")" = 'int lib;' ]
  [ "$(git_in rev-parse HEAD:lib)" = "$(git -C "$SCRATCH/lib" rev-parse HEAD)" ]
}
# The blobs are what the rules make of the files, and the large one's content is in the store.
holds_what_was_written() { # COMMIT LARGE
  local oid
  oid=$(printf '%s\n' "$2" | sha256sum | cut -d ' ' -f 1)
  git_in cat-file blob "$1:data.bin" | grep -q "$oid"
  [ "$(cat "$REPO/.git/lfs/objects/${oid:0:2}/${oid:2:2}/$oid")" = "$2" ]
  git_in cat-file blob "$1:run.sh" | grep -qF '$Id$'
  run ! grep -q $'\r' <(git_in cat-file blob "$1:dos.txt")
}

@test "a bubble" {
  needs sandbox
  scratch
  kinds
  printf '\n[commands]\ntest = "%s"\n\n[checks]\ncheckout = "clean"\n' "$CHECK" >>"$REPO/.pairflow/config.toml"
  pf bubble create --id "$BUBBLE" --base main --task "Change all kinds."
  pf bubble start --id "$BUBBLE"
  [ "$(cat "$WORKTREE/lib/lib.c")" = 'int lib;' ] # an agent can build
  [ "$(cat "$WORKTREE/left/out/more.bin")" = 'large: left out' ]
  edit data.bin 'large: two'
  edit left/out/more.bin 'large: left out, two'
  edit left/out/new.md 'new'
  printf 'two\r\n' >"$WORKTREE/dos.txt"
  printf '# $Id$\necho two\n' >"$WORKTREE/run.sh"
  edit lib/lib.c 'int changed;' # no commit of this repository holds it
  run -0 as codex pass --summary "all of them"
  [[ "$output" == *"no part of the change: lib: lib.c"* ]]
  [ "$(field "$BUBBLE" '.submodules | join(",")')" = "lib: lib.c" ]
  as claude pass --summary "fine" --no-findings
  agree
  wait_for is_state READY_FOR_APPROVAL
  [[ "$(pf bubble package --id "$BUBBLE")" == *"in submodules that are not as in the recorded commit"*"lib: lib.c"* ]]
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
  local commit tree
  commit=$(field "$BUBBLE" .commit)
  tree=$(git_in rev-parse "$commit^{tree}")
  [ "$tree" = "$(field "$BUBBLE" .converged_tree)" ]
  recorded ".type == \"EVIDENCE\" and .payload.tree == \"$tree\" and .payload.status == \"green\""
  holds_what_was_written "$commit" 'large: two'
  stays_sparse
  pf bubble merge --id "$BUBBLE"
  [ "$(git_in rev-parse HEAD)" = "$commit" ]
  [ -z "$(git_in status --porcelain)" ]
  stays_sparse
  [ "$(cat "$REPO/data.bin")" = 'large: two' ]
  grep -q '^# \$Id: [0-9a-f]* \$$' "$REPO/run.sh"
  [ "$(cat "$REPO/dos.txt")" = $'two\r' ]
  [ "$(git_in cat-file blob HEAD:left/out/new.md)" = new ]
}

@test "a plan" {
  needs sandbox
  scratch_plan
  git_in add docs && git_in commit -qm plan
  kinds
  plays 1 'echo "large: plan" >data.bin; printf "plan\r\n" >dos.txt; test -e lib/lib.c && pairflow plan request-review'
  plays 2 'pairflow plan approve'
  plays 3 'pairflow plan request-review'
  plays 4 'pairflow plan approve'
  drive
  wait_for waits_for no_pending_steps
  pf plan reply login --message "thank you"
  wait_for view_ended
  is_plan done
  stays_sparse
  git_in commit -qam "the plan's work" # the human's
  holds_what_was_written HEAD 'large: plan'
  [ -z "$(git_in status --porcelain --untracked-files=no)" ]
  stays_sparse
}

@test "a feature of the roles" {
  needs sandbox
  scratch_roles
  kinds
  sed -i "s|^test = .*|test = \"$CHECK\"|" "$REPO/.pairflow/config.toml"
  reviewing
  printf 'large: role\n' >"$REPO/data.bin"
  printf 'role\r\n' >"$REPO/dos.txt"
  as_agent rita approve-task
  pf role handoff --to CODER --message "T02"
  stays_sparse
  pf role handoff --to REVIEWER --message "done"
  as_agent rita approve-task --message "all good"
  [ -z "$(changes)" ]
  stays_sparse
  [ "$(cat "$REPO/data.bin")" = 'large: one' ]
  pf inbox | grep -q 'Checks: green'
  pf role approve-feature --feature F001 --yes
  local commit
  commit=$(git_of rev-parse main)
  # The commit that the checks were run on.
  [ "$(role_event commit.prepared .commit)" = "$commit" ]
  [ "$(role_event checks.filed .passed)" = true ]
  [ "$(role_event checks.filed .landing)" = "$(role_event commit.prepared .landing)" ]
  holds_what_was_written "$commit" 'large: role'
  [ -z "$(git_of diff --name-only main~1 main -- left lib)" ]
  [ -z "$(changes)" ]
  stays_sparse
  [ "$(cat "$REPO/data.bin")" = 'large: role' ]
  [ "$(cat "$REPO/dos.txt")" = $'role\r' ]
}

# A machine whose bubblewrap cannot start.
unconfined() { # COMMAND…
  printf '#!/bin/sh\necho "no namespaces here" >&2\nexit 1\n' >"$SCRATCH/no-bwrap"
  chmod +x "$SCRATCH/no-bwrap"
  (cd "$REPO" && unshare -m sh -c 'mount --bind "$0" /usr/bin/bwrap && exec "$@"' "$SCRATCH/no-bwrap" "$@")
}
can_mount() { unshare -m mount --bind / / 2>/dev/null || skip "needs a mount namespace"; }

@test "where nothing can be confined, start is refused with the files that have a filter" {
  can_mount
  scratch
  kinds
  create
  run -1 unconfined "$PAIRFLOW" bubble start --id "$BUBBLE"
  [[ "$output" == *"filters cannot be confined"*"no namespaces here"*"data.bin (large)"*"pairflow doctor"* ]]
  [ ! -e "$WORKTREE" ]
  git_in config --remove-section filter.large # then there is nothing to run
  unconfined "$PAIRFLOW" bubble start --id "$BUBBLE"
  is_state RUNNING
}

@test "where nothing can be confined, roles are refused the same" {
  can_mount
  scratch_roles
  kinds
  pf role init
  run -1 unconfined "$PAIRFLOW" role run
  [[ "$output" == *"filters cannot be confined"*"data.bin (large)"* ]]
}
