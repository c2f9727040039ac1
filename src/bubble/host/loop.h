#pragma once
#include "bubble/domain/decide.h"
#include "bubble/domain/outstanding.h"
#include "bubble/domain/views.h"
#include "bubble/host/agent_screen.h"
#include "config/settings.h"
#include "git/workspace.h"
#include "loop/loop.h"
#include "tmux/session.h"

namespace pf {

using BubbleEngine = Engine<bubble::Domain>;
extern template class Loop<bubble::Domain>;

// Where one bubble's files are. Made from a repository and an id; touches nothing.
struct BubblePaths {
  BubblePaths(Repository repository, BubbleId id);
  Repository repository;
  BubbleId id;
  Path control;    // <repo>/.pairflow
  Path directory;  // …/bubbles/<id>
  Path config, transcript, state, inbox, artifacts, messages, blobs, index, rules_index, setup_log,
      package;
  Path git_dir;                                     // …/git, made of the rules at the start
  Path door, lease, starting, checking, repo_lock;  // …/locks/
  Path runtime, supervisor, log, bells;             // …/runtime/, <id>.json, <id>.log, <id>.bells/
  Path channels;                                    // …/runtime/<id>.channels/<agent>/socket
  Path worktree;  // <repo_parent>/.pairflow-worktrees/<repo_name>/<id>
  bubble::Places places() const;
  Path plan(const AgentName& agent) const {
    return runtime / (id.str() + "." + agent.str() + ".launch");
  }
  Path presence(const AgentName& agent) const {
    return runtime / (id.str() + "." + agent.str() + ".presence");
  }
  Path copies(const AgentName& agent) const {
    return runtime / (id.str() + "." + agent.str() + ".home");
  }
  Path capture(const AgentName& agent) const {
    return runtime / (id.str() + ".panes") / (agent.str() + ".log");
  }
  Path channel(const AgentName& agent) const { return channels / agent.str() / "socket"; }
};

// What the door of one bubble needs of it.
LoopFiles loop_files(const Path& control, const BubbleId& id);

// The state of one bubble and nothing else, for those who read many; nothing when there is none.
Result<std::optional<bubble::State>> read_bubble(Os& os, const Path& control, const BubbleId& id);

// One bubble with its ports: the door, its workspace and its terminal.
class BubbleLoop final : public Loop<bubble::Domain> {
 public:
  BubbleLoop(Os& os, BubblePaths paths);

  const BubblePaths& paths() const { return paths_; }
  // Refuses (with the nearest known id) when there is no such bubble.
  Result<bubble::State> load();

  Result<Settings> settings() const;
  Result<std::string> socket() const;  // of the tmux server its session is on
  Workspace workspace(const bubble::State& state) const;
  Result<TmuxSession> terminal(const bubble::State& state) const;
  Result<bubble::Observed> observe(const bubble::State& state) const;

 private:
  Status gather(const std::vector<Need>& needs, const bubble::State& state,
                const bubble::Command& command, Facts& facts) override;
  std::vector<InboxItem> inbox(const bubble::State& state) const override;
  Status tell(const std::vector<bubble::Event>& events) override;
  IdleFact idle_fact(const bubble::State& state) const;
  Result<AgentScreen> active_screen(const bubble::State& state) const;
  Status gather_tree(const bubble::State& state, bool cold, Facts& facts);
  Status gather_commit(const bubble::State& state, const bubble::Commit& commit, Facts& facts);
  Result<std::vector<AgentName>> dead_agents(const bubble::State& state) const;

  BubblePaths paths_;
};

// The agents' panes as the bubble sees them.
bubble::Observed observed_from(const std::vector<PaneSeen>& panes);
// The session's panes; one whose process has ended is dead even if tmux has not noticed yet.
Result<std::vector<PaneSeen>> live_panes(Os& os, TmuxSession& terminal);
// The policy part of the settings.
bubble::Policy policy_of(const Settings& settings);
// PAIRFLOW_TMUX_SOCKET, else [tmux] socket.
std::string tmux_socket(Os& os, const Settings& settings);

}  // namespace pf
