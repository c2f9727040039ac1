# Where a bubble's files are, what may stop it from being made, and what its commit may hold.
load helpers

setup() { scratch; }
teardown() { sweep; }

nothing_was_made() {
  [ -z "$(git -C "$REPO" for-each-ref refs/heads/bubble refs/pairflow)" ] &&
    [ "$(git -C "$REPO" worktree list | wc -l)" -eq 1 ] &&
    [ ! -e "$WORKTREE" ] && [ ! -e "$REPO/.pairflow/bubbles/$BUBBLE" ]
}

@test "create makes no branch and no worktree" {
  create
  [ -z "$(git -C "$REPO" for-each-ref refs/heads/bubble)" ]
  [ ! -e "$WORKTREE" ]
  [ -e "$REPO/.pairflow/bubbles/$BUBBLE/bubble.toml" ]
}

@test "create refuses what cannot work and leaves nothing behind" {
  run -1 pf bubble create --id "$BUBBLE" --base mian --task "Go." --no-tests none
  [[ "$output" == *"did you mean 'main'"* ]]
  nothing_was_made
  git -C "$REPO" branch "bubble/$BUBBLE"
  run -1 create
  [[ "$output" == *"exists already"* ]]
  [ ! -e "$REPO/.pairflow/bubbles/$BUBBLE" ]
  git -C "$REPO" branch -D "bubble/$BUBBLE"
  mkdir -p "$WORKTREE"
  run -1 create
  rmdir "$WORKTREE"
  nothing_was_made
  run -2 pf bubble create --id "$BUBBLE" --base main --task "Go." # the checks are not confirmed
  run -2 pf bubble create --id "$BUBBLE" --base main --task no/such/task.md --no-tests none
  run -2 create --work-mode sideways
  run -2 create --max-rounds 0
  run -2 create --implementer claude --reviewer claude
  nothing_was_made

  git init -q --bare "$SCRATCH/bare.git"
  HERE=$SCRATCH/bare.git run -1 create
  [[ "$output" == *bare* ]]
  [ ! -e "$SCRATCH/bare.git/.pairflow" ]
  git init -q -b main "$SCRATCH/empty"
  HERE=$SCRATCH/empty run -1 create
  [[ "$output" == *"no commits"* ]]
  [ ! -e "$SCRATCH/empty/.pairflow/bubbles/$BUBBLE" ]
  HERE=$SCRATCH run -1 create
  [[ "$output" == *repository* ]]
}

@test "an id is taken once" {
  create
  local before
  before=$(cksum <"$(transcript)")
  run -1 create
  [[ "$output" == *"exists"* ]]
  [ "$(cksum <"$(transcript)")" = "$before" ]
  is_state CREATED
}

@test "a dirty checkout is a warning; the bubble starts from the commit" {
  echo dirty >>"$REPO/hello.txt"
  run -0 --separate-stderr begin
  [[ "$stderr" == *"warning"*"uncommitted"* ]]
  [ "$(cat "$WORKTREE/hello.txt")" = hello ]
  [ "$(pf bubble status --id "$BUBBLE" --json | jq -r .tree)" = null ]
}

@test "the base is pinned at create" {
  create
  local base
  base=$(git -C "$REPO" rev-parse main)
  git -C "$REPO" commit -q --allow-empty -m "main goes on"
  pf bubble start --id "$BUBBLE"
  [ "$(git -C "$WORKTREE" rev-parse HEAD)" = "$base" ]
}

@test "started twice is refused" {
  begin
  local before
  before=$(standing)
  run -1 pf bubble start --id "$BUBBLE"
  [[ "$output" == *attach* ]]
  [ "$(standing)" = "$before" ]
  [ "$(tmx list-sessions | wc -l)" -eq 1 ]
}

@test "clone mode: a whole session in a repository of its own" {
  config_file 'work_mode = "clone"' >"$REPO/.pairflow/config.toml"
  begin
  [ -d "$WORKTREE/.git" ]
  run -128 git -C "$WORKTREE" push origin HEAD:refs/heads/pushed # a bubble does not push
  implement "hello, world"
  as claude pass --summary "one" --finding "P1:One"
  implement "hello, Ada"
  as claude pass --summary "fine" --no-findings
  agree
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
  is_state DONE
  [ "$(git -C "$REPO" rev-parse "bubble/$BUBBLE^{tree}")" = "$(field "$BUBBLE" .approved_tree)" ]
  [ "$(git -C "$REPO" rev-parse "bubble/$BUBBLE^")" = "$(git -C "$REPO" rev-parse main)" ]
  [ "$(git -C "$REPO" show "bubble/$BUBBLE:hello.txt")" = "hello, Ada" ]
  [ "$(git -C "$REPO" status --porcelain)" = "" ]
  git -C "$REPO" fsck --no-dangling
}

@test "ignored files named in .worktreeinclude come along, and into no commit" {
  printf '%s\n' '.env' 'local/' 'secret.key' >"$REPO/.gitignore"
  printf '%s\n' '# what the tests need' '.env' 'local/**' '!local/big.bin' >"$REPO/.worktreeinclude"
  git -C "$REPO" add .gitignore .worktreeinclude
  git -C "$REPO" commit -qm "ignore"
  mkdir "$REPO/local"
  echo TOKEN=1 >"$REPO/.env"
  echo '#!/bin/sh' >"$REPO/local/tool"
  chmod +x "$REPO/local/tool"
  echo big >"$REPO/local/big.bin"
  echo key >"$REPO/secret.key"
  begin
  [ "$(cat "$WORKTREE/.env")" = TOKEN=1 ]
  [ -x "$WORKTREE/local/tool" ]
  [ ! -e "$WORKTREE/local/big.bin" ]
  [ ! -e "$WORKTREE/secret.key" ]
  converge
  pf bubble approve --id "$BUBBLE" --yes
  pf bubble commit --id "$BUBBLE"
  [ "$(git -C "$REPO" diff --name-only main "bubble/$BUBBLE")" = hello.txt ]
}

@test "a failing setup is shown, stays, and start goes on from there once it is mended" {
  config_file '[commands]' \
    "setup = \"echo fetching things; test -e $SCRATCH/mended && echo >ready.txt\"" \
    >"$REPO/.pairflow/config.toml"
  create
  run -3 pf bubble start --id "$BUBBLE"
  [[ "$output" == *"fetching things"*"the setup failed"*"code 1"* ]]
  is_state PREPARING_WORKSPACE
  [ "$(pf inbox --json | jq -r '.items[0].kind')" = setup_failed ]
  [ "$(types)" = "LIFECYCLE LIFECYCLE LIFECYCLE" ]
  [ -e "$WORKTREE/hello.txt" ]
  run -3 pf bubble start --id "$BUBBLE"
  touch "$SCRATCH/mended"
  run -0 pf bubble start --id "$BUBBLE"
  [[ "$output" == *"fetching things"* ]]
  is_state RUNNING
  [ -e "$WORKTREE/ready.txt" ]
  [ "$(pf inbox --json | jq '.items | length')" -eq 0 ]
}

@test "scope: warned at the pass, refused at the commit, overridden with a reason" {
  config_file '[scope]' 'allow = ["src/**", "hello.txt"]' 'deny = ["**/*.key"]' \
    >"$REPO/.pairflow/config.toml"
  begin
  edit src/main.c "int main(void) {}"
  edit src/a.key "secret"
  edit other.txt "out of scope"
  run -0 as codex pass --summary "too much"
  [[ "$output" == *"out of scope: other.txt"*"out of scope: src/a.key"* ]]
  [ "$(field "$BUBBLE" '.out_of_scope | sort | join(" ")')" = "other.txt src/a.key" ]
  as claude pass --summary "fine" --no-findings
  agree
  pf bubble approve --id "$BUBBLE" --yes
  run -1 pf bubble commit --id "$BUBBLE"
  [[ "$output" == *other.txt*--override-scope* ]]
  is_state APPROVED_FOR_COMMIT
  [ "$(git -C "$REPO" rev-parse "bubble/$BUBBLE")" = "$(git -C "$REPO" rev-parse main)" ]
  pf bubble commit --id "$BUBBLE" --override-scope "the key is for tests"
  is_state DONE
  recorded '.payload.event == "commit_prepared" and
    .payload.scope_override == "the key is for tests"'
}

@test "somebody committed on the branch: refused, --squash makes one commit and keeps the old tip" {
  begin
  edit hello.txt "hello, world"
  git -C "$WORKTREE" commit -qam "the agent's own commit"
  local tip
  tip=$(git -C "$WORKTREE" rev-parse HEAD)
  as codex pass --summary "committed it too"
  as claude pass --summary "fine" --no-findings
  agree
  pf bubble approve --id "$BUBBLE" --yes
  run -1 pf bubble commit --id "$BUBBLE"
  [[ "$output" == *--squash* ]]
  is_state APPROVED_FOR_COMMIT
  [ "$(git -C "$REPO" rev-parse "bubble/$BUBBLE")" = "$tip" ]
  pf bubble commit --id "$BUBBLE" --squash --message "One commit"
  is_state DONE
  [ "$(git -C "$REPO" log --format=%s main.."bubble/$BUBBLE")" = "One commit" ]
  git -C "$REPO" diff --quiet "$tip" "bubble/$BUBBLE"
  git -C "$REPO" for-each-ref --format='%(objectname)' "refs/pairflow/$BUBBLE/salvage" |
    grep -qx "$tip"
}

@test "the branch moves between approval and commit: compare-and-swap refuses" {
  begin
  converge
  pf bubble approve --id "$BUBBLE" --yes
  git -C "$WORKTREE" commit -qam "behind your back"
  run -1 pf bubble commit --id "$BUBBLE"
  is_state APPROVED_FOR_COMMIT
  [ "$(git -C "$REPO" log -1 --format=%s "bubble/$BUBBLE")" = "behind your back" ]
}

@test "git gc between approval and commit loses nothing" {
  begin
  edit only/here.txt "in no commit yet"
  as codex pass --summary "a new file"
  as claude pass --summary "fine" --no-findings
  agree
  pf bubble approve --id "$BUBBLE" --yes
  git -C "$REPO" reflog expire --expire=now --all
  git -C "$REPO" gc -q --prune=now
  pf bubble commit --id "$BUBBLE"
  git -C "$REPO" gc -q --prune=now
  [ "$(git -C "$REPO" show "bubble/$BUBBLE:only/here.txt")" = "in no commit yet" ]
}

@test "works from a subdirectory, from inside the worktree, and with --repo" {
  mkdir -p "$REPO/deep/down"
  HERE=$REPO/deep/down create
  HERE=/ run -1 pf bubble status --id "$BUBBLE"
  HERE=/ pf bubble start --repo "$REPO" --id "$BUBBLE"
  mkdir "$WORKTREE/sub"
  edit sub/file.txt "from below"
  (cd "$WORKTREE/sub" && PAIRFLOW_AGENT=codex "$PAIRFLOW" pass --summary "no other variable set")
  HERE=$WORKTREE/sub run -0 pf bubble status --json
  [ "$(jq -r '[.id, .active_agent] | join(" ")' <<<"$output")" = "$BUBBLE claude" ]
  HERE=$WORKTREE run -0 pf bubble list
  [[ "$output" == *"$BUBBLE"* ]]
  HERE=/ run -0 pf bubble list --repo "$REPO"
  [[ "$output" == *"$BUBBLE"* ]]
  HERE=$REPO/deep/down run -0 pf inbox
  git -C "$REPO" worktree add -q "$SCRATCH/other" -b other
  HERE=$SCRATCH/other run -0 pf bubble list
  [[ "$output" == *"$BUBBLE"* ]]
}

@test "an agent whose program is missing: start says so, makes nothing, and goes on once it is there" {
  create
  sed -i 's/command = \["cat"\]/command = ["pf-no-such-agent"]/' "$REPO/.pairflow/bubbles/$BUBBLE/bubble.toml"
  run -3 pf bubble start --id "$BUBBLE"
  [[ "$output" == *"there is no program 'pf-no-such-agent'"* ]]
  [[ "$output" == *"[agents."* ]]
  is_state CREATED
  [ ! -e "$WORKTREE" ]
  sed -i 's/pf-no-such-agent/cat/' "$REPO/.pairflow/bubbles/$BUBBLE/bubble.toml"
  pf bubble start --id "$BUBBLE"
  is_state RUNNING
}
