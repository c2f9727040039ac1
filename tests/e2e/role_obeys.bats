#!/usr/bin/env bats
# Agents that obey every printed sentence to the letter: they know no command, no file and no rule
# but those that the briefing and the answers name, and end when they are told to end.

load helpers
load role_helpers

setup() {
  scratch_roles
  obedient_agents
}
teardown() { sweep_roles; }

# Does the numbered steps of what it is told, in their order. What the steps leave to an agent is in
# agents/mind.sh: which file a task makes, and which of the offered commands ends the turn.
obedient_agents() {
  cat >"$REPO/agents/obey.sh" <<'SH'
set -u
prompt=$(cat) note=
# All that is told from here on; an answer that says so ends the run.
heard() {
  printf '%s\n' "$1"
  case $1 in *[Ee]"nd your run here"*) exit 0 ;; esac
}
steps_of() { printf '%s\n' "$1" | sed -n '/^1\. /,$p'; }
perform() { # COMMAND: <…> is what an agent fills in
  command=$(printf '%s\n' "$1" | sed "s/<[^>]*>/$note/")
  answer=$(eval "$command" 2>&1)
  heard "$answer"
}
# One step and the commands below it.
do_step() { # TEXT COMMANDS
  case $1 in
  "Take the role:"*)
    perform "$2"
    case $answer in *"Go on:"*) obey "$(steps_of "$answer")" ;; *) exit 3 ;; esac
    ;;
  *"docs/ROADMAP.md: one line"*) printf -- '- [ ] F001: Log in\n' >docs/ROADMAP.md ;;
  "Choose a feature of docs/ROADMAP.md ("*)
    mkdir -p docs/current
    for task in T01 T02; do printf '# %s\n\nCreate work/%s\n' $task $task >docs/current/$task-part.md; done
    ;;
  "Look whether"*) file=$(described "$1") && [ -f "$file" ] || exit 4 ;;
  "Do "*)
    file=$(described "$1") && [ -f "$file" ] || exit 5
    task=$(sed -n 's/^Create //p' "$file")
    mkdir -p "$(dirname "$task")"
    git symbolic-ref --short HEAD >>"$task"
    ;;
  "Judge "*) file=$(described "$1") && [ -f "$file" ] && [ -f "$(sed -n 's/^Create //p' "$file")" ] || exit 6 ;;
  *"Every task of"* | *"asks you what the note says"*) ;;
  "End your turn"*) choose "$2" ;;
  *) printf 'what is meant by: %s\n' "$1"; exit 7 ;;
  esac
}
described() { printf '%s\n' "$1" | sed -n 's/.*which is described in \([^ ]*\.md\).*/\1/p'; }
choose() { # COMMANDS
  note="done as told"
  wanted=1
  . ./agents/mind.sh
  perform "$(printf '%s\n' "$1" | sed -n "${wanted}p" | sed 's/^ *//')"
  exit 8 # nobody said that it is over
}
obey() { # STEPS
  local text='' commands='' line
  while IFS= read -r line; do
    case $line in
    [0-9]*". "*)
      [ -z "$text" ] || do_step "$text" "$commands"
      text=${line#*. } commands=
      ;;
    "   "*) commands="$commands${commands:+
}${line#   }" ;;
    esac
  done <<EOF
$1
EOF
  do_step "$text" "$commands"
}
heard "$(printf '%s\n' "$prompt" | sed -n '/^## What to do now/,$p')"
obey "$(steps_of "$(printf '%s\n' "$prompt" | sed -n '/^## What to do now/,$p')")"
SH
  : >"$REPO/agents/mind.sh"
  sed -i 's/"cat >\/dev\/null; exec sh agents\/play.sh"/"exec sh agents\/obey.sh"/' "$REPO/.pairflow/config.toml"
  git_of add -A agents
  git_of commit -qm "agents that obey"
}
mind() { # SCRIPT: sees $prompt, sets wanted and note
  cat >"$REPO/agents/mind.sh"
  git_of commit -qam "a mind"
}
tried() { grep -c "$1" "$ROLE/events.ndjson"; }
all_done() {
  is_at_defaults && [ -z "$(changes)" ] && [ "$(grep -c '\[x\]' "$REPO/docs/ROADMAP.md")" -eq "$1" ] &&
    [ "$(jq -r 'select(.type == "run.ended") | .payload.ending' "$ROLE/events.ndjson" | sort -u)" = switched ]
}

@test "obeyed to the letter, both features are merged without a human" {
  pf role init
  pf role autopilot full
  run pf role run
  [ "$status" -eq 0 ]
  [[ $output == *"every feature of the roadmap is finished"* ]]
  all_done 2
  [ "$(git_of show main:work/T01)" = "feat/F001-log-in
feat/F002-search" ]
  [ "$(tried '"run.started"')" -eq 12 ]
}

@test "obeyed to the letter, red checks are mended, changes made and questions answered" {
  mind <<'SH'
case $PAIRFLOW_ROLE:$PAIRFLOW_STEP in
coder:T01)
  case $prompt in
  *"The log of the red checks ends:"*"broken is there"*) rm -f broken ;;
  *) [ -e work/once ] || : >broken; : >work/once ;;
  esac
  ;;
coder:T02) [ -e work/asked ] || case $prompt in *"/F002-"*) : >work/asked; wanted=2 note="Which port?" ;; esac ;;
reviewer:T02) case $prompt in *"again"*) ;; *) wanted=2 note="once again" ;; esac ;;
planner:*) case $prompt in *"asks you what the note says"*) note="8080, again" ;; esac ;;
esac
SH
  sed -i 's/^test = .*/test = "if [ -e broken ]; then echo broken is there; exit 1; fi"/' "$REPO/.pairflow/config.toml"
  pf role init
  pf role autopilot full
  run pf role run
  [ "$status" -eq 0 ]
  [[ $output == *"every feature of the roadmap is finished"* ]]
  all_done 2
  [ "$(jq -r 'select(.type == "checks.filed") | .payload.passed' "$ROLE/events.ndjson" | grep -c false)" -ge 1 ]
  [ "$(jq -r 'select(.type == "role.blocked") | .payload.role + " " + .payload.by' "$ROLE/events.ndjson")" = "CODER PLANNER" ]
  [ "$(jq -r 'select(.type == "role.handoff" and .payload.role == "REVIEWER") | .payload.to' "$ROLE/events.ndjson" | sort -u)" = CODER ]
  git_of show main:work/T02 >/dev/null
  run ! git_of show main:broken
}

@test "obeyed to the letter on the first run, the roadmap is written before the role is taken" {
  git_of rm -q docs/ROADMAP.md
  git_of commit -qm "no roadmap"
  pf role init
  pf role autopilot full
  run pf role run
  [ "$status" -eq 0 ]
  all_done 1
}

@test "obeyed to the letter, a reviewer that always hands back is parked, with runs and time shown" {
  mind <<'SH'
[ $PAIRFLOW_ROLE != reviewer ] || wanted=2
SH
  pf role init
  pf role autopilot full
  run pf role run
  [ "$status" -eq 0 ]
  [[ $output == *"The agents rest: T01 of F001 was handed back 4 times (3 allowed); 9 runs, "*s" on F001"* ]]
  [ "$(tried '"run.started"')" -eq 9 ]
  is_turn "CODER handoff"
  [ "$(jq -r .msg "$STATE")" = "done as told" ]
  [[ "$(pf role status)" == *"9 runs, "*"s, change requests 4 of 3"* ]]
  [ "$(pf role status --json | jq -r '.effort | (.runs | tostring) + " " + (.change_requests | tostring) + " " + (.spent_ms > 0 | tostring)')" = "9 4 true" ]
  [ "$(pf inbox --json | jq -r '.items[] | .kind + " " + .command')" = "guard pairflow role run" ]
  [[ "$(pf inbox)" == *"9 runs, "*"pairflow role rework F001"* ]]
  # The way on is the human's word; it is counted anew.
  run pf role run
  [[ $output == *"handed back 4 times (3 allowed); 8 runs, "* ]]
  : >"$REPO/agents/mind.sh"
  pf role rework F001 --message "It is good enough now"
  pf role run
  grep -q 'It is good enough now' "$ROLE"/runs/0018-coder.prompt.md
  is_at_defaults
}

@test "the limits are the configuration's: changes, runs" {
  mind <<'SH'
[ $PAIRFLOW_ROLE != reviewer ] || wanted=2
SH
  sed -i 's/^branch_types = .*/max_change_requests = 1/' "$REPO/.pairflow/config.toml"
  pf role init
  pf role autopilot full
  run pf role run
  [[ $output == *"handed back 2 times (1 allowed); 5 runs, "* ]]
  sed -i 's/^max_change_requests = .*/max_change_requests = 90\nmax_runs = 7/' "$REPO/.pairflow/config.toml"
  run pf role run
  [[ $output == *"the limit of 7 runs is reached; 7 runs, "* ]]
  sed -i 's/^max_runs = .*/max_runs = 0/' "$REPO/.pairflow/config.toml"
  run pf role run
  [ "$status" -eq 2 ]
  [[ $output == *"max_runs"* ]]
}

@test "start tells what to do, and only what ends the turn says that it is over" {
  coding
  run as_agent carl start
  [[ $output == *"You are the CODER now. Go on:"*"which is described in docs/current/T01-part.md"*"pairflow role handoff --to REVIEWER"* ]]
  [[ $output != *"nd your run here"* ]]
  run as_agent carl handoff --to REVIEWER --message "T01 is done"
  [[ $output == *"Your part is over: it is REVIEWER's turn now."* ]]
  run as_agent rita start
  [[ $output == *"pairflow role approve-task --message"* ]]
}
