#!/usr/bin/env bats
# The plan loop, driven in line mode with agents that are shell scripts: run N plays agents/run-N.sh.

load helpers
load plan_helpers

setup() { scratch_plan; }
teardown() { sweep_plan; }

@test "step 7: request_review, request_changes, request_review, approve, with logs and transcripts" {
  plays 1 'echo one >done.txt; pairflow plan request-review --note "first try"'
  plays 2 'pairflow plan request-changes --text "say two"'
  plays 3 'echo two >done.txt; pairflow plan request-review'
  plays 4 'pairflow plan approve --note "good"'
  plays 5 'pairflow plan request-review'
  plays 6 'pairflow plan approve'
  drive
  wait_for waits_for no_pending_steps
  [ "$(active_step)" = 2 ]
  [ "$(cat "$REPO/done.txt")" = two ]
  run pf plan reply login --message "thank you"
  [ "$status" -eq 0 ]
  wait_for view_ended
  is_plan done
  [ "$(event_types)" = "plan.opened run.started coder.request_review run.ended \
run.started reviewer.request_changes run.ended run.started coder.request_review run.ended \
run.started reviewer.approve plan.written run.ended run.started coder.request_review run.ended \
run.started reviewer.approve run.ended user.reply plan.finished" ]
  # One transcript and one prompt for each run, linked from the log.
  for run in 0001-coder 0002-reviewer 0003-coder 0004-reviewer 0005-coder 0006-reviewer; do
    [ -f "$PLAN/runs/$run.ndjson" ]
    grep -q "runs/$run.ndjson" "$PLAN/events.ndjson"
    [ -s "$PLAN/runs/$run.prompt.md" ]
  done
  # The coder's prompt: its step, the pointers, what was requested; a new step begins afresh.
  prompt 0001-coder | grep -q 'Step 1: Begin'
  prompt 0001-coder | grep -q 'docs/login/spec.md'
  prompt 0003-coder | grep -q 'say two'
  prompt 0005-coder | grep -q 'Step 2: Go on'
  run ! grep -q 'say two' <(prompt 0005-coder)
  # The reviewer keeps a short history over all steps.
  prompt 0006-reviewer | grep -q 'Step 1: changes requested: say two'
  # The stream has the seed's prefixes.
  said '\[coder\] run 1 started'
  said '\[coder:request-review\] step 1 is ready for review: first try'
  said '\[reviewer:request-changes\] #1 on step 1: say two'
  said '\[user\] thank you'
}

@test "ask_user blocks the run that asked and goes on with the answer from another terminal" {
  plays 1 'pairflow plan ask-user --message "tabs or spaces?" >answer.txt; pairflow plan request-review'
  plays 2 'pairflow plan ask-user --message "is that so?" | grep yes && pairflow plan approve'
  plays 3 'sleep 600'
  drive
  wait_for waits_for ask_user
  [ ! -e "$REPO/agents/out.1" ]
  [ "$(pf inbox --json | jq -r '.items[0].plan + " " + .items[0].text')" = "login [coder:ask-user] tabs or spaces?" ]
  pf plan reply login --message "spaces, of course"
  wait_for logged reviewer agent.ask_user
  grep -q 'spaces, of course' "$REPO/answer.txt"
  pf plan reply login --message "yes"
  wait_for run_is_live 3
  [ "$(runs_started)" = "1 2 3" ]
}

@test "an answer that takes long: the run is parked, and a new one continues with it" {
  append_config '[plan]' 'answer_wait_seconds = 1'
  plays 1 'pairflow plan ask-user --message "may I?"'
  plays 2 'pairflow plan request-review'
  plays 3 'sleep 600'
  drive
  wait_for logged coder run.parked
  wait_for logged coder run.ended
  is_plan awaiting_user_input
  pf plan reply login --message "you may"
  wait_for run_is_live 3
  prompt 0002-coder | grep -q 'you may'
}

@test "a run that ends without a tool call is sent back once, then the user is asked" {
  plays 1 'echo nothing to say'
  plays 2 'echo still nothing'
  drive
  wait_for waits_for no_tool_call
  prompt 0002-coder | grep -q 'ended without a tool call'
  plays 3 'sleep 600'
  pf plan reply login --message "call request_review"
  wait_for run_is_live 3
  prompt 0003-coder | grep -q 'call request_review'
}

@test "loop guard: the 4th request_changes parks, the reply goes to the coder, the count begins anew" {
  local run
  for run in 1 3 5 7 9 11; do plays "$run" 'pairflow plan request-review'; done
  for run in 2 4 6 8; do plays "$run" "pairflow plan request-changes --text no-$run"; done
  drive
  wait_for waits_for loop_guard
  [ "$(jqs '.steps[0].change_requests')" = 4 ]
  pf plan status login | grep -q 'change requests 4 of 3, parked'
  plays 10 'pairflow plan approve'
  plays 12 'pairflow plan request-changes --text other'
  plays 13 'sleep 600'
  pf plan reply login --message "take the simple way"
  wait_for run_is_live 13
  prompt 0009-coder | grep -q 'take the simple way'
  [ "$(jqs '[.steps[].change_requests] | map(tostring) | join(" ")')" = "4 1" ]
  [ "$(jqs '.active_step')" = 2 ]
}

@test "loop guard: reset-guard gives the step its allowance again and the coder goes on" {
  append_config '[plan]' 'max_change_requests = 1'
  for run in 1 3 5; do plays "$run" 'pairflow plan request-review'; done
  for run in 2 4 6; do plays "$run" "pairflow plan request-changes --text no-$run"; done
  plays 7 'sleep 600'
  drive
  wait_for waits_for loop_guard
  pf plan reset-guard login
  wait_for run_is_live 7
  [ "$(jqs '.steps[0].change_requests')" = 1 ]
  prompt 0005-coder | grep -q 'no-4'
}

@test "a hand edit of active_step in the middle is honoured and logged" {
  plays 1 'sleep 600'
  drive
  wait_for run_is_live 1
  plays 2 'sleep 600'
  sed -i 's/^active_step: 1/active_step: 2/' "$REPO/docs/login/plan.md"
  pf plan status login >/dev/null
  plays 3 'sleep 600'
  # Nobody polls: the next thing that happens finds it.
  pf plan pause login
  resume
  wait_for run_on_step 2
  logged human plan.edited || logged orchestrator plan.edited
}

@test "killed in the middle of each run and run again: finished runs are not repeated" {
  plays 1 'echo alive; sleep 600'
  drive
  wait_for run_is_live 1
  kill_driver
  plays 2 'echo again; pairflow plan request-review'
  plays 3 'echo alive; sleep 600'
  drive
  wait_for run_is_live 3
  kill_driver
  plays 4 'pairflow plan approve'
  plays 5 'echo alive; sleep 600'
  drive
  wait_for run_is_live 5
  [ "$(endings)" = "1 lost 2 handed_over 3 lost 4 handed_over" ]
  [ -z "$(agents_of_killed_drivers)" ]
}

@test "killed while the user is asked: the answer that comes meanwhile is told to the next run" {
  plays 1 'pairflow plan ask-user --message "may I?"; echo never; sleep 600'
  plays 2 'echo alive; sleep 600'
  drive
  wait_for waits_for ask_user
  kill_driver
  pf plan reply login --message "you may"
  drive
  wait_for run_is_live 2
  prompt 0002-coder | grep -q 'you may'
  [ "$(transitions)" = "plan.opened agent.ask_user user.reply" ]
}

@test "a driver that is killed while a question waits leaves nobody behind" {
  append_config '[plan]' 'answer_wait_seconds = 600'
  plays 1 'pairflow plan ask-user --message "may I?"; sleep 600'
  drive
  wait_for waits_for ask_user
  kill_driver
  wait_for nobody_works
}
nobody_works() { [ -z "$(running_in "$REPO")" ]; }

@test "the interrupt key leaves: the plan goes on to its end, and the same command looks again" {
  plays 1 'echo alive; until [ -e agents/go ]; do sleep 0.05; done; pairflow plan request-review'
  plays 2 'pairflow plan approve'
  plays 3 'pairflow plan request-review'
  plays 4 'pairflow plan approve'
  drive
  wait_for run_is_live 1
  local driver
  driver=$(driver)
  kill -INT "$VIEWER"
  wait "$VIEWER"
  said 'plan login goes on without you; look again: pairflow plan run login; stop it: pairflow plan pause login'
  [ "$(driver)" = "$driver" ]
  : >"$REPO/agents/go"
  wait_for waits_for no_pending_steps
  wait_for no_run_lives
  [ "$(endings)" = "1 handed_over 2 handed_over 3 handed_over 4 handed_over" ]
  [ "$(driver)" = "$driver" ]
  drive
  pf plan reply login --message "thank you"
  wait "$VIEWER"
  [ "$(tail -n 2 "$SCRATCH/drive.out")" = $'plan login is finished\nBring it home: pairflow plan land login' ]
  wait_for not_driven
}

@test "a terminal that is killed takes nothing with it" {
  plays 1 'echo alive; until [ -e agents/go ]; do sleep 0.05; done; pairflow plan request-review'
  plays 2 'echo alive; sleep 600'
  tmx -f /dev/null new-session -d -x 80 -y 24 "cd '$REPO' && exec '$PAIRFLOW' plan run login"
  wait_for run_is_live 1
  tmx kill-server
  : >"$REPO/agents/go"
  wait_for run_is_live 2
  [ "$(endings)" = "1 handed_over" ]
}

@test "two look on at once: both are told everything, one leaves, the other stays" {
  plays 1 'until [ -e agents/go ]; do sleep 0.05; done; echo "and now this"; pairflow plan ask-user --message "well?"'
  drive
  wait_for run_is_live 1
  (cd "$REPO" && exec "$PAIRFLOW" plan run login --json >"$SCRATCH/second.out" 2>&1 3>&-) &
  local second=$!
  wait_for grep -q run.started "$SCRATCH/second.out"
  : >"$REPO/agents/go"
  wait_for said '\[coder\] and now this'
  wait_for said 'the coder asks'
  wait_for grep -q '"type":"said".*"text":"and now this"' "$SCRATCH/second.out"
  kill -INT "$second"
  wait "$second"
  [ "$(tail -n 1 "$SCRATCH/second.out" | jq -r '.type')" = left ]
  pf plan reply login --message "it is"
  wait_for said '\[user\] it is'
  # In the order in which things happened, said or recorded.
  [ "$(jq -r 'select(.type == "said" or .type == "agent.ask_user") | .type' "$SCRATCH/second.out" | paste -sd ' ')" = "said agent.ask_user" ]
}

@test "a driver that is killed is started again by who looks on, and goes on in its conversation" {
  plays 1 'echo alive; sleep 600'
  plays 2 'echo again; sleep 600'
  drive
  wait_for run_is_live 1
  kill -9 "$(driver)"
  wait_for run_is_live 2
  [ "$(endings)" = "1 lost" ]
  kill -0 "$VIEWER"
}

@test "a driver that is asked to end ends its run cleanly, and the next one goes on" {
  plays 1 'echo alive; sleep 600'
  drive
  wait_for run_is_live 1
  end_driver
  [ "$(endings)" = "1 lost" ]
  [ -z "$(running_in "$REPO")" ]
  is_plan coder_active
  pf plan status login | grep -q 'nobody drives it'
  plays 2 'pairflow plan request-review'
  plays 3 'echo alive; sleep 600'
  drive
  wait_for run_is_live 3
}

@test "pause ends the run and its driver; a reply from anywhere goes on" {
  plays 1 'echo alive; sleep 600'
  plays 2 'echo alive; sleep 600'
  drive
  wait_for run_is_live 1
  kill_viewer
  pf plan pause login
  wait_for not_driven
  [ "$(endings)" = "1 stopped" ]
  [ -z "$(running_in "$REPO")" ]
  pf plan reply login --message "now you may"
  wait_for run_is_live 2
  prompt 0002-coder | grep -q 'now you may'
}

@test "a driver that cannot start is told, and nothing is lost" {
  plays 1 'echo alive; sleep 600'
  mkdir -p "$REPO/.pairflow/runtime/plan.login.log"
  run pf plan run login --plain
  [ "$status" -eq 3 ]
  is_plan coder_active
  not_driven
  rmdir "$REPO/.pairflow/runtime/plan.login.log"
  drive
  wait_for run_is_live 1
}

@test "an agent that fails, or cannot be started, is an error that resume leaves" {
  plays 1 'echo "the model is gone" >&2; exit 7'
  drive
  wait_for is_plan error
  pf plan status login | grep -q 'exit code 7: the model is gone'
  run pf plan reply login --message "x"
  [ "$status" -eq 1 ]
  plays 2 'echo alive; sleep 600'
  wait_for not_driven
  kill -0 "$VIEWER"
  resume
  wait_for run_is_live 2
}

@test "pause, force, reset from another terminal while it runs" {
  local run
  for run in 1 2 3 4; do plays "$run" 'echo alive; sleep 600'; done
  drive
  wait_for run_is_live 1
  pf plan pause login
  wait_for waits_for paused
  wait_for no_run_lives
  pf plan force login reviewer --message "look at what is there"
  wait_for run_is_live 2
  prompt 0002-reviewer | grep -q 'look at what is there'
  pf plan force login coder
  wait_for run_is_live 3
  pf plan reset login --yes
  wait_for run_is_live 4
  [ "$(endings)" = "1 stopped 2 stopped 3 stopped" ]
}

@test "the reviewer cannot write, the coder neither commit nor touch our files" {
  needs sandbox
  plays 1 '
    { echo x >>.git/config; } 2>err.txt; git commit -qm x --allow-empty 2>>err.txt
    { echo x >.pairflow/config.toml; } 2>>err.txt; ls .pairflow/locks .pairflow/runtime >locks.txt
    pairflow plan pause login 2>>err.txt; pairflow plan reply login --message x 2>>err.txt
    echo fine >mine.txt; pairflow plan request-review'
  plays 2 '{ echo x >theirs.txt; } 2>/dev/null || pairflow plan request-changes --text "$(echo x 2>&1 >theirs.txt)"'
  plays 3 'sleep 600'
  drive
  wait_for run_is_live 3
  [ "$(grep -c 'Read-only file system' "$REPO/err.txt")" -ge 3 ]
  grep -q "the human's\|the user's" "$REPO/err.txt"
  [ "$(paste -sd ' ' "$REPO/locks.txt")" = ".pairflow/locks:  .pairflow/runtime:" ]
  [ -e "$REPO/mine.txt" ]
  [ ! -e "$REPO/theirs.txt" ]
  [ "$(git -C "$REPO" rev-list --count HEAD)" -eq 1 ]
}

@test "tools: the wrong role and an old run are refused, with one warning" {
  plays 1 'pairflow plan approve; pairflow plan approve; pairflow plan request-changes --text x; pairflow plan request-review'
  plays 2 'sleep 600'
  drive
  wait_for run_is_live 2
  [ "$(event_types | grep -o PROTOCOL_WARNING | wc -l)" -eq 2 ]
  run as_run 1 alice request-review
  [ "$status" -eq 1 ]
  run pf plan approve
  [ "$status" -eq 1 ]
  [[ "$output" == *"agent"* ]]
}

@test "a second run looks on, and no second driver is started; another plan is its own" {
  plays 1 'sleep 600'
  drive
  wait_for run_is_live 1
  local driver
  driver=$(driver)
  run pf drive --plan login
  [ "$status" -eq 0 ]
  (cd "$REPO" && exec "$PAIRFLOW" plan run login --plain >"$SCRATCH/second.out" 2>&1 3>&-) &
  wait_for grep -q 'run 1 started' "$SCRATCH/second.out"
  [ "$(driver)" = "$driver" ]
  run pf plan init other
  [ "$status" -eq 0 ]
  run pf plan status other
  [ "$status" -eq 1 ]
  [[ "$output" == *"pairflow plan run other"* ]]
}

@test "step 6, tests: a corrupted log is shown, kept aside, and the frontmatter goes on" {
  plays 1 'pairflow plan request-review'
  plays 2 'pairflow plan approve'
  plays 3 'echo alive; sleep 600'
  drive
  wait_for run_is_live 3
  end_driver
  sed -i '2s/run.started/run.starxed/' "$PLAN/events.ndjson"
  rm "$PLAN/state.json"
  for command in run resume status; do
    run pf plan "$command" login
    [ "$status" -eq 4 ]
  done
  run pf plan resume login
  [[ "$output" == *"--from-frontmatter"* ]]
  [ -f "$PLAN/events.ndjson" ]
  plays 1 'echo alive; sleep 600'
  resume --from-frontmatter
  wait_for run_is_live 1
  [ -f "$PLAN/events.damaged-1.ndjson" ]
  [ -f "$PLAN/runs.damaged-1/0003-coder.ndjson" ]
  [ "$(jqs .active_step)" = 2 ]
  [ "$(jqs '.steps[0].status')" = done ]
  recorded_in_plan '.payload.restored == "events.damaged-1.ndjson"'
}

# What status tells, but for the driver and the runs that the next one starts.
standing_of_plan() { jqs '[.state, .active_step, .waits_for, .steps, .trouble, (.runs | length)] | tojson'; }

@test "step 6, tests: resume restores state, counters and active_step from the log alone" {
  local run
  for run in 1 3 5 7; do plays "$run" 'pairflow plan request-review'; done
  plays 2 'pairflow plan approve'
  for run in 4 6; do plays "$run" "pairflow plan request-changes --text no-$run"; done
  plays 8 'pairflow plan ask-user --message "is that so?"; sleep 600'
  drive
  wait_for waits_for ask_user
  kill_driver
  local before
  before=$(standing_of_plan)
  [ "$(jqs '[.steps[] | "\(.status) \(.change_requests // 0)"] | join(", ")')" = "done 0, needs-changes 2" ]
  rm "$PLAN/state.json" "$PLAN/inbox.ndjson"
  [ "$(standing_of_plan)" = "$before" ]
  [ "$(pf inbox --json | jq -r '.items[0].text')" = "[reviewer:ask-user] is that so?" ]
  # The counter goes on where it was: the next two are the 3rd and the 4th.
  plays 9 'pairflow plan request-changes --text no-9'
  plays 10 'pairflow plan request-review'
  plays 11 'pairflow plan request-changes --text no-11'
  drive
  pf plan reply login --message "it is"
  wait_for waits_for loop_guard
  [ "$(jqs '.steps[1].change_requests')" = 4 ]
  [ "$(jqs .active_step)" = 2 ]
  prompt 0009-reviewer | grep -q 'it is'
  prompt 0011-reviewer | grep -q 'Step 2: changes requested: no-4'
}

@test "a log that is gone is no fresh start either" {
  plays 1 'echo alive; sleep 600'
  drive
  wait_for run_is_live 1
  end_driver
  rm "$PLAN/events.ndjson" "$PLAN/state.json"
  run pf plan run login --plain
  [ "$status" -eq 4 ]
  [[ "$output" == *"is gone"*"pairflow plan resume login"* ]]
  resume --from-frontmatter
  wait_for run_is_live 1
  [ -d "$PLAN/runs.damaged-1" ]
}

@test "a plan whose directory is gone while it is driven: a refused run begins no new log" {
  plays 1 'echo alive; sleep 600'
  drive
  wait_for run_is_live 1
  rm -rf "$PLAN"
  run pf plan run login --plain
  [ "$status" -ne 0 ]
  [ ! -e "$PLAN/events.ndjson" ]
}

@test "a pause after a question ends the run at once" {
  plays 1 'pairflow plan ask-user --message q; while :; do echo tick; sleep 0.1; done'
  plays 2 'echo alive; sleep 600'
  drive
  wait_for waits_for ask_user
  pf plan reply login --message go
  wait_for said 'tick'
  pf plan pause login
  wait_for no_run_lives
  [ "$(jqs '.runs[0].ending')" = stopped ]
}

@test "--no-wait leaves as soon as somebody asks" {
  plays 1 'pairflow plan ask-user --message hm >answer.txt; sleep 600'
  run pf plan run login --plain --no-wait
  [ "$status" -eq 0 ]
  [[ "$output" == *"waits for you"* ]]
  waits_for ask_user
  run_is_live 1 # and still asks
  pf plan reply login --message "go on"
  wait_for recorded_in_plan '.type == "user.reply"'
  wait_for grep -q 'go on' "$REPO/answer.txt"
}

@test "a spec.md that breaks is told to the agent, once by its hook" {
  plays 1 '
    printf "no title\n" >docs/login/spec.md
    echo "{\"hook_event_name\":\"PostToolUse\",\"session_id\":\"s\",\"tool_name\":\"Write\"}" | pairflow hook >hook.txt
    pairflow plan request-review 2>refused.txt || { printf "# Spec\n\nAll.\n" >docs/login/spec.md; pairflow plan request-review; }'
  plays 2 'echo alive; sleep 600'
  drive
  wait_for run_is_live 2
  [ "$(jq -r .decision "$REPO/hook.txt")" = block ]
  grep -q 'spec.md line 1' "$REPO/hook.txt"
  grep -q 'spec.md' "$REPO/refused.txt"
  recorded_in_plan '.type == "document.validated" and .payload.file == "spec.md" and (.payload.problems | length) > 0'
}

@test "a plan.md that breaks is refused at request_review, with line and fix" {
  plays 1 '
    cp docs/login/plan.md kept.md
    printf -- "---\nactive_step: 9\n---\n## Step 1: Begin\n" >docs/login/plan.md
    pairflow plan request-review 2>refused.txt; echo $? >code.txt
    cp kept.md docs/login/plan.md; pairflow plan request-review'
  plays 2 'echo alive; sleep 600'
  drive
  wait_for run_is_live 2
  [ "$(cat "$REPO/code.txt")" = 1 ]
  grep -q 'plan.md line 2' "$REPO/refused.txt"
}

@test "other frontmatter keys, comments and CRLF survive status changes" {
  printf -- '---\r\n# mine\r\nowner: "me" # and mine\r\nactive_step: 1\r\nstep_status: {1: pending}\r\n---\r\n\r\n## Step 1: a\r\n\r\n## Step 2: b\r\n' >"$REPO/docs/login/plan.md"
  plays 1 'pairflow plan request-review'
  plays 2 'pairflow plan approve'
  plays 3 'pairflow plan request-review'
  plays 4 'pairflow plan request-changes --text again'
  plays 5 'sleep 600'
  drive
  wait_for run_is_live 5
  wait_for grep -q '1: done' "$REPO/docs/login/plan.md"
  diff <(printf -- '---\r\n# mine\r\nowner: "me" # and mine\r\nactive_step: 2\r\nstep_status: {1: done, "2": needs-changes}\r\n---\r\n\r\n## Step 1: a\r\n\r\n## Step 2: b\r\n') "$REPO/docs/login/plan.md"
}

@test "workspace = worktree: the checkout stays as it is" {
  append_config '[plan]' 'workspace = "worktree"'
  commit_agents() { git -C "$REPO" add agents && git -C "$REPO" commit -qm agents; }
  plays 1 'echo new >new.txt; pairflow plan request-review'
  plays 2 'echo alive; sleep 600'
  git -C "$REPO" add docs
  commit_agents
  sed -i 's/Go on/Go on, not committed/' "$REPO/docs/login/plan.md"
  drive
  wait_for run_is_live 2
  local tree=$SCRATCH/.pairflow-worktrees/repo/plan.login
  [ -e "$tree/new.txt" ]
  [ ! -e "$REPO/new.txt" ]
  [ "$(git -C "$tree" symbolic-ref --short HEAD)" = plan/login ]
  [ "$(jqs '.steps[1].title')" = "Go on, not committed" ]
  run pf plan run nothing --plain
  [ "$status" -eq 1 ]
  [[ "$output" == *"pairflow plan init nothing"* ]]
  [ ! -e "$SCRATCH/.pairflow-worktrees/repo/plan.nothing" ]
}

@test "after the last approval the explainer writes explained.md" {
  append_config '[plan]' 'explain = "bob"'
  printf -- '---\nactive_step: 1\n---\n## Step 1: all\n' >"$REPO/docs/login/plan.md"
  plays 1 'pairflow plan request-review'
  plays 2 'pairflow plan approve'
  plays 3 'echo "It logs in." >docs/login/explained.md'
  drive
  wait_for logged orchestrator plan.explained
  prompt 0003-explainer | grep -q 'explained.md'
  pf plan reply login --message done
  wait_for view_ended
  [ -e "$REPO/docs/login/explained.md" ]
}

@test "init, validate, list, log and wrong words" {
  run pf plan init login
  [ "$status" -eq 1 ]
  run pf plan init "../evil"
  [ "$status" -eq 2 ]
  run pf plan init search
  [ "$status" -eq 0 ]
  [ "$(stat -c %a "$REPO/docs/search/plan.md")" = 644 ]
  run pf plan validate search
  [ "$status" -eq 0 ]
  run pf plan run search --plain
  [ "$status" -eq 1 ]
  [[ "$output" == *"docs/search/plan.md is empty still"* ]]
  sed -i 's/active_step: 1/active_step: 9/' "$REPO/docs/search/plan.md"
  run pf plan validate search
  [ "$status" -eq 1 ]
  [[ "$output" == *"plan.md line 2: active_step is \`9\`"* ]]
  run pf plan run search --plain
  [ "$status" -eq 1 ]
  [[ "$output" == *"line 2"* ]]
  pf plan list | grep -q '^search .*not run yet'
  run pf plan validate nothing
  [ "$status" -eq 1 ]
  [[ "$output" == *"pairflow plan init nothing"* ]]
  run pf plan status
  [ "$status" -eq 2 ]
  [[ "$output" == *"login, search"* ]]
  run pf plan force login nobody
  [ "$status" -eq 2 ]
  run pf plan runn login
  [[ "$output" == *"pairflow plan run"* ]]
}

@test "the console in a terminal: a question is answered by typing, Ctrl-C leaves and the plan goes on" {
  plays 1 'pairflow plan ask-user --message "tabs or spaces?" >answer.txt; echo thanks; pairflow plan request-review'
  plays 2 'echo reading; sleep 600'
  tmx -f /dev/null new-session -d -x 80 -y 24 "cd '$REPO' && '$PAIRFLOW' plan run login; echo \"left with \$?\"; sleep 600"
  wait_for screen_has 'the coder asks'
  screen_has 'YOUR TURN'
  screen_has 'tabs or spaces?'
  tmx send-keys -l 'spaces'
  tmx send-keys Enter
  wait_for screen_has '\[reviewer\] *reading'
  screen_has 'REVIEWER'
  screen_has '\[coder:request-review\] step 1 is ready for review'
  grep -q spaces "$REPO/answer.txt"
  tmx send-keys C-c
  wait_for screen_has 'left with 0'
  screen_has 'goes on without you'
  is_plan reviewer_active
  [ "$(endings)" = "1 handed_over" ]
  run_is_live 2
}
screen_has() { tmx capture-pane -p -J | grep -q -- "$1"; } # PATTERN

@test "without a sandbox, too, an agent ends with the driver that was killed" {
  printf '\n[sandbox]\nmode = "off"\n' >>"$REPO/.pairflow/config.toml"
  plays 1 'echo alive; while :; do sleep 0.1; done'
  drive
  wait_for run_is_live 1
  runs_in_repo agents/run-1
  kill_driver
  wait_for eval '! runs_in_repo agents/run-1'
}

@test "help names an argument once" {
  run -0 pf plan force --help
  [ "$(grep -c '^ *feature' <<<"$output")" = 1 ]
  [[ $output == *"[feature] role"* ]]
  [[ $output == *"feature, --feature WORD"* ]]
  [[ $output != *Positionals* ]]
}
