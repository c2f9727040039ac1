# One bubble from create to commit, driven from a plain shell with two agents that are `cat`.
load helpers

setup() { scratch; }
teardown() { sweep; }

dir() { echo "$REPO/.pairflow/bubbles/$BUBBLE"; }

session() {
  begin
  implement "hello, world"
  as claude pass --summary "one thing" --finding "P1:Nobody is greeted by name @hello.txt:1"
  edit hello.txt "hello, Ada"
  as codex pass --summary "by name now" --fixed F1.1
  as claude pass --summary "fine" --no-findings
  agree
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
}

@test "create to commit: every step takes the bubble where the table says" {
  create
  [ "$(state)" = CREATED ]
  pf bubble start --id "$BUBBLE"
  [ "$(field "$BUBBLE" '[.state, .round, .active_agent, .active_role] | join(" ")')" = \
    "RUNNING 1 codex implementer" ]
  implement "hello, world"
  [ "$(field "$BUBBLE" '[.state, .round, .active_agent, .active_role] | join(" ")')" = \
    "RUNNING 1 claude reviewer" ]
  as claude pass --summary "one thing" --finding "P1:Nobody is greeted by name @hello.txt:1"
  [ "$(field "$BUBBLE" '[.state, .round, .active_agent, .active_role] | join(" ")')" = \
    "RUNNING 2 codex implementer" ]
  [ "$(field "$BUBBLE" '.findings[0] | [.id, .severity, .status, .path, .line] | join(" ")')" = \
    "F1.1 P1 open hello.txt 1" ]
  edit hello.txt "hello, Ada"
  as codex pass --summary "by name now" --fixed F1.1
  [ "$(field "$BUBBLE" '.findings[0].status')" = claimed ]
  as claude pass --summary "fine" --no-findings
  [ "$(field "$BUBBLE" '[.state, .round, .active_agent, .active_role] | join(" ")')" = \
    "RUNNING 3 codex reviewer" ]
  [ "$(field "$BUBBLE" '.findings[0].status')" = resolved ]
  agree
  [ "$(field "$BUBBLE" '[.state, .active_agent] | map(tostring) | join(" ")')" = \
    "READY_FOR_APPROVAL null" ]
  pf bubble approve --id "$BUBBLE" --yes
  is_state APPROVED_FOR_COMMIT
  pf bubble commit --id "$BUBBLE"
  is_state DONE

  pf bubble verify --id "$BUBBLE"
  wait_for closed
  [ "$(types)" = "LIFECYCLE LIFECYCLE TASK EVIDENCE PASS PASS PASS PASS CONVERGENCE \
APPROVAL_REQUEST APPROVAL_DECISION LIFECYCLE LIFECYCLE DONE_PACKAGE LIFECYCLE" ]
  [ "$(jq -r .seq "$(transcript)" | paste -sd ' ')" = "$(seq -s ' ' "$(wc -l <"$(transcript)")")" ]
  pf bubble verify --id "$BUBBLE"
}

closed() { [ "$(jq -r .payload.event "$(transcript)" | tail -1)" = closed ]; }

@test "the commit holds the approved tree on the base, and the session is gone" {
  session
  local approved
  approved=$(field "$BUBBLE" .approved_tree)
  [ "$(field "$BUBBLE" .converged_tree)" = "$approved" ]
  [ "$(git -C "$REPO" rev-parse "bubble/$BUBBLE^{tree}")" = "$approved" ]
  [ "$(git -C "$REPO" rev-parse "bubble/$BUBBLE")" = "$(field "$BUBBLE" .commit)" ]
  [ "$(git -C "$REPO" rev-parse "bubble/$BUBBLE^")" = "$(git -C "$REPO" rev-parse main)" ]
  [ "$(git -C "$REPO" show "bubble/$BUBBLE:hello.txt")" = "hello, Ada" ]
  [ "$(git -C "$REPO" log -1 --format='%an %s' "bubble/$BUBBLE")" = "Dev Say more." ]
  [ "$(git -C "$WORKTREE" status --porcelain)" = "" ]
  wait_for closed
  run -1 tmx has-session -t "=pf-$BUBBLE"
  wait_for no_supervisor
  run -1 pf bubble commit --id "$BUBBLE"
}

no_supervisor() { [ "$(field "$BUBBLE" .supervised)" = false ]; }

# Everything of the user's repository but the objects, our refs and what git keeps for the worktree.
users_files() {
  (cd "$REPO" && find . -type f -not -path './.pairflow/*' -not -path './.git/objects/*' \
    -not -path './.git/worktrees/*' -not -path '*/bubble/*' -not -path '*/pairflow/*' \
    -not -path './.git/info/exclude' -exec sha256sum {} + | sort -k 2)
  git -C "$REPO" for-each-ref refs/heads/main refs/tags refs/remotes refs/stash
}

@test "nothing of the user's is touched but info/exclude" {
  echo '*.log' >"$REPO/.gitignore"
  echo staged >"$REPO/staged.txt"
  git -C "$REPO" add staged.txt .gitignore
  echo changed >>"$REPO/hello.txt"
  git -C "$REPO" status --porcelain >"$SCRATCH/status"
  users_files >"$SCRATCH/before"
  cp "$REPO/.git/info/exclude" "$SCRATCH/exclude"
  session
  users_files >"$SCRATCH/after"
  diff "$SCRATCH/before" "$SCRATCH/after"
  printf '.pairflow/\n' | cat "$SCRATCH/exclude" - | diff - "$REPO/.git/info/exclude"
  # .pairflow/ is not shown any more; all else as it was.
  grep -v '^?? .pairflow/' "$SCRATCH/status" | diff - <(git -C "$REPO" status --porcelain)
  [ "$(git -C "$REPO" rev-parse --abbrev-ref HEAD)" = main ]
  [ -z "$(git -C "$REPO" ls-tree -r --name-only "bubble/$BUBBLE" | grep pairflow)" ]
}

@test "a line arrives in the pane of the agent on turn, and only there" {
  begin
  wait_for pane_has codex "TASK from orchestrator"
  wait_for pane_has claude "wait here for your turn"
  pane_lacks claude "TASK from orchestrator"
  implement "hello, world"
  wait_for pane_has claude "PASS from codex"
  pane claude | grep -qE 'round 1 .* read .*/[0-9]{3}-codex-pass.md'
  pane_lacks codex "PASS from codex"
  as claude pass --summary "no; rm -rf /" --finding "P1:Not so"
  wait_for pane_has codex "PASS from claude"
  pane codex | grep -qE 'round 2 .* read .*/[0-9]{3}-claude-review.md'
  pane_lacks claude "PASS from claude"
  # Ids and paths only: what an agent wrote stays in its file.
  pane_lacks codex "rm -rf"
  grep -q "rm -rf" "$(dir)"/artifacts/messages/*-claude-review.md
}

@test "messages, diffs and projections lie where people look for them" {
  session
  (cd "$(dir)/artifacts/messages" &&
    ls [0-9][0-9][0-9]-codex-pass.md [0-9][0-9][0-9]-claude-review.md >"$SCRATCH/messages")
  [ "$(wc -l <"$SCRATCH/messages")" -eq 4 ]
  grep -q '^+hello, world$' "$(dir)/artifacts/round-001.diff"
  grep -q '^+hello, Ada$' "$(dir)/artifacts/round-002.diff"
  jq -e '["state", "active_agent", "active_since", "active_role", "round_role_history",
    "last_command_at"] - keys == []' "$(dir)/state.json"
  pf bubble status --id "$BUBBLE" --json | jq -e '["id", "state", "round", "active_agent",
    "active_role", "active_since", "round_role_history", "tree", "findings", "inbox", "last_seq"] -
    keys == []'
  jq -e '.round_role_history | map([.round, .implementer, .reviewer]) ==
    [[1,"codex","claude"],[2,"codex","claude"],[3,"claude","codex"]]' "$(dir)/state.json"
  jq -e 'type == "object"' "$REPO/.pairflow/runtime/sessions.json"
  jq -ne '[inputs] | length == 0' "$(dir)/inbox.ndjson"
  grep -q '^implementer = "codex"' "$(dir)/bubble.toml"
}

other_process() { [ -n "$(pane_pid "$1")" ] && [ "$(pane_pid "$1")" != "$2" ]; }

@test "a fresh reviewer begins each review in a new process, the implementer keeps its own" {
  begin
  local claude codex
  claude=$(pane_pid claude) codex=$(pane_pid codex)
  implement "hello, world"
  wait_for other_process claude "$claude"
  wait_for pane_has claude "PASS from codex"
  claude=$(pane_pid claude)
  as claude pass --summary "one thing" --finding "P1:Not so"
  wait_for pane_has codex "PASS from claude"
  [ "$(pane_pid codex)" = "$codex" ]
  implement "hello, Ada"
  wait_for other_process claude "$claude"
}

@test "a persistent reviewer keeps its process while it keeps its role" {
  config_file 'reviewer_context_mode = "persistent"' >"$REPO/.pairflow/config.toml"
  begin
  local claude codex
  claude=$(pane_pid claude) codex=$(pane_pid codex)
  implement "hello, world"
  wait_for pane_has claude "PASS from codex"
  [ "$(pane_pid claude)" = "$claude" ]
  as claude pass --summary "fine" --no-findings
  wait_for other_process codex "$codex"
  [ "$(pane_pid claude)" = "$claude" ]
}
