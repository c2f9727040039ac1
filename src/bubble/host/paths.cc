#include "bubble/host/loop.h"

namespace pf {

BubblePaths::BubblePaths(Repository where, BubbleId which)
    : repository(std::move(where)), id(std::move(which)) {
  const std::string& name = id.str();
  control = repository.top / ".pairflow";
  directory = control / "bubbles" / name;
  config = directory / "bubble.toml";
  const LoopFiles loop = loop_files(control, id);
  transcript = loop.journal;
  state = loop.snapshot;
  inbox = directory / "inbox.ndjson";
  artifacts = directory / "artifacts";
  messages = artifacts / "messages";
  blobs = artifacts / "blobs";
  index = directory / "workspace.index";
  rules_index = directory / "rules.index";
  setup_log = artifacts / "setup.log";
  package = artifacts / "done-package.md";
  git_dir = directory / "git";
  door = loop.door;
  lease = control / "locks" / (name + ".run.lock");
  starting = control / "locks" / (name + ".start.lock");
  checking = control / "locks" / (name + ".checks.lock");
  repo_lock = control / "locks" / "repo.lock";
  runtime = control / "runtime";
  supervisor = runtime / (name + ".json");
  log = runtime / (name + ".log");
  bells = loop.bells;
  channels = runtime / (name + ".channels");
  worktree =
      repository.top.parent_path() / ".pairflow-worktrees" / repository.top.filename() / name;
}

LoopFiles loop_files(const Path& control, const BubbleId& id) {
  const std::string& name = id.str();
  const Path directory = control / "bubbles" / name;
  return {name,
          directory / "transcript.ndjson",
          directory / "state.json",
          control / "locks" / (name + ".lock"),
          control / "runtime" / (name + ".bells"),
          "pairflow bubble verify --id " + name};
}

bubble::Places BubblePaths::places() const {
  return {worktree.string(), messages.string(), artifacts.string()};
}

}  // namespace pf
