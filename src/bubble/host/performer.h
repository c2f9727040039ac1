#pragma once
#include <map>
#include <memory>

#include "agents/program.h"
#include "bubble/host/loop.h"

namespace pf {

// Workspace::prepare, one bubble of a repository at a time: git's own `worktree add` fails when
// another one is half made beside it.
Status prepare_workspace(BubbleLoop& loop, Workspace& workspace);

// Refuses when tmux or one of the two agents' programs is missing: all are needed sooner or later.
Status check_agents(BubbleLoop& loop, const bubble::State& state);

// Does what is outstanding for one bubble, under its lease; results come back through the door.
// Every effect looks at the world first, so doing one again is harmless.
class Performer {
 public:
  // `lease` is the right to perform; held by the caller for as long as this lives.
  Performer(BubbleLoop& loop, const Lock& lease) : loop_(loop) { (void)lease; }

  // Performs until nothing is left that can be done now. What could not be done is in troubles().
  Status settle();

  // What is left undone and why, for people: "codex: not delivered, the pane is in copy mode".
  const std::vector<std::string>& troubles() const { return troubles_; }
  // Something failed that no event will announce; worth another try after a while.
  bool wants_retry() const { return wants_retry_; }
  // When something begun is to be finished; nothing: it waits for an event.
  std::optional<MonoTime> wake_at() const { return wake_at_; }
  // The panes as last seen.
  const std::vector<PaneSeen>& panes() const { return panes_; }
  // The session they are in.
  const std::string& session() const { return session_; }
  // To be called when an agent's screen has come to rest, or has changed for long without that:
  // what it shows may hold the agent up. True when something was filed.
  Result<bool> look_at(const std::string& holder, bool still);
  // Ends what runs for a bubble that was stopped.
  void kill_children();
  // Readable when the setup command or the run of the checks has ended: settle() again.
  std::vector<int> children() const;

 private:
  // True when the journal or the panes may have changed; false when it has to wait.
  Result<bool> perform(const bubble::State& state, const bubble::Effect& effect);
  Result<bool> prepare(const bubble::State& state);
  Result<bool> file_prepared(const bubble::State& state);
  Status finish_setup(int code);
  Result<bool> start_checks(const bubble::RunChecks& effect);
  Status finish_checks(int code);
  Result<bool> launch(const bubble::State& state, const bubble::LaunchAgent& effect);
  Result<bool> can_take(TmuxSession& terminal, const PaneSeen& pane, const bubble::Deliver& effect,
                        Seq cause);
  Result<bool> await_prompt(const bubble::State& state, const bubble::AwaitPrompt& effect);
  Result<bool> deliver(const bubble::State& state, const bubble::Deliver& effect);
  bool wait_until(MonoTime time);  // false
  Result<bool> move_branch(const bubble::State& state, const bubble::MoveBranch& effect);
  Result<bool> finish_commit(const bubble::State& state);
  Result<bool> merge(const bubble::State& state, const bubble::MergeIntent& intent);
  Result<bool> bring_base(const bubble::State& state, const bubble::BaseMove& move);
  Result<bool> close_down(const bubble::State& state);
  Result<bubble::Observed> observe(const bubble::State& state);
  Result<bool> report(const bubble::Command& command);

  BubbleLoop& loop_;
  std::unique_ptr<Child> setup_;
  std::unique_ptr<Child> checks_;
  std::optional<bubble::RunChecks> checked_;  // what that run is about
  // A line that was entered and not yet taken as a prompt.
  struct Awaited {
    Seq cause = Seq::none;
    int looks = 0, enters = 0;
  };
  std::map<AgentName, Awaited> awaited_;
  std::map<AgentName, ProgramVersion> versions_;  // asked once
  std::vector<std::string> troubles_;
  std::vector<PaneSeen> panes_;
  std::string session_;
  bool wants_retry_ = false;
  std::optional<MonoTime> wake_at_;
  std::map<AgentName, MonoTime> enter_at_;  // when the line that was pasted gets its Enter
};

}  // namespace pf
