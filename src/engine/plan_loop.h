#pragma once
#include "config/settings.h"
#include "engine/engine.h"
#include "engine/register.h"
#include "plan/command.h"
#include "plan/decide.h"
#include "plan/outstanding.h"
#include "plan/prompt.h"
#include "plan/state.h"
#include "workspace/workspace.h"

namespace pf {

// The plan as the engine drives it.
struct PlanDecider {
  using State = plan::State;
  using Event = plan::Event;
  using Command = plan::Command;
  static constexpr int kFold = State::kFold;

  static Decision<Event> decide(const State& state, const Request& request, const Command& command,
                                const Facts& facts) {
    const bool outdated = facts.documents && facts.known != known_of(state.plan, state.write);
    if (outdated) return std::vector<Need>{Need::documents};
    return plan::decide(state, request, command, facts);
  }
  static Result<State> fold(State state, const Line& line) {
    return plan::fold(std::move(state), line);
  }
  static Draft encode(const Event& event) { return plan::encode(event); }
  static Result<Event> decode(const Line& line) { return plan::decode(line); }
  static std::optional<Event> warning(const State& state, const Request& request,
                                      const Command& command, const Rejection& rejection) {
    return plan::warning_event(state, request, command, rejection);
  }
  static bool answers(const Event& first, const Request& request, const Command& command) {
    return plan::answers(first, request, command);
  }
  static const RecentRequests& requests(const State& state) { return state.requests; }
};
using PlanEngine = Engine<PlanDecider>;

// Where one plan's files are. Made from a repository and a feature; touches nothing. A dot in the
// names of locks and runtime files keeps them apart from bubbles'.
struct PlanPaths {
  PlanPaths(Repository repository, plan::FeatureId feature);
  Repository repository;
  plan::FeatureId feature;
  Path control;    // <repo>/.pairflow
  Path directory;  // …/plans/<feature>
  Path log, state, inbox, runs, index;
  Path door, lease;             // …/locks/plan.<feature>.lock, .run.lock
  Path runtime, errors, bells;  // …/runtime/, plan.<feature>.log, .bells/
  Path channels;                // …/runtime/plan.<feature>.channels/
  Path worktree;                // <repo_parent>/.pairflow-worktrees/<repo_name>/plan.<feature>
  Path documents;               // docs/<feature>, below the workspace's top

  const Path& top(plan::Workspace workspace) const {
    return workspace == plan::Workspace::repo ? repository.top : worktree;
  }
  // runs/0007-coder.ndjson, …prompt.md, …log, and how its process begins.
  Path run_file(const plan::Run& run, std::string_view ending) const;
  Path channel(int run) const { return channels / std::to_string(run) / "socket"; }
  LoopFiles loop_files() const;
};

// The state of one plan and nothing else, for those who read many; nothing when there is none.
Result<std::optional<plan::State>> read_plan_state(Os& os, const PlanPaths& paths);

// One plan with its door and its documents.
class PlanLoop {
 public:
  PlanLoop(Os& os, PlanPaths paths);

  Os& os() { return os_; }
  const PlanPaths& paths() const { return paths_; }
  // Refuses (with the nearest known feature) when there is no such plan.
  Result<plan::State> load();
  // The same, once all of it would survive a loss of power: what acts on the world acts on this.
  Result<plan::State> load_durable();
  // The same, of Phase::none when nothing was opened yet.
  Result<plan::State> load_or_none();
  Result<PlanEngine::Answer> execute(const Request& request, const plan::Command& command);
  // In the orchestrator's name; with `turn` only while that turn lasts.
  Result<PlanEngine::Answer> report(const plan::Command& command, Seq turn = Seq::none);
  Result<std::vector<plan::Event>> events(const Mark& from = {}) const;

  Result<Settings> settings() const;
  // plan.md as it is in the workspace; one that is no file, or too long, says so itself.
  Result<FileFact> document(plan::Workspace workspace, const std::string& name) const;
  // The steps that stand in plan.md; none when it cannot be read.
  Result<std::vector<document::Step>> steps(plan::Workspace workspace) const;
  Status write_plan(plan::Workspace workspace, const plan::RegisterWrite& write);
  // Makes sure of a write that whoever made it may not have lived to make durable.
  Status keep_plan(plan::Workspace workspace);
  // As the agents see them.
  Result<plan::Sources> sources(plan::Workspace workspace) const;
  // Puts a damaged log aside, with its snapshot; where it is now.
  Result<Path> put_log_aside();

 private:
  Status gather(const std::vector<Need>& needs, const plan::State& state,
                const plan::Command& command, Facts& facts);
  Status project(const plan::State& state);

  Os& os_;
  PlanPaths paths_;
  PlanEngine engine_;
};

// The policy part of the settings.
plan::Policy plan_policy(const Settings& settings);

}  // namespace pf
