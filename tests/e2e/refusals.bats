# What is refused: the exit code, a state that does not change, and one PROTOCOL_WARNING where due.
load helpers

setup() { scratch; }
teardown() { sweep; }

warnings() { grep -c '"type":"PROTOCOL_WARNING"' "$(transcript)" || true; }
lines() { wc -l <"$(transcript)"; }

# An agent's command, refused twice: exit 1, nothing changed, one warning for both.
refused_with_warning() {
  local before count
  before=$(standing) count=$(warnings)
  run -1 "$@"
  [ "$(warnings)" -eq $((count + 1)) ]
  run -1 "$@"
  [ "$(warnings)" -eq $((count + 1)) ]
  [ "$(standing)" = "$before" ]
}

# Refused with that exit code, and not one line is written.
refused_without_a_line() { # CODE COMMAND…
  wait_for at_rest
  local before count code=$1
  shift
  before=$(standing) count=$(lines)
  run "-$code" "$@"
  [ "$(lines)" -eq "$count" ]
  [ "$(standing)" = "$before" ]
}

# Both agents run what they should: nothing is written any more by itself.
at_rest() {
  jq -e '.closed or all(.agents[]; .wanted == .launched)' "$REPO/.pairflow/bubbles/$BUBBLE/state.json" \
    >/dev/null
}

@test "on the implementer's turn" {
  begin
  refused_with_warning as codex pass --summary "did nothing"
  [[ "$output" == *"--disputed"*ask-human* ]]
  edit hello.txt "hello, world"
  refused_with_warning as claude pass --summary "me first" --no-findings
  [[ "$output" == *"codex's turn"* ]]
  refused_with_warning as claude converged --summary "done already"
  refused_with_warning as codex pass --summary "all good" --no-findings
  local count
  count=$(warnings)
  run -1 as codex pass --summary "all bad" --finding "P1:Me" # the same reason: not written again
  [ "$(warnings)" -eq "$count" ]
  refused_with_warning as codex converged --summary "done already"
  refused_without_a_line 2 as codex pass --summary "both" --no-findings --finding "P1:Both"
  refused_without_a_line 2 as codex pass --summary "odd" --finding "P9:No such severity"
  refused_without_a_line 2 as codex pass
  refused_without_a_line 1 as mallory pass --summary "it was me"
  pf bubble verify --id "$BUBBLE"
  as codex pass --summary "now"
}

@test "on the reviewer's turn" {
  begin
  implement "hello, world"
  refused_with_warning as codex pass --summary "again"
  refused_with_warning as claude pass --summary "hm"
  [[ "$output" == *"--no-findings"* ]]
  refused_with_warning as claude converged --summary "looks fine"
  [[ "$output" == *"codex has no clean verdict"* ]]
  refused_with_warning as claude pass --summary "hm" --fixed F1.1
  refused_without_a_line 2 as claude pass --summary "both" --no-findings --finding "P1:Both"

  as claude pass --summary "two" --finding "P1:One" --finding "P2:Another"
  implement "hello, Ada"
  refused_with_warning as claude pass --summary "silent about F1.1" --finding "P3:A third"
  [[ "$output" == *F1.1* ]]
  refused_with_warning as claude pass --summary "it is no id" --resolved F7.7
  refused_with_warning as claude converged --summary "looks fine"
  as claude pass --summary "settled" --resolved F1.1 --resolved F1.2 --no-findings
  [ "$(field "$BUBBLE" '[.findings[].status] | unique | join(" ")')" = resolved ]
}

@test "unconfined, a review of a tree that moved under it is refused and told anew" {
  unconfined
  begin
  implement "hello, world"
  edit hello.txt "somebody else was here"
  run -1 as claude pass --summary "fine" --no-findings
  [[ "$output" == *"during the review: hello.txt"* ]]
  [ "$(warnings)" -eq 1 ]
  wait_for recorded '.payload.event == "tree_moved"'
  is_state RUNNING
  [ "$(field "$BUBBLE" '[.active_agent, .active_role, .round] | join(" ")')" = "claude reviewer 1" ]
  wait_for pane_has claude "LIFECYCLE from orchestrator"
  as claude pass --summary "fine, this one" --no-findings
}

@test "an agent's command while it is nobody's turn" {
  create
  mkdir -p "$WORKTREE" # only to stand somewhere
  refused_with_warning as codex pass --summary "early"
  refused_with_warning as codex ask-human --question "early?"
  rmdir "$WORKTREE"
  pf bubble start --id "$BUBBLE"
  as codex ask-human --question "which one?"
  refused_with_warning as codex pass --summary "never mind"
  [[ "$output" == *"notified"* ]]
  pf bubble reply --id "$BUBBLE" --message "that one"
  converge
  refused_with_warning as claude pass --summary "one more" --finding "P1:Late"
  refused_with_warning as claude ask-human --question "late?"
  pf bubble stop --id "$BUBBLE" --yes
  refused_without_a_line 1 as claude pass --summary "too late" --no-findings
  refused_without_a_line 1 as claude ask-human --question "too late?"
}

@test "approval and commit: not before their time, and only for the very tree" {
  begin
  refused_without_a_line 1 pf bubble approve --id "$BUBBLE" --yes
  refused_without_a_line 1 pf bubble commit --id "$BUBBLE"
  converge "hello, world"
  local tree
  tree=$(field "$BUBBLE" .converged_tree)
  refused_without_a_line 1 pf bubble commit --id "$BUBBLE"
  refused_without_a_line 1 pf bubble reply --id "$BUBBLE" --message "yes"
  refused_without_a_line 2 pf bubble approve --id "$BUBBLE"
  refused_without_a_line 1 pf bubble approve --id "$BUBBLE" --tree "$(printf '0%.0s' {1..40})"
  edit hello.txt "one last touch"
  refused_without_a_line 1 pf bubble approve --id "$BUBBLE" --yes
  [[ "$output" == *" now: hello.txt"*"--since-converged"*request-rework* ]]
  pf bubble diff --id "$BUBBLE" --since-converged | grep -q '^+one last touch$'
  edit hello.txt "hello, world"
  touch "$WORKTREE/new.txt"
  refused_without_a_line 1 pf bubble approve --id "$BUBBLE" --tree "$tree"
  [[ "$output" == *" now: new.txt"* ]]
  rm "$WORKTREE/new.txt"
  pf bubble approve --id "$BUBBLE" --tree "$tree"

  refused_without_a_line 1 pf bubble approve --id "$BUBBLE" --yes
  [[ "$output" == *"already approved"* ]]
  chmod +x "$WORKTREE/hello.txt"
  refused_without_a_line 1 pf bubble commit --id "$BUBBLE"
  [[ "$output" == *" now: hello.txt"* ]]
  [ "$(git -C "$REPO" rev-parse "bubble/$BUBBLE")" = "$(git -C "$REPO" rev-parse main)" ]
  chmod -x "$WORKTREE/hello.txt"
  pf bubble commit --id "$BUBBLE"
  [ "$(git -C "$REPO" rev-parse "bubble/$BUBBLE^{tree}")" = "$tree" ]
}

# Both as an agent would try it: with its environment, and with the variables taken away.
as_agent() { as codex "$@"; }
as_agents_child() {
  (cd "$WORKTREE" && PAIRFLOW_REPO=$REPO PAIRFLOW_BUBBLE=$BUBBLE PAIRFLOW_AGENT=codex \
    sh -c 'env -u PAIRFLOW_AGENT "$@"; exit $?' sh "$PAIRFLOW" "$@")
}
# The commands of a help page, with the group in front.
commands_of() { # [GROUP]
  pf "$@" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p' | sed "s/^/${1:+$1 }/"
}
# What every human's command gives as its example, for our bubble; the help knows them all.
human_examples() {
  local group words
  for group in "" $(commands_of); do
    while read -r words; do
      pf $words --help | sed -n '/^For you, the operator; refused/,$s/^Example: pairflow //p' |
        sed "s/login-timeout/$BUBBLE/"
    done < <(commands_of $group)
  done
}
every_human_verb() { # AS
  wait_for at_rest
  local before count words seen=""
  before=$(standing) count=$(lines)
  while read -r words; do
    eval "run -1 $1 $words"
    [[ "$output" == *"human's"*"asked for by codex"* ]]
    seen+="$words "
  done < <(human_examples; echo 'bubble create --id mine --base main --task "My own." --no-tests none')
  for words in start reply resume replan waive approve request-rework commit merge stop open attach profile; do
    [[ "$seen" == *"bubble $words --id $BUBBLE "* ]]
  done
  for words in "plan run" "plan reply" "plan force" "role run" "role decline" "role autopilot" demo prompts; do
    [[ "$seen" == *"$words "* ]]
  done
  [ "$(lines)" -eq "$count" ]
  [ "$(standing)" = "$before" ]
  [ ! -e "$REPO/.pairflow/bubbles/mine" ]
}

@test "a human's command from an agent's pane" {
  begin
  implement "hello, world"
  as claude pass --summary "one" --finding "P1:One"
  as codex ask-human --question "may I?"
  every_human_verb as_agent
  pf bubble reply --id "$BUBBLE" --message "you may not"
  implement "hello, Ada"
  as claude pass --summary "fine" --no-findings
  agree
  every_human_verb as_agent
  every_human_verb as_agents_child
  [ "$(warnings)" -eq 0 ]
}

@test "one agent does not speak for the other, nor for the supervisor" {
  begin
  edit hello.txt "hello, world"
  as codex pass --summary "done"
  both() { PAIRFLOW_AGENT=codex bash -c 'cd "$1"; shift; PAIRFLOW_REPO=$1 PAIRFLOW_BUBBLE=$2 \
    PAIRFLOW_AGENT=claude "${@:3}"; exit $?' sh "$WORKTREE" "$REPO" "$BUBBLE" "$@"; }
  run -1 both "$PAIRFLOW" pass --summary "fine" --no-findings
  [[ "$output" == *"belongs to codex"* ]]
  run -1 both "$PAIRFLOW" run-checks --repo "$REPO" --id "$BUBBLE"
  [[ "$output" == *"the supervisor's own"* ]]
  run -1 pf run-checks --id "$BUBBLE"
  run -1 as codex relay
  [ "$(field "$BUBBLE" .active_agent)" = claude ]
}

@test "a human's command by an agent that hides its variables" {
  cat >"$SCRATCH/agent.sh" <<SH
unset PAIRFLOW_AGENT PAIRFLOW_BUBBLE PAIRFLOW_REPO
cd "$REPO"
"$PAIRFLOW" bubble stop --id "$BUBBLE" --yes 2>"$SCRATCH/said"
echo \$? >"$SCRATCH/code"
exec cat
SH
  config_file | sed "s|\[\"cat\"\]|[\"sh\", \"$SCRATCH/agent.sh\"]|" >"$REPO/.pairflow/config.toml"
  printf '[sandbox]\nmode = "off"\n' >>"$REPO/.pairflow/config.toml"
  begin
  wait_for test -s "$SCRATCH/code"
  [ "$(cat "$SCRATCH/code")" -eq 1 ]
  grep -q "human's" "$SCRATCH/said"
  is_state RUNNING
}
