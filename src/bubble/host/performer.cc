#include "bubble/host/performer.h"

#include <fmt/format.h>

#include <algorithm>

#include "agents/program.h"
#include "base/codec.h"
#include "base/error_text.h"
#include "base/text.h"
#include "bubble/host/agent_files.h"
#include "bubble/host/launch.h"
#include "bubble/host/review_checkout.h"
#include "loop/agent_sandbox.h"
#include "loop/confined_checks.h"
#include "loop/driver.h"
#include "loop/held_names.h"

namespace pf {
namespace {

std::string in_words(Sent sent) {
  switch (sent) {
    case Sent::yes:
    case Sent::pasted: return "delivered";
    case Sent::dead: return "its process has ended";
    case Sent::in_mode: return "the pane is in copy mode; it arrives when you leave it";
    case Sent::foreign: return "another process took over the pane";
    case Sent::gone: return "the pane is gone";
  }
  return "";
}

}  // namespace

Status prepare_workspace(BubbleLoop& loop, Workspace& workspace) {
  constexpr Duration kPrepareWait = std::chrono::minutes(10);  // a huge checkout, several in a row
  const Path path = loop.paths().control / "locks" / "worktrees.lock";
  const Lock one_at_a_time = TRY(Lock::take(loop.os(), path, kPrepareWait));
  return workspace.prepare();
}

Status check_agents(BubbleLoop& loop, const bubble::State& state) {
  const Settings settings = TRY(loop.settings());
  for (const AgentName& name : {state.policy.roles.implementer, state.policy.roles.reviewer})
    if (const AgentSettings* agent = find_agent(settings, name))
      TRY(check_program(loop.os(), *agent));
  TRY(check_confinement(loop.os(), settings, loop.paths().repository));
  if (!loop.os().processes.find_program("tmux"))
    return fail(Exit::machine, "there is no program 'tmux'", "the agents run in its panes",
                "install tmux 3.2 or newer");
  return {};
}

std::vector<int> Performer::children() const {
  std::vector<int> ends;
  for (const Child* child : {setup_.get(), checks_.get()})
    if (child != nullptr) ends.push_back(child->pidfd());
  return ends;
}

Status Performer::settle() {
  if (const auto code = setup_ ? setup_->ended() : std::nullopt) TRY(finish_setup(*code));
  if (const auto code = checks_ ? checks_->ended() : std::nullopt) TRY(finish_checks(*code));
  return pf::settle([&]() -> Result<bool> {
    const bubble::State state = TRY(loop_.load());
    if (bubble::is_final(state.phase)) kill_children();
    const bubble::Observed observed = TRY(observe(state));
    troubles_.clear();
    wants_retry_ = false;
    wake_at_.reset();
    for (const bubble::Effect& effect : bubble::outstanding(state, observed)) {
      const auto moved = perform(state, effect);
      if (moved && *moved) return true;
      if (moved) continue;
      troubles_.push_back(in_short(moved.error()));
      wants_retry_ = true;
    }
    return false;
  });
}

Result<bubble::Observed> Performer::observe(const bubble::State& state) {
  panes_.clear();
  bubble::Observed observed;
  if (!bubble::has_session(state.phase) && (!bubble::is_final(state.phase) || state.closed))
    return observed;
  TmuxSession terminal = TRY(loop_.terminal(state));
  panes_ = TRY(live_panes(loop_.os(), terminal));
  session_ = terminal.name();
  for (const PaneSeen& pane : panes_) {
    observed.session = true;
    if (pane.holder != "status")
      observed.panes.push_back({AgentName(pane.holder), pane.pane, pane.key, pane.launch,
                                pane.submitted, pane.dead, pane.exit_code});
  }
  return observed;
}

Result<bool> Performer::report(const bubble::Command& command) {
  const auto answer = TRY(loop_.report(command));
  return !answer.events.empty();
}

Result<bool> Performer::perform(const bubble::State& state, const bubble::Effect& effect) {
  struct Doer {
    Performer& self;
    const bubble::State& state;
    Result<bool> operator()(const bubble::PrepareWorkspace&) { return self.prepare(state); }
    Result<bool> operator()(const bubble::EnsureSession&) {
      TmuxSession terminal = TRY(self.loop_.terminal(state));
      TRY(terminal.ensure_session());
      return true;
    }
    Result<bool> operator()(const bubble::LaunchAgent& e) { return self.launch(state, e); }
    Result<bool> operator()(const bubble::RecordLaunch& e) {
      return self.report(TRY(launched_by_plan(self.loop_, e)));
    }
    Result<bool> operator()(const bubble::Deliver& e) { return self.deliver(state, e); }
    Result<bool> operator()(const bubble::AwaitPrompt& e) { return self.await_prompt(state, e); }
    Result<bool> operator()(const bubble::RecordExit& e) {
      return self.report(bubble::ReportExit{e.agent, e.what, e.code});
    }
    Result<bool> operator()(const bubble::LookAtTree&) { return self.report(bubble::CheckTree{}); }
    Result<bool> operator()(const bubble::RunChecks& e) { return self.start_checks(e); }
    Result<bool> operator()(const bubble::MoveBranch& e) { return self.move_branch(state, e); }
    Result<bool> operator()(const bubble::FinishCommit&) { return self.finish_commit(state); }
    Result<bool> operator()(const bubble::MergeBase& e) { return self.merge(state, e.merge); }
    Result<bool> operator()(const bubble::BringBase& e) { return self.bring_base(state, e.move); }
    Result<bool> operator()(const bubble::CloseDown&) { return self.close_down(state); }
  };
  return std::visit(Doer{*this, state}, effect);
}

Result<bool> Performer::prepare(const bubble::State& state) {
  if (setup_) return false;
  Workspace workspace = loop_.workspace(state);
  if (auto prepared = prepare_workspace(loop_, workspace); !prepared) {
    const std::string what = in_words(prepared.error());
    // Whatever stands in the way can be moved out of it; only a lost base cannot come back.
    if (TRY(workspace.has_base())) return report(bubble::ReportSetupFailed{what});
    [[maybe_unused]] const auto undone = workspace.unprepare();
    return report(bubble::ReportFailed{what});
  }
  const std::string setup = TRY(loop_.settings()).setup;
  if (setup.empty()) return file_prepared(state);
  TRY(loop_.os().files.make_directories(loop_.paths().artifacts));
  TRY(loop_.os().files.remove(loop_.paths().setup_log));
  Command command{{"/bin/sh", "-c", setup}, state.place.worktree};
  command.environment = {{"PAIRFLOW_CHECK", loop_.paths().id.str()}};
  setup_ = TRY(loop_.os().processes.start(command, loop_.paths().setup_log));
  return false;
}

// With git's rules as they are now: the human's, before any agent has had a word.
Result<bool> Performer::file_prepared(const bubble::State& state) {
  Os& os = loop_.os();
  const BubblePaths& paths = loop_.paths();
  const auto rules = read_rules(os, paths.repository, state.place.worktree,
                                state.place.base_commit.str(), paths.rules_index);
  if (!rules) return report(bubble::ReportSetupFailed{in_short(rules.error())});
  return report(bubble::ReportPrepared{TRY(loop_.keep_blob(text_of(*rules)))});
}

Status Performer::finish_setup(int code) {
  setup_.reset();
  if (code == 0) {
    TRY(file_prepared(TRY(loop_.load())));
    return {};
  }
  TRY(report(bubble::ReportSetupFailed{
      fmt::format("the setup command ended with code {}; its output is in {}", code,
                  loop_.paths().setup_log.string())}));
  return {};
}

void Performer::kill_children() {
  for (std::unique_ptr<Child>* child : {&setup_, &checks_}) {
    if (!*child) continue;
    (*child)->kill_group();
    child->reset();
  }
  checked_.reset();
}

// In a process of its own: it waits for a slot and for the checks, the supervisor for nobody.
Result<bool> Performer::start_checks(const bubble::RunChecks& effect) {
  if (checks_ && checked_ == effect) return false;
  if (checks_) checks_->kill_group();  // nobody asks for that run any more
  const BubblePaths& paths = loop_.paths();
  Command command{{loop_.os().env.executable().string(), "run-checks", "--repo",
                   paths.repository.top.string(), "--id", paths.id.str()},
                  paths.repository.top};
  checks_ = TRY(loop_.os().processes.start(command, paths.errors));
  checked_ = effect;
  return false;
}

Status Performer::finish_checks(int code) {
  checks_.reset();
  if (code == 0 || !checked_) return {};
  bubble::ReportEvidence evidence;
  evidence.tree = checked_->run.tree;
  evidence.profile = checked_->profile;
  evidence.status = bubble::EvidenceStatus::void_;
  evidence.what =
      fmt::format("the run ended with code {}; see {}", code, loop_.paths().errors.string());
  TRY(report(evidence));
  return {};
}

Result<bool> Performer::launch(const bubble::State& state, const bubble::LaunchAgent& effect) {
  const Settings settings = TRY(loop_.settings());
  const AgentSettings* agent = find_agent(settings, effect.agent);
  if (agent != nullptr && !versions_.contains(effect.agent))
    versions_[effect.agent] = ask_version(loop_.os(), *agent);
  auto prepared = TRY(prepare_launch(loop_, state, effect, versions_[effect.agent]));
  TmuxSession terminal = TRY(loop_.terminal(state));
  prepared.report.pane = TRY(terminal.launch(prepared.spec));
  return report(prepared.report);
}

// A line that was pasted already only waits for its Enter.
Result<bool> Performer::can_take(TmuxSession& terminal, const PaneSeen& pane,
                                 const bubble::Deliver& effect, Seq cause) {
  if (pane.pasted >= cause) return true;
  const Sight sight = TRY(loop_.read_screen(terminal, pane)).sight;
  if (sight == Sight::ready || sight == Sight::unknown) return true;
  troubles_.push_back(fmt::format(
      "{}: not delivered yet, {}", effect.agent.str(),
      sight == Sight::typed ? "text is in its input box, which is left alone: enter or clear it"
                            : "its input box is not there"));
  wants_retry_ = true;
  return false;
}

// The program takes what was entered within a moment, unless the Enter was lost: then our own line
// is still in the box, and only the Enter is repeated. Later its hook is waited for, no more.
Result<bool> Performer::await_prompt(const bubble::State& state,
                                     const bubble::AwaitPrompt& effect) {
  constexpr int kPatientLooks = 4, kMostEnters = 3, kLongAgo = 8;
  Awaited& awaited = awaited_[effect.agent];
  if (awaited.cause != effect.delivery.cause) awaited = {effect.delivery.cause};
  ++awaited.looks;
  if (awaited.looks >= kLongAgo)
    troubles_.push_back(fmt::format("{}: has not confirmed what was entered; look at its pane",
                                    effect.agent.str()));
  else
    wants_retry_ = true;
  const auto pane = std::ranges::find(panes_, effect.agent.str(), &PaneSeen::holder);
  if (awaited.looks < kPatientLooks || awaited.enters == kMostEnters || pane == panes_.end())
    return false;
  TmuxSession terminal = TRY(loop_.terminal(state));
  const AgentScreen screen = TRY(loop_.read_screen(terminal, *pane));
  const std::string ours = fmt::format("{}{}]", bubble::kLineStart, number(effect.delivery.cause));
  if (screen.sight != Sight::typed || !screen.text.contains(ours)) return false;
  ++awaited.enters;
  TRY(terminal.press_enter(*pane));
  return false;
}

Result<bool> Performer::look_at(const std::string& holder, bool still) {
  const bubble::State state = TRY(loop_.load());
  const AgentName name(holder);
  const bubble::Agent* agent = state.agent(name);
  const auto pane = std::ranges::find(panes_, holder, &PaneSeen::holder);
  if (agent == nullptr || pane == panes_.end() || pane->dead || !bubble::has_session(state.phase))
    return false;
  TmuxSession terminal = TRY(loop_.terminal(state));
  const AgentScreen screen = TRY(loop_.read_screen(terminal, *pane));
  const std::string words = last_words_on(screen.text);
  if (words.empty()) return false;
  // What a program of the human's own choice shows beside its input box is not known.
  if (screen.sight == Sight::dialog || (screen.sight == Sight::other && screen.familiar))
    return still ? report(
                       bubble::ReportHindrance{name, bubble::Obstacle::dialog, words, "", "screen"})
                 : false;
  const bool on_turn = state.phase == bubble::Phase::running && state.active_agent == name;
  const bool asked = agent->hindrance && agent->hindrance->obstacle == bubble::Obstacle::dialog;
  if (screen.trouble && on_turn && !asked && (screen.trouble->retries || still))
    return report(hindrance_by(name, *screen.trouble, loop_.os().clock.wall(), "screen"));
  // What ends by itself is over when it is not to be seen any more.
  if (agent->hindrance && agent->hindrance->until.empty() && !screen.trouble)
    return report(bubble::ReportFreed{name});
  return false;
}

Result<bool> Performer::deliver(const bubble::State& state, const bubble::Deliver& effect) {
  const auto pane = std::ranges::find(panes_, effect.agent.str(), &PaneSeen::holder);
  if (pane == panes_.end()) return false;
  TRY(arrange_agent_files(loop_, state, effect.agent, effect.delivery));
  const std::string line =
      bubble::delivery_line(state, effect.agent, effect.delivery, loop_.paths().places());
  TmuxSession terminal = TRY(loop_.terminal(state));
  // One of ours that was pasted before, and has had no Enter yet, is entered first.
  const Seq cause = pane->pasted > pane->submitted ? std::min(pane->pasted, effect.delivery.cause)
                                                   : effect.delivery.cause;
  if (!TRY(can_take(terminal, *pane, effect, cause))) return false;
  if (const auto due = enter_at_.find(effect.agent); due != enter_at_.end()) {
    if (loop_.os().clock.mono() < due->second) return wait_until(due->second);
    enter_at_.erase(due);
  }
  const Sent sent = TRY(terminal.deliver(*pane, line, cause));
  if (sent == Sent::yes) return true;
  if (sent == Sent::pasted)
    return wait_until(enter_at_[effect.agent] = loop_.os().clock.mono() + kPasteToEnterPause);
  troubles_.push_back(fmt::format("{}: not delivered, {}", effect.agent.str(), in_words(sent)));
  return false;
}

bool Performer::wait_until(MonoTime time) {
  wake_at_ = wake_at_ ? std::min(*wake_at_, time) : time;
  return false;
}

Result<bool> Performer::move_branch(const bubble::State& state, const bubble::MoveBranch& effect) {
  Workspace workspace = loop_.workspace(state);
  const bubble::CommitIntent& commit = effect.commit;
  if (commit.squash) TRY(workspace.salvage());  // what the old tip held stays reachable
  if (auto moved = workspace.move_branch(commit.commit, commit.old_tip); !moved) {
    if (moved.error().exit != Exit::refused) return std::unexpected(moved.error());
    return report(bubble::AbandonCommit{moved.error().what});
  }
  return report(bubble::ReportMoved{});
}

Result<bool> Performer::finish_commit(const bubble::State& state) {
  Workspace workspace = loop_.workspace(state);
  auto files = TRY(workspace.changed(state.place.base_commit.str(), state.commit->commit.str()));
  // The commit stands whatever becomes of the worktree's own index.
  if (auto refreshed = workspace.refresh_index(); !refreshed)
    troubles_.push_back(refreshed.error().what);
  return report(bubble::ReportPackage{std::move(files)});
}

// Looks first: an earlier try may have merged and not come to say so.
Result<bool> Performer::merge(const bubble::State& state, const bubble::MergeIntent& intent) {
  Workspace workspace = loop_.workspace(state);
  auto fact = workspace.look_at_merge(state.committed, intent.base_branch);
  if (fact && fact->contains) return report(bubble::ReportMerged{fact->base});
  // Only what was decided on lands: another tree is another decision.
  if (!fact || !fact->dirty.empty() || !fact->conflicts.empty() || fact->tree != intent.tree)
    return report(bubble::AbandonMerge{
        fact ? fmt::format("{} has changed meanwhile", intent.base_branch) : fact.error().what});
  auto merged = workspace.merge(state.committed, intent.base_branch, *fact);
  if (merged) return report(bubble::ReportMerged{*merged});
  if (merged.error().exit != Exit::refused) return std::unexpected(merged.error());
  // A git that was killed behind it has moved the branch all the same.
  if (fact = workspace.look_at_merge(state.committed, intent.base_branch); fact && fact->contains)
    return report(bubble::ReportMerged{fact->base});
  return report(bubble::AbandonMerge{in_short(merged.error())});
}

// Files first: what was cut off finds them as they are to be, and goes on with the branch.
Result<bool> Performer::bring_base(const bubble::State& state, const bubble::BaseMove& move) {
  constexpr std::size_t kNamed = 20;
  Workspace workspace = loop_.workspace(state);
  const CommitId tip = TRY(workspace.tip());
  if (tip != move.tip && tip != move.onto)
    return report(
        bubble::AbandonSync{fmt::format("{} was moved meanwhile", state.place.bubble_branch)});
  const auto lost = TRY(workspace.bring_files(move.files, move.merged));
  if (!lost.empty())
    return report(bubble::AbandonSync{fmt::format(
        "edited meanwhile, or an ignored file in the way: {}", name_some(lost, kNamed))});
  if (auto moved = workspace.rebase(move.onto, move.tip); !moved) {
    if (moved.error().exit != Exit::refused) return std::unexpected(moved.error());
    return report(bubble::AbandonSync{moved.error().what});
  }
  return report(bubble::ReportSynced{});
}

Result<bool> Performer::close_down(const bubble::State& state) {
  TmuxSession terminal = TRY(loop_.terminal(state));
  TRY(terminal.close_session());  // first of all the agents stop
  end_left_checks(loop_.os(), loop_.paths());
  for (const bubble::Agent& agent : state.agents) {  // what only their processes needed
    TRY(loop_.os().files.remove_all(loop_.paths().copies(agent.name)));
    TRY(loop_.os().files.remove(loop_.paths().plan(agent.name)));
    TRY(loop_.os().files.remove(loop_.paths().presence(agent.name)));
  }
  TRY(loop_.os().files.remove_all(loop_.paths().checks));
  TRY(loop_.os().files.remove(loop_.paths().checks_kept));
  if (auto removed = remove_review(loop_.os(), loop_.paths()); !removed)
    troubles_.push_back(removed.error().what);
  [[maybe_unused]] const auto released = release_names(loop_.os(), loop_.paths().lease.string());
  bubble::ReportClosed closed;
  Workspace workspace = loop_.workspace(state);
  if (const auto there = workspace.exists();
      state.phase != bubble::Phase::done && there && *there) {
    auto kept = workspace.salvage();
    if (kept)
      closed.salvage = std::move(*kept);
    else  // nothing is lost: the worktree stays as it is
      closed.unsaved = in_short(kept.error());
  }
  return report(closed);
}

}  // namespace pf
