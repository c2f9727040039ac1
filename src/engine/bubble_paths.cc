#include "engine/bubble_loop.h"

namespace pf {

BubblePaths::BubblePaths(Repository where, BubbleId which)
    : repository(std::move(where)), id(std::move(which)) {
  const std::string& name = id.str();
  control = repository.top / ".pairflow";
  directory = control / "bubbles" / name;
  config = directory / "bubble.toml";
  transcript = directory / "transcript.ndjson";
  state = directory / "state.json";
  inbox = directory / "inbox.ndjson";
  artifacts = directory / "artifacts";
  messages = artifacts / "messages";
  blobs = artifacts / "blobs";
  index = directory / "workspace.index";
  setup_log = artifacts / "setup.log";
  door = control / "locks" / (name + ".lock");
  lease = control / "locks" / (name + ".run.lock");
  starting = control / "locks" / (name + ".start.lock");
  repo_lock = control / "locks" / "repo.lock";
  runtime = control / "runtime";
  supervisor = runtime / (name + ".json");
  log = runtime / (name + ".log");
  bells = runtime / (name + ".bells");
  worktree =
      repository.top.parent_path() / ".pairflow-worktrees" / repository.top.filename() / name;
}

LoopFiles BubblePaths::loop() const { return {id.str(), transcript, state, door, bells}; }

bubble::Places BubblePaths::places() const {
  return {worktree.string(), messages.string(), artifacts.string()};
}

}  // namespace pf
