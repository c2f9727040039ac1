#!/usr/bin/env bats
# A confined reviewer looks at a checkout of exactly the tree under review, not at the writer's
# directory: what the writer does after its pass is its next turn.

load helpers

setup() {
  scratch
  needs sandbox
}
teardown() { sweep; }

# The reviewer runs each line that is typed, in its sandbox, and says what came of it.
reviewer_obeys() {
  cat >"$REPO/.pairflow/agent.sh" <<'SH'
while read -r line; do
  case $line in
    RUN*) sh -c "${line#RUN }" && echo "DONE ${line#RUN }" || echo "FAILED ${line#RUN }" ;;
    *) echo "HEARD ${line#*| }" ;;
  esac
done
SH
  config_file | sed "/agents.claude/,/command/s|\[\"cat\"\]|[\"sh\", \"$REPO/.pairflow/agent.sh\"]|" \
    >"$REPO/.pairflow/config.toml"
}
reviewer_runs() { tmx send-keys -t "$(pane_id claude)" -l "RUN $1" && tmx send-keys -t "$(pane_id claude)" Enter; } # COMMAND
can() { reviewer_runs "$1" && wait_for pane_has claude "DONE $1"; }       # COMMAND
cannot() { reviewer_runs "$1" && wait_for pane_has claude "FAILED $1"; } # COMMAND

@test "it sees the tree that was passed, whatever the writer does since, and edits nothing" {
  reviewer_obeys
  begin
  implement "first"
  wait_for pane_has claude "HEARD round 1 | PASS"
  edit hello.txt "second thoughts"
  edit new.txt "more"
  can 'grep -x first hello.txt'
  cannot 'test -e new.txt'
  can 'git show HEAD | grep -x +first'
  can 'test -z "$(git status --porcelain)"'
  cannot 'echo x >hello.txt'
  cannot 'git commit -q --allow-empty -m x'
  # It can build, in a place of its own, as it is told.
  can "$(as claude turn | sed -n 's/^  \(d=.*\)/\1/p') && echo x >hello.txt"
  can "$(as claude turn | sed -n 's/^  \(d=.*\)/\1/p') && grep -x first hello.txt"
  as claude pass --summary "not yet" --finding "P1:Say more"
  [ "$(field "$BUBBLE" .round)" -eq 2 ]
  run recorded '.payload.event == "tree_moved"'
  [ "$status" -ne 0 ]
  # What came after the pass is shown to the writer, and goes with its next one.
  run as codex turn
  [[ "$output" == *"since it was handed over last: hello.txt, new.txt"* ]]
  as codex pass --summary "with second thoughts"
  wait_for pane_has claude "HEARD round 2 | PASS"
  can 'grep "second thoughts" hello.txt && test -e new.txt'
}

@test "a verdict before the tree is there is refused, and costs nothing" {
  begin
  implement "first"
  wait_for is_shown claude
  echo "$(printf '0%.0s' {1..40})" >"$REPO/.pairflow/bubbles/$BUBBLE/review.tree" # as if it were late
  run -1 env -C "$WORKTREE" PAIRFLOW_REPO="$REPO" PAIRFLOW_BUBBLE="$BUBBLE" PAIRFLOW_AGENT=claude \
    "$PAIRFLOW" pass --summary "fine" --no-findings
  [[ "$output" == *"not before you yet"* ]]
  [[ "$output" == *"pairflow turn"* ]]
  is_state RUNNING
  [ "$(count_of "$BUBBLE" PASS)" -eq 1 ]
}

@test "both agree on what they saw; the writer's leftovers are named to the human and never committed" {
  begin
  implement "first"
  edit sneaky.txt "after the pass"
  as claude pass --summary "fine" --no-findings
  agree
  is_state READY_FOR_APPROVAL
  run -1 pf bubble approve --id "$BUBBLE" --yes
  [[ "$output" == *sneaky.txt* ]]
  rm "$WORKTREE/sneaky.txt"
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
  [ "$(git -C "$REPO" ls-tree --name-only "bubble/$BUBBLE" | paste -sd ' ')" = "hello.txt" ]
}

@test "a persistent reviewer sees each tree in the same directory; it all goes with the bubble" {
  reviewer_obeys
  sed -i '1i reviewer_context_mode = "persistent"' "$REPO/.pairflow/config.toml"
  begin
  implement "first"
  wait_for pane_has claude "HEARD round 1 | PASS"
  can 'grep -x first hello.txt'
  local pid
  pid=$(pane_pid claude)
  as claude pass --summary "not yet" --finding "P1:Say more"
  rm "$WORKTREE/hello.txt"
  edit deep/er.txt "second"
  as codex pass --summary "moved"
  wait_for pane_has claude "HEARD round 2 | PASS"
  [ "$(pane_pid claude)" = "$pid" ]
  can 'test ! -e hello.txt && grep -x second deep/er.txt'
  [ -d "$WORKTREE.review" ]
  pf bubble stop --id "$BUBBLE" --yes
  gone() { ! ls -d "$WORKTREE".* 2>/dev/null; }
  wait_for gone
}

@test "a file that a review refers to is kept as the reviewer saw it" {
  begin
  implement "first"
  wait_for is_shown claude
  edit hello.txt "second thoughts"
  as claude pass --summary "see there" --finding "P1:Say more" --ref hello.txt
  local ref
  ref=$(lines_of "$BUBBLE" PASS | tail -n 1 | jq -r '.refs[0]')
  [[ "$ref" == artifact://blobs/* ]]
  [ "$(cat "$REPO/.pairflow/bubbles/$BUBBLE/artifacts/blobs/$(cut -d / -f 4 <<<"$ref")")" = first ]
}

@test "a supervisor killed while it brings the tree: the next one starts over, and tells once" {
  begin
  implement "first"
  wait_for is_shown claude
  as claude pass --summary "not yet" --finding "P1:Say more"
  edit hello.txt "second"
  local pid
  pid=$(jq .pid "$REPO/.pairflow/runtime/$BUBBLE.json")
  kill -STOP "$pid"
  as codex pass --summary "second" || true
  rm -f "$REPO/.pairflow/bubbles/$BUBBLE/review.tree"
  echo half >"$WORKTREE.review/hello.txt"
  echo left >"$WORKTREE.review/left.txt"
  kill -KILL "$pid"
  pf bubble resume --id "$BUBBLE" >/dev/null 2>&1 || pf bubble status --id "$BUBBLE" >/dev/null
  wait_for is_shown claude
  [ "$(cat "$WORKTREE.review/hello.txt")" = second ]
  [ ! -e "$WORKTREE.review/left.txt" ]
  as claude pass --summary "fine" --no-findings
}
