#pragma once
// tmux, git and the worktree as far as effects see them; does what it is told and reports back.
#include "bubble/domain/outstanding.h"
#include "bubble/domain/testing.h"
#include "bubble/domain/views.h"

namespace pf::bubble::testing {

inline std::string name_of_effect(const Effect& effect) {
  struct Name {
    std::string operator()(const PrepareWorkspace&) const { return "prepare"; }
    std::string operator()(const EnsureSession&) const { return "session"; }
    std::string operator()(const LaunchAgent& e) const {
      return fmt::format("launch {} {}", e.agent.str(), name_of(e.role));
    }
    std::string operator()(const RecordLaunch& e) const { return "record " + e.agent.str(); }
    std::string operator()(const Deliver& e) const {
      return fmt::format("deliver {} {}", e.agent.str(), number(e.delivery.message));
    }
    std::string operator()(const AwaitPrompt& e) const { return "await " + e.agent.str(); }
    std::string operator()(const RecordExit& e) const { return "exit " + e.agent.str(); }
    std::string operator()(const LookAtTree&) const { return "look"; }
    std::string operator()(const RunChecks& e) const {
      return fmt::format("check{} {}", e.run.cold ? " from empty" : "", e.run.tree.str());
    }
    std::string operator()(const MoveBranch&) const { return "move"; }
    std::string operator()(const FinishCommit&) const { return "finish"; }
    std::string operator()(const MergeBase&) const { return "merge"; }
    std::string operator()(const BringBase&) const { return "sync"; }
    std::string operator()(const CloseDown&) const { return "close"; }
  };
  return std::visit(Name{}, effect);
}

class World {
 public:
  Observed seen;
  int commits = 0;  // how often the branch was moved
  int merges = 0;
  int check_runs = 0;
  int closings = 0;  // how often a session was closed for good

  // Does it in the world and reports, as a supervisor would. Twice is harmless.
  void perform(Bubble& b, const Effect& effect) {
    struct Performer {
      World& world;
      Bubble& b;
      void operator()(const PrepareWorkspace&) const { b.orchestrator(ReportPrepared{}); }
      void operator()(const EnsureSession&) const { world.seen.session = true; }
      void operator()(const LaunchAgent& e) const { world.launch(e); }
      void operator()(const RecordLaunch& e) const {
        b.orchestrator(ReportLaunch{e.agent, e.role, e.cause, e.pane, e.key});
      }
      void operator()(const Deliver& e) const { world.enter(e); }
      void operator()(const AwaitPrompt& e) const {
        b.orchestrator(ReportPrompt{e.agent, e.delivery.cause, "talk-" + e.agent.str()});
      }
      void operator()(const RecordExit& e) const {
        b.orchestrator(ReportExit{e.agent, e.what, e.code});
      }
      void operator()(const LookAtTree&) const { b.orchestrator(CheckTree{}); }
      void operator()(const RunChecks& e) const {
        ++world.check_runs;
        ReportEvidence green{e.run.tree, EvidenceStatus::green, "", {}, e.profile};
        green.log = "log";
        green.cold = e.run.cold;
        b.orchestrator(green);
      }
      void operator()(const MoveBranch& e) const { world.move(b, e.commit); }
      void operator()(const FinishCommit&) const { b.orchestrator(ReportPackage{}); }
      void operator()(const CloseDown&) const {
        ++world.closings;
        world.kill_session();
        b.orchestrator(ReportClosed{});
      }
      void operator()(const BringBase& e) const {
        b.worktree.tree = e.move.merged;
        b.worktree.base_tree = e.move.onto_tree;
        b.worktree.tip = e.move.onto;
        b.orchestrator(ReportSynced{});
      }
      void operator()(const MergeBase&) const {
        ++world.merges;
        b.orchestrator(ReportMerged{CommitId("merged")});
      }
    };
    std::visit(Performer{*this, b}, effect);
  }

  // The names of all effects until nothing is left.
  std::string settle(Bubble& b) {
    std::string story;
    for (int wake = 0; wake < 50; ++wake) {
      const auto effects = outstanding(b.state, seen);
      if (effects.empty()) return story;
      must(can_do(effects), "an effect that cannot be done");
      story += (story.empty() ? "" : "; ") + name_of_effect(effects.front());
      perform(b, effects.front());  // then the world has changed: look again
    }
    throw std::logic_error("effects without end: " + story);
  }

  // A line goes to a live process that has not got it yet; no more than one for each agent.
  bool can_do(const std::vector<Effect>& effects) {
    std::vector<AgentName> told;
    for (const Effect& effect : effects) {
      const auto* deliver = std::get_if<Deliver>(&effect);
      if (deliver == nullptr) continue;
      const PaneView* view = pane(deliver->agent);
      if (view == nullptr || !view->alive() || view->submitted >= deliver->delivery.cause ||
          contains(told, deliver->agent))
        return false;
      told.push_back(deliver->agent);
    }
    return true;
  }

  PaneView* pane(const AgentName& agent) { return find_in(seen.panes, agent, &PaneView::agent); }
  void kill(const AgentName& agent) {
    if (PaneView* view = pane(agent)) view->dead = true, view->exit_code = 1;
  }
  void kill_session() { seen = {}; }
  // What a command of the human sees of the processes.
  void look(Bubble& b) {
    b.dead.clear();
    for (const Agent& agent : b.state.agents)
      if (const PaneView* view = pane(agent.name); view == nullptr || !view->alive())
        b.dead.push_back(agent.name);
  }

 private:
  void launch(const LaunchAgent& e) {
    if (!seen.session) return;
    if (pane(e.agent) == nullptr) seen.panes.push_back({e.agent, "", "", {}, {}, true, 0});
    PaneView& view = *pane(e.agent);
    view = {e.agent, "%" + e.agent.str(), fmt::format("k{}", ++keys_), e.cause, Seq::none, false,
            0};
  }
  void enter(const Deliver& e) {
    PaneView* view = pane(e.agent);
    if (view == nullptr || !view->alive() || view->submitted >= e.delivery.cause) return;
    view->submitted = e.delivery.cause;
  }
  void move(Bubble& b, const CommitIntent& intent) {
    must(b.worktree.tip == intent.old_tip || b.worktree.tip == intent.commit, "the tip is known");
    if (b.worktree.tip == intent.old_tip) ++commits;
    b.worktree.tip = intent.commit;
    b.orchestrator(ReportMoved{});
  }
  int keys_ = 0;
};

}  // namespace pf::bubble::testing
