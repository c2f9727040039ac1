#!/usr/bin/env bats
# One verify and repair for a bubble, a plan and the roles: what is found, what is refused, and that
# nothing is touched by either.

load helpers

setup() {
  scratch
  CONTROL=$REPO/.pairflow
  cat >>"$CONTROL/config.toml" <<'TOML'

[agents.alice]
kind = "custom"
headless = ["sh", "-c", "exit 1"]

[plan]
coder = "alice"
reviewer = "alice"
TOML
  mkdir -p "$REPO/docs/login"
  printf -- '---\nactive_step: 1\n---\n# Login\n\n## Step 1: Begin\n' >"$REPO/docs/login/plan.md"
  printf '# Roadmap\n\n- [ ] F001: Log in\n' >"$REPO/docs/ROADMAP.md"
  git -C "$REPO" add docs
  git -C "$REPO" commit -qm "Plan the login"
}
teardown() { sweep; }

supervised() { [ "$(field "$BUBBLE" .supervised)" = true ]; }
no_supervisor() {
  kill_supervisor
  flock -n "$CONTROL/locks/$BUBBLE.run.lock" true
}
no_status_pane() { ! pgrep -f -- "--watch --repo $REPO" >/dev/null; }
# It is stopped first: it would record that its session is gone, and might be killed in the middle.
# A status pane that is not gone yet would start another one.
kill_supervisor() {
  local pid pids=()
  for pid in $(running_in "$SCRATCH"); do
    if tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -qF " supervise "; then pids+=("$pid"); fi
  done
  [ ${#pids[@]} -eq 0 ] || kill -STOP "${pids[@]}"
  tmx kill-server 2>/dev/null || true
  wait_for no_status_pane
  [ ${#pids[@]} -eq 0 ] || kill -9 "${pids[@]}"
}
# A loop of each kind, with some lines and nothing that drives it.
three_loops() {
  begin
  wait_for supervised # one that still begins is not seen by the next line
  wait_for no_supervisor
  pf plan run login --plain --no-wait >/dev/null 2>&1 || true
  pf plan release login >/dev/null # the roles work in the same checkout
  pf role init >/dev/null
  pf role autopilot off >/dev/null
  pf role start >/dev/null
}
# Says where the loop is: JOURNAL, and how it is named in WHICH.
of() { # bubble | plan | roles
  case $1 in
    bubble) JOURNAL=$(transcript) WHICH=(--id "$BUBBLE") LEASE=$CONTROL/locks/$BUBBLE.run.lock ;;
    plan) JOURNAL=$CONTROL/plans/login/events.ndjson WHICH=(--plan login) LEASE=$CONTROL/locks/plan.login.run.lock ;;
    roles) JOURNAL=$CONTROL/role/events.ndjson WHICH=(--roles) LEASE=$CONTROL/locks/role.loop.run.lock ;;
  esac
}
# Every byte and name below the control directory.
tree() { (cd "$CONTROL" && find . -printf '%p %m\n' | sort && find . -type f -print0 | sort -z | xargs -0 sha256sum) | sha256sum; }
# Fails, with this exit code and text, and touches nothing.
refuses() { # CODE PATTERN OPTION…
  local code=$1 pattern=$2 before
  shift 2
  before=$(tree)
  run -"$code" pf verify "$@"
  [[ $output == *$pattern* ]] || { echo "no '$pattern' in: $output"; return 1; }
  [ "$(tree)" = "$before" ]
}

@test "all is well: each loop, all of them, as text and as JSON, and nothing is written" {
  three_loops
  local before loop
  before=$(tree)
  for loop in bubble plan roles; do
    of "$loop"
    [ "$(wc -l <"$JOURNAL")" -ge 3 ]
    run -0 pf verify "${WHICH[@]}" --repair
    [[ $output == *"$(wc -l <"$JOURNAL") lines, seq 1 to "*"every hash fits"* ]]
    [[ $output != *witness* ]]
    [ "$(pf verify "${WHICH[@]}" --json | jq -r '.loops[0] | "\(.loop) \(.witnessed) \(.torn_bytes)"')" = "$loop true 0" ]
  done
  run -0 pf verify --all --repair
  [[ $output == *"bubble $BUBBLE: "*"plan login: "*"roles: "* ]]
  [ "$(pf verify --all --json | jq -r '.ok, (.loops | map(.loop) | join(" "))' | paste -sd ' ')" = "true bubble plan roles" ]
  [ "$(pf bubble verify --id "$BUBBLE" --json | jq -r .id)" = "$BUBBLE" ]
  [ "$(tree)" = "$before" ]
}

@test "a torn tail: told, moved aside by --repair, and the second run finds nothing" {
  three_loops
  local loop whole before
  for loop in bubble plan roles; do
    of "$loop"
    whole=$(sha256sum <"$JOURNAL")
    printf 'half a li' >>"$JOURNAL"
    before=$(tree)
    run -0 pf verify "${WHICH[@]}"
    [[ $output == *"9 bytes at the end are an unfinished write"* ]]
    [ "$(tree)" = "$before" ]
    run -0 pf verify "${WHICH[@]}" --repair
    [[ $output == *"a torn tail of 9 bytes was moved to $JOURNAL.torn-"* ]]
    [ "$(cat "$JOURNAL".torn-*)" = 'half a li' ]
    [ "$(sha256sum <"$JOURNAL")" = "$whole" ]
    before=$(tree)
    run -0 pf verify "${WHICH[@]}" --repair
    [[ $output != *torn* && $output != *bytes* ]]
    [ "$(tree)" = "$before" ]
  done
}

@test "in doubt: every command names the repair, which settles it and loses nothing" {
  three_loops
  local loop whole
  for loop in bubble plan roles; do
    of "$loop"
    whole=$(sha256sum <"$JOURNAL")
    touch "$JOURNAL.in-doubt"
    refuses 4 "journal in doubt" "${WHICH[@]}"
    [[ $output == *"verify ${WHICH[*]} --repair"* ]]
    case $loop in
      bubble) run -4 pf bubble status --id "$BUBBLE" ;;
      plan) run -4 pf plan status login ;;
      roles) run -4 pf role status ;;
    esac
    [[ $output == *"run: pairflow "*"verify ${WHICH[*]} --repair"* ]]
    run -0 pf verify "${WHICH[@]}" --repair
    [[ $output == *"was in doubt and is settled"* ]]
    [ "$(sha256sum <"$JOURNAL")" = "$whole" ]
    run -0 pf verify "${WHICH[@]}" --repair
    [[ $output != *doubt* ]]
  done
  [ "$(pf plan status login --json | jq -r .feature)" = login ]
  is_state RUNNING
  pf role status
}

@test "a plan in doubt is settled, not given up, unless that is asked for" {
  three_loops
  of plan
  touch "$JOURNAL.in-doubt"
  run -4 pf plan resume login --plain --no-wait
  [[ $output == *"run: pairflow verify --plan login --repair"* ]]
  [[ $output != *from-frontmatter* ]]
  run -1 pf plan resume login --plain --no-wait --from-frontmatter
  [[ $output == *"work in this checkout"*"pairflow role release"* ]]
  [ -f "$JOURNAL" ]
  pf role release
  run pf plan resume login --plain --no-wait --from-frontmatter
  [ "$status" -ne 4 ]
  [ -f "$CONTROL/plans/login/events.damaged-1.ndjson" ]
  pf verify --plan login
}

damages() {
  cat <<'END'
doubled      sed -i '2p' "$JOURNAL"                     line 3, byte *has seq 2 where 3 belongs
missing-line sed -i '2d' "$JOURNAL"                     line 2, byte *has seq 3 where 2 belongs
no-text      sed -i '2s/"type"/"ty\xffpe"/' "$JOURNAL"  line 2, byte *not valid JSON
zeros        sed -i '2s/"type"/"ty\x00pe"/' "$JOURNAL"  line 2, byte *not valid JSON
last-changed sed -i '$s/"clock":"./"clock":"x/' "$JOURNAL" *other bytes than those recorded
last-lost    sed -i '$d' "$JOURNAL"                     *, which was recorded
emptied      truncate -s 0 "$JOURNAL"                   line 1, byte 0: the journal ends before line
gone         rm "$JOURNAL"                              line 1, byte 0: the file is missing
END
}

@test "each kind of damage is named without the help of state.json; --repair leaves it alone" {
  three_loops
  local loop line name rest command pattern kinds
  mapfile -t kinds < <(damages)
  for loop in bubble plan roles; do
    of "$loop"
    rm -f "$(dirname "$JOURNAL")/state.json"
    cp "$JOURNAL" "$SCRATCH/whole"
    for line in "${kinds[@]}"; do
      read -r name rest <<<"$line"
      command=${rest%%\"\$JOURNAL\"*}'"$JOURNAL"'
      pattern=$(sed 's/^ *//' <<<"${rest#*\"\$JOURNAL\"}")
      echo "$loop $name"
      (eval "$command")
      refuses 4 "$JOURNAL: $pattern" "${WHICH[@]}"
      [[ $output == *"→ restore the file from a backup"* ]]
      refuses 4 "$JOURNAL: $pattern" "${WHICH[@]}" --repair
      [ "$(pf verify "${WHICH[@]}" --json | jq .exit)" -eq 4 ]
      cp "$SCRATCH/whole" "$JOURNAL"
      pf verify "${WHICH[@]}"
    done
  done
}

@test "a changed last line, without state.json: no command reads or writes past it" {
  three_loops
  local loop whole before look change
  for loop in bubble plan roles; do
    of "$loop"
    case $loop in
      bubble) look=(bubble status --id "$BUBBLE") change=(bubble replan --id "$BUBBLE" --task "Another one.") ;;
      plan) look=(plan status login) change=(plan resume login --plain --no-wait) ;;
      roles) look=(role status) change=(role autopilot review_only) ;;
    esac
    whole=$(cat "$JOURNAL")
    rm -f "$(dirname "$JOURNAL")/state.json"
    sed -i '$s/"clock":"./"clock":"x/' "$JOURNAL"
    before=$(tree)
    run -4 pf "${look[@]}"
    [[ $output == *"$JOURNAL: line "*": other bytes than those recorded"* ]]
    run -4 pf "${change[@]}"
    [[ $output == *"other bytes than those recorded"* ]]
    [ "$(tree)" = "$before" ]
    printf '%s\n' "$whole" >"$JOURNAL"
    pf "${look[@]}"
  done
}

@test "no witness of the last line: said, and a changed one is then believed" {
  three_loops
  local loop
  for loop in bubble plan roles; do
    of "$loop"
    rm -f "$(dirname "$JOURNAL")/state.json" "${LEASE/.run/}"
    run -0 pf verify "${WHICH[@]}"
    [[ $output == *"no witness of the last line"* ]]
    [ "$(pf verify "${WHICH[@]}" --json | jq '.loops[0].witnessed')" = false ]
  done
}

@test "one damaged loop hides no other: exit 4, all are listed" {
  three_loops
  local loop
  for loop in bubble plan roles; do
    of "$loop"
    cp "$JOURNAL" "$SCRATCH/whole"
    sed -i '2d' "$JOURNAL"
    run -4 pf verify --all
    [ "$(grep -c DAMAGED <<<"$output")" -eq 1 ]
    [ "$(grep -c "every hash fits" <<<"$output")" -eq 2 ]
    [ "$(pf verify --all --json | jq -r '.loops[] | select(.error) | .loop')" = "$loop" ]
    cp "$SCRATCH/whole" "$JOURNAL"
  done
  of plan
  printf torn >>"$JOURNAL"
  run -0 pf verify --all --repair
  [[ $output == *"plan login: a torn tail of 4 bytes was moved to"* ]]
}

@test "under a live lease --repair is refused and touches nothing" {
  three_loops
  local loop holder
  for loop in bubble plan roles; do
    of "$loop"
    printf torn >>"$JOURNAL"
    flock --no-fork "$LEASE" sh -c 'echo held; exec sleep 600' >"$SCRATCH/held" 3>&- &
    holder=$!
    wait_for grep -q held "$SCRATCH/held"
    refuses 1 "is being driven" "${WHICH[@]}" --repair
    [[ $output == *"then run: pairflow "*"verify ${WHICH[*]} --repair"* ]]
    refuses 1 "is being driven" --all --repair
    kill "$holder"
    wait "$holder" 2>/dev/null || true
    rm "$SCRATCH/held"
    pf verify "${WHICH[@]}" --repair
  done
}

@test "a real supervisor's lease counts" {
  begin
  of bubble
  kill -STOP "$(jq -r .pid "$CONTROL/runtime/$BUBBLE.json")"
  printf torn >>"$JOURNAL"
  refuses 1 "by process $(jq -r .pid "$CONTROL/runtime/$BUBBLE.json")" --id "$BUBBLE" --repair
}

@test "on a read-only disk --repair is refused, says so and touches nothing" {
  three_loops
  read_only true 2>/dev/null || skip "no mounts of our own here"
  local loop before
  for loop in bubble plan roles; do
    of "$loop"
    printf torn >>"$JOURNAL"
    before=$(tree)
    cd "$REPO"
    run -3 read_only "$PAIRFLOW" verify "${WHICH[@]}" --repair
    [[ $output == *"ead-only file system"*"→"* || $output == *"ermission denied"*"→"* ]]
    run -0 read_only "$PAIRFLOW" verify "${WHICH[@]}"
    [ "$(tree)" = "$before" ]
  done
}

@test "a newer format: --repair is refused and touches nothing" {
  three_loops
  local loop state
  for loop in bubble plan roles; do
    of "$loop"
    state=$(dirname "$JOURNAL")/state.json
    printf torn >>"$JOURNAL"
    cp "$state" "$SCRATCH/state"
    printf '{"format":2}\n' >"$state"
    refuses 4 "has format 2" "${WHICH[@]}" --repair
    [[ $output == *"use the pairflow that wrote it"* ]]
    cp "$SCRATCH/state" "$state"
    pf verify "${WHICH[@]}" --repair
    # An event that only a newer program knows.
    tail -n 1 "$JOURNAL" | jq -c --arg prev "$(pf verify "${WHICH[@]}" --json | jq -r '.loops[0].head')" \
      '.type = "HOLOGRAM" | .seq += 1 | .left = 0 | .prev = $prev' >>"$JOURNAL"
    printf torn >>"$JOURNAL"
    refuses 4 HOLOGRAM "${WHICH[@]}" --repair
  done
}

@test "which loop: named, nearest, none, several, nowhere" {
  three_loops
  refuses 1 "did you mean '$BUBBLE'?" --id "${BUBBLE}x"
  refuses 1 "did you mean 'login'?" --plan loginn --repair
  refuses 2 "add --id <bubble>, --plan <feature>, --roles or --all"
  refuses 2 "more than one is named" --roles --all
  refuses 2 "no feature's name" --plan ../x
  mv "$CONTROL/role" "$SCRATCH/aside"
  refuses 1 "pairflow role init" --roles
  mkdir "$SCRATCH/elsewhere"
  HERE=$SCRATCH/elsewhere run -1 pf verify --all
  [[ $output == *repository* ]]
  git_repo "$SCRATCH/elsewhere"
  HERE=$SCRATCH/elsewhere run -0 pf verify --all --repair
  [[ $output == *"no loops here yet"* ]]
  [ ! -e "$SCRATCH/elsewhere/.pairflow" ]
}

@test "an agent may verify; --repair is the human's" {
  three_loops
  of bubble
  printf torn >>"$JOURNAL"
  local before
  before=$(tree)
  as codex verify
  for verb in "verify" "verify --all" "bubble verify"; do
    run -1 as codex $verb --repair
    [[ $output == *"the human's"* ]]
  done
  [ "$(tree)" = "$before" ]
}

@test "lines that were recorded and are lost are told by the next command" {
  three_loops
  of bubble
  sed -i '$d' "$JOURNAL"
  rm "$CONTROL/bubbles/$BUBBLE/state.json"
  run -0 pf bubble stop --id "$BUBBLE" --yes
  [[ $output == *"warning: $JOURNAL: line "*", which was recorded"* ]]
}
