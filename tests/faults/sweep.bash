# The kill sweep. A verb is run once to count the calls of it, and of the pairflow and git that it
# starts, which change something. Then, from the same beginning each time, it is run and killed
# right before one of them, and the same verb is given again: it ends with code 0, and the journal
# tells the same story as that of the run that nobody killed. POINTS is how many of the calls are
# tried for each verb, evenly spread; "all" of them unless told.

KILL_AT=${KILL_AT:-$(dirname "$PAIRFLOW")/tests/kill_at}
POINTS=${POINTS:-all}

# A test says what the verb is, what is done before it each time, how its journal reads, when it is
# over, and what else must be so.
arrange() { :; }
over() { :; }
sound() { :; }
# A git that was killed may be told as a failure, with the command that goes on: whether it was,
# that command, and how it all ends then.
told_of_failure() { false; }
lead_on() { false; }
ending() { :; }

# What a sweep begins from: nothing runs.
keep() {
  wait_for nothing_runs
  rm -rf "$SCRATCH.kept"
  cp -a "$SCRATCH" "$SCRATCH.kept"
}
begin_again() {
  wait_for nothing_runs
  rm -rf "$SCRATCH"
  cp -a "$SCRATCH.kept" "$SCRATCH"
  arrange >"$SCRATCH.arranged" 2>&1 3>&- || { cat "$SCRATCH.arranged"; return 1; }
}
sweep_kept() {
  sweep
  [ -z "${SCRATCH:-}" ] || rm -rf "$SCRATCH".*
}

struck() { # N: the verb, whose Nth change is never made
  printf '#!/bin/sh\nexec "%s" %s "%s" "%s" "$@"\n' "$KILL_AT" "$1" "$SCRATCH.point" "$PAIRFLOW" >"$SCRATCH.killer"
  chmod +x "$SCRATCH.killer"
  PAIRFLOW=$SCRATCH.killer verb >"$SCRATCH.said" 2>&1 3>&-
}
tells() { [ "$(story 2>/dev/null)" = "$1" ]; } # STORY

named_lock() { sed -n "s/.*Unable to create '\([^']*\.lock\)': File exists.*/\1/p" "$SCRATCH.again" | head -n 1; }

# One point; says what is wrong.
survived() { # N STORY ENDING
  begin_again
  struck "$1" || true
  local code=0 lock
  verb >"$SCRATCH.again" 2>&1 3>&- || code=$?
  # Locks of a git that was killed: removed as the message says.
  while lock=$(named_lock) && [ -n "$lock" ]; do
    rm "$lock" || { echo "no way on: $(cat "$SCRATCH.again")"; return 1; }
    locks=$((locks + 1)) code=0
    verb >"$SCRATCH.again" 2>&1 3>&- || code=$?
  done
  if told_of_failure; then
    lead_on >"$SCRATCH.led" 2>&1 3>&- || { echo "not led on: $(cat "$SCRATCH.led")"; return 1; }
    failures=$((failures + 1))
    [ "$(ending)" = "$3" ] && sound && return
    echo "led on, it ends otherwise: $(ending); $(cat "$SCRATCH.again" "$SCRATCH.led")"
    return 1
  fi
  [ "$code" -eq 0 ] || { echo "the retry ended with $code: $(cat "$SCRATCH.again")"; return 1; }
  wait_for tells "$2" || { diff <(echo "$2") <(story); return 1; }
  sound
}

kills_of() { # NAME
  local points n expected end tried=0 step=1 failures=0 locks=0
  begin_again
  struck 0 && ! grep -q 'warning:' "$SCRATCH.said" || { cat "$SCRATCH.said"; return 1; }
  points=$(head -n 1 "$SCRATCH.point")
  wait_for over
  expected=$(story) end=$(ending)
  sound
  [ "$POINTS" = all ] || step=$(((points + POINTS - 1) / POINTS))
  # Sparse sweeps begin in the middle of their first step, where most is under way.
  for ((n = (step + 1) / 2; n <= points; n += step)); do
    survived "$n" "$expected" "$end" ||
      { echo "$1, killed at change $n of $points: $(tail -n 1 "$SCRATCH.point")"; return 1; }
    tried=$((tried + 1))
  done
  [ "$tried" -gt 0 ]
  echo "# $1: $points points, $tried tried; $failures told as a failure of git, $locks locks of git's were left" >&3
}
