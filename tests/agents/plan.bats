#!/usr/bin/env bats
# A plan by the two real agents, headless: every tool is called by themselves.

load helpers

teardown() { strike_plan; }

# Everything but the steps of the model. The coder works in the checkout itself.
stage_plan() { # CODER [LINE of [plan]…]
  stage "$1"
  WORKTREE=$REPO PLAN=$REPO/.pairflow/plans/login
  printf '%s\n' "" "[plan]" "coder = \"$IMPLEMENTER\"" "reviewer = \"$REVIEWER\"" "${@:2}" \
    >>"$REPO/.pairflow/config.toml"
  mkdir -p "$REPO/docs/login"
  printf '# Spec\n\nPeople are greeted.\n' >"$REPO/docs/login/spec.md"
  cat >"$REPO/docs/login/plan.md" <<'MD'
---
active_step: 1
owner: me # and nobody else
---
# Login

## Step 1: Greet by name

- Acceptance:
  - hello.txt names Ada

## Step 2: Say goodbye
MD
}
strike_plan() {
  [ -n "${BATS_TEST_COMPLETED:-}" ] || { pf plan log login | tail -n 20; tail -n 20 "$SCRATCH/drive.out"; tail -n 5 "$PLAN"/runs/*.log; } 2>&1
  [ -z "${DRIVER:-}" ] || kill -9 "$DRIVER" 2>/dev/null || true
  strike
}

drive() { # [resume]
  (cd "$REPO" && users_environment "$PAIRFLOW" plan "${1:-run}" login --plain >>"$SCRATCH/drive.out" 2>&1 3>&-) &
  wait_for driven
  DRIVER=$(jq -rR 'split(" ")[0]' "$REPO/.pairflow/locks/plan.login.run.lock" | head -n 1)
}
driven() { [ "$(jqs .driven 2>/dev/null)" = true ]; }
undriven() { [ "$(jqs .driven)" = false ]; }
jqs() { pf plan status login --json | jq -r "$1"; }
waits_for() { [ "$(jqs .waits_for)" = "$1" ]; }
is_plan() { [ "$(jqs .state)" = "$1" ]; }
endings() { jqs '[.runs[] | "\(.number) \(.role) \(.ending)"] | join(", ")'; }
ended_as() { [ "$(endings)" = "$1" ]; }
events() { jq -c "select(.type == \"$1\")" "$PLAN/events.ndjson"; } # TYPE
logged() { events "$1" | grep -q .; }

# Step 1 with a request for changes, a reviewer that tries to write, step 2 with a question.
whole_plan() { # CODER
  stage_plan "$1"
  script_agent "$IMPLEMENTER" \
    "$(write_step "$IMPLEMENTER" name.txt Ada)" \
    "$(bash_step 'echo "hello, world" >hello.txt')" \
    "$(mcp_step request_review '{"note": "greets everybody"}')" \
    "$(say_step 'handed over')" \
    "$(bash_step 'echo "hello, $(cat name.txt)" >hello.txt; pairflow plan request-review --note "by name now"')" \
    "$(say_step 'handed over again')" \
    "$(mcp_step ask_user '{"message": "bye or farewell?"}')" \
    "$(bash_step 'echo farewell >bye.txt; pairflow plan request-review')" \
    "$(say_step 'the end')"
  script_agent "$REVIEWER" \
    "$(bash_step 'git status --short; echo x >hello.txt')" \
    "$(mcp_step request_changes '{"text": "nobody is named in hello.txt"}')" \
    "$(say_step 'not yet')" \
    "$(bash_step 'cat hello.txt; pairflow plan approve --note "Ada it is"')" \
    "$(say_step 'good')" \
    "$(mcp_step approve '{}')" \
    "$(say_step 'good, too')"
  drive
  wait_for waits_for ask_user
  pf plan reply login --message "farewell, please"
  wait_for waits_for no_pending_steps
  pf plan reply login --message "thank you"
  wait_for undriven

  is_plan done
  played_out "$IMPLEMENTER"
  played_out "$REVIEWER"
  [ "$(endings)" = "1 coder handed_over, 2 reviewer handed_over, 3 coder handed_over, \
4 reviewer handed_over, 5 coder handed_over, 6 reviewer handed_over" ]
  [ "$(cat "$REPO/hello.txt" "$REPO/bye.txt" | paste -sd ' ')" = "hello, Ada farewell" ]
  [ "$(git -C "$REPO" rev-list --count HEAD)" -eq 1 ]
  model_saw "$IMPLEMENTER" "nobody is named in hello.txt"
  model_saw "$IMPLEMENTER" "farewell, please"
  model_saw "$REVIEWER" "Step 1: changes requested: nobody is named in hello.txt"
  # The coder's second run of step 1 remembers the first; step 2 begins afresh.
  model_remembers "$IMPLEMENTER" "bye or farewell?" || return 1
  run -1 model_remembers "$IMPLEMENTER" "greets everybody"
  # The reviewer could not write, and the log says so.
  events run.tool | jq -se 'any(.[]; .payload.blocked and (.payload.what | contains("Read-only")))'
  grep -qE '\[reviewer:bash\] blocked: .*Read-only file system' "$SCRATCH/drive.out"
  grep -qE '\[coder:(write|edit)\]' "$SCRATCH/drive.out"
  grep -qxF 'owner: me # and nobody else' "$REPO/docs/login/plan.md"
  grep -qxF 'active_step: 2' "$REPO/docs/login/plan.md"
  [ "$(events run.started | jq -r .payload.enforcement | sort -u)" = sandbox ]
}

@test "a plan of two steps: claude codes, codex reviews" { whole_plan claude; }
@test "a plan of two steps: codex codes, claude reviews" { whole_plan codex; }

# Its agents die with it.
kill_driver() {
  local pid
  for pid in $(running_in "$REPO"); do # first of all who would start it again
    if tr '\0' ' ' <"/proc/$pid/cmdline" | grep -qE ' plan (run|resume) '; then kill -9 "$pid"; fi
  done
  kill -9 "$DRIVER"
  wait_for undriven
  wait_for no_agent_works
}
no_agent_works() {
  local pid
  for pid in $(running_in "$REPO"); do
    if grep -qaE 'claude|codex' "/proc/$pid/cmdline" 2>/dev/null; then return 1; fi
  done
}

# The model is in the middle of AGENT's run when nobody is there any more; it goes on there.
killed_at() { # AGENT STEP
  wait_step "$1" "$2"
  kill_driver
  drive resume
}
hang_step() { echo '{"hang": true, "say": "never heard"}'; }
# A step for which the conversation must have TEXT.
expecting() { jq -c --arg text "$1" '. + {expect: $text}' <<<"$2"; } # TEXT STEP

# The story of whole_plan, killed in the middle of each run.
killed_in_each_run() { # CODER
  stage_plan "$1"
  script_agent "$IMPLEMENTER" \
    "$(bash_step 'echo blue-door; echo one >>coder.txt')" "$(hang_step)" \
    "$(expecting blue-door "$(mcp_step request_review '{"note": "first try"}')")" "$(say_step 'over')" \
    "$(expecting blue-door "$(bash_step 'echo green-door; echo two >>coder.txt')")" "$(hang_step)" \
    "$(expecting green-door "$(bash_step 'pairflow plan request-review --note "second try"')")" "$(say_step 'over')" \
    "$(bash_step 'echo yellow-door; echo three >>coder.txt')" "$(hang_step)" \
    "$(expecting yellow-door "$(mcp_step ask_user '{"message": "bye or farewell?"}')")" \
    "$(expecting 'farewell, please' "$(bash_step 'echo four >>coder.txt; pairflow plan request-review')")" "$(say_step 'over')"
  script_agent "$REVIEWER" \
    "$(bash_step 'echo red-door; echo x >>coder.txt')" "$(hang_step)" \
    "$(expecting red-door "$(mcp_step request_changes '{"text": "two is missing"}')")" "$(say_step 'over')" \
    "$(bash_step 'echo white-door; cat coder.txt')" "$(hang_step)" \
    "$(expecting white-door "$(mcp_step approve '{"note": "one and two"}')")" "$(say_step 'over')" \
    "$(bash_step 'echo black-door; cat coder.txt')" "$(hang_step)" \
    "$(expecting black-door "$(bash_step 'pairflow plan approve --note "all of them"')")" "$(say_step 'over')"
  drive
  killed_at "$IMPLEMENTER" 2  # run 1; 2 goes on
  killed_at "$REVIEWER" 2     # run 3; 4 requests changes
  killed_at "$IMPLEMENTER" 6  # run 5; 6 requests the second review
  killed_at "$REVIEWER" 6     # run 7; 8 approves
  killed_at "$IMPLEMENTER" 10 # run 9; 10 asks
  wait_for waits_for ask_user
  kill_driver
  run -1 pf plan resume login
  [[ "$output" == *"an answer is waited for"*"pairflow plan reply login"* ]]
  drive # a question is left by its answer alone
  is_plan awaiting_user_input
  pf plan reply login --message "farewell, please"
  killed_at "$REVIEWER" 10    # run 12; 13 approves
  wait_for waits_for no_pending_steps
  pf plan reply login --message "thank you"
  wait_for undriven

  is_plan done
  played_out "$IMPLEMENTER"
  played_out "$REVIEWER"
  # Each run is there once, whoever was killed meanwhile, and what it did was done once.
  [ "$(endings)" = "1 coder lost, 2 coder handed_over, 3 reviewer lost, 4 reviewer handed_over, \
5 coder lost, 6 coder handed_over, 7 reviewer lost, 8 reviewer handed_over, \
9 coder lost, 10 coder waiting, 11 coder handed_over, 12 reviewer lost, 13 reviewer handed_over" ]
  [ "$(events run.started | jq .payload.run | paste -sd ' ')" = "$(seq -s ' ' 13)" ]
  [ "$(events run.ended | jq .payload.run | paste -sd ' ')" = "$(seq -s ' ' 13)" ]
  [ "$(paste -sd ' ' "$REPO/coder.txt")" = "one two three four" ]
  [ "$(ls "$PLAN/runs" | grep -c 'ndjson$')" -eq 13 ]
  # Each transition is there once.
  [ "$(jq -r .type "$PLAN/events.ndjson" | grep -v '^run\.\|^plan.written$\|^PROTOCOL' | paste -sd ' ')" = \
    "plan.opened coder.request_review reviewer.request_changes coder.request_review reviewer.approve \
agent.ask_user user.reply coder.request_review reviewer.approve user.reply plan.finished" ]
  # One conversation for each step's coder, one for each review.
  [ "$(one_conversation 1 2 5 6) $(one_conversation 3 4) $(one_conversation 7 8) $(one_conversation 9 10 11) $(one_conversation 12 13)" = "1 1 1 1 1" ]
  [ "$(one_conversation 1 9) $(one_conversation 3 7) $(one_conversation 7 12)" = "2 2 2" ]
  begins_once "$IMPLEMENTER" "Work on the one step below"
  begins_once "$REVIEWER" "Judge strictly what the coder did"
  never_together "$IMPLEMENTER" yellow-door blue-door
  never_together "$REVIEWER" red-door white-door
  never_together "$REVIEWER" white-door black-door
}
one_conversation() { # RUN…: how many they had
  jq -rs --argjson runs "[$(IFS=,; echo "$*")]" '[.[] | select(.payload.run | IN($runs[])) |
    select(.type == "run.started" or .type == "run.ended") | .payload.conversation // "" |
    select(. != "")] | unique | length' "$PLAN/events.ndjson"
}
# No request tells the task twice, none leaves it out: every conversation is whole, and one only.
begins_once() { # AGENT TEXT
  [ "$(requests "$1" | jq --arg text "$2" '[.history[] | select(.who == "user" and (.text | contains($text)))] | length' |
    sort -u)" = 1 ]
}
never_together() { # AGENT TEXT TEXT
  requests "$1" | jq -se --arg one "$2" --arg other "$3" '
    def has($text): any(.history[]; .text | contains($text));
    any(.[]; has($one)) and any(.[]; has($other)) and (any(.[]; has($one) and has($other)) | not)' >/dev/null
}

@test "killed in the middle of each run, claude codes" { killed_in_each_run claude; }
@test "killed in the middle of each run, codex codes" { killed_in_each_run codex; }

# A question that is not answered while the tool waits: the conversation goes on with the answer.
answered_late() { # CODER
  stage_plan "$1" 'answer_wait_seconds = 1'
  script_agent "$IMPLEMENTER" \
    "$(mcp_step ask_user '{"message": "remember the green door?"}')" \
    "$(say_step 'I wait')" \
    "$(bash_step 'pairflow plan request-review')" \
    "$(say_step 'done')"
  script_agent "$REVIEWER" '{"hang": true, "say": "never"}'
  drive
  wait_for logged run.ended
  is_plan awaiting_user_input
  pf plan reply login --message "of course"
  wait_step "$REVIEWER" 1
  model_saw "$IMPLEMENTER" "of course"
  model_remembers "$IMPLEMENTER" "remember the green door?"
}

@test "an answer that comes late continues the conversation: claude" { answered_late claude; }
@test "an answer that comes late continues the conversation: codex" { answered_late codex; }

@test "a model that is overloaded is an error in its own words, and resume goes on" {
  stage_plan claude
  script_agent claude "$(for _ in $(seq 12); do echo '{"error": 529}'; done)"
  script_agent codex
  (cd "$REPO" && users_environment env CLAUDE_CODE_MAX_RETRIES=1 "$PAIRFLOW" plan run login --plain >>"$SCRATCH/drive.out" 2>&1 3>&-) &
  wait_for is_plan error
  jqs .trouble | grep -qi 'overload\|529'
  script_agent claude "$(bash_step 'pairflow plan request-review')" "$(say_step 'done')"
  script_agent codex '{"hang": true, "say": "never"}'
  drive resume
  wait_step codex 1
}

@test "the validator tells the coder at once, by its hook" {
  stage_plan claude
  script_agent claude \
    "$(write_step claude docs/login/spec.md 'no title')" \
    '{"hang": true, "say": "never"}'
  script_agent codex
  drive
  wait_step claude 2
  model_saw claude "spec.md line 1"
}

@test "the validator tells codex at once, by its hook" {
  stage_plan codex
  script_agent codex \
    "$(bash_step 'echo "no title" >docs/login/spec.md')" \
    '{"hang": true, "say": "never"}'
  script_agent claude
  drive
  wait_step codex 2
  model_saw codex "spec.md line 1"
}
