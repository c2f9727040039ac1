# Two agents that do what they are told to the letter, and nothing else: they read every line, run
# the commands that it names as they stand, and stop when it says so. Each writes a diary.

# For a headless run: the prompt is standard input.
obedient_run() {
  cat <<'SH'
told=$(cat)
# The commands that a part of the prompt names.
commands_in() { # TITLE-PATTERN
  awk -v title="$1" '/^## /{on=($0 ~ title)} on' <<<"$told" | grep -o '`[^`]*`' | tr -d '`' || true
}
obey() { # COMMAND
  echo "\$ $1"
  answer=$(bash -c "$1" 2>&1) && code=0 || code=$?
  printf '%s\n' "$answer"
  case $answer in *[Ee]'nd your run here'*) exit 0 ;; esac
}
line() { commands_in '^## How to end' | grep -F -- "$1"; } # WORDS: the command with them

for file in $(sed -n -E 's/^- (Plan|Intent|Specification): //p' <<<"$told"); do cat "$file" >/dev/null || exit 8; done
if grep -q '^You are the reviewer' <<<"$told"; then
  copy=$(grep -F 'To build or run it' <<<"$told" | grep -o '`[^`]*`' | tr -d '`') || exit 7
  check=$(sed -n 's/^- Check: `\(.*\)`.*/\1/p' <<<"$told")
  if bash -c "set -e; $copy; touch mine; $check"; then obey "$(line 'plan approve')"
  else obey "$(line 'plan request-changes')"; fi
else
  mapfile -t work < <(commands_in '^## (Step|The reviewer)')
  for one in "${work[@]}"; do
    case $one in
      pairflow*) ;;
      ask) if ! grep -q '^## The user answers' <<<"$told"; then obey "$(line 'plan ask-user')"; fi ;;
      *) obey "$one" ;;
    esac
  done
  obey "$(line 'plan request-review')"
fi
echo "nobody has told me to stop, and I have nothing left to do"
SH
}

# For a pane: one line at a time is standard input.
obedient_pane() {
  cat <<'SH'
obey() { # COMMAND: as it stands; what is said in return is obeyed, too
  echo "\$ $1"
  answer=$(bash -c "$1" 2>&1)
  printf '%s\n' "$answer"
}
# What stands behind a sentence, up to the next empty line.
behind() { sed -n "/$1/,/^\$/p" <<<"$turn" | sed 1d | grep '^  '; } # SENTENCE
take_turn() {
  turn=$answer
  grep -q '^It is your turn' <<<"$turn" || return 0
  package=
  if grep -q 'approval package lacks' <<<"$turn"; then
    package=$(mktemp)
    sed -n '/^# /,/^End your turn/p' <<<"$turn" | sed -e '/^End your turn/d' -e 's/^\(# .*\)/\1\nAs the task says./' >"$package"
  fi
  ways=$(behind '^End your turn with one of')
  if grep -q '^Review the change' <<<"$turn"; then
    copy=$(grep -A1 'copy it to a place' <<<"$turn" | tail -n 1)
    bash -c "set -e; $copy; cat hello.txt" || { obey 'pairflow ask-human --question "I could not copy it"'; return; }
    way=$(grep -A1 'declare it:' <<<"$turn" | tail -n 1 | grep converged || grep -- --no-findings <<<"$ways")
  else
    grep '^> ' <<<"$turn" | grep -o '`[^`]*`' | tr -d '`' | while read -r work; do bash -c "$work"; done
    way=$(grep 'pairflow pass' <<<"$ways" | head -n 1)
  fi
  [ -z "$package" ] || way="${way%%   #*} --package $package"
  obey "$way"
}
while read -r line; do
  [[ $line == *'[pairflow #'* ]] || continue
  if [[ $line =~ \|\ read\ ([^ ]+) ]]; then cat "${BASH_REMATCH[1]}" >/dev/null || echo "CANNOT READ ${BASH_REMATCH[1]}"; fi
  if [[ $line =~ then\ run:\ (pairflow turn) ]]; then obey "${BASH_REMATCH[1]}" && take_turn; fi
done
SH
}
