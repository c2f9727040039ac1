#!/usr/bin/env bats
# What an agent's model writes into a command is what the journal has, byte for byte.

load helpers

SUMMARY_BYTES=80000

teardown() { strike; }

# All that a shell, a terminal or JSON could bend, then lines up to the size.
awkward_text() {
  printf '%s\n' 'costs $5, ${HOME}, $(id), `id`, "double", '\''single'\'', \n \\ \"' \
    '! !! * ~ ? & | ; < > # % {a,b} [x]' \
    $'a tab:\there, trailing blanks:   ' '' '  # not a heading' '--no-findings' 'EOF' 'END' \
    'ünïcödé e'$'\u0301'' 日本語 עברית 🚀 👩‍💻 '$'\u00a0''no-break'
  seq -f 'line %05g: the quick brown fox costs $5 and says "hello" in 日本' 5000
}
# Cut at the size, not within a character, and not at a newline.
text_of_size() {
  awkward_text | head -c $((SUMMARY_BYTES - 1)) | iconv -c -f UTF-8 -t UTF-8
  printf .
}

quoted() { # FILE, as one word of a shell
  local text
  text=$(cat "$1")
  printf "'%s'" "${text//\'/\'\\\'\'}"
}
summary_by() { lines_of "$BUBBLE" PASS | jq -j "select(.sender == \"$1\") | .payload.summary"; } # AGENT

@test "a long and awkward summary arrives from both agents, by the shell" {
  stage codex
  text_of_size >"$SCRATCH/text"
  script_agent codex "$(on_turn 1)" \
    "$(bash_step "echo more >hello.txt; pairflow pass --summary $(quoted "$SCRATCH/text")")"
  script_agent claude "$(on_turn 1)" \
    "$(bash_step "pairflow pass --summary $(quoted "$SCRATCH/text") --finding 'P1:costs \$5 \"now\"'")"
  start_bubble
  wait_saw claude "passed as reviewer with F1.1"
  summary_by codex | cmp - "$SCRATCH/text"
  summary_by claude | cmp - "$SCRATCH/text"
  [ "$(field "$BUBBLE" '.findings[0].title')" = 'costs $5 "now"' ]
}

@test "a long and awkward summary arrives from both agents, by MCP" {
  stage claude
  text_of_size >"$SCRATCH/text"
  script_agent claude "$(on_turn 1)" "$(bash_step 'echo more >hello.txt')" \
    "$(mcp_step pass "$(jq -Rsc '{summary: .}' "$SCRATCH/text")")"
  script_agent codex "$(on_turn 1)" \
    "$(mcp_step pass "$(jq -Rsc '{summary: ., findings: [{severity: "P1", title: "costs $5 \"now\""}]}' \
      "$SCRATCH/text")")"
  start_bubble
  wait_saw codex "passed as reviewer with F1.1"
  summary_by claude | cmp - "$SCRATCH/text"
  summary_by codex | cmp - "$SCRATCH/text"
  [ "$(field "$BUBBLE" '.findings[0].title')" = 'costs $5 "now"' ]
}
