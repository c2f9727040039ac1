#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "plan/domain/views.h"

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

constexpr const char* kOurs = "[pairflow]";
constexpr const char* kUsers = "[user]";

Story words(const Opened& e) {
  const std::string said = e.form_said ? "; by your word they are the " + e.form : "";
  return {kOurs,
          fmt::format("opened with {} as coder and {} as reviewer, {} {}{}{}", e.policy.coder,
                      e.policy.reviewer, e.steps.size(), steps_in_words(e.steps.size()), said,
                      also("; the damaged log is kept as ", e.restored))};
}
Story words(const RegisterEdited& e) {
  const std::string when =
      e.during == 0 ? "by hand" : fmt::format("while run {} was at work", e.during);
  if (!e.moved())
    return {kOurs, fmt::format("plan.md was edited {}: {} {}", when, e.steps.size(),
                               steps_in_words(e.steps.size()))};
  return {kOurs, fmt::format("plan.md was edited {}: active step {} instead of {}", when,
                             printable(e.active), printable(e.from))};
}
Story words(const RegisterWritten&) { return {kOurs, "plan.md is written"}; }
Story words(const Validated& e) {
  if (e.found.problems.empty()) return {kOurs, fmt::format("{} is sound", e.found.file)};
  return {kOurs, "", document::in_words(e.found.file, e.found.problems.front())};
}
Story words(const ReviewRequested& e) {
  return {prefix(Role::coder, "request-review"),
          fmt::format("step {} is ready for review", printable(e.step)), e.note};
}
Story words(const ChangesRequested& e) {
  return {prefix(Role::reviewer, "request-changes"),
          fmt::format("#{} on step {}", e.count, printable(e.step)), e.text};
}
Story words(const Approved& e) {
  return {prefix(Role::reviewer, "approve"),
          fmt::format("step {} is done{}", printable(e.step), e.next ? "" : ", the last one"),
          e.note};
}
Story words(const UserAsked& e) { return {prefix(e.role, "ask-user"), "", e.message}; }
Story words(const UserReplied& e) {
  return {kUsers, trim(e.message).empty() ? "agreed" : "", e.message};
}
Story words(const Parked& e) { return {kOurs, fmt::format("parked ({})", e.kind), e.text}; }
Story words(const SentBack& e) {
  return {prefix(e.role), fmt::format("run {} ended without a tool call and is sent back", e.run)};
}
Story words(const GuardReset& e) {
  return {kUsers, fmt::format("loop guard reset on step {} at {}", printable(e.step), e.count)};
}
Story words(const Forced& e) {
  return {kUsers, fmt::format("control to the {}", e.role), e.message};
}
Story words(const Paused&) { return {kUsers, "paused"}; }
Story words(const Resumed&) { return {kUsers, "resumed"}; }
Story words(const ResetDone& e) {
  return {kUsers, fmt::format("step {} begins anew", printable(e.step))};
}
Story words(const NoteRemoved& e) {
  return {kUsers, fmt::format("note {} is not told any more", e.number)};
}
Story words(const Released&) { return {kUsers, "made the checkout free for others"}; }
Story words(const ErrorRaised& e) { return {kOurs, "error", e.what}; }
Story words(const RunStarted& e) {
  return {prefix(e.role), fmt::format("run {} started ({}) on step {}{}", e.run, e.agent,
                                      printable(e.step), also("; transcript ", e.transcript))};
}
Story words(const RunParked& e) {
  return {prefix(e.role), fmt::format("run {} waits in its conversation", e.run)};
}
Story words(const RunEnded& e) {
  return {prefix(e.role), fmt::format("run {} ended: {}", e.run, e.ending)};
}
Story words(const ToolNoted& e) {
  return {prefix(e.role, e.tool), e.blocked ? "blocked" : "", e.what};
}
Story words(const Explained& e) {
  return {prefix(Role::explainer), fmt::format("{} is written", printable(e.file))};
}
Story words(const Finished&) { return {kOurs, "finished"}; }
Story words(const LandingPrepared& e) {
  return {kUsers, fmt::format("landing {} {} on {}", e.commits.size(),
                              e.commits.size() == 1 ? "commit" : "commits", printable(e.branch))};
}
Story words(const LandingAbandoned& e) { return {kOurs, "the landing was given up", e.reason}; }
Story words(const Landed& e) {
  return {kOurs, fmt::format("landed: {} is at {}", printable(e.branch), e.commit)};
}
Story words(const MergePrepared& e) {
  return {kUsers, fmt::format("merging into {}{}", printable(e.branch),
                              also(", unchecked: ", e.unchecked))};
}
Story words(const MergeAbandoned& e) { return {kOurs, "the merge was given up", e.reason}; }
Story words(const Merged& e) {
  return {kOurs, fmt::format("merged: {} is at {}", printable(e.branch), e.commit)};
}
Story words(const Warned& e) {
  return {kOurs, fmt::format("run {}: {} refused", e.run, e.verb), e.what};
}

Story story_of(const Event& event) {
  return std::visit([](const auto& e) { return words(e); }, event.body);
}

}  // namespace

std::string prefix(Role role, std::string_view tool) {
  if (tool.empty()) return fmt::format("[{}]", role);
  std::string name = clip(printable(tool), 40);
  std::ranges::replace(name, '_', '-');
  std::erase_if(name, [](char c) { return c == '[' || c == ']' || c == ' '; });
  return fmt::format("[{}:{}]", role, name);
}

Told tell(const Event& event) {
  const Story story = story_of(event);
  const std::string said(trim(printable_lines(story.said)));
  if (said.empty()) return {story.who, story.what + next_turn(event)};
  return {story.who, story.what + (story.what.empty() ? "" : ": ") + said};
}

std::string describe(const Event& event) {
  constexpr std::size_t kShown = 160;
  const Story story = story_of(event);
  const std::string said = clip(printable(trim(story.said)), kShown);
  const bool both = !story.what.empty() && !said.empty();
  return fmt::format("{} {}{}{}{}", story.who, story.what, both ? ": " : "", said,
                     next_turn(event));
}

}  // namespace pf::plan
