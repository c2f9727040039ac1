#include "role/domain/describe.h"

#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"

namespace pf::role {
namespace {

std::string short_text(const std::string& text) { return clip(printable(text), 160); }
std::string said(const std::string& text) {
  return trim(text).empty() ? "" : fmt::format(": {}", short_text(text));
}

struct Words {
  const Event& event;

  std::string landing() const {
    return event.landing ? name_of_landing(*event.landing) : std::string("the landing");
  }

  std::string operator()(const Initialized& e) const {
    return e.adopted ? "state.json is taken over as it was found" : "the roles begin";
  }
  std::string operator()(const Configured&) const { return "the configuration has changed"; }
  std::string operator()(const AutopilotSet& e) const {
    return fmt::format("autopilot {} instead of {}", e.to, e.from);
  }
  std::string operator()(const RegisterEdited& e) const {
    return fmt::format("state.json was edited by hand: {}", short_text(join(e.keys, ", ")));
  }
  std::string operator()(const FileWritten& e) const {
    return fmt::format("{} is written", printable(e.path));
  }
  std::string operator()(const Validated& e) const {
    if (e.problems.empty()) return fmt::format("{} is sound", printable(e.file));
    return short_text(document::in_words(e.file, e.problems.front()));
  }
  std::string operator()(const Started& e) const {
    return fmt::format("{} started{}", e.role,
                       e.replaced.empty() ? "" : ", instead of " + printable(e.replaced));
  }
  std::string operator()(const HandedOff& e) const {
    return fmt::format("{} hands over to {}{}{}", e.role, e.to,
                       e.task.empty() ? "" : " for " + e.task,
                       event.now ? said(event.now->msg) : "");
  }
  std::string operator()(const Blocked& e) const {
    return fmt::format("{} is blocked, {} can unblock it{}", e.role, e.by,
                       said(e.why.empty() && event.now ? event.now->msg : e.why));
  }
  std::string operator()(const TaskApproved& e) const {
    return fmt::format("{} of {} is approved; {}", e.task, e.feature,
                       e.next ? "next is " + *e.next : std::string("it was the last one"));
  }
  std::string operator()(const FeatureApproved& e) const {
    return fmt::format("{} is approved", e.feature);
  }
  std::string operator()(const BranchReady& e) const {
    return fmt::format("{} is checked out", printable(e.name));
  }
  std::string operator()(const CommitPrepared& e) const {
    return fmt::format("a commit of {} is prepared: {}", landing(), printable(e.commit.str()));
  }
  std::string operator()(const ChecksFiled& e) const {
    return fmt::format("checks of {}: {}{}", landing(), e.passed ? "green" : "red", said(e.what));
  }
  std::string operator()(const LandingApproved&) const {
    return fmt::format("{} may land", landing());
  }
  std::string operator()(const LandingDeclined& e) const {
    return fmt::format("{} is declined{}", landing(), said(e.why));
  }
  std::string operator()(const MergeMade& e) const {
    return fmt::format("a merge of {} is prepared: {}", landing(), printable(e.merged.str()));
  }
  std::string operator()(const CommitMade&) const {
    return fmt::format("{} is committed", landing());
  }
  std::string operator()(const PullRequestBegun&) const {
    return fmt::format("a pull request for {} is being opened", landing());
  }
  std::string operator()(const PullRequestFiled& e) const {
    if (!e.error.empty()) return fmt::format("no pull request for {}{}", landing(), said(e.error));
    return fmt::format("the pull request for {} is open{}", landing(), said(e.url));
  }
  std::string operator()(const BranchMoved&) const {
    return fmt::format("{} is merged", landing());
  }
  std::string operator()(const TreeCleared&) const {
    return fmt::format("the tree is cleared of {}", landing());
  }
  std::string operator()(const LandingStopped& e) const {
    return fmt::format("{} stopped at {}{}", landing(), e.stage, said(e.why));
  }
  std::string operator()(const SummaryPosted& e) const { return short_text(e.text); }
  std::string operator()(const AutomationBegun& e) const {
    return fmt::format("the agents run ({})", printable(e.run_id));
  }
  std::string operator()(const AutomationEnded& e) const {
    return fmt::format("the agents rest{}", said(e.why));
  }
  std::string operator()(const RunStarted& e) const {
    return fmt::format("run {} started: {} as {}", e.run, e.agent, e.role);
  }
  std::string operator()(const RunEnded& e) const {
    return fmt::format("run {} ended: {}{}", e.run, e.ending, said(e.what));
  }
  std::string operator()(const Delegated& e) const {
    return fmt::format("the coder's part goes to the {} {}", e.by, printable(e.child));
  }
  std::string operator()(const ChildEnded& e) const {
    return fmt::format("{} has {}{}", printable(e.child), e.finished ? "finished" : "stopped",
                       said(e.what));
  }
  std::string operator()(const Warned& e) const {
    return fmt::format("{} refused: {}", printable(e.verb), short_text(e.what));
  }
};

}  // namespace

std::string describe(const Event& event) {
  std::string text =
      fmt::format("[{}] {}", printable(event.sender), std::visit(Words{event}, event.body));
  if (event.then && event.now)
    text += fmt::format("; {} {}", event.now->current_role, event.now->state);
  return text;
}

}  // namespace pf::role
