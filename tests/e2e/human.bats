# What the human is asked, and what the human decides.
load helpers

setup() { scratch; }
teardown() { sweep; }

turn() { field "$BUBBLE" '[.state, .round, .active_agent, .active_role] | join(" ")'; }
asked() { field "$BUBBLE" '[.inbox[] | .kind] | join(" ")'; }
inbox_file() { cat "$REPO/.pairflow/bubbles/$BUBBLE/inbox.ndjson"; }
status_of() { field "$BUBBLE" ".findings[] | select(.id == \"$1\") | .status"; } # FINDING

@test "what was agreed on is not judged by a configuration edited later" {
  printf '\n[scope]\ndeny = ["infra/**"]\n' >>"$REPO/.pairflow/config.toml"
  begin
  edit infra/x "dangerous"
  as codex pass --summary "done"
  as claude pass --summary "fine" --no-findings
  agree
  pf bubble approve --id "$BUBBLE" --yes
  sed -i 's/infra/nothing/' "$REPO/.pairflow/bubbles/$BUBBLE/bubble.toml" "$REPO/.pairflow/config.toml"
  run -1 pf bubble commit --id "$BUBBLE"
  [[ "$output" == *"out of scope: infra/x"* ]]
  is_state APPROVED_FOR_COMMIT
}

@test "a question waits in every inbox; the reply goes to who asked, the turn stays" {
  begin
  implement "hello, world"
  wait_for pane_has claude "PASS from codex"
  as codex ask-human --question "Tabs or spaces?"
  [ "$(turn)" = "WAITING_HUMAN 1 claude reviewer" ]
  as claude ask-human --question "Is it urgent?"

  pf bubble inbox --id "$BUBBLE" --json | jq -e '[.items[] | .from, .text] ==
    ["codex", "Tabs or spaces?", "claude", "Is it urgent?"]'
  [ "$(pf inbox --json | jq -r '[.items[] | .bubble] | unique | join(" ")')" = "$BUBBLE" ]
  [ "$(pf inbox | grep -c "pairflow bubble reply --id $BUBBLE")" -eq 2 ]
  [ "$(inbox_file | jq -s length)" -eq 2 ]
  local second
  second=$(inbox_file | jq -sr '.[1].id')

  run -1 pf bubble reply --id "$BUBBLE" --question msg_20000101_999 --message "?"
  run -1 pf bubble reply --id "$BUBBLE" --decision accept
  run -2 pf bubble reply --id "$BUBBLE"
  pf bubble reply --id "$BUBBLE" --question "$second" --message "No."
  [ "$(turn)" = "WAITING_HUMAN 1 claude reviewer" ]
  wait_for pane_has claude "HUMAN_REPLY from human"
  pane_lacks codex "HUMAN_REPLY from human"
  pf bubble reply --id "$BUBBLE" --message "Spaces."
  [ "$(turn)" = "RUNNING 1 claude reviewer" ]
  wait_for pane_has codex "HUMAN_REPLY from human"
  grep -l "Spaces." "$REPO/.pairflow/bubbles/$BUBBLE/artifacts/messages/"*-human-*
  [ "$(inbox_file | jq -s length)" -eq 0 ]
  [ "$(pf inbox --json | jq '.items | length')" -eq 0 ]
  [ "$(types)" = "LIFECYCLE LIFECYCLE TASK EVIDENCE PASS HUMAN_QUESTION HUMAN_QUESTION \
HUMAN_REPLY HUMAN_REPLY" ]
  run -1 pf bubble reply --id "$BUBBLE" --message "Again."
  as claude pass --summary "fine" --no-findings
}

@test "resume answers questions without a word, but makes no decision" {
  begin
  as codex ask-human --question "Go on?"
  pf bubble resume --id "$BUBBLE"
  [ "$(turn)" = "RUNNING 1 codex implementer" ]
  recorded '.type == "HUMAN_REPLY" and .payload.resumed'
  implement "hello, world"
  as claude pass --summary "a trifle" --finding "P3:A comma"
  run -1 pf bubble resume --id "$BUBBLE"
  [[ "$output" == *"--decision accept|continue"* ]]
  [ "$(turn)" = "WAITING_HUMAN 1 claude reviewer" ]
}

@test "minor findings: accepted, the other agent reviews the same tree" {
  begin
  implement "hello, world"
  as claude pass --summary "a trifle" --finding "P2:A comma" --finding "P3:Another"
  [ "$(turn) $(asked)" = "WAITING_HUMAN 1 claude reviewer minor" ]
  pf bubble reply --id "$BUBBLE" --decision accept --message "Leave it."
  [ "$(turn)" = "RUNNING 2 codex reviewer" ]
  [ "$(status_of F1.1) $(status_of F1.2)" = "waived waived" ]
  wait_for pane_has codex "HUMAN_REPLY from human"
  agree
  is_state READY_FOR_APPROVAL
}

@test "minor findings: continued, they go back to the implementer; nobody is asked twice" {
  begin
  implement "hello, world"
  as claude pass --summary "a trifle" --finding "P2:A comma"
  pf bubble reply --id "$BUBBLE" --message "I do not know." # a bare message never accepts
  [ "$(turn)" = "RUNNING 2 codex implementer" ]
  [ "$(status_of F1.1)" = open ]
  pf bubble waive --id "$BUBBLE" --finding F1.1 --reason "now I know"
  [ "$(turn) $(status_of F1.1)" = "RUNNING 2 codex implementer waived" ]
  run -1 pf bubble waive --id "$BUBBLE" --finding F1.1 --reason "again"
  run -1 pf bubble waive --id "$BUBBLE" --finding F9.9 --reason "no such"
  implement "hello, Ada"
  as claude pass --summary "the same trifle" --finding "P2:A comma"
  [ "$(turn)" = "RUNNING 3 codex reviewer" ]
}

@test "a P2 that touches a risky word goes back without asking" {
  begin
  implement "hello, world"
  as claude pass --summary "hm" --finding "P2:Possible race at start"
  [ "$(turn)" = "RUNNING 2 codex implementer" ]
}

@test "a dispute: repeated, asked, upheld, not to be disputed again" {
  begin
  implement "hello, world"
  as claude pass --summary "one" --finding "P1:Too short"
  as codex pass --summary "it is long enough" --disputed "F1.1: the task says so"
  [ "$(turn) $(status_of F1.1)" = "RUNNING 2 claude reviewer disputed" ]
  as claude pass --summary "no" --finding F1.1
  [ "$(turn) $(asked)" = "WAITING_HUMAN 2 claude reviewer dispute" ]
  [[ "$(pf bubble inbox --id "$BUBBLE")" == *"the task says so"* ]]
  pf bubble reply --id "$BUBBLE" --decision continue
  [ "$(turn) $(status_of F1.1)" = "RUNNING 3 codex implementer upheld" ]
  run -1 as codex pass --summary "still" --disputed "F1.1: still"
  implement "hello, dear world"
  as claude pass --summary "now" --no-findings
  [ "$(turn) $(status_of F1.1)" = "RUNNING 4 codex reviewer resolved" ]
}

@test "max_rounds: the human gives more of them, or accepts" {
  begin --max-rounds 1
  implement "hello, world"
  as claude pass --summary "one" --finding "P1:Too short"
  [ "$(turn) $(asked)" = "WAITING_HUMAN 1 claude reviewer max_rounds" ]
  pf bubble reply --id "$BUBBLE" --decision continue --rounds 1
  [ "$(turn) $(field "$BUBBLE" .limit)" = "RUNNING 2 codex implementer 2" ]
  implement "hello, Ada"
  as claude pass --summary "still" --finding F1.1
  [ "$(turn) $(asked)" = "WAITING_HUMAN 2 claude reviewer max_rounds" ]
  pf bubble reply --id "$BUBBLE" --decision accept --message "Short is fine."
  [ "$(turn) $(status_of F1.1)" = "RUNNING 3 codex reviewer waived" ]
  agree
  is_state READY_FOR_APPROVAL
}

@test "request-rework: before and after the approval" {
  begin
  run -1 pf bubble request-rework --id "$BUBBLE" --message "too early"
  converge
  pf bubble request-rework --id "$BUBBLE" --message "Keep the old greeting."
  # The roles stay as they stood: claude had become the implementer.
  [ "$(turn)" = "RUNNING 3 claude implementer" ]
  [ "$(field "$BUBBLE" '.findings[0] | [.severity, .source, .status] | join(" ")')" = \
    "P1 human open" ]
  wait_for pane_has claude "APPROVAL_DECISION from human"
  run -1 pf bubble approve --id "$BUBBLE" --yes
  edit hello.txt "hello; and hello, world"
  as claude pass --summary "both" --fixed F3.1
  as codex pass --summary "fine" --no-findings
  as claude converged --summary "fine"
  pf bubble approve --id "$BUBBLE" --yes
  [ "$(field "$BUBBLE" .approved_tree)" != null ]
  pf bubble request-rework --id "$BUBBLE" --reject --message "On second thought, no." \
    --finding "P2:A comma"
  [ "$(field "$BUBBLE" '[.state, .approved_tree] | map(tostring) | join(" ")')" = "RUNNING null" ]
  [ "$(jq -r 'select(.type == "APPROVAL_DECISION") | .payload.decision' "$(transcript)" |
    paste -sd ' ')" = "revise approve reject" ]
  run -1 pf bubble commit --id "$BUBBLE"
}

@test "replan: both panes are told, open questions are over" {
  begin
  implement "hello, world"
  wait_for pane_has claude "PASS from codex"
  as claude ask-human --question "Is this what you want?"
  pf bubble replan --id "$BUBBLE" --task "Say goodbye."
  [ "$(turn)" = "RUNNING 2 codex implementer" ]
  [ "$(asked)" = "" ]
  recorded '.type == "HUMAN_REPLY" and .payload.superseded'
  wait_for pane_has claude "round 2 | TASK from orchestrator"
  wait_for pane_has codex "round 2 | TASK from orchestrator"
  as codex turn | grep -q "Say goodbye."
  run -1 pf bubble replan --id "$BUBBLE" --task "Say goodbye."
}

@test "stop: CANCELLED, the work is kept, the session is closed" {
  begin
  edit hello.txt "half a sentence"
  edit new.txt "and a new file"
  pf bubble stop --id "$BUBBLE" --reason "changed my mind" --yes
  is_state CANCELLED
  recorded '.payload.event == "cancelled" and .payload.reason == "changed my mind"'
  run -1 tmx has-session -t "=pf-$BUBBLE"
  [ "$(cat "$WORKTREE/hello.txt")" = "half a sentence" ]
  git -C "$REPO" rev-parse -q --verify "bubble/$BUBBLE"
  [ "$(git -C "$REPO" show "refs/pairflow/$BUBBLE/salvage/1:hello.txt")" = "half a sentence" ]
  [ "$(git -C "$REPO" show "refs/pairflow/$BUBBLE/salvage/1:new.txt")" = "and a new file" ]
  [ "$(git -C "$REPO" status --porcelain)" = "" ]
  run -1 pf bubble stop --id "$BUBBLE" --yes
  run -1 pf bubble start --id "$BUBBLE"
  run -1 pf bubble resume --id "$BUBBLE"
  pf bubble verify --id "$BUBBLE"
}

@test "stop before the start leaves no branch and no worktree" {
  create
  pf bubble stop --id "$BUBBLE" --yes
  is_state CANCELLED
  [ ! -e "$WORKTREE" ]
  run -1 git -C "$REPO" rev-parse -q --verify "refs/heads/bubble/$BUBBLE"
}

ended() { ! kill -0 "$1" 2>/dev/null; }

@test "stop while the setup runs ends it" {
  config_file '[commands]' \
    "setup = \"echo \$\$ >$SCRATCH/pid; sleep 1000 & echo \$! >$SCRATCH/child; wait\"" \
    >"$REPO/.pairflow/config.toml"
  create
  pf bubble start --id "$BUBBLE" >"$SCRATCH/start" 2>&1 3>&- &
  local start=$!
  wait_for test -s "$SCRATCH/child"
  is_state PREPARING_WORKSPACE
  run -1 pf bubble start --id "$BUBBLE"
  pf bubble stop --id "$BUBBLE" --yes
  is_state CANCELLED
  wait_for ended "$(cat "$SCRATCH/pid")"
  wait_for ended "$(cat "$SCRATCH/child")"
  local code=0
  wait "$start" || code=$?
  [ "$code" -eq 1 ]
  grep -q "stopped meanwhile" "$SCRATCH/start"
}

@test "the one-shot watchdog: nothing to watch, or within its minutes" {
  create
  run -0 pf bubble watchdog --id "$BUBBLE"
  [[ "$output" == *"nothing to watch"*CREATED* ]]
  pf bubble start --id "$BUBBLE"
  run -0 pf bubble watchdog --id "$BUBBLE"
  [[ "$output" == *"codex is within its 600 minutes"* ]]
  [ "$(pf bubble watchdog --id "$BUBBLE" --json | jq .escalated)" = false ]
  as codex ask-human --question "Awake?"
  run -0 pf bubble watchdog --id "$BUBBLE"
  [[ "$output" == *"nothing to watch"*WAITING_HUMAN* ]]
  [ "$(asked)" = ask ]
}
