#!/usr/bin/env bats
# Every verb that changes a bubble, killed at each call that changes something.

load ../e2e/helpers
load sweep

setup() {
  needs strace
  scratch 'reviewer_context_mode = "persistent"'
}
teardown() { sweep_kept; }

# What happened, but for what agents and panes do by themselves.
story() {
  jq -r 'select(.type != "PROTOCOL_WARNING") | select(.payload.event // "" | IN("launched", "prompt_taken",
    "agent_exited", "hindered", "freed") | not) | [.type, .sender, .payload.event // ""] | join(" ")' "$(transcript)"
}
sound() { pf bubble verify --id "$BUBBLE" >/dev/null && git -C "$REPO" fsck --no-dangling >/dev/null; }
of_bubble() { pf bubble "$1" --id "$BUBBLE" --request sweep "${@:2}"; } # VERB OPTION…
as_again() { as "$1" "$2" --request sweep "${@:3}"; }                   # AGENT VERB OPTION…
started() { pf bubble start --id "$BUBBLE"; }
reviewing() { started && implement "more"; }
main_moves() { echo other >"$REPO/other.txt" && git -C "$REPO" add other.txt && git -C "$REPO" commit -qm meanwhile; }
one_commit() {
  [ "$(git -C "$REPO" rev-list --count "main..bubble/$BUBBLE")" -eq 1 ] &&
    [ "$(git -C "$REPO" rev-parse "bubble/$BUBBLE^{tree}")" = "$(field "$BUBBLE" .tree)" ]
}

# Its supervisor closes the session meanwhile: that comes before anything else each time.
finished_and_closed() { finished && wait_for recorded '.payload.event == "closed"'; }

@test "bubble create" {
  verb() { create --request sweep; }
  keep
  kills_of "bubble create"
}

@test "bubble start" {
  create
  verb() { of_bubble start; }
  eval "all_$(declare -f story)"
  story() { all_story | grep -v ' preparing$\| setup_failed$'; } # a git that was killed is a setup that failed
  keep
  kills_of "bubble start"
}

@test "pass of the implementer" {
  create
  arrange() { started && edit hello.txt "more"; }
  verb() { as_again codex pass --summary "wrote it"; }
  keep
  kills_of "pass (implementer)"
}

@test "pass of the reviewer" {
  create
  arrange() { reviewing; }
  verb() { as_again claude pass --summary "not yet" --finding "P1:Too short"; }
  keep
  kills_of "pass (reviewer)"
}

@test "converged" {
  create
  arrange() { reviewing && as claude pass --summary "nothing to say" --no-findings; }
  verb() { package | as_again codex converged --summary "I agree" --package -; }
  keep
  kills_of converged
}

@test "ask-human" {
  create
  arrange() { started; }
  verb() { as_again codex ask-human --question "Which one?"; }
  keep
  kills_of ask-human
}

@test "bubble reply" {
  create
  arrange() { started && as codex ask-human --question "Which one?"; }
  verb() { of_bubble reply --message "the blue one"; }
  sound() { wait_for pane_has codex "| HUMAN_REPLY from human"; }
  keep
  kills_of "bubble reply"
}

@test "bubble replan" {
  create
  arrange() { started; }
  verb() { of_bubble replan --task "Say less."; }
  keep
  kills_of "bubble replan"
}

@test "bubble waive" {
  create
  arrange() { reviewing && as claude pass --summary "not yet" --finding "P1:Too short"; }
  verb() { of_bubble waive --finding "$(field "$BUBBLE" '.findings[0].id')" --reason "it is fine"; }
  keep
  kills_of "bubble waive"
}

@test "bubble resume" {
  create
  arrange() { started && as codex ask-human --question "Which one?"; }
  verb() { of_bubble resume; }
  keep
  kills_of "bubble resume"
}

@test "bubble stop" {
  create
  arrange() { reviewing; }
  verb() { of_bubble stop --yes; }
  over() { [ "$(field "$BUBBLE" .supervised)" = false ]; }
  keep
  kills_of "bubble stop"
}

# From here on nobody supervises: the verb starts the supervisor, or performs what it needs itself.

@test "bubble approve" {
  begin && converge
  verb() { of_bubble approve --yes; }
  keep
  kills_of "bubble approve"
}

@test "bubble request-rework" {
  begin && converge
  verb() { of_bubble request-rework --message "once more"; }
  keep
  kills_of "bubble request-rework"
}

@test "bubble commit" {
  approved
  verb() { of_bubble commit; }
  over() { is_state DONE; }
  sound() { one_commit && pf bubble verify --id "$BUBBLE" >/dev/null; }
  keep
  kills_of "bubble commit"
}

@test "bubble merge" {
  finished_and_closed
  verb() { of_bubble merge; }
  eval "all_$(declare -f story)"
  story() { all_story | grep -v ' merge_prepared$\| merge_abandoned$'; } # a git that was killed
  sound() {
    pf bubble verify --id "$BUBBLE" >/dev/null && [ -z "$(git -C "$REPO" status --porcelain)" ] &&
      [ "$(git -C "$REPO" rev-parse main)" = "$(git -C "$REPO" rev-parse "bubble/$BUBBLE")" ]
  }
  keep
  kills_of "bubble merge"
}

@test "bubble merge of a base that has moved" {
  finished_and_closed
  main_moves
  verb() { of_bubble merge; }
  eval "all_$(declare -f story)"
  story() { all_story | grep -v ' merge_prepared$\| merge_abandoned$'; } # a git that was killed
  told_of_failure() { grep -q "uncommitted changes" "$SCRATCH.again"; }
  lead_on() {
    find "$REPO/.git" -name '*.lock' -delete
    git -C "$REPO" stash -q && verb
  }
  sound() {
    pf bubble verify --id "$BUBBLE" >/dev/null && [ -z "$(git -C "$REPO" status --porcelain)" ] &&
      [ "$(git -C "$REPO" log --first-parent --format=%s main | paste -sd ' ')" = "Merge branch 'bubble/$BUBBLE' meanwhile first" ]
  }
  keep
  kills_of "bubble merge (moved)"
}

@test "bubble sync" {
  begin && converge
  main_moves
  verb() { of_bubble sync; }
  over() { recorded '.payload.event == "synced"'; }
  # Nobody runs the agents here: the supervisor asks about that, soon or late, and nothing else.
  only_about_agents() { [ -z "$(lines_of "$BUBBLE" HUMAN_QUESTION | jq 'select(.payload.dead == null)')" ]; }
  eval "all_$(declare -f story)"
  story() { all_story | grep -v ' sync_prepared$\| sync_abandoned$\|^HUMAN_QUESTION'; } # a git that was killed
  sound() {
    [ "$(cat "$WORKTREE/other.txt" "$WORKTREE/hello.txt" | paste -sd ' ')" = "other hello, world" ] &&
      [ "$(git -C "$REPO" rev-parse "bubble/$BUBBLE")" = "$(git -C "$REPO" rev-parse main)" ] &&
      [ "$(field "$BUBBLE" '.conflicts | length')" -eq 0 ] && only_about_agents &&
      pf bubble verify --id "$BUBBLE" >/dev/null
  }
  keep
  kills_of "bubble sync"
}

@test "bubble continue" {
  finished "hello from the bubble"
  echo "hello from main" >"$REPO/hello.txt"
  git -C "$REPO" commit -qam "meanwhile"
  verb() { of_bubble continue; }
  eval "old_$(declare -f story)"
  story() { old_story && BUBBLE=$BUBBLE-2 old_story; }
  sound() {
    pf bubble verify --id "$BUBBLE-2" >/dev/null && [ "$(ls "$REPO/.pairflow/bubbles" | wc -l)" -eq 2 ] &&
      [ "$(field "$BUBBLE-2" .conflicts[0])" = hello.txt ]
  }
  keep
  kills_of "bubble continue"
}
