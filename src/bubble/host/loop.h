#pragma once
#include "bubble/domain/decide.h"
#include "bubble/domain/outstanding.h"
#include "bubble/domain/views.h"
#include "bubble/host/agent_screen.h"
#include "config/settings.h"
#include "git/distance.h"
#include "git/workspace.h"
#include "loop/checks_checkout.h"
#include "loop/loop.h"
#include "tmux/session.h"

namespace pf {

using BubbleEngine = Engine<bubble::Domain>;

// Where a bubble's loop is kept. Made from a repository and an id.
struct BubbleLoopPaths : LoopPaths {
  BubbleLoopPaths(Repository repository, BubbleId id);
  BubbleId id;
  LoopFiles loop_files() const {
    return files_of(id.str(), "pairflow bubble verify --id " + id.str());
  }
};

// With everything else that a bubble has.
struct BubblePaths : BubbleLoopPaths {
  BubblePaths(Repository repository, BubbleId id);
  Path config, artifacts, messages, blobs, index, rules_index, setup_log, package;
  Path git_dir;                        // …/git, made of the rules at the start
  Path hooks_git;                      // …/hooks.git, while hooks run
  Path starting, checking, repo_lock;  // …/locks/
  Path supervisor;                     // …/runtime/<id>.json
  Path hook_plan, shell_plan;          // …/runtime/<id>.hook.launch, .shell.launch
  Path worktree;                       // <repo_parent>/.pairflow-worktrees/<repo_name>/<id>
  Path checks, checks_kept;            // <worktree>.checks, …/checks.json
  Path review, review_kept;            // <worktree>.review, …/review.tree
  bubble::Places places() const {
    return {worktree.string(), messages.string(), artifacts.string(), kBuildInside};
  }
  // …/runtime/<id>.<agent>.launch and so on.
  Path plan(const AgentName& agent) const { return of_agent(agent, ".launch"); }
  Path presence(const AgentName& agent) const { return of_agent(agent, ".presence"); }
  Path copies(const AgentName& agent) const { return of_agent(agent, ".home"); }
  Path build(const AgentName& agent) const {
    return beside(id.str() + "." + agent.str() + ".build");
  }
  Path capture(const AgentName& agent) const {
    return runtime / (id.str() + ".panes") / (agent.str() + ".log");
  }
  Path channel(const AgentName& agent) const { return channels / agent.str() / "socket"; }

 private:
  Path of_agent(const AgentName& agent, const char* ending) const {
    return runtime / (id.str() + "." + agent.str() + ending);
  }
};

extern template class Engine<bubble::Domain>;
extern template class Loop<bubble::Domain, BubblePaths>;

struct ListedBubble {
  BubbleId id;
  Result<bubble::State> state;  // or why it cannot be read
};
// Every bubble of the repository; a damaged one is shown as such and hides no other.
Result<std::vector<ListedBubble>> all_bubbles(Os& os, const Repository& repository);

// One bubble with its ports: the door, its workspace and its terminal.
class BubbleLoop final : public Loop<bubble::Domain, BubblePaths> {
 public:
  using Loop::Loop;

  Result<std::string> socket() const;  // of the tmux server its session is on
  Workspace workspace(const bubble::State& state) const;
  // A checkout of trees of this bubble, in that directory.
  TreeCheckout tree_checkout(const bubble::State& state, const Path& directory) const;
  ChecksCheckout checks_checkout(const bubble::State& state) const {
    return {tree_checkout(state, paths_.checks), paths_.checks_kept};
  }
  // What a reader does not see in the change from the base to the tree.
  Result<std::vector<HiddenText>> hidden_text(const bubble::State& state, const TreeId& tree) const;
  // How far the base branch has moved on from the bubble's base.
  std::optional<Distance> base_distance(const bubble::State& state,
                                        const std::optional<Distance>& known) const;
  Result<TmuxSession> terminal(const bubble::State& state) const;
  Result<AgentScreen> read_screen(TmuxSession& terminal, const PaneSeen& pane) const;

  // Bodies that are too long for the journal, stored under their hash before the line that names
  // them.
  Result<Hash> keep_blob(std::string_view bytes) const;
  // Damaged when it is missing or not what it was.
  Result<std::string> read_blob(const Hash& hash) const;

 private:
  Status gather(const std::vector<Need>& needs, const bubble::State& state,
                const bubble::Command& command, Facts& facts) override;
  Status tell(const std::vector<bubble::Event>& events) override;
  Result<Error> not_begun() const override;
  IdleFact idle_fact(const bubble::State& state) const;
  Result<AgentScreen> active_screen(const bubble::State& state) const;
  Status gather_tree(const bubble::State& state, bool cold, Facts& facts);
  Status gather_shown(const bubble::State& state, const bubble::Command& command, Facts& facts);
  Status gather_sync(const bubble::State& state, Facts& facts);
  Status gather_commit(const bubble::State& state, const bubble::Commit& commit, Facts& facts);
  Result<std::vector<AgentName>> dead_agents(const bubble::State& state) const;
};

// The session's panes; one whose process has ended is dead even if tmux has not noticed yet.
Result<std::vector<PaneSeen>> live_panes(Os& os, TmuxSession& terminal);
// The policy part of the settings.
bubble::Policy policy_of(const Settings& settings);

}  // namespace pf
