#!/usr/bin/env bats
# The approval package: written by the agents, completed by us, read by the human.

load helpers

setup() { scratch; }
teardown() { sweep; }

page() { cat "$REPO/.pairflow/bubbles/$BUBBLE/artifacts/done-package.md"; }
passed_clean() { implement "${1:-hello, world}" && as claude pass --summary "fine" --no-findings; }

@test "turn prints the form and what is missing; converged is refused until it is whole" {
  begin
  [[ "$(as codex turn)" == *"# What changed"*"# Suggested commit message"* ]]
  edit hello.txt "hello, world"
  printf '# What changed\nThe greeting.\n\n## Why\nThe task.\n' |
    as codex pass --summary "done" --package -
  as claude pass --summary "fine" --no-findings
  local form
  form=$(as codex turn)
  [[ "$form" == *"# Tradeoffs and residual risks"* && "$form" != *"# What changed"* ]]
  run -1 as codex converged --summary "I agree"
  [[ "$output" == *"lacks: tradeoffs and residual risks, manual test plan, suggested commit message"* ]]
  printf '# Tradeoffs & residual risks\nNone.\n# Test plan\n# Commit message\nHi\n' >"$SCRATCH/rest.md"
  run -1 as codex converged --summary "I agree" --package "$SCRATCH/rest.md"
  [[ "$output" == *"lacks: manual test plan;"* ]]
  echo "Read it." | sed 's/^/# Test plan\n/' >>"$SCRATCH/plan.md"
  run -1 as codex converged --summary "I agree" --package "$SCRATCH/plan.md"
  sed -i 's/^# Test plan$/&\nRead it./' "$SCRATCH/rest.md"
  as codex converged --summary "I agree" --package "$SCRATCH/rest.md"
  is_state READY_FOR_APPROVAL
  [[ "$(page)" == *"> The greeting."*"By codex."* ]]
}

@test "a wrong package is refused with what to do" {
  begin
  edit hello.txt "hello, world"
  run -2 as codex pass --summary "done" --package "$SCRATCH/none.md"
  [[ "$output" == *"none.md"* ]]
  package >"$WORKTREE/package.md"
  run -2 as codex pass --summary "done" --package package.md
  [[ "$output" == *"in the worktree"* ]]
  run -2 as codex pass --summary "done" --package "$WORKTREE/../$BUBBLE/package.md"
  rm "$WORKTREE/package.md"
  echo "just words" >"$SCRATCH/words.md"
  run -2 as codex pass --summary "done" --package "$SCRATCH/words.md"
  [[ "$output" == *"none of its parts"* ]]
  printf '# What chnged\nx\n' >"$SCRATCH/typo.md"
  run -2 as codex pass --summary "done" --package "$SCRATCH/typo.md"
  [[ "$output" == *"write # what changed"* ]]
  printf '# Why\na\n# Why\nb\n' >"$SCRATCH/twice.md"
  run -2 as codex pass --summary "done" --package "$SCRATCH/twice.md"
  printf '# Why\n\033[2Jgone\n' >"$SCRATCH/escape.md"
  run -2 as codex pass --summary "done" --package "$SCRATCH/escape.md"
  [[ "$output" == *"control characters"* ]]
  head -c 300000 /dev/zero | tr '\0' x | sed '1i # Why' >"$SCRATCH/huge.md"
  run -2 as codex pass --summary "done" --package "$SCRATCH/huge.md"
  [ "$(field "$BUBBLE" .active_agent)" = codex ]
}

@test "the page has the files, the findings and our own warnings; agents cannot fake them" {
  printf 'test:\n\tsh ./check.sh\n' >"$REPO/Makefile"
  echo true >"$REPO/check.sh"
  printf '*.log\n' >"$REPO/.gitignore"
  git -C "$REPO" add -A && git -C "$REPO" commit -qm "how it is checked"
  pf bubble create --id "$BUBBLE" --task "Say more." --test "make test"
  pf bubble start --id "$BUBBLE"
  # All that somebody might rather not mention.
  printf 'test:\n\ttrue\n' >"$WORKTREE/Makefile"
  ln -s /etc/passwd "$WORKTREE/shortcut"
  git init -q "$WORKTREE/inner"
  git -C "$WORKTREE/inner" -c user.name=x -c user.email=x@y commit -qm hidden --allow-empty
  echo secret >"$WORKTREE/run.log"
  git -C "$REPO" config alias.st status
  printf '#!/bin/sh\n' >"$REPO/.git/hooks/pre-commit"
  package | sed 's/^The greeting\.$/## Evidence: green\n&/' |
    as codex pass --summary "done" --package -
  as claude pass --summary "one thing" --finding "P2:A comma @hello.txt:1"
  pf bubble reply --id "$BUBBLE" --decision accept
  green() { [ "$(field "$BUBBLE" .evidence)" = green ]; }
  wait_for green
  as codex converged --summary "I agree"
  local page
  page=$(page)
  [ "$page" = "$(pf bubble package --id "$BUBBLE")" ]
  local first=${page%%## What changed*}
  [[ "$first" == *"may change what the checks do: Makefile"* ]]
  [[ "$first" == *"hooks changed since the start: config alias.st (new), hooks/pre-commit (new)"* ]]
  [[ "$first" == *"which no commit holds: run.log (new)"* ]]
  [[ "$first" == *"Symbolic links (120000): shortcut"* ]]
  [[ "$first" == *"Nested repositories (160000)"*": inner"* ]]
  [[ "${page##*"## Changes to how it is checked"}" == *"sh ./check.sh"*true*"## Findings"* ]]
  [[ "$page" == *"| test | \`make test\` | exit 0, from empty |"* ]]
  [[ "$page" == *"- F1.1 P2 waived: A comma @hello.txt (claude, round 1)"* ]]
  [[ "$page" == *"- M +1 −1 Makefile"*"- A "*" inner (nested repository)"*"shortcut (symbolic link)"* ]]
  [[ "$page" == *"the human decided: accept"* ]]
  [ "$(grep -c '^## Evidence' <<<"$page")" -eq 1 ]
  grep -q '^> ## Evidence: green$' <<<"$page"
}

@test "settings of test tools, tests and files under our own name are shown" {
  begin
  edit hello.txt "hello, world"
  edit vitest.config.ts "export default { test: { include: [] } }"
  mkdir -p "$WORKTREE/tests" && edit tests/a.sh "exit 0"
  mkdir -p "$WORKTREE/.pairflow/locks" && echo x >"$WORKTREE/.pairflow/config.toml"
  as codex pass --summary "done"
  as claude pass --summary "fine" --no-findings
  agree "Greet"
  local page
  page=$(page)
  local first=${page%%## What changed*}
  [[ "$first" == *"may change what the checks do: vitest.config.ts"* ]]
  [[ "$first" == *"Tests that were changed: tests/a.sh"* ]]
  [[ "$first" == *"no commit holds: .pairflow/config.toml (new), .pairflow/locks/ (new)"* ]]
  [[ "${page##*"## Changes to how it is checked"}" == *"+export default"*"+exit 0"*"## Findings"* ]]
}

@test "what was written for an earlier tree says so" {
  begin
  edit hello.txt "hello"$'\n'"world"
  package | as codex pass --summary "done" --package -
  as claude pass --summary "no" --finding "P1:Too loud"
  edit hello.txt "hello, moon"
  as codex pass --summary "again" --fixed F1.1
  as claude pass --summary "fine" --no-findings
  as codex converged --summary "I agree"
  [ "$(page | grep -c 'By codex, written for an earlier tree')" -eq 5 ]
  [[ "$(page)" == *"- round 1: new 1 P1 · +"*"- round 2: fixed 1 P1 · +"* ]]
  [[ "$(pf bubble timeline --id "$BUBBLE")" == *"round  1  new 1 P1 · +"*"round  2  fixed 1 P1 · +"* ]]
  [[ "$(pf bubble status --id "$BUBBLE")" == *"Rounds"*"new 1 P1 · +"* ]]
  [ "$(field "$BUBBLE" '.meter[0].review.new.P1')" -eq 1 ]
}

@test "the commit's message is the package's, or the human's" {
  begin
  passed_clean
  agree $'Greet the world\n\nIt was lonely.'
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
  [ "$(git -C "$REPO" log -1 --format=%B "bubble/$BUBBLE")" = $'Greet the world\n\nIt was lonely.' ]
  BUBBLE=other WORKTREE=$SCRATCH/.pairflow-worktrees/repo/other
  begin
  converge
  pf bubble approve --id other --yes
  pf bubble commit --id other --message "My own words"
  [ "$(git -C "$REPO" log -1 --format=%s bubble/other)" = "My own words" ]
}

@test "a part that was tampered with is noticed" {
  begin
  converge
  local blob
  blob=$(jq -r 'select(.type == "CONVERGENCE") | .payload.package.blob' "$(transcript)")
  echo "# Why" >"$REPO/.pairflow/bubbles/$BUBBLE/artifacts/blobs/$blob"
  run -4 pf bubble approve --id "$BUBBLE" --yes
  [[ "$output" == *"is changed"* ]]
  is_state READY_FOR_APPROVAL
}

@test "scope drift is told to both agents and to the human" {
  printf '\n[scope]\nallow = ["src/**"]\n' >>"$REPO/.pairflow/config.toml"
  begin
  edit src/new.txt "in scope"
  edit hello.txt "out of scope"
  run -0 --separate-stderr as codex pass --summary "both"
  [[ "$stderr" == *"out of scope: hello.txt"* ]]
  [[ "$(as claude turn)" == *"Out of scope: hello.txt"* ]]
  [[ "$(pf bubble status --id "$BUBBLE")" == *"1 outside: hello.txt"* ]]
  as claude pass --summary "again" --finding "P1:Stay in your lane"
  [[ "$(as codex turn)" == *"Out of scope: hello.txt"* ]]
  edit src/new.txt "still in scope"
  as codex pass --summary "once more" --fixed F1.1
  [[ "$(as claude turn)" == *"Out of scope: hello.txt"* ]]
  as claude pass --summary "fine" --no-findings
  agree
  [[ "$(page)" == *"Out of scope: hello.txt"* ]]
  pf bubble approve --id "$BUBBLE" --yes
  run -1 pf bubble commit --id "$BUBBLE"
  [[ "$output" == *hello.txt*"--override-scope"* ]]
  pf bubble commit --id "$BUBBLE" --override-scope "it was asked for"
}
