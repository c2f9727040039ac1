#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"
#include "role/domain/views.h"

namespace pf::role {
namespace {

std::string short_text(const std::string& text) { return clip(printable(text), 160); }
std::string said(const std::string& text) {
  return trim(text).empty() ? "" : ": " + short_text(text);
}

std::string landing(const Event& event) {
  return event.landing ? name_of_landing(*event.landing) : "the landing";
}

std::string words(const Initialized& e) {
  return e.adopted ? "state.json is taken over as it was found" : "the roles begin";
}
std::string words(const Configured&) { return "the configuration has changed"; }
std::string words(const AutopilotSet& e) {
  return fmt::format("autopilot {} instead of {}{}", e.to, e.from,
                     e.without_checks.empty() ? "" : " without checks" + said(e.without_checks));
}
std::string words(const RegisterEdited& e) {
  const std::string keys = short_text(join(e.keys, ", "));
  if (e.run == 0) return fmt::format("state.json was edited by hand: {}", keys);
  return fmt::format("state.json was edited while run {} was at work, by its agent or by hand: {}",
                     e.run, keys);
}
std::string words(const FileWritten& e) { return printable(e.path) + " is written"; }
std::string words(const Validated& e) {
  if (e.found.problems.empty()) return printable(e.found.file) + " is sound";
  return short_text(document::in_words(e.found.file, e.found.problems.front()));
}
std::string words(const Started& e) {
  return fmt::format("{} started{}", e.role,
                     e.replaced.empty() ? "" : ", instead of " + printable(e.replaced));
}
std::string words(const HandedOff& e, const Event& event) {
  return fmt::format("{} hands over to {}{}{}", e.role, e.to,
                     e.task.empty() ? "" : " for " + e.task, event.now ? said(event.now->msg) : "");
}
std::string words(const Blocked& e, const Event& event) {
  return fmt::format("{} is blocked, {} can unblock it{}", e.role,
                     e.human ? std::string("the human") : std::string(name_of(e.by)),
                     said(e.why.empty() && event.now ? event.now->msg : e.why));
}
std::string words(const TaskApproved& e) {
  return fmt::format("{} of {} is approved; {}", e.task, e.feature,
                     e.next ? "next is " + *e.next : std::string("it was the last one"));
}
std::string words(const FeatureApproved& e) { return e.feature + " is approved"; }
std::string words(const BranchReady& e) { return printable(e.name) + " is checked out"; }
std::string words(const CommitPrepared& e, const Event& event) {
  return fmt::format("a commit of {} is prepared: {}", landing(event), printable(e.commit.str()));
}
std::string words(const ChecksFiled& e, const Event& event) {
  return fmt::format("checks of {}{}: {}{}", e.of_merge ? "the merge of " : "", landing(event),
                     e.passed ? "green" : "red", said(e.what));
}
std::string words(const LandingApproved&, const Event& event) {
  return landing(event) + " may land";
}
std::string words(const LandingDeclined& e, const Event& event) {
  return fmt::format("{} is declined{}", landing(event), said(e.why));
}
std::string words(const SentBack& e) {
  return fmt::format("{}{} goes back to its coder{}", e.task.empty() ? "" : e.task + " of ",
                     e.feature, said(e.message));
}
std::string words(const WorkKept& e, const Event& event) {
  if (!e.error.empty()) return short_text(e.error);
  return fmt::format("what was done for {} is kept on {}", landing(event),
                     event.landing ? printable(event.landing->branch) : "its branch");
}
std::string words(const MergeMade& e, const Event& event) {
  return fmt::format("a merge of {} is prepared: {}", landing(event), printable(e.merged.str()));
}
std::string words(const CommitMade&, const Event& event) {
  return landing(event) + " is committed";
}
std::string words(const PullRequestBegun&, const Event& event) {
  return fmt::format("a pull request for {} is being opened", landing(event));
}
std::string words(const PullRequestFiled& e, const Event& event) {
  if (!e.error.empty())
    return fmt::format("no pull request for {}{}", landing(event), said(e.error));
  return fmt::format("the pull request for {} is open{}", landing(event), said(e.url));
}
std::string words(const BranchMoved&, const Event& event) { return landing(event) + " is merged"; }
std::string words(const TreeCleared&, const Event& event) {
  return "the tree is cleared of " + landing(event);
}
std::string words(const LandingStopped& e, const Event& event) {
  return fmt::format("{} stopped at {}{}", landing(event), e.stage, said(e.why));
}
std::string words(const SummaryPosted& e) { return short_text(e.text); }
std::string words(const AutomationBegun& e) {
  return fmt::format("the agents run ({})", printable(e.run_id));
}
std::string words(const AutomationEnded& e) { return "the agents rest" + said(e.why); }
std::string words(const Released&) { return "the checkout is free for others"; }
std::string words(const RunStarted& e) {
  return fmt::format("run {} started: {} as {}", e.run, e.agent, e.role);
}
std::string words(const RunEnded& e) {
  return fmt::format("run {} ended: {}{}", e.run, e.ending, said(e.what));
}
std::string words(const Delegated& e) {
  return fmt::format("the coder's part goes to the {} {}", e.by, printable(e.child));
}
std::string words(const ChildEnded& e) {
  return fmt::format("{} has {}{}", printable(e.child), e.finished ? "finished" : "stopped",
                     said(e.what));
}
std::string words(const Warned& e) {
  return fmt::format("{} refused: {}", printable(e.verb), short_text(e.what));
}

// Those that need no more than what happened.
template <class E>
std::string words(const E& e, const Event&) {
  return words(e);
}

}  // namespace

std::string describe(const Event& event) {
  const auto tell = [&](const auto& e) { return words(e, event); };
  std::string text = fmt::format("[{}] {}", printable(event.sender), std::visit(tell, event.body));
  if (event.then && event.now)
    text += fmt::format("; {} {}", event.now->current_role, event.now->state);
  return text;
}

}  // namespace pf::role
