# `pairflow demo`: a bubble with two scripted agents, from nothing to a commit, and nothing left.
load helpers

setup() {
  scratch
  mkdir "$SCRATCH/tmp"
}
teardown() { sweep; }

# TMUX_TMPDIR keeps its tmux server apart and marks every process it starts.
demo() { (cd "$SCRATCH" && TMPDIR=$SCRATCH/tmp TMUX_TMPDIR=$SCRATCH/tmp "$PAIRFLOW" demo "$@"); }

started_by_demo() { grep -lsF "TMUX_TMPDIR=$SCRATCH/tmp" /proc/[0-9]*/environ; }
all_ended() { [ -z "$(started_by_demo)" ]; }

@test "demo ends with DONE and a commit, and leaves nothing behind" {
  run -0 demo
  local end='^DONE: commit [0-9a-f]{40} holds exactly the approved tree [0-9a-f]{40}$'
  [[ "${lines[-1]}" =~ $end ]]
  [[ "$output" == *"P1"* ]]
  if sandboxed true 2>/dev/null; then
    [[ "$output" != *advisory* ]]
  else
    [[ "$output" == *"No sandbox here"*advisory* ]]
  fi
  wait_for all_ended
  # tmux keeps a directory for sockets; nothing is in it.
  [ -z "$(find "$SCRATCH/tmp" -mindepth 1 -not -type d)" ]
  [ -z "$(find "$SCRATCH/tmp" -name 'pairflow-demo-*')" ]
}

@test "demo --keep keeps it: a P1, a fix, two clean reviews of one tree by two agents" {
  run -0 demo --keep "$SCRATCH/kept"
  wait_for all_ended
  REPO=$SCRATCH/kept/greetings BUBBLE=greet
  is_state DONE
  pf bubble verify --id greet
  reviews=$(jq -c 'select(.type == "PASS" or .type == "CONVERGENCE") |
    [.sender, .payload.verdict // .type, .payload.tree]' "$(transcript)" | grep -v PASS)
  first=$(jq -r 'select(.[1] == "blocking") | .[2]' <<<"$reviews")
  clean=$(jq -r 'select(.[1] == "clean") | .[2]' <<<"$reviews")
  [ -n "$first" ] && [ "$first" != "$clean" ]
  [ "$(jq -r 'select(.[1] == "CONVERGENCE") | .[2]' <<<"$reviews")" = "$clean" ]
  [ "$(jq -r 'select(.[1] != "blocking") | .[0]' <<<"$reviews" | sort -u | wc -l)" -eq 2 ]
  [ "$(field greet '[.findings[] | select(.severity == "P1") | .status] | unique | join(" ")')" = resolved ]
  [ "$(lines_of greet EVIDENCE | tail -n 1 | jq -r .payload.status)" = green ]
  [ "$(git -C "$REPO" rev-parse 'bubble/greet^{tree}')" = "$clean" ]
  [ "$(field greet .approved_tree)" = "$clean" ]
  [[ "$(git -C "$REPO" show bubble/greet:greet.sh)" == *stranger* ]]

  run -2 demo --keep "$SCRATCH/kept"
  [[ "$output" == *exists* ]]
}

@test "demo plan: two steps, one of them sent back once, to the end, and nothing left" {
  run -0 demo plan
  [[ "$output" == *"$ pairflow plan run tour"*"[reviewer:request-changes]"*"misspelt"*"[reviewer:approve]"* ]]
  [[ "$output" == *"$ pairflow plan land tour --yes"*"$ git log --oneline"*"Leave a note"*"Greet the world"* ]]
  [ "${lines[-1]}" = "plan tour is done: 2 steps, each committed as it was approved" ]
  wait_for all_ended
  [ -z "$(find "$SCRATCH/tmp" -name 'pairflow-demo-*')" ]
}

@test "demo role: a feature of two tasks, from the roadmap to main" {
  run -0 demo role --keep "$SCRATCH/kept"
  [[ "$output" == *"$ pairflow role run"*"$ pairflow role approve-feature --feature F001 --yes"* ]]
  [[ "${lines[-1]}" == "F001 is on main: "* ]]
  wait_for all_ended
  REPO=$SCRATCH/kept/greetings
  [ "$(git -C "$REPO" ls-tree --name-only main | paste -sd ' ')" = "README.md docs greet.sh test.sh" ]
  git -C "$REPO" show main:docs/ROADMAP.md | grep -qF -- '- [x] F001: Greet everybody'
  [ "$(cd "$REPO" && sh greet.sh "Grace Hopper")" = "Hello, Grace Hopper!" ]
}

@test "demo: --json says the end alone; an unknown loop is refused" {
  run -0 --separate-stderr demo plan --json
  [ "$(jq -r .state <<<"$output")" = done ]
  run -2 demo bobble
  [[ "$output" == *"there is no demo 'bobble'"*"name bubble, plan or role"* ]]
  [ -z "$(find "$SCRATCH/tmp" -name 'pairflow-demo-*')" ]
}

@test "help loops: the README has its table, and every command of its examples exists" {
  run -0 demo_help
  readme=$(cat "$BATS_TEST_DIRNAME/../../README.md")
  table=$(grep '^|' <<<"$output")
  [ "$(wc -l <<<"$table")" -eq 7 ]
  [[ "$readme" == *"$table"* ]]
  grep -o '^    pairflow [a-z ]*[a-z]' <<<"$output" | while read -r _ group verb _; do
    "$PAIRFLOW" "$group" $verb --help >/dev/null || "$PAIRFLOW" "$group" --help >/dev/null
  done
  for option in $(grep -o ' --[a-z-]*' <<<"$output" | sort -u); do
    grep -q -- "$option" <<<"$("$PAIRFLOW" bubble create --help; "$PAIRFLOW" bubble start --help; "$PAIRFLOW" role approve-feature --help)"
  done
}
demo_help() { "$PAIRFLOW" help loops; }
