#!/usr/bin/env bats
# What a launched agent of the roles finds in its briefing.

load helpers
load role_helpers

setup() { scratch_roles; }
teardown() { sweep_roles; }

briefing() { cat "$ROLE"/runs/"$1".prompt.md; } # RUN-ROLE

@test "coder and reviewer are told the task's file, the checks and where to build" {
  pf role init >/dev/null
  drive
  wait_for test -s "$ROLE/runs/0003-reviewer.prompt.md"
  [[ "$(briefing 0001-planner)" != *"- Task: read"* ]]
  [[ "$(briefing 0002-coder)" == *'- Task: read docs/current/T01-part.md
- Check: `test ! -e broken`; Pairflow runs it before anything lands'* ]]
  [[ "$(briefing 0002-coder)" != *"/tmp/pairflow-build"* ]]
  [[ "$(briefing 0003-reviewer)" == *"- Task: read docs/current/T01-part.md"* ]]
  if sandboxed true 2>/dev/null; then [[ "$(briefing 0003-reviewer)" == *"-t /tmp/pairflow-build; cd /tmp/pairflow-build\`"* ]]; fi
}
