# What a test with real agents stands on: a scripted model on loopback, the home directory of
# somebody who uses both tools already, a scratch repository, and the real binary. `load helpers`,
# then `stage` in setup and `strike` in teardown. Start the suite by tests/agents/run.

source "$BATS_TEST_DIRNAME/../e2e/helpers.bash"

DUMMY_KEY=dummy-key-of-the-scripted-model # Claude Code remembers a key by its last 20 characters

# Everything but the bubble. Sets SCRATCH, REPO, WORKTREE, SOCKET, MODEL; further arguments are
# lines of .pairflow/config.toml. Below /var/tmp because agents have a /tmp of their own.
stage() { # IMPLEMENTER [LINE…]
  only_loopback || { echo "real agents are tested by tests/agents/run" >&2; return 1; }
  [[ "$*" == *'mode = "off"'* ]] || needs sandbox
  IMPLEMENTER=$1 REVIEWER=$([ "$1" = claude ] && echo codex || echo claude)
  shift
  SCRATCH=$(mktemp -d "${PAIRFLOW_TEST_DIR:-/var/tmp}/pf-XXXXXX")
  REPO=$SCRATCH/repo
  WORKTREE=$SCRATCH/.pairflow-worktrees/repo/$BUBBLE
  SOCKET=$(basename "$SCRATCH")
  exec </dev/null
  unset "${!PAIRFLOW_@}" "${!GIT_@}" "${!XDG_@}" TMUX TMUX_PANE TMUX_TMPDIR
  export HOME=$SCRATCH/home LC_ALL=C.UTF-8 GIT_CONFIG_NOSYSTEM=1
  mkdir "$HOME" "$REPO"
  git_repo "$REPO"
  start_model
  claude_home
  codex_home
  mkdir "$REPO/.pairflow"
  repository_settings "$@" >"$REPO/.pairflow/config.toml"
}

only_loopback() { ! sed 1,2d /proc/net/dev | grep -qv '^ *lo:'; }

# Ends what the test started, after showing what it looked like if the test failed.
strike() {
  [ -n "${SCRATCH:-}" ] && [ -d "$SCRATCH" ] || return 0
  [ -n "${BATS_TEST_COMPLETED:-}" ] || aftermath
  sweep
  rm -f "/tmp/tmux-$(id -u)/$SOCKET"
}

aftermath() {
  local agent
  for agent in "$IMPLEMENTER" "$REVIEWER"; do
    printf '\n--- the pane of %s\n' "$agent"
    pane "$agent" 2>&1 | tail -n 60
  done
  printf '\n--- the supervisor\n'
  tail -n 40 "$REPO/.pairflow/runtime/$BUBBLE.log"
  printf '\n--- the journal\n'
  pf bubble timeline --id "$BUBBLE" | tail -n 30
  printf '\n--- the model, of each request the news and the answer; its state\n'
  jq -c 'del(.history, .tools) | .news |= map(select(.who != "note") | .text |= .[-1000:])' \
    "$SCRATCH/model.ndjson" | tail -n 40
  ask state
} 2>&1

# What is the user's own ------------------------------------------------------------------------

# Claude Code after its first day, with a key of its own; no project is trusted.
claude_home() {
  jq -n --arg key "${DUMMY_KEY: -20}" '{
    hasCompletedOnboarding: true, theme: "dark", hasSeenAutoDefaultNotice: true,
    officialMarketplaceAutoInstallAttempted: true,
    customApiKeyResponses: {approved: [$key], rejected: []}}' >"$HOME/.claude.json"
  mkdir "$HOME/.claude"
}

# Codex with a model of its own choice, which has plain tools; no project is trusted.
codex_home() {
  mkdir "$HOME/.codex"
  cat >"$HOME/.codex/config.toml" <<TOML
model = "gpt-5.5"
model_provider = "loopback"
check_for_update_on_startup = false

[model_providers.loopback]
name = "loopback"
base_url = "$MODEL/agent/codex/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"

[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"

[analytics]
enabled = false
TOML
}

repository_settings() { # [LINE…]: top-level keys first, then tables
  printf '%s\n' 'watchdog_timeout_minutes = 600' "$@"
  cat <<TOML

[agents]
implementer = "$IMPLEMENTER"
reviewer = "$REVIEWER"

[tmux]
socket = "$SOCKET"
TOML
}

# pairflow as the human, with nothing of the tester's own environment.
pf() { (cd "${HERE:-$REPO}" && users_environment "$PAIRFLOW" "$@"); }
users_environment() { # COMMAND…
  env -i PATH="${TEST_PATH}:/usr/local/bin:/usr/bin:/bin" HOME="$HOME" TERM=xterm-256color \
    LANG=C.UTF-8 SHELL=/bin/bash GIT_CONFIG_NOSYSTEM=1 ANTHROPIC_BASE_URL="$MODEL/agent/claude" \
    ANTHROPIC_API_KEY="$DUMMY_KEY" OPENAI_API_KEY="$DUMMY_KEY" DISABLE_AUTOUPDATER=1 \
    DISABLE_TELEMETRY=1 DISABLE_ERROR_REPORTING=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 \
    "$@"
}
TEST_PATH=${PAIRFLOW_TEST_PATH:-}

tmx() { tmux -L "$SOCKET" "$@"; }

# The model -------------------------------------------------------------------------------------

start_model() {
  (cd "$SCRATCH" && exec node "$BATS_TEST_DIRNAME/model.mjs" model.ndjson) \
    >"$SCRATCH/model.out" 2>"$SCRATCH/model.err" 3>&- &
  disown
  wait_for test -s "$SCRATCH/model.out"
  MODEL=http://127.0.0.1:$(jq .port "$SCRATCH/model.out")
}

ask() { curl -sS --fail-with-body "${@:2}" "$MODEL/control/$1"; } # PATH [CURL-OPTION…]
# The agent's steps: from the beginning, and more of them. Each is JSON, as is a list of some.
script_agent() { tell PUT "$@"; } # AGENT STEP…
push() { tell POST "$@"; }        # AGENT STEP…
tell() { steps "${@:3}" | ask "agent/$2" -X "$1" --data-binary @- >/dev/null; }
steps() { [ $# -eq 0 ] && echo '[]' || printf '%s\n' "$@" | jq -cs 'flatten(1)'; }
release() { ask "agent/$1/release" -X POST >/dev/null; } # AGENT
# Both wait for a minute at most, then fail with the model's state.
wait_step() { wait_model "$1" "taken=$2"; } # AGENT STEPS-TAKEN
wait_saw() { wait_model "$1" "saw=$2"; }    # AGENT TEXT
wait_model() {
  local answer
  answer=$(ask "agent/$1/wait" -G --data-urlencode "$2") || { echo "$answer" >&2; return 1; }
}

model_state() { ask state | jq -r ".agents[\"$1\"] | $2"; } # AGENT .json.path
requests() { # AGENT: those of its conversation
  jq -c --arg agent "$1" 'select(.agent == $agent and .main)' "$SCRATCH/model.ndjson"
}
# Whether TEXT was ever told to the agent's model; whether its newest request still has it.
model_saw() { # AGENT TEXT
  requests "$1" | jq -se --arg text "$2" 'any(.[].news[]; .text | contains($text))' >/dev/null
}
model_remembers() { # AGENT TEXT
  requests "$1" | tail -n 1 |
    jq -e --arg text "$2" 'any(.history[]; .text | contains($text))' >/dev/null
}
# All steps were taken, and every "expect" came true.
played_out() { # AGENT
  [ "$(model_state "$1" '[.taken == .steps, .unexpected] | tojson')" = '[true,[]]' ] ||
    { ask state >&2; return 1; }
}

# Steps. The first of a turn is held until the line that opens the turn has come.
bash_step() { jq -nc --arg text "$1" '{bash: $text}'; } # COMMAND
mcp_step() { # TOOL ARGUMENTS (JSON, by standard input: they may be long)
  printf '%s' "$2" | jq -c --arg tool "$1" '{mcp: {server: "pairflow", tool: $tool, arguments: .}}'
}
say_step() { jq -nc --arg text "$1" '{say: $text}'; }   # TEXT
on_turn() { # ROUND [STEP, by default `pairflow turn` in the shell]
  jq -nc --arg line "round $1 |" --argjson step "${2:-{\"bash\": \"pairflow turn\"\}}" '$step + {when: $line}'
}
# A new file by the agent's own editor.
write_step() { # AGENT FILE TEXT
  if [ "$1" = claude ]; then
    jq -nc --arg path "$WORKTREE/$2" --arg text "$3" \
      '{tool: {name: "Write", arguments: {file_path: $path, content: "\($text)\n"}}}'
  else
    jq -nc --arg path "$2" --arg text "$3" \
      '{tool: {name: "apply_patch", arguments:
        "*** Begin Patch\n*** Add File: \($path)\n+\($text)\n*** End Patch\n"}}'
  fi
}

# The bubble ------------------------------------------------------------------------------------

start_bubble() { begin "$@"; } # [CREATE-OPTION…]

# Waits for the state, and not for long when the bubble stands still in another one.
wait_state() { # STATE
  wait_for still_or_at "$1"
  is_state "$1" || { echo "the bubble is $(state), not $1" >&2; return 1; }
}
still_or_at() { # STATE
  case $(state) in
    "$1" | WAITING_HUMAN | READY_FOR_APPROVAL | FAILED | CANCELLED | DONE) ;;
    *) return 1 ;;
  esac
}
