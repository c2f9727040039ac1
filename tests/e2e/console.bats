# The console on a real terminal: a recorded plan in a tmux of its own, its screen compared with the
# files of tests/golden/console, which the unit tests compare with the pure console.
load helpers

PLAYER=$(dirname "$PAIRFLOW")/tests/console_player
GOLDEN=$BATS_TEST_DIRNAME/../golden/console

setup() {
  SCRATCH=$(mktemp -d "${BATS_TMPDIR:-/tmp}/pf.XXXXXX")
  unset TMUX TMUX_PANE NO_COLOR
  export LC_ALL=C.UTF-8
}
teardown() {
  for SOCKET in "$SCRATCH"/*.sock; do tmx kill-server 2>/dev/null || true; done
  rm -rf "$SCRATCH"
}

# The player on a terminal of its own, below a shell, which shows what is left of the terminal when it has ended.
play() { # COLUMNS ROWS SCENE [VARIABLE=VALUE]
  SOCKET=$SCRATCH/$3-$1.sock
  tmx -f /dev/null new-session -d -x "$1" -y "$2" -c "$SCRATCH" \
    "env ${4:-A=b} '$PLAYER' $3; echo code \$?; stty -a | tr ' ' '\n' | grep -E '^-?(echo|icanon|isig);?$' | tr '\n' ' '; sleep 1000"
}
screen() { tmx capture-pane -p; }
is_golden() { diff <(screen) "$GOLDEN/$1.txt" >"$SCRATCH/diff"; }
must_be() { wait_for is_golden "$1" || { cat "$SCRATCH/diff"; return 1; }; }
shows() { screen | grep -qF -- "$1"; }
hides() { ! shows "$1"; }
keys() { tmx send-keys "$@"; }
given_back() { shows "echo icanon isig" || shows "isig icanon echo"; }

@test "80×24: at work, asked, parked, the palette" {
  for scene in working asking parked; do
    play 80 24 "$scene"
    must_be "$scene-80x24"
  done
  SOCKET=$SCRATCH/working-80.sock
  keys ":force"
  must_be palette-80x24
}

@test "200×60: at work, asked, parked" {
  for scene in working asking parked; do
    play 200 60 "$scene"
    must_be "$scene-200x60"
  done
}

@test "an answer is typed and sent, the turn goes on, Ctrl-C gives the terminal back" {
  play 80 24 asking
  wait_for shows "the coder asks"
  keys -l "argon2id — 漢字"
  keys M-Enter
  keys -l "second line"
  wait_for shows "second line"
  keys Enter
  wait_for shows "[user]     argon2id — 漢字"
  shows "           second line"
  wait_for hides "the coder asks"
  shows "CODER claude"
  keys C-c
  wait_for shows "code 0"
  shows "wish 0 argon2id — 漢字"
  shows "left"
  wait_for given_back
  hides "Ctrl-C leave"
}

@test "pasted lines stay one answer" {
  play 80 24 asking
  wait_for shows "the coder asks"
  printf 'one\ntwo\n' | tmx load-buffer -b lines -
  tmx paste-buffer -p -b lines
  wait_for shows "two"
  shows "the coder asks"
  keys Enter
  wait_for shows "[user]     one"
  shows "           two"
}

@test "a resized terminal is drawn anew; a tiny one shows what fits" {
  play 80 24 working
  must_be working-80x24
  tmx resize-window -x 200 -y 60
  must_be working-200x60
  tmx resize-window -x 20 -y 5
  wait_for shows "❯"
  tmx resize-window -x 80 -y 24
  must_be working-80x24
}

@test "a terminated console gives the terminal back" {
  play 80 24 working
  wait_for shows CODER
  kill -TERM "$(pgrep -P "$(tmx display-message -p '#{pane_pid}')")"
  wait_for shows "ended"
  wait_for given_back
}

@test "a terminal that cannot draw gets plain lines" {
  play 80 24 asking TERM=dumb
  wait_for shows "code 0"
  shows "there is no terminal to draw on"
  shows "[coder:bash] cmake --build build"
  shows "answer: pairflow plan reply login"
}

@test "without a terminal: plain lines and JSON" {
  run -0 "$PLAYER" asking plain </dev/null
  [[ "$output" == *"12:01:00 [coder:bash] cmake --build build && ctest --test-dir build"* ]]
  [[ "$output" == *"└ answer: pairflow plan reply login --message"* ]]
  "$PLAYER" asking json </dev/null >"$SCRATCH/lines"
  [ "$(jq -r .type "$SCRATCH/lines" | head -n 2 | paste -sd ' ')" = "state plan.opened" ]
  [ "$(jq -r 'select(.type == "state") | .question.who' "$SCRATCH/lines")" = coder ]
}
