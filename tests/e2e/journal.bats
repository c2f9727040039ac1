#!/usr/bin/env bats
# The transcript under races, kills, failing disks and damage: FAULTS' promises 1 to 6.

load helpers

setup() { scratch 'max_rounds = 100'; }
teardown() { sweep; }

control() { echo "$REPO/.pairflow/bubbles/$BUBBLE"; }
supervisor() { jq -r .pid "$REPO/.pairflow/runtime/$BUBBLE.json"; }
# A stopped supervisor keeps its lease and does nothing: only the commands under test are at work.
# (Nobody would bring a reviewer's own checkout to the next tree.)
begin_quietly() {
  unconfined
  begin
  kill -STOP "$(supervisor)"
}
gapless() { jq -se '[.[].seq] == [range(1; length + 1)]' "$(transcript)" >/dev/null; }
passes_of() { jq -r "select(.type == \"PASS\" and .req == \"$1\") | .seq" "$(transcript)" | wc -l; } # REQUEST

pass_into() { # N
  local code=0
  as codex pass --summary "pass $1" || code=$?
  echo "$code" >"$SCRATCH/exit.$1"
}

@test "of 64 simultaneous passes of one turn one wins" {
  begin_quietly
  edit hello.txt "who is first?"
  local i
  for i in {1..64}; do
    pass_into "$i" >"$SCRATCH/said.$i" 2>&1 3>&- &
  done
  wait
  [ "$(grep -lx 0 "$SCRATCH"/exit.* | wc -l)" -eq 1 ]
  [ "$(grep -lx 1 "$SCRATCH"/exit.* | wc -l)" -eq 63 ]
  [ "$(grep -lF "it is claude's turn" "$SCRATCH"/said.* | wc -l)" -eq 63 ]
  [ "$(count_of "$BUBBLE" PASS)" -eq 1 ]
  gapless
  run pf bubble verify --id "$BUBBLE"
  [ "$status" -eq 0 ]
  [ "$(field "$BUBBLE" .active_agent)" = claude ]
}

@test "deleting every projection loses nothing" {
  begin
  implement "one"
  as claude pass --summary "look" --finding "P1:Too short"
  as codex ask-human --question "How long?"
  kill -STOP "$(supervisor)"
  local before
  before=$(standing)
  rm -rf "$(control)/state.json" "$(control)/inbox.ndjson" "$(control)/artifacts/messages" \
    "$REPO"/.pairflow/runtime/*.json
  [ "$(standing)" = "$before" ]
  pf bubble inbox --id "$BUBBLE" | grep -qF "How long?"
  kill -CONT "$(pgrep -f "supervise --repo $REPO " )"
  pf bubble reply --id "$BUBBLE" --message "Long."
  [ -e "$(control)/state.json" ]
  # The line in the pane names a file that is there.
  wait_for pane_has codex "| HUMAN_REPLY from human"
  local file
  file=$(pane codex | grep -m1 -oE '/[^ ]*-human-[^ ]*\.md')
  grep -qF "Long." "$file"
  run pf bubble verify --id "$BUBBLE"
  [ "$status" -eq 0 ]
}

@test "a torn tail is saved aside and repaired by the next command, and verify says so" {
  begin_quietly
  cp "$(transcript)" "$SCRATCH/whole"
  printf '{"id":"msg_2026' >>"$(transcript)"
  run pf bubble verify --id "$BUBBLE"
  [ "$status" -eq 0 ]
  [[ $output == *"15 bytes"* ]]
  [ "$(pf bubble verify --id "$BUBBLE" --json 2>/dev/null | jq .torn_bytes)" -eq 15 ]

  run implement "over it"
  [ "$status" -eq 0 ]
  [ "$(cat "$(transcript)".torn-*)" = '{"id":"msg_2026' ]
  head -c "$(stat -c %s "$SCRATCH/whole")" "$(transcript)" | cmp - "$SCRATCH/whole"
  gapless
  run pf bubble verify --id "$BUBBLE"
  [ "$status" -eq 0 ]
  [[ $output != *bytes* ]]
}

@test "a whole batch without its last line is torn as a whole" {
  begin_quietly
  converge
  local cut
  cut=$(($(wc -l <"$(transcript)") - 1))
  head -n "$cut" "$(transcript)" >"$SCRATCH/cut"
  cat "$SCRATCH/cut" >"$(transcript)"
  rm "$(control)/state.json"
  is_state RUNNING
  run agree
  [ "$status" -eq 0 ]
  is_state READY_FOR_APPROVAL
  [ "$(count_of "$BUBBLE" CONVERGENCE)" -eq 1 ]
  gapless
}

@test "verify --repair moves a torn tail aside by itself" {
  begin_quietly
  printf 'half a li' >>"$(transcript)"
  run pf bubble verify --id "$BUBBLE" --repair
  [ "$status" -eq 0 ]
  [ "$(cat "$(transcript)".torn-*)" = 'half a li' ]
  gapless
}

flip() { printf '#' | dd of="$(transcript)" bs=1 seek="$1" conv=notrunc status=none; } # OFFSET
start_of() { head -n $(($1 - 1)) "$(transcript)" | wc -c; }                          # LINE

@test "a flipped byte in the middle: exit 4 with file, line and byte, nothing changed" {
  begin_quietly
  implement "one"
  local line2 before command
  line2=$(start_of 2)
  flip "$line2"
  rm "$(control)/state.json"
  before=$(sha256sum <"$(transcript)")
  for command in "bubble verify" "bubble status" "bubble stop --yes" "bubble timeline"; do
    run pf $command --id "$BUBBLE"
    [ "$status" -eq 4 ]
    [[ $output == *"$(transcript): line 2, byte $line2: "* ]]
  done
  run as claude pass --summary "fine" --no-findings
  [ "$status" -eq 4 ]
  [ "$(sha256sum <"$(transcript)")" = "$before" ]
  [ ! -e "$(control)/state.json" ]
  run pf bubble list
  [ "$status" -eq 0 ]
  [[ $output == *"$BUBBLE"*DAMAGED* ]]
}

@test "a line that still reads well but is another: the next one's hash tells" {
  begin_quietly
  local line3
  line3=$(start_of 3)
  flip $(($(start_of 2) + 40))
  run pf bubble verify --id "$BUBBLE"
  [ "$status" -eq 4 ]
  [[ $output == *"$(transcript): line 3, byte $line3: "*hash* ]]
}

@test "verify finds a flipped byte behind an intact snapshot" {
  begin_quietly
  flip 0
  run pf bubble verify --id "$BUBBLE"
  [ "$status" -eq 4 ]
  [[ $output == *"line 1, byte 0"* ]]
}

@test "a retry with the same request id gets the same answer, once" {
  begin_quietly
  edit hello.txt "one"
  run as codex pass --summary "done" --request retry-1 --json
  [ "$status" -eq 0 ]
  local first=$output
  run as codex pass --summary "done" --request retry-1 --json
  [ "$status" -eq 0 ]
  [ "$(jq .messages <<<"$output")" = "$(jq .messages <<<"$first")" ]
  [ "$(jq .repeated <<<"$output")" = true ]
  [ "$(passes_of retry-1)" -eq 1 ]
  run as codex pass --summary "done" --request retry-2
  [ "$status" -eq 1 ]
  [ "$(count_of "$BUBBLE" PASS)" -eq 1 ]
}

# One pass of codex under strace's fault `how` at the Nth call of `syscall`, then its retry.
# Sets `fault` to the exit code of the first try.
pass_under() { # SYSCALL HOW N
  local id=$1-${2//[^A-Za-z]/}-$3
  edit hello.txt "$id"
  fault=0
  (cd "$WORKTREE" && PAIRFLOW_REPO=$REPO PAIRFLOW_BUBBLE=$BUBBLE PAIRFLOW_AGENT=codex \
    strace -f -o "$SCRATCH/strace" -e trace="$1" -e inject="$1:$2:when=$3" \
    "$PAIRFLOW" pass --summary "$id" --request "$id") >"$SCRATCH/said" 2>&1 || fault=$?
  there=$(passes_of "$id" 2>/dev/null) || true
  echo "$id: exit $fault, $there in the journal: $(tail -n 1 "$SCRATCH/said")"
}
settled_by_retry() { # SYSCALL HOW N
  local id=$1-${2//[^A-Za-z]/}-$3
  pf bubble verify --id "$BUBBLE" >"$SCRATCH/verified" || { cat "$SCRATCH/verified"; return 1; }
  as codex pass --summary "$id" --request "$id" || return 1
  [ "$(passes_of "$id")" -eq 1 ] || return 1
  as claude pass --summary "again" --finding "P1:Not yet"
}
# A call that met the fault; one that was killed in it has no result.
struck() { grep -q "(INJECTED)\|= ?$" "$SCRATCH/strace"; }
# Every call of SYSCALL in turn, until a pass gets through without meeting the fault.
sweep_calls() { # SYSCALL HOW CHECK
  local n
  for ((n = 1; n <= 12; n++)); do
    pass_under "$1" "$2" "$n"
    struck || { settled_by_retry "$1" "$2" "$n"; return; }
    "$3" || return 1
    settled_by_retry "$1" "$2" "$n" || return 1
  done
  echo "the sweep of $1 did not come to an end"
  return 1
}
anything_goes() { :; }
# Exit 0 says it is recorded, exit 3 that it is not.
no_lie() {
  case $fault in
    0) [ "$there" -eq 1 ] ;;
    3) [ "$there" -eq 0 ] ;;
    *) return 1 ;;
  esac
}

@test "killed before any write, sync or rename of a pass: verify holds, the retry ends with one PASS" {
  needs strace
  begin_quietly
  for syscall in pwrite64 fdatasync rename ftruncate sendto; do
    sweep_calls "$syscall" signal=KILL anything_goes
  done
  gapless
}

@test "git killed before any of its writes: the pass fails cleanly or is retried" {
  needs strace
  begin_quietly
  for syscall in write fsync; do
    sweep_calls "$syscall" signal=KILL anything_goes
  done
  gapless
}

@test "EIO at any write or sync of a pass: exit 0 means recorded, exit 3 means not" {
  needs strace
  begin_quietly
  for syscall in pwrite64 fdatasync; do
    sweep_calls "$syscall" error=EIO no_lie
  done
  gapless
}

@test "ENOSPC at any write or sync of a pass: exit 0 means recorded, exit 3 means not" {
  needs strace
  begin_quietly
  for syscall in pwrite64 fdatasync; do
    sweep_calls "$syscall" error=ENOSPC no_lie
  done
  gapless
}

@test "a disk that fails every sync puts the journal in doubt until verify --repair" {
  needs strace
  begin_quietly
  pass_under fdatasync error=EIO 1+
  [ "$fault" -eq 4 ]
  run pf bubble verify --id "$BUBBLE"
  [ "$status" -eq 4 ]
  [[ $output == *"verify --id $BUBBLE --repair"* ]]
  run as codex pass --summary "again"
  [ "$status" -eq 4 ]
  run pf bubble verify --id "$BUBBLE" --repair
  [ "$status" -eq 0 ]
  settled_by_retry fdatasync error=EIO 1+
  gapless
}

@test "a read-only control directory: exit 3, nothing changed" {
  begin_quietly
  edit hello.txt "one"
  read_only true 2>/dev/null || skip "no mounts of our own here"
  local before
  before=$(sha256sum <"$(transcript)")
  cd "$WORKTREE"
  run read_only env PAIRFLOW_REPO="$REPO" PAIRFLOW_BUBBLE="$BUBBLE" PAIRFLOW_AGENT=codex \
    "$PAIRFLOW" pass --summary one
  [ "$status" -eq 3 ]
  [[ $output == *"ead-only file system"* || $output == *"ermission denied"* ]]
  [[ $output == *"→"* ]]
  [ "$(sha256sum <"$(transcript)")" = "$before" ]
  as codex pass --summary one
}
