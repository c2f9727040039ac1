#!/usr/bin/env bats
# Bad input: a clear error that names the fix, and nothing changed.

load helpers

setup() { scratch; }
teardown() { sweep; }

# What a command must not have touched.
everything() { (cd "$REPO/.pairflow" && find . -type f ! -path './runtime/*' ! -path './locks/*' -exec sha256sum {} + | sort -k2); }
refused_with() { # CODE TEXT, of the last `run`
  echo "exit $status: $output"
  [ "$status" -eq "$1" ] && [[ $output == *"$2"* ]]
}

@test "ids: unknown, near, with a path, capitals, too short, too long" {
  create
  local before
  before=$(everything)
  run pf bubble status --id fix-logni
  refused_with 1 "did you mean '$BUBBLE'"
  run pf bubble status --id something-else-altogether
  refused_with 1 "pairflow bubble list"
  for id in "../$BUBBLE" "$BUBBLE/../x" Fix-Login ab 1abc "$(printf 'a%.0s' {1..41})" "" "a b c" $'new\nline'; do
    for verb in status start stop approve; do
      run pf bubble "$verb" --id "$id"
      refused_with 2 "3 to 40 characters"
    done
    run pf bubble create --id "$id" --task "Say more." --no-tests "none"
    refused_with 2 "id"
  done
  [ "$(everything)" = "$before" ]
  PAIRFLOW_BUBBLE=../x run pf bubble status
  refused_with 2 "3 to 40 characters"
  run pf bubble status
  refused_with 2 "--id"
}

@test "a summary of 5 MB, with NUL, with ESC, not UTF-8, empty: refused, nothing changed" {
  begin
  edit hello.txt "changed"
  local before
  before=$(everything)
  run as codex pass --summary - < <(head -c 5000000 /dev/zero | tr '\0' a)
  refused_with 2 "too long"
  run as codex pass --summary - < <(printf 'a\0b')
  refused_with 2 "--summary contains control characters"
  run as codex pass --summary - < <(printf 'a\033[2Jb')
  refused_with 2 "--summary contains control characters"
  [[ $output != *$'\033'* ]]
  run as codex pass --summary - < <(printf 'caf\351')
  refused_with 2 "not UTF-8"
  run as codex pass --summary $'bell \a'
  refused_with 2 "control characters"
  run as codex pass --summary ""
  refused_with 2 "--summary is empty"
  run as codex pass --summary - </dev/null
  refused_with 2 "--summary is empty"
  run as codex ask-human --question $'caf\xe9'
  refused_with 2 "not UTF-8"
  [ "$(everything)" = "$before" ]

  as codex pass --summary - < <(printf 'Gr\xc3\xbc\xc3\x9fe,\n\tbeide.\n')
  [ "$(lines_of "$BUBBLE" PASS | jq -r .payload.summary)" = $'Grüße,\n\tbeide.' ]
}

@test "tasks: not UTF-8, no such file, empty, a directory, from a file, from standard input" {
  printf 'caf\xe9\n' >"$SCRATCH/latin1.md"
  run pf bubble create --id abc --task "$SCRATCH/latin1.md" --no-tests none
  refused_with 2 "not UTF-8"
  for task in nowhere.md ./nowhere docs/task "~/task" task.txt; do
    run pf bubble create --id abc --task "$task" --no-tests none
    refused_with 2 "there is no such file"
  done
  for task in "" "   " $'\n'; do
    run pf bubble create --id abc --task "$task" --no-tests none
    refused_with 2 "empty"
  done
  : >"$SCRATCH/empty.md"
  run pf bubble create --id abc --task "$SCRATCH/empty.md" --no-tests none
  refused_with 2 "the task is empty"
  run pf bubble create --id abc --task "$SCRATCH" --no-tests none
  refused_with 2 "is no file"
  [ ! -e "$REPO/.pairflow/bubbles" ]
  [ -z "$(git -C "$REPO" branch --list 'bubble/*')" ]

  echo "Read from a file." >"$SCRATCH/task.md"
  pf bubble create --id from-file --task "$SCRATCH/task.md" --no-tests none
  pf bubble create --id from-stdin --task - --no-tests none <<<"Read from a pipe."
  jq -se '.[0].payload.task | startswith("Read from a file.")' "$(transcript from-file)"
  jq -se '.[0].payload.task | startswith("Read from a pipe.")' "$(transcript from-stdin)"
}

@test "command lines: nothing, an unknown command, an unknown option, a missing one, bad numbers" {
  run pf
  refused_with 2 "pairflow --help"
  run pf bubble
  refused_with 2 "pairflow bubble --help"
  run pf bubble statsu
  refused_with 2 "did you mean 'pairflow bubble status'"
  run pf create
  refused_with 2 "did you mean 'pairflow bubble create'"
  run pf bubble status --idd x
  refused_with 2 "did you mean '--id'"
  run pf bubble create --id abc
  refused_with 2 "--task is required"
  run pf bubble status --id abc stray
  refused_with 2 "'stray' was not expected"
  for number in 99999999999999999999 -1 0 1e3 2.5 two ""; do
    run pf bubble reply --id abc --decision continue --rounds "$number"
    refused_with 2 "--rounds"
  done
  run pf bubble create --id abc --task "Say more." --no-tests none --max-rounds 101
  refused_with 2 "max_rounds"
  run pf bubble create --id abc --task "Say more." --no-tests none --work-mode floppy
  refused_with 2 "work_mode"
  run pf bubble list --repo "$SCRATCH/nowhere"
  refused_with 1 "$SCRATCH/nowhere"
  [ ! -e "$REPO/.pairflow/bubbles" ]
}

@test "--help of every command exits 0 with an example" {
  local commands command group
  commands=$(pf --help | subcommands | grep -vxE 'bubble|plan|role|quarantine|help')
  for group in bubble plan role quarantine help; do
    commands+=$'\n'$(pf $group --help | subcommands | sed "s/^/$group /")
  done
  [ "$(wc -l <<<"$commands")" -ge 40 ]
  while read -r command; do
    run pf $command --help
    refused_with 0 "Example: pairflow $command"
  done <<<"$commands"
}

subcommands() { sed -n '/^Subcommands:/,$ { /^  [a-z]/ s/^  \([a-z-]*\).*/\1/p }'; } # of a --help

@test "errors are JSON with --json, also of the command line" {
  create
  local line
  for line in "bubble status --id nowhere" "bubble status --id ../x" "bubble start --id a b" \
    "bubble status --wrong x" "wrong" "bubble commit --id $BUBBLE" "bubble create --id abc --task nowhere.md"; do
    run --separate-stderr pf $line --json
    [ "$status" -ne 0 ]
    [ "$(jq -r '.ok, (.exit | tostring)' <<<"$output" | paste -sd ' ')" = "false $status" ]
    [ -n "$(jq -r .error.what <<<"$output")" ]
    [ -z "$stderr" ]
  done
}

@test "a damaged bubble.toml: file, line and key are named, nothing changes" {
  create
  local toml=$REPO/.pairflow/bubbles/$BUBBLE/bubble.toml good before line
  good=$(cat "$toml")
  spoil() { # SED-EXPRESSION TEXT…
    sed "$1" <<<"$good" >"$toml"
    before=$(everything)
    run pf bubble start --id "$BUBBLE"
    refused_with 2 "$toml"
    for text in "${@:2}"; do refused_with 2 "$text"; done
    [ "$(everything)" = "$before" ]
    [ "$(state)" = CREATED ]
  }
  line=$(grep -n '^max_rounds' "$toml" | cut -d: -f1)
  spoil 's/^max_rounds.*/max_rounds = "many"/' "$line" max_rounds
  spoil 's/^max_rounds.*/max_rounds = /' "$line"
  spoil 's/^max_rounds.*/max_round = 8/' "$line" "max_round" "'max_rounds'"
  spoil 's/^quality_mode.*/quality_mode = "balanced"/' quality_mode strict balanced
  spoil 's/^commit_requires_approval.*/commit_requires_approval = false/' commit_requires_approval "approval"
  spoil 's/^reviewer_context_mode.*/reviewer_context_mode = "stale"/' reviewer_context_mode fresh persistent
  printf '%s\n' "$good" >"$toml"
  run pf bubble start --id "$BUBBLE"
  [ "$status" -eq 0 ]
}

@test "the same for the repository's configuration at create" {
  echo 'quality_mode = "balanced"' | cat - "$REPO/.pairflow/config.toml" >"$SCRATCH/config"
  cp "$SCRATCH/config" "$REPO/.pairflow/config.toml"
  run create
  refused_with 2 "quality_mode"
  [[ $output == *"config.toml"* ]]
  [ ! -e "$REPO/.pairflow/bubbles" ]
}

@test "one damaged bubble among ten hides no other in list and inbox" {
  local i
  for i in {0..9}; do pf bubble create --id "bubble-$i" --task "Say more." --no-tests none; done
  printf '#' | dd of="$(transcript bubble-4)" bs=1 seek=0 conv=notrunc status=none
  rm "$REPO/.pairflow/bubbles/bubble-4/state.json"
  run pf bubble list
  [ "$status" -eq 0 ]
  [ "$(grep -c CREATED <<<"$output")" -eq 9 ]
  [[ $output == *bubble-4*DAMAGED* ]]
  [ "$(pf bubble list --json | jq '.bubbles | length')" -eq 10 ]
  [ "$(pf bubble list --json | jq -r '.bubbles[] | select(.error) | .id')" = bubble-4 ]
  run pf inbox
  [ "$status" -eq 0 ]
  [[ $output == *bubble-4* ]]
  [ "$(pf inbox --json | jq .ok)" = true ]
  run pf bubble status --id bubble-5
  [ "$status" -eq 0 ]
}

@test "--ref stays in the worktree: no .., no absolute path out of it, no symlink, no directory" {
  begin
  edit hello.txt "changed"
  echo secret >"$SCRATCH/secret"
  ln -s "$SCRATCH/secret" "$WORKTREE/link"
  ln -s "$SCRATCH" "$WORKTREE/way"
  mkdir "$WORKTREE/directory"
  local before ref
  before=$(everything)
  for ref in ../../../secret "$SCRATCH/secret" link way/secret directory nowhere.txt .git/../../x; do
    run as codex pass --summary "look" --ref "$ref"
    refused_with 2 "cannot use --ref '$ref'"
    [[ $output == *because:* ]]
  done
  [ "$(everything)" = "$before" ]

  rm "$WORKTREE/link" "$WORKTREE/way"
  as codex pass --summary "look" --ref hello.txt
  local blob
  blob=$(lines_of "$BUBBLE" PASS | jq -r '.refs[0]')
  [[ $blob == artifact://blobs/*/hello.txt ]]
  [ "$(cat "$REPO/.pairflow/bubbles/$BUBBLE/artifacts/$(dirname "${blob#artifact://}")")" = changed ]
}

@test "hostile file names reach no terminal unescaped" {
  begin
  (cd "$WORKTREE" &&
    echo x >$'new\nline' && echo x >$'esc\033[2Jape' && echo x >./--force && echo x >$'tab\there' &&
    echo x >$'not-utf8-\xff' && printf 'a\033]0;title\007b\n' >content.txt)
  run as codex pass --summary "names"
  [ "$status" -eq 0 ]
  local command
  for command in "bubble diff" "bubble diff --stat" "bubble diff --json" "bubble status" \
    "bubble status --json" "bubble timeline" "bubble findings"; do
    run pf $command --id "$BUBBLE"
    [ "$status" -eq 0 ]
    [[ $output != *$'\033'* && $output != *$'\007'* ]]
  done
  run pf bubble diff --id "$BUBBLE" --stat
  [ "${#lines[@]}" -eq 6 ]
  [[ $output == *"--force"* ]]
  as claude pass --summary "hm" --finding $'P1:Odd name @esc[2Jape:1'
  run pf bubble findings --id "$BUBBLE"
  [ "$status" -eq 0 ]
  run as claude pass --summary "hm" --finding $'P1:Odd \033[2J name'
  refused_with 2 "control characters"
}

@test "the test profile is confirmed at create: what was detected is named, nothing is made" {
  printf 'all:\n\ntest:\n\ttrue\n' >"$REPO/Makefile"
  git -C "$REPO" add Makefile
  git -C "$REPO" commit -qm "make"
  run pf bubble create --id abc --task "Say more."
  refused_with 2 "make test"
  for flag in --accept-detected --test --manual-checks --no-tests; do [[ $output == *"$flag"* ]]; done
  run pf bubble create --id abc --task "Say more." --no-tests ""
  refused_with 2 "--no-tests"
  run pf bubble create --id abc --task "Say more." --no-tests none --test "make check"
  refused_with 2 "--no-tests"
  run pf bubble create --id abc --task "Say more." --manual-checks "$SCRATCH/nowhere"
  refused_with 2 "--manual-checks"
  [ ! -e "$REPO/.pairflow/bubbles" ]

  run pf bubble create --id detected --task "Say more." --accept-detected
  refused_with 0 "test: make test"
  run pf bubble create --id given --task "Say more." --test "sh t.sh" --typecheck "tsc"
  refused_with 0 "typecheck: tsc"
  run pf bubble create --id without --task "Say more." --no-tests "a text only"
  refused_with 0 "a text only"
  echo "- look at it" >"$SCRATCH/checks.md"
  run pf bubble create --id by-hand --task "Say more." --manual-checks "$SCRATCH/checks.md"
  refused_with 0 "checks.md"
  jq -se '.[0].payload.policy.profile.manual_checks == "- look at it\n"' "$(transcript by-hand)"
  jq -se '.[0].payload.policy.profile.not_available == "a text only"' "$(transcript without)"
}

@test "nothing detected and --accept-detected: exit 2" {
  run pf bubble create --id abc --task "Say more." --accept-detected
  refused_with 2 "no checks were detected"
  run pf bubble create --id abc --task "Say more."
  refused_with 2 "nothing"
  [ ! -e "$REPO/.pairflow/bubbles" ]
}
