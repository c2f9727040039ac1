#!/usr/bin/env bats
# A bubble's worktree in the human's editor.

load helpers

setup() { scratch; }
teardown() { sweep; }

@test "without a worktree there is nothing to open" {
  create
  run -1 pf bubble open --id "$BUBBLE" --editor true
  [[ "$output" == *worktree* ]]
}

@test "open takes --editor, else open_command, else the editor of the environment" {
  begin
  run -0 pf bubble open --id "$BUBBLE" --editor "echo opened"
  [ "$output" = "opened $WORKTREE" ]
  VISUAL="echo visual" EDITOR="echo editor" run -0 pf bubble open --id "$BUBBLE"
  [ "$output" = "visual $WORKTREE" ]
  EDITOR="echo editor -n" run -0 pf bubble open --id "$BUBBLE"
  [ "$output" = "editor -n $WORKTREE" ]
  sed -i 's/^open_command.*/open_command = "echo chosen {{worktree_path}} there"/' \
    "$REPO/.pairflow/bubbles/$BUBBLE/bubble.toml"
  EDITOR="echo editor" run -0 pf bubble open --id "$BUBBLE"
  [ "$output" = "chosen $WORKTREE there" ]
  run -3 pf bubble open --id "$BUBBLE" --editor "exit 5;"
  [[ "$output" == *"code 5"* ]]
}

@test "open warns of what editors and shells run by themselves, in the change or ignored" {
  printf '.envrc\n' >"$REPO/.gitignore"
  mkdir "$REPO/.vscode"
  echo '{}' >"$REPO/.vscode/settings.json"
  git -C "$REPO" add -A && git -C "$REPO" commit -qm "settings"
  begin
  edit .editorconfig "root = true"
  run -0 pf bubble open --id "$BUBBLE" --editor "echo opened"
  [ "$output" = "opened $WORKTREE" ]

  edit .vscode/tasks.json "{}"
  run -2 pf bubble open --id "$BUBBLE" --editor "echo opened"
  [[ "$output" == *"run by themselves: .vscode/tasks.json"* ]]
  [[ "$output" != *opened* && "$output" == *--yes* ]]
  run -0 pf bubble open --id "$BUBBLE" --editor "echo opened" --yes
  [[ "$output" == *.vscode/tasks.json*"opened $WORKTREE" ]]

  rm "$WORKTREE/.vscode/tasks.json"
  edit .envrc "export X=1"
  run -2 pf bubble open --id "$BUBBLE" --editor "echo opened"
  [[ "$output" == *"run by themselves: .envrc"* ]]
}

@test "the package names what editors and shells run by themselves" {
  begin
  edit mise.toml "[tools]"
  converge
  pf bubble package --id "$BUBBLE" | grep -F "without being asked" | grep -qF mise.toml
}
