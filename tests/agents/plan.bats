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

drive() {
  (cd "$REPO" && users_environment "$PAIRFLOW" plan run login --plain >>"$SCRATCH/drive.out" 2>&1 3>&-) &
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

kill_driver() {
  kill -9 "$DRIVER"
  wait_for undriven
}

# Killed while its model thinks, each run goes on in its conversation; what was finished is not
# repeated.
killed_in_each_run() { # CODER
  stage_plan "$1"
  printf -- '---\nactive_step: 1\n---\n## Step 1: only\n' >"$REPO/docs/login/plan.md"
  script_agent "$IMPLEMENTER" \
    "$(bash_step 'echo remember-the-blue-door; echo one >>coder.txt')" \
    '{"hang": true, "say": "never heard"}' \
    "$(bash_step 'echo two >>coder.txt; pairflow plan request-review')" \
    "$(say_step 'handed over')"
  script_agent "$REVIEWER" \
    "$(bash_step 'echo remember-the-red-door')" \
    '{"hang": true, "say": "never heard"}' \
    "$(mcp_step approve '{}')" \
    "$(say_step 'good')"
  drive
  wait_step "$IMPLEMENTER" 2
  kill_driver
  drive
  wait_step "$REVIEWER" 2
  model_remembers "$IMPLEMENTER" "remember-the-blue-door"
  kill_driver
  drive
  wait_for waits_for no_pending_steps
  model_remembers "$REVIEWER" "remember-the-red-door"
  played_out "$IMPLEMENTER"
  played_out "$REVIEWER"
  [ "$(cat "$REPO/coder.txt" | paste -sd ' ')" = "one two" ]
  wait_for ended_as "1 coder lost, 2 coder handed_over, 3 reviewer lost, 4 reviewer handed_over"
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
  pf plan resume login
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
