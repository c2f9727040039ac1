#include "plan/describe.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"

namespace pf::plan {
namespace {

constexpr std::string_view kOurs = "[pairflow]";
constexpr std::string_view kUsers = "[user]";

std::string short_text(const std::string& text) { return clip(printable(text), 160); }

// " “text”", or nothing.
std::string said(const std::string& text) {
  return trim(text).empty() ? "" : fmt::format(": {}", short_text(text));
}

std::string next_turn(const Event& event) {
  if (!event.then) return {};
  const Standing& then = *event.then;
  if (event.start && is_active(then.phase))
    return fmt::format("; {} on step {}", name_of(event.start->role), printable(then.step));
  return fmt::format("; {}", name_of(then.phase));
}

struct Words {
  std::string operator()(const Opened& e) const {
    return fmt::format("{} opened with {} as coder and {} as reviewer, {} steps{}", kOurs,
                       e.policy.coder.str(), e.policy.reviewer.str(), e.steps.size(),
                       e.restored.empty() ? "" : "; the damaged log is kept as " + e.restored);
  }
  std::string operator()(const RegisterEdited& e) const {
    if (!e.moved()) return fmt::format("{} plan.md was edited: {} steps", kOurs, e.steps.size());
    return fmt::format("{} plan.md was edited by hand: active step {} instead of {}", kOurs,
                       printable(e.active), printable(e.from));
  }
  std::string operator()(const RegisterWritten&) const {
    return fmt::format("{} plan.md is written", kOurs);
  }
  std::string operator()(const Validated& e) const {
    if (e.problems.empty()) return fmt::format("{} {} is sound", kOurs, e.file);
    return fmt::format("{} {}", kOurs, short_text(document::in_words(e.file, e.problems.front())));
  }
  std::string operator()(const ReviewRequested& e) const {
    return fmt::format("{} step {} is ready for review{}", prefix(Role::coder, "request-review"),
                       printable(e.step), said(e.note));
  }
  std::string operator()(const ChangesRequested& e) const {
    return fmt::format("{} #{} on step {}{}", prefix(Role::reviewer, "request-changes"), e.count,
                       printable(e.step), said(e.text));
  }
  std::string operator()(const Approved& e) const {
    return fmt::format("{} step {} is done{}{}", prefix(Role::reviewer, "approve"),
                       printable(e.step), said(e.note), e.next ? "" : "; no pending steps");
  }
  std::string operator()(const UserAsked& e) const {
    return fmt::format("{} {}", prefix(e.role, "ask-user"), short_text(e.message));
  }
  std::string operator()(const UserReplied& e) const {
    return fmt::format("{} {}", kUsers, short_text(e.message));
  }
  std::string operator()(const Parked& e) const {
    return fmt::format("{} parked ({}): {}", kOurs, name_of(e.kind), short_text(e.text));
  }
  std::string operator()(const SentBack& e) const {
    return fmt::format("{} run {} ended without a tool call and is sent back", prefix(e.role),
                       e.run);
  }
  std::string operator()(const GuardReset& e) const {
    return fmt::format("{} loop guard reset on step {} at {}", kUsers, printable(e.step), e.count);
  }
  std::string operator()(const Forced& e) const {
    return fmt::format("{} control to the {}{}", kUsers, name_of(e.role), said(e.message));
  }
  std::string operator()(const Paused&) const { return fmt::format("{} paused", kUsers); }
  std::string operator()(const Resumed&) const { return fmt::format("{} resumed", kUsers); }
  std::string operator()(const ResetDone& e) const {
    return fmt::format("{} step {} begins anew", kUsers, printable(e.step));
  }
  std::string operator()(const ErrorRaised& e) const {
    return fmt::format("{} error: {}", kOurs, short_text(e.what));
  }
  std::string operator()(const RunStarted& e) const {
    return fmt::format("{} run {} started ({}) on step {}{}", prefix(e.role), e.run, e.agent.str(),
                       printable(e.step),
                       e.transcript.empty() ? "" : "; transcript " + printable(e.transcript));
  }
  std::string operator()(const RunParked& e) const {
    return fmt::format("{} run {} waits in its conversation", prefix(e.role), e.run);
  }
  std::string operator()(const RunEnded& e) const {
    return fmt::format("{} run {} ended: {}", prefix(e.role), e.run, name_of(e.ending));
  }
  std::string operator()(const ToolNoted& e) const {
    return fmt::format("{} {}{}", prefix(e.role, e.tool), e.blocked ? "blocked: " : "",
                       short_text(e.what));
  }
  std::string operator()(const Explained& e) const {
    return fmt::format("{} {} is written", prefix(Role::explainer), printable(e.file));
  }
  std::string operator()(const Finished&) const { return fmt::format("{} finished", kOurs); }
  std::string operator()(const Warned& e) const {
    return fmt::format("{} run {}: {} refused: {}", kOurs, e.run, e.verb, short_text(e.what));
  }
};

}  // namespace

std::string prefix(Role role, std::string_view tool) {
  if (tool.empty()) return fmt::format("[{}]", name_of(role));
  std::string name = clip(printable(tool), 40);
  std::ranges::replace(name, '_', '-');
  std::erase_if(name, [](char c) { return c == '[' || c == ']' || c == ' '; });
  return fmt::format("[{}:{}]", name_of(role), name);
}

std::string describe(const Event& event) {
  return std::visit(Words{}, event.body) + next_turn(event);
}

}  // namespace pf::plan
