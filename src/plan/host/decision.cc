#include "plan/host/decision.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diffstat.h"
#include "base/error_text.h"
#include "base/text.h"
#include "bubble/domain/hidden_text.h"
#include "document/plan/steps.h"

namespace pf {
namespace {

using plan::Verdict;

constexpr std::size_t kDiffLookedAt = 16u << 20;
constexpr std::size_t kPathsNamed = 10;

bool is_over(const plan::State& state) {
  return state.phase == plan::Phase::done ||
         (state.halt && state.halt->kind == plan::HaltKind::no_pending_steps);
}

// What the first approved change was made to. In the user's own checkout that holds what was not
// committed.
std::string beginning_of(const plan::State& state) {
  return state.policy.workspace == plan::Workspace::repo ? state.first_tree.str()
                                                         : state.base.str();
}

// The tree before the verdict at `at`.
std::string before(const plan::State& state, std::size_t at) {
  while (at > 0)
    if (const Verdict& earlier = state.verdicts[--at]; !earlier.tree.empty())
      return earlier.tree.str();
  return beginning_of(state);
}

Result<std::string> files_now(PlanLoop& loop, const plan::State& state) {
  if (state.policy.workspace == plan::Workspace::repo) return TRY(loop.git().snapshot({})).str();
  return TRY(loop.workspace(state.base).snapshot(false)).tree.str();
}

std::unexpected<Error> unknown_step(const plan::State& state, const std::string& step) {
  std::vector<std::string> known;
  for (const plan::StepState& each : state.steps) known.push_back(printable(each.id));
  return fail(Exit::refused, fmt::format("there is no step '{}'", clip(printable(step), 40)),
              fmt::format("there are {}", name_some(known, 20)), "name one of them");
}

// By its id, its number or its title; null when there is none.
const plan::StepState* step_named(const plan::State& state, const std::string& name) {
  std::vector<document::Step> steps;
  for (const plan::StepState& each : state.steps) {
    document::Step step;
    step.id = each.id;
    step.title = each.title;
    steps.push_back(std::move(step));
  }
  const document::Step* found = document::find_step(steps, name);
  return found == nullptr ? nullptr : state.find(found->id);
}

// What came into plan.md while an agent could write it, or that moved the active step.
std::vector<std::string> edits_of(const std::vector<plan::Event>& events) {
  std::vector<std::string> edits;
  for (const plan::Event& event : events) {
    const auto* edited = std::get_if<plan::RegisterEdited>(&event.body);
    if (edited == nullptr || (edited->during == 0 && !edited->moved())) continue;
    std::string text = "plan.md was edited ";
    text +=
        edited->during == 0 ? "by hand" : fmt::format("while run {} was at work", edited->during);
    if (edited->moved())
      text += fmt::format(": step {} instead of {}", printable(edited->active),
                          printable(edited->from));
    edits.push_back(std::move(text));
  }
  return edits;
}

// Steps that count as done although nobody reviewed them here.
std::vector<std::string> unreviewed(const plan::State& state) {
  std::vector<std::string> ids;
  for (const plan::StepState& step : state.steps)
    if (step.status == plan::StepStatus::done &&
        std::ranges::find(state.verdicts, step.id, &Verdict::step) == state.verdicts.end())
      ids.push_back(printable(step.id));
  return ids;
}

Status add_warnings(PlanLoop& loop, const plan::State& state, PlanDecision& decision) {
  auto& warnings = decision.warnings;
  if (const auto ids = unreviewed(state); !ids.empty())
    warnings.push_back("nobody reviewed these steps here: " + name_some(ids, kPathsNamed));
  for (std::string& edit : edits_of(TRY(loop.events()))) warnings.push_back(std::move(edit));
  for (const Verdict& verdict : state.verdicts)
    if (verdict.seq > state.landed_to && verdict.tree.empty())
      warnings.push_back(
          fmt::format("step {} has no snapshot{}", printable(verdict.step),
                      verdict.untaken.empty() ? "" : ": " + printable(verdict.untaken)));
  if (decision.tree.empty()) return {};
  Workspace workspace = loop.workspace(state.base);
  const std::string diff = TRY(workspace.diff(decision.from, decision.tree, kDiffLookedAt));
  for (const std::string& hidden : bubble::in_words(bubble::hidden_text(diff)))
    warnings.push_back("what a reader does not see: " + hidden);
  const auto now = files_now(loop, state);
  if (!now) {
    warnings.push_back("the files could not be looked at: " + in_short(now.error()));
    return {};
  }
  std::vector<std::string> later;
  for (const ChangedFile& file : TRY(workspace.changed(decision.tree, *now)))
    later.push_back(printable(file.path));
  if (!later.empty())
    warnings.push_back("not as it was approved, and left as it is: " +
                       name_some(later, kPathsNamed));
  return {};
}

}  // namespace

Result<PlanDecision> plan_decision(PlanLoop& loop, const plan::State& state) {
  PlanDecision decision;
  const bool here = state.policy.workspace == plan::Workspace::repo;
  decision.feature = printable(state.feature.str());
  decision.branch = printable(here ? state.branch : loop.paths().branch());
  if (!here) decision.into = printable(state.branch);
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < state.verdicts.size(); ++i) {
    const Verdict& verdict = state.verdicts[i];
    if (verdict.seq <= state.landed_to) continue;
    if (!first) first = i;
    decision.steps.push_back({printable(verdict.step), printable(verdict.title), verdict.by.str(),
                              printable_lines(verdict.note), verdict.change_requests,
                              verdict.tree.str()});
    if (!verdict.tree.empty()) decision.tree = verdict.tree.str();
  }
  for (const plan::StepState& step : state.steps)
    if (step.status != plan::StepStatus::done)
      decision.open.push_back(fmt::format("{} {}", printable(step.id), printable(step.title)));
  if (first) decision.from = before(state, *first);
  if (decision.from.empty()) decision.tree.clear();
  if (!decision.tree.empty())
    decision.changed = TRY(loop.workspace(state.base).changed(decision.from, decision.tree));
  TRY(add_warnings(loop, state, decision));
  return decision;
}

std::string page_of(const PlanDecision& decision) {
  std::string out =
      fmt::format("Plan {}: {} approved {}, {}{}\n", decision.feature, decision.steps.size(),
                  decision.steps.size() == 1 ? "step" : "steps", decision.branch,
                  decision.into.empty() ? "" : ", then into " + decision.into);
  for (const PlanDecision::Step& step : decision.steps) {
    out += fmt::format("\n  ✓ {} {}\n    approved by {}", step.id, step.title, step.by);
    if (step.change_requests > 0)
      out += fmt::format(" after {} change {}", step.change_requests,
                         step.change_requests == 1 ? "request" : "requests");
    out += "\n";
    if (trim(step.note).empty()) continue;
    for (const std::string_view line : split(trim(step.note), '\n'))
      out += fmt::format("    > {}\n", line);
  }
  for (const std::string& step : decision.open) out += fmt::format("\n  · {} is open\n", step);
  out += "\nChecks: none were run in this plan\n";
  out += fmt::format("\nChange ({} {}):\n{}", decision.changed.size(),
                     decision.changed.size() == 1 ? "file" : "files", diffstat(decision.changed));
  for (const std::string& warning : decision.warnings) out += fmt::format("\n  ! {}\n", warning);
  if (!decision.tree.empty()) out += fmt::format("\nTree {}\n", decision.tree);
  return out;
}

Result<PlanRange> plan_range(PlanLoop& loop, const plan::State& state, const std::string& step) {
  if (beginning_of(state).empty())
    return fail(Exit::refused, "it is not known where the plan began",
                "its log is of an earlier version, or the repository had no commit then",
                "git diff shows what is not committed");
  if (step.empty()) {
    const std::string last = before(state, state.verdicts.size());
    return PlanRange{beginning_of(state), is_over(state) ? last : TRY(files_now(loop, state))};
  }
  const plan::StepState* known = step_named(state, step);
  const std::string id = known == nullptr ? step : known->id;
  const auto at =
      std::ranges::find(state.verdicts.rbegin(), state.verdicts.rend(), id, &Verdict::step);
  const bool at_work = id == state.step && !is_over(state) && known != nullptr &&
                       known->status != plan::StepStatus::done;
  if (at_work) return PlanRange{before(state, state.verdicts.size()), TRY(files_now(loop, state))};
  if (at != state.verdicts.rend() && !at->tree.empty())
    return PlanRange{before(state, static_cast<std::size_t>(state.verdicts.rend() - at) - 1),
                     at->tree.str()};
  if (known == nullptr && at == state.verdicts.rend()) return unknown_step(state, step);
  return fail(Exit::refused, fmt::format("step {} has no snapshot", printable(id)),
              at == state.verdicts.rend() ? "it was not reviewed in this plan"
              : at->untaken.empty()       ? "it was approved by an earlier version"
                                          : printable(at->untaken),
              fmt::format("see the whole change: pairflow plan diff {}", state.feature.str()));
}

Result<std::string> plan_diff(PlanLoop& loop, const plan::State& state, const PlanRange& range) {
  return bubble::shown_diff(
      TRY(loop.workspace(state.base).diff(range.from, range.to, kDiffLookedAt)));
}

}  // namespace pf
