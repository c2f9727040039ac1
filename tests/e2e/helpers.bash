# What every e2e test stands on: a scratch repository with two agents that are plain `cat`, a tmux
# server of its own, and the real binary. `load helpers`, then `scratch` in setup, `sweep` in
# teardown; tests run in parallel and in any order.

bats_require_minimum_version 1.5.0

PAIRFLOW=${PAIRFLOW:-$BATS_TEST_DIRNAME/../../build/dev/pairflow}
BUBBLE=fix-login

# A scratch directory with repository, home and configuration; arguments are lines of
# .pairflow/config.toml. Sets SCRATCH, REPO, WORKTREE, SOCKET.
scratch() { # [LINE…]
  SCRATCH=$(mktemp -d "${BATS_TMPDIR:-/tmp}/pf.XXXXXX")
  REPO=$SCRATCH/repo
  WORKTREE=$SCRATCH/.pairflow-worktrees/repo/$BUBBLE
  SOCKET=$SCRATCH/tmux.sock
  exec </dev/null
  unset "${!PAIRFLOW_@}" "${!GIT_@}" TMUX TMUX_PANE XDG_CONFIG_HOME XDG_RUNTIME_DIR
  export HOME=$SCRATCH/home LC_ALL=C.UTF-8 GIT_CONFIG_NOSYSTEM=1
  mkdir "$HOME" "$REPO"
  git_repo "$REPO"
  mkdir "$REPO/.pairflow"
  config_file "$@" >"$REPO/.pairflow/config.toml"
}

# No agent is confined from here on: the reviewer looks at the writer's own directory.
unconfined() { printf '\n[sandbox]\nmode = "off"\n' >>"$REPO/.pairflow/config.toml"; }

# From now on pairflow finds a bubblewrap that cannot start; skips where none can be covered.
without_sandbox() {
  [ "$(id -u)" -eq 0 ] && [ -e /usr/bin/bwrap ] || skip "needs root, and a bubblewrap to be covered"
  printf '#!/bin/sh\necho "not here" >&2\nexit 1\n' >"$SCRATCH/bwrap"
  printf '#!/bin/sh\nexec unshare -m sh -c %s sh "$@"\n' \
    "'mount --bind $SCRATCH/bwrap /usr/bin/bwrap && exec $PAIRFLOW \"\$@\"'" >"$SCRATCH/pairflow"
  chmod +x "$SCRATCH/bwrap" "$SCRATCH/pairflow"
  PAIRFLOW=$SCRATCH/pairflow
}

git_repo() { # DIRECTORY: main with one commit and a local identity
  git init -q -b main "$1"
  git -C "$1" config user.name Dev
  git -C "$1" config user.email dev@example.org
  echo hello >"$1/hello.txt"
  git -C "$1" add hello.txt
  git -C "$1" commit -qm "first"
}

config_file() { # [LINE…]: top-level keys first, then tables
  printf '%s\n' 'watchdog_timeout_minutes = 600' "$@"
  cat <<TOML

[agents.codex]
kind = "custom"
command = ["cat"]

[agents.claude]
kind = "custom"
command = ["cat"]

[tmux]
socket = "$SOCKET"
TOML
}

# Ends all that runs for this scratch directory, then removes it; safe to call when setup failed.
sweep() {
  [ -n "${SCRATCH:-}" ] && [ -d "$SCRATCH" ] || return 0
  cd /
  [ -n "${BATS_TEST_COMPLETED:-}" ] || what_was_left
  wait_for nothing_runs
  rm -rf "$SCRATCH"
}

# Of a test that failed: where each bubble stood, and what its supervisor had to say.
what_was_left() {
  local bubble
  for bubble in "$REPO"/.pairflow/bubbles/*/; do
    bubble=$(basename "$bubble")
    printf '\n--- %s\n' "$bubble"
    pf bubble timeline --id "$bubble" | tail -n 6
    pf bubble status --id "$bubble" --json | jq -c '[.state, .supervised, .troubles, .agents]'
    tail -n 5 "$REPO/.pairflow/runtime/$bubble.log"
  done
} 2>&1

nothing_runs() {
  tmx kill-server 2>/dev/null
  local pids
  pids=$(running_in "$SCRATCH")
  [ -z "$pids" ] || kill -9 $pids 2>/dev/null
  [ -z "$(running_in "$SCRATCH")" ]
}

# The repository as it was saved; what was begun in it since has ended, also what a killed command
# left behind.
put_back() { # SAVED
  wait_for nothing_runs
  wait_for rm -rf "$REPO"
  cp -a "$1" "$REPO"
}

# Process ids of the supervisors, agents and commands at work below DIRECTORY.
running_in() {
  find /proc/[0-9]*/cwd -maxdepth 0 \( -lname "$1" -o -lname "$1/*" \) 2>/dev/null | cut -d / -f 3
}

# Whether a process that works in the repository has this in its command line.
runs_in_repo() { # TEXT
  local pid
  for pid in $(running_in "$REPO"); do tr '\0' ' ' <"/proc/$pid/cmdline"; done 2>/dev/null | grep -qF -- "$1"
}

# Polls a condition every 50 ms for a generous minute; the only place that sleeps.
wait_for() {
  local end=$((SECONDS + 60))
  until "$@"; do
    if [ "$SECONDS" -ge "$end" ]; then
      echo "waited in vain for: $*" >&2
      return 1
    fi
    sleep 0.05
  done
}

# Skips the test, with the reason, where this machine cannot do what it needs.
needs() { # sandbox | strace | clock
  local why
  case $1 in
    sandbox) why=$(sandboxed true 2>&1) ;;
    strace) why=$(strace -qq -f -o /dev/null true 2>&1) ;;
    clock) why=$(unshare --time --monotonic 1 true 2>&1) ;; # one of its own, in a time namespace
  esac || skip "needs $1: ${why%%[,$'\n']*}"
}
sandboxed() { bwrap --ro-bind / / --dev /dev --proc /proc --unshare-pid --die-with-parent -- "$@"; } # COMMAND…

# pairflow as the human, in the repository (or in the directory HERE).
pf() { (cd "${HERE:-$REPO}" && "$PAIRFLOW" "$@"); }

# pairflow as an agent of $BUBBLE, as in its pane: `as codex pass --summary done`. A reviewer waits
# until it has the tree before it, as one that is told does.
as() {
  local agent=$1
  shift
  [[ ${1:-} != @(pass|converged) ]] || wait_for is_shown "$agent"
  (cd "$WORKTREE" && PAIRFLOW_REPO=$REPO PAIRFLOW_BUBBLE=$BUBBLE PAIRFLOW_AGENT=$agent \
    "$PAIRFLOW" "$@")
}

# Unless the agent is to review and has not got the tree before it yet.
is_shown() { # AGENT
  local kept=$REPO/.pairflow/bubbles/$BUBBLE tree
  tree=$(jq -r --arg agent "$1" 'if .state != "RUNNING" or .active_role != "reviewer" or
    .active_agent != $agent then "" else .target as $target | .agents[] | select(.name == $agent) |
    if .enforcement == "sandbox" and .launched != .wanted then "its process is due"
    elif .apart then $target else "" end end' "$kept/state.json" 2>/dev/null)
  [ -z "$tree" ] || [ "$(cut -d ' ' -f 1 "$kept/review.tree" 2>/dev/null)" = "$tree" ]
}

tmx() { tmux -S "$SOCKET" "$@"; }

state() { field "${1:-$BUBBLE}" .state; }                       # [ID]
field() { pf bubble status --id "$1" --json | jq -r "$2"; }     # ID .json.path
is_state() { [ "$(state "${2:-$BUBBLE}")" = "$1" ]; }           # STATE [ID]
# Whether status names this trouble.
reported() { field "$BUBBLE" '.troubles | join(" ")' | grep -qF -- "$1"; } # TEXT
transcript() { echo "$REPO/.pairflow/bubbles/${1:-$BUBBLE}/transcript.ndjson"; }
lines_of() { jq -c "select(.type == \"$2\")" "$(transcript "$1")"; } # ID TYPE
recorded() { jq -se "any(.[]; $1)" "$(transcript)" >/dev/null; } # JQ-CONDITION on one line
count_of() { lines_of "$@" | wc -l; }                           # ID TYPE

# The transcript's types in order on one line. Launches are left out: when an agent's process
# comes up and takes its prompt is not part of the protocol's order.
types() {
  jq -r 'select(.payload.event | IN("launched", "prompt_taken") | not) | .type' \
    "$(transcript "${1:-$BUBBLE}")" | paste -sd ' '
}

# All of the status that a refusal must not change (a refused command is still a sign of life).
standing() {
  pf bubble status --id "${1:-$BUBBLE}" --json |
    jq -S 'del(.last_seq, .last_command_at, .supervised, .troubles, .agents)'
}

# The pane of an agent (or of "status"): its id, its process, its text with wrapped lines joined.
pane_id() { tmx list-panes -a -F '#{@pf_holder} #{pane_id}' | sed -n "s/^$1 //p"; }
pane_pid() { tmx list-panes -a -F '#{@pf_holder} #{pane_pid}' | sed -n "s/^$1 //p"; }
pane() { tmx capture-pane -p -J -S - -t "$(pane_id "$1")" | grep -v '^$'; }
pane_has() { pane "$1" 2>/dev/null | grep -qF -- "$2"; }
pane_lacks() { [ -n "$(pane_id "$1")" ] && ! pane_has "$@"; }

# Something the agents do.
edit() { # FILE TEXT: a file in the worktree
  mkdir -p "$(dirname "$WORKTREE/$1")"
  printf '%s\n' "$2" >"$WORKTREE/$1"
}

create() {
  pf bubble create --id "$BUBBLE" --base main --task "Say more." --no-tests "only a test" "$@"
}
begin() { create "$@" && pf bubble start --id "$BUBBLE"; }
implement() { edit hello.txt "$1" && as codex pass --summary "wrote: $1"; } # TEXT
# A whole approval package; the argument is the commit message.
package() { # [MESSAGE]
  cat <<TEXT
# What changed
The greeting.
# Why
The task said so.
# Tradeoffs and residual risks
None that we know of.
# Manual test plan
Read hello.txt.
# Suggested commit message
${1:-Say more.}
TEXT
}
is_checked() { [ "$(field "$BUBBLE" .evidence)" != running ]; } # also from an empty checkout
agree() { # [MESSAGE]
  wait_for is_checked && package "$@" | as codex converged --summary "I agree" --package -
}
# From nothing to APPROVED_FOR_COMMIT, and on to DONE.
approved() { # [TEXT]
  begin && converge "$@" && pf bubble approve --id "$BUBBLE" --yes
}
finished() { approved "$@" && pf bubble commit --id "$BUBBLE"; } # [TEXT]
# From the first turn to READY_FOR_APPROVAL.
converge() {
  implement "${1:-hello, world}" &&
    as claude pass --summary "nothing to say" --no-findings && agree
}

# A command for which the control directory is read-only: as root by a mount, otherwise by the mode.
read_only() { # COMMAND…
  if [ "$(id -u)" -eq 0 ]; then
    unshare -m sh -c 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"' \
      "$REPO/.pairflow" "$@"
  else
    chmod -R a-w "$REPO/.pairflow"
    local code=0
    "$@" || code=$?
    chmod -R u+w "$REPO/.pairflow"
    return "$code"
  fi
}
