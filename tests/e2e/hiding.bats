#!/usr/bin/env bats
# Ways to hide a change from git. The tree is taken by the rules of the bubble's start, so none of
# them works, and what was configured before the start does.

load helpers

setup() { scratch; }
teardown() { sweep; }

# The text of a file in the tree under review.
handed_over() { # PATH
  git -C "$REPO" cat-file blob "$(field "$BUBBLE" .tree):$1"
}
diff_has() { pf bubble diff --id "$BUBBLE" | grep -qF -- "$1"; }

@test "assume-unchanged and skip-worktree hide nothing" {
  begin
  git -C "$WORKTREE" update-index --assume-unchanged hello.txt
  edit hello.txt "changed in secret"
  as codex pass --summary "nothing to see"
  [ "$(handed_over hello.txt)" = "changed in secret" ]
  as claude pass --summary "seen" --finding "P1:Why hide it?"
  git -C "$WORKTREE" update-index --skip-worktree hello.txt
  edit hello.txt "changed again"
  as codex pass --summary "nothing to see"
  [ "$(handed_over hello.txt)" = "changed again" ]
}

@test "a -diff attribute hides nothing, in the tree or in info/attributes" {
  begin
  edit .gitattributes "* -diff"
  echo "* -diff -text" >"$REPO/.git/info/attributes"
  edit hello.txt "a line to be seen"
  as codex pass --summary "binary, really"
  diff_has "+a line to be seen"
  grep -q "+a line to be seen" "$REPO/.pairflow/bubbles/$BUBBLE/artifacts/round-001.diff"
  pf bubble diff --id "$BUBBLE" --stat | grep -q "+1 *−1 *hello.txt"
}

@test "an exclude entry made after the start hides nothing" {
  begin
  mkdir -p "$HOME/.config/git"
  echo "evil.txt" >>"$REPO/.git/info/exclude"
  echo "worse.txt" >"$HOME/.config/git/ignore"
  git -C "$REPO" config core.excludesFile "$SCRATCH/third"
  echo "worst.txt" >"$SCRATCH/third"
  edit evil.txt one
  edit worse.txt two
  edit worst.txt three
  as codex pass --summary "nothing to see"
  [ "$(handed_over evil.txt) $(handed_over worse.txt) $(handed_over worst.txt)" = "one two three" ]
}

@test "a nested repository is a change, and is named" {
  begin
  git init -q "$WORKTREE/inner"
  echo hidden >"$WORKTREE/inner/file"
  run -3 as codex pass --summary "no commit in it yet"
  git -C "$WORKTREE/inner" add file
  git -C "$WORKTREE/inner" -c user.name=x -c user.email=x@y commit -qm hidden
  as codex pass --summary "now"
  [ "$(git -C "$REPO" ls-tree "$(field "$BUBBLE" .tree)" inner | cut -d ' ' -f 1)" = 160000 ]
  [[ "$(pf bubble package --id "$BUBBLE")" == *"whose files are not part of the commit: inner"* ]]
}

@test "a symlink is kept as one, whatever the configuration says" {
  begin
  git -C "$REPO" config core.symlinks false
  git -C "$REPO" config core.fileMode false
  rm "$WORKTREE/hello.txt"
  ln -s /etc/hostname "$WORKTREE/hello.txt"
  edit run.sh "true"
  chmod +x "$WORKTREE/run.sh"
  as codex pass --summary "linked"
  [ "$(git -C "$REPO" ls-tree "$(field "$BUBBLE" .tree)" hello.txt | cut -d ' ' -f 1)" = 120000 ]
  [ "$(git -C "$REPO" ls-tree "$(field "$BUBBLE" .tree)" run.sh | cut -d ' ' -f 1)" = 100755 ]
}

@test "a clean filter that the agent adds is not run" {
  begin
  edit .gitattributes "*.txt filter=evil"
  git -C "$REPO" config filter.evil.clean "touch '$SCRATCH/ran'; echo harmless"
  git -C "$REPO" config filter.evil.smudge "touch '$SCRATCH/ran'; cat"
  git config --global filter.evil.process "touch '$SCRATCH/ran'"
  edit hello.txt "not harmless"
  as codex pass --summary "harmless"
  [ "$(handed_over hello.txt)" = "not harmless" ]
  as claude pass --summary "fine" --no-findings
  agree
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
  [ "$(git -C "$REPO" show "bubble/$BUBBLE:hello.txt")" = "not harmless" ]
  [ ! -e "$SCRATCH/ran" ]
}

@test "a filter configured before the start still gives the right tree" {
  # As large file storage does it: the repository holds a pointer, the worktree the contents.
  cp "$BATS_TEST_DIRNAME/keep_large.sh" "$SCRATCH/keep-large"
  git -C "$REPO" config filter.big.clean "$SCRATCH/keep-large clean"
  git -C "$REPO" config filter.big.smudge "$SCRATCH/keep-large smudge"
  git -C "$REPO" config filter.big.required true
  git -C "$REPO" config lfs.storage "$REPO/.git/lfs"
  echo "*.bin filter=big" >"$REPO/.gitattributes"
  echo "many bytes" >"$REPO/photo.bin"
  git -C "$REPO" add -A && git -C "$REPO" commit -qm "a large file"
  begin
  [ "$(cat "$WORKTREE/photo.bin")" = "many bytes" ]
  edit photo.bin "other bytes"
  as codex pass --summary "another photo"
  points_to() { [ "$(handed_over photo.bin | sed -n 's/^oid sha256://p')" = "$(echo "$1" | sha256sum | cut -c 1-64)" ]; } # TEXT
  points_to "other bytes"
  # And it stays this one when somebody changes it.
  git -C "$REPO" config filter.big.clean "cat"
  as claude pass --summary "hm" --finding "P1:Smile"
  edit photo.bin "third bytes"
  as codex pass --summary "smiling"
  points_to "third bytes"
  as claude pass --summary "fine" --no-findings
  agree
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
}

@test "a filter that keeps files elsewhere is told what it cannot reach, and nothing is left out" {
  mkdir "$SCRATCH/store"
  printf '#!/bin/sh\ntee "%s/store/last"\n' "$SCRATCH" >"$SCRATCH/clean"
  printf '#!/bin/sh\ncat >/dev/null; cat "%s/store/last"\n' "$SCRATCH" >"$SCRATCH/smudge"
  chmod +x "$SCRATCH/clean" "$SCRATCH/smudge"
  git -C "$REPO" config filter.big.clean "$SCRATCH/clean"
  git -C "$REPO" config filter.big.smudge "$SCRATCH/smudge"
  echo "*.bin filter=big" >"$REPO/.gitattributes"
  echo "many bytes" >"$REPO/photo.bin"
  git -C "$REPO" add -A && git -C "$REPO" commit -qm "a large file"
  run -3 begin
  [[ "$output" == *"external filter '$SCRATCH/smudge' failed"*lfs.storage* ]]
  # A filter that needs nothing from elsewhere works, and the same command goes on.
  git -C "$REPO" config filter.big.clean cat
  git -C "$REPO" config filter.big.smudge cat
  pf bubble start --id "$BUBBLE"
  [ "$(cat "$WORKTREE/photo.bin")" = "many bytes" ]
}

@test "rules that were tampered with are made again, or the damage is named" {
  begin
  local control=$REPO/.pairflow/bubbles/$BUBBLE
  pf bubble diff --id "$BUBBLE"
  edit hello.txt "hello, world"
  printf '[core]\n\tfileMode = false\n' >"$control/git/config"
  echo "hello.txt" >"$control/git/info/exclude"
  as codex pass --summary "done"
  [ "$(handed_over hello.txt)" = "hello, world" ]
  run -1 grep -q "hello.txt" "$control/git/info/exclude"
  echo "{}" >"$control/artifacts/blobs/$(jq -r 'select(.type == "TASK") | .payload.rules' "$(transcript)")"
  run -4 as claude pass --summary "fine" --no-findings
  [[ "$output" == *"rules from the bubble's start"* ]]
}

@test "one odd byte does not hide how the checks were changed, nor does a large file before it" {
  mkdir "$REPO/ci"
  printf 'exit 0 # now\n' >"$REPO/ci/run.sh"
  git -C "$REPO" add -A && git -C "$REPO" commit -qm "a check"
  pf bubble create --id "$BUBBLE" --task "Say more." --test "cd ci && sh run.sh"
  pf bubble start --id "$BUBBLE"
  printf 'exit 0\n#\0\n' >"$WORKTREE/ci/run.sh"
  head -c 9000000 /dev/zero | tr '\0' a | fold >"$WORKTREE/a-data.txt"
  as codex pass --summary "faster"
  local page
  page=$(pf bubble package --id "$BUBBLE")
  [[ "$page" == *"may change what the checks do: ci/run.sh"* ]]
  [[ "${page##*"## Changes to how it is checked"}" == *"-exit 0 # now"*"+exit 0"* ]]
}

@test "no file is left out of the package, however many there are" {
  begin
  mkdir "$WORKTREE/.a"
  local i
  for i in $(seq 300); do echo "$i" >"$WORKTREE/.a/$i"; done
  ln -s /etc/passwd "$WORKTREE/zz-last"
  as codex pass --summary "many"
  [[ "$(pf bubble package --id "$BUBBLE")" == *"zz-last (symbolic link)"* ]]
}

@test "what was in an ignored directory before and is changed is named" {
  printf 'deps/\n' >"$REPO/.gitignore"
  git -C "$REPO" add -A && git -C "$REPO" commit -qm "ignored"
  printf '\n[commands]\nsetup = "mkdir deps && echo good >deps/tool"\n' >>"$REPO/.pairflow/config.toml"
  begin
  edit deps/tool "evil"
  edit hello.txt "hello, world"
  as codex pass --summary "nothing else"
  [[ "$(pf bubble package --id "$BUBBLE")" == *"which no commit holds: deps/ (changed)"* ]]
}

@test "names that are no text stop nobody" {
  printf 'caf\351\n' >>"$REPO/.git/info/exclude"
  begin
  edit hello.txt "hello, world"
  as codex pass --summary "done"
}

@test "hidden characters are shown, and told above the change" {
  begin
  edit hello.txt $'if (is\xe2\x80\x8bAdmin) \xe2\x80\xaegrant\xe2\x80\xac;\n\xd0\xb0dmin = 1;'
  as codex pass --summary $'made is\xe2\x80\x8bAdmin safe'
  as claude pass --summary "hm" --finding $'P3:The \xd1\x80assword is odd'
  pf bubble reply --id "$BUBBLE" --decision accept
  package | sed $'s/^The greeting\\.$/is\xe2\x81\xa0Admin/' >"$SCRATCH/package.md"
  as codex converged --summary "I agree" --package "$SCRATCH/package.md"
  is_state READY_FOR_APPROVAL
  diff_has "+if (is<U+200B>Admin) <U+202E>grant<U+202C>;"
  diff_has "+<U+0430>dmin = 1;"
  diff_has "Hidden characters: hello.txt:1 <U+200B> <U+202E> <U+202C>, hello.txt:2 <U+0430>"
  local page first
  page=$(pf bubble package --id "$BUBBLE")
  first=${page%%## What changed*}
  [[ "$first" == *"hello.txt:1 <U+200B> <U+202E> <U+202C>, hello.txt:2 <U+0430>"* ]]
  [[ "$page" == *"> is<U+2060>Admin"* ]]
  [[ "$(pf bubble status --id "$BUBBLE")" == *"hidden characters: hello.txt:1 <U+200B>"* ]]
  [[ "$(pf inbox)" == *"It holds hidden characters: hello.txt:1 <U+200B>"* ]]
  [ "$(field "$BUBBLE" '.hidden[1].line')" -eq 2 ]
  [[ "$(pf bubble timeline --id "$BUBBLE")" == *"The <U+0440>assword is odd"* ]]
  [[ "$(pf bubble findings --id "$BUBBLE")" == *"The <U+0440>assword is odd"* ]]
  [[ "$(as claude turn; cat "$REPO/.pairflow/bubbles/$BUBBLE/artifacts/messages/"*)" == *"is<U+200B>Admin"* ]]
  LC_ALL=C run -1 grep -P '\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81\xa0' <<<"$page"
}

@test "bytes that are no text, and two spellings of one letter, look different and are told" {
  printf 'caf\xe9\nr\xc3\xa9sum\xc3\xa9\n' >"$REPO/menu.txt"
  git -C "$REPO" add menu.txt && git -C "$REPO" commit -qm "a menu"
  begin
  printf 'caf\xe8\nre\xcc\x81sum\xc3\xa9\n' >"$WORKTREE/menu.txt"
  as codex pass --summary "done"
  diff_has "-caf<0xE9>"
  diff_has "+caf<0xE8>"
  diff_has "+re<U+0301>sum"
  diff_has "Hidden characters: menu.txt:1 <0xE8>, menu.txt:2 <U+0301>"
}

@test "a file that only changes its line ends shows what changed" {
  begin
  printf 'hello\r\n' >"$WORKTREE/hello.txt"
  as codex pass --summary "done"
  diff_has "+hello<U+000D>"
  run -1 diff_has "Hidden characters"
}
