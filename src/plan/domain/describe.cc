#include "plan/domain/describe.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"

namespace pf::plan {
namespace {

// Who goes on, where that changes.
std::string next_turn(const Event& event) {
  if (!event.then || !event.start || !is_active(event.then->phase)) return {};
  return fmt::format("; {} on step {}", event.start->role, printable(event.then->step));
}

// "; more", or nothing.
std::string also(std::string_view before, const std::string& text) {
  return text.empty() ? "" : fmt::format("{}{}", before, printable(text));
}

std::string_view steps_in_words(std::size_t count) { return count == 1 ? "step" : "steps"; }

// What happened, and what was said with it.
struct Story {
  std::string who, what = {}, said = {};
};

struct Words {
  Story operator()(const Opened& e) const {
    return {ours(),
            fmt::format("opened with {} as coder and {} as reviewer, {} {}{}", e.policy.coder,
                        e.policy.reviewer, e.steps.size(), steps_in_words(e.steps.size()),
                        also("; the damaged log is kept as ", e.restored))};
  }
  Story operator()(const RegisterEdited& e) const {
    const std::string when =
        e.during == 0 ? "by hand" : fmt::format("while run {} was at work", e.during);
    if (!e.moved())
      return {ours(), fmt::format("plan.md was edited {}: {} {}", when, e.steps.size(),
                                  steps_in_words(e.steps.size()))};
    return {ours(), fmt::format("plan.md was edited {}: active step {} instead of {}", when,
                                printable(e.active), printable(e.from))};
  }
  Story operator()(const RegisterWritten&) const { return {ours(), "plan.md is written"}; }
  Story operator()(const Validated& e) const {
    if (e.problems.empty()) return {ours(), fmt::format("{} is sound", e.file)};
    return {ours(), "", document::in_words(e.file, e.problems.front())};
  }
  Story operator()(const ReviewRequested& e) const {
    return {prefix(Role::coder, "request-review"),
            fmt::format("step {} is ready for review", printable(e.step)), e.note};
  }
  Story operator()(const ChangesRequested& e) const {
    return {prefix(Role::reviewer, "request-changes"),
            fmt::format("#{} on step {}", e.count, printable(e.step)), e.text};
  }
  Story operator()(const Approved& e) const {
    return {prefix(Role::reviewer, "approve"),
            fmt::format("step {} is done{}", printable(e.step), e.next ? "" : ", the last one"),
            e.note};
  }
  Story operator()(const UserAsked& e) const { return {prefix(e.role, "ask-user"), "", e.message}; }
  Story operator()(const UserReplied& e) const {
    return {users(), trim(e.message).empty() ? "agreed" : "", e.message};
  }
  Story operator()(const Parked& e) const {
    return {ours(), fmt::format("parked ({})", e.kind), e.text};
  }
  Story operator()(const SentBack& e) const {
    return {prefix(e.role),
            fmt::format("run {} ended without a tool call and is sent back", e.run)};
  }
  Story operator()(const GuardReset& e) const {
    return {users(), fmt::format("loop guard reset on step {} at {}", printable(e.step), e.count)};
  }
  Story operator()(const Forced& e) const {
    return {users(), fmt::format("control to the {}", e.role), e.message};
  }
  Story operator()(const Paused&) const { return {users(), "paused"}; }
  Story operator()(const Resumed&) const { return {users(), "resumed"}; }
  Story operator()(const ResetDone& e) const {
    return {users(), fmt::format("step {} begins anew", printable(e.step))};
  }
  Story operator()(const ErrorRaised& e) const { return {ours(), "error", e.what}; }
  Story operator()(const RunStarted& e) const {
    return {prefix(e.role), fmt::format("run {} started ({}) on step {}{}", e.run, e.agent,
                                        printable(e.step), also("; transcript ", e.transcript))};
  }
  Story operator()(const RunParked& e) const {
    return {prefix(e.role), fmt::format("run {} waits in its conversation", e.run)};
  }
  Story operator()(const RunEnded& e) const {
    return {prefix(e.role), fmt::format("run {} ended: {}", e.run, e.ending)};
  }
  Story operator()(const ToolNoted& e) const {
    return {prefix(e.role, e.tool), e.blocked ? "blocked" : "", e.what};
  }
  Story operator()(const Explained& e) const {
    return {prefix(Role::explainer), fmt::format("{} is written", printable(e.file))};
  }
  Story operator()(const Finished&) const { return {ours(), "finished"}; }
  Story operator()(const Warned& e) const {
    return {ours(), fmt::format("run {}: {} refused", e.run, e.verb), e.what};
  }

 private:
  static std::string ours() { return "[pairflow]"; }
  static std::string users() { return "[user]"; }
};

}  // namespace

std::string prefix(Role role, std::string_view tool) {
  if (tool.empty()) return fmt::format("[{}]", role);
  std::string name = clip(printable(tool), 40);
  std::ranges::replace(name, '_', '-');
  std::erase_if(name, [](char c) { return c == '[' || c == ']' || c == ' '; });
  return fmt::format("[{}:{}]", role, name);
}

Told tell(const Event& event) {
  const Story story = std::visit(Words{}, event.body);
  const std::string said(trim(printable_lines(story.said)));
  if (said.empty()) return {story.who, story.what + next_turn(event)};
  return {story.who, story.what + (story.what.empty() ? "" : ": ") + said};
}

std::string describe(const Event& event) {
  constexpr std::size_t kShown = 160;
  const Story story = std::visit(Words{}, event.body);
  const std::string said = clip(printable(trim(story.said)), kShown);
  const bool both = !story.what.empty() && !said.empty();
  return fmt::format("{} {}{}{}{}", story.who, story.what, both ? ": " : "", said,
                     next_turn(event));
}

}  // namespace pf::plan
