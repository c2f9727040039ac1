# Attacks as tables: one row is `who | class | name | without | command`. All commands of one agent
# run in one sandbox, started by the launch plan that pairflow wrote; each must fail. Then each runs
# again in the same sandbox with its defence taken out of the plan, and must succeed: so no row holds
# for another reason than the one it names. There is no switch for that in pairflow.
#
# `without` is what is taken out, several parted by spaces:
#   drop:PATH     the mount that lies on PATH last
#   open:PATH     PATH is mounted writable instead of read-only
#   word:--x      an option of bubblewrap (word:--seccomp with its value)
#   landlock      what keeps it from abstract sockets (and the filter)
#   environment   the choice of variables
#   all           the whole sandbox

load ../e2e/helpers

# A scratch repository outside of /tmp, so that what hides /tmp hides nothing else; OUTSIDE is a
# directory of the machine that no agent has to do with.
scratch_target() { # [LINE…]
  needs sandbox
  BATS_TMPDIR=/var/tmp scratch "$@"
  OUTSIDE=$(mktemp -d /var/tmp/pf-outside.XXXXXX)
  BEHIND_TMP=$(mktemp /tmp/pf-outside.XXXXXX)
}
sweep_target() {
  local code=$?
  sweep
  [ -z "${OUTSIDE:-}" ] || wait_for nothing_runs_outside
  rm -rf "${OUTSIDE:-}" "${BEHIND_TMP:-}"
  return $code
}

nothing_runs_outside() {
  local pids
  pids=$(running_in "$OUTSIDE")
  [ -z "$pids" ] || kill -9 $pids 2>/dev/null
  [ -z "$(running_in "$OUTSIDE")" ]
}

# The launch plan with the command of its agent replaced.
plan_for() { # PLAN SCRIPT [WITHOUT]
  jq --arg script "$2" --arg without "${3:-}" '
    def mounts: ["--ro-bind", "--ro-bind-try", "--bind", "--bind-try"];
    def last_mount($path): . as $argv | [range(0; length) | . as $i | select(
      (($argv[$i] | IN(mounts[])) and $argv[$i + 2] == $path) or
      ($argv[$i] == "--tmpfs" and $argv[$i + 1] == $path))] | last
      | if . == null then error("nothing is mounted on " + $path) else . end;
    def size_at($i): if .[$i] == "--tmpfs" then 2 else 3 end;
    def without($what):
      if $what | startswith("drop:") then
        (.argv | last_mount($what[5:])) as $i | .argv |= .[:$i] + .[$i + size_at($i):]
      elif $what | startswith("open:") then
        (.argv | last_mount($what[5:])) as $i | .argv[$i] = "--bind"
      elif $what == "word:--seccomp" then
        (.argv | index("--seccomp")) as $i | .argv |= .[:$i] + .[$i + 2:]
      elif $what | startswith("word:") then .argv -= [$what[5:]]
      elif $what == "landlock" then without("word:--seccomp") | .confined = false
      elif $what == "environment" then .keep = ["*"]
      elif $what == "all" then .argv |= .[index("--"):] | .confined = false
      else error("what is " + $what + "?") end;
    .argv |= .[:index("--") + 1]
    | reduce ($without | splits(" +") | select(. != "")) as $what (.; without($what))
    | .argv = (if .argv[0] == "--" then [] else .argv end) + ["/bin/sh", $script]' "$1"
}

# Runs a script as that agent would; what it prints.
inside() { # PLAN SCRIPT [WITHOUT]
  plan_for "$@" >"$SCRATCH/attack.launch" &&
    (cd "$OUTSIDE" && SECRET_TOKEN=x SSH_AUTH_SOCK=$OUTSIDE/agent timeout 60 "$PAIRFLOW" enter \
      --plan "$SCRATCH/attack.launch")
}

# The rows of a table as scripts in DIRECTORY, which the agents see, and a list of them.
write_scripts() { # DIRECTORY <TABLE
  local who class name without command
  mkdir -p "$1"
  while IFS='|' read -r who class name without command; do
    [[ "$who" =~ ^[[:space:]]*(#|$) ]] && continue
    read -r who <<<"$who" && read -r class <<<"$class" && read -r name <<<"$name"
    read -r without <<<"$without"
    printf '(%s\n) >/dev/null 2>&1 </dev/null && echo "CAN %s" || echo "CANNOT %s"\n' \
      "$command" "$name" "$name" >"$1/$name.sh"
    printf '. %q\n' "$1/$name.sh" >>"$1/all-$who.sh"
    printf '%s\t%s\t%s\t%s\n' "$who" "$class" "$name" "$without" >>"$1/rows"
  done
}

# Every row fails where its agent runs, and succeeds without its defence. PLAN_<who> names the plans.
all_held() { # DIRECTORY
  local who class name without plan out wrong=0
  for who in $(cut -f 1 "$1/rows" | sort -u); do
    plan=PLAN_$who
    inside "${!plan}" "$1/all-$who.sh" >>"$SCRATCH/held" 2>>"$SCRATCH/held.err" || true
  done
  while IFS=$'\t' read -r who class name without; do
    plan=PLAN_$who
    grep -qxF "CANNOT $name" "$SCRATCH/held" || { echo "not held: $class: $name"; wrong=1; }
    out=$(inside "${!plan}" "$1/$name.sh" "$without" 2>&1) || true
    [ "$out" = "CAN $name" ] || { echo "held without its defence ($without): $class: $name: $out"; wrong=1; }
  done <"$1/rows"
  if [ "$wrong" -eq 0 ]; then echo "# $(wc -l <"$1/rows") attacks held" >&3; else cat "$SCRATCH/held.err"; fi
  return $wrong
}

# A human's command, by every way to look like no agent. It is run in the background where nobody is
# its parent; a file says how it ended.
as_nobody() { # WORD…
  echo "f=\$(mktemp) && setsid -f env -i PATH=$PATH HOME=$HOME sh -c 'sleep 0.2; $PAIRFLOW $* --repo $REPO; echo \$? >'\$f; until test -s \$f; do sleep 0.02; done; grep -qx 0 \$f"
}
