#include "bubble/domain/evidence.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/hash.h"
#include "base/text.h"

namespace pf::bubble {

Hash profile_hash(const Profile& profile) {
  Profile counts = profile;
  counts.dropped.clear();
  for (Check& check : counts.checks) check.from.clear();
  return hash_of(dump(codec::encode(counts)));
}

const EvidenceSeen* evidence_for(const State& state, const TreeId& tree) {
  const Hash profile = profile_hash(state.policy.profile);
  for (const EvidenceSeen& seen : state.evidence)
    if (seen.tree == tree && seen.profile == profile) return &seen;
  return nullptr;
}

namespace {

bool is_passed_by_one(const State& state) {
  return std::ranges::any_of(
      state.clean, [&](const CleanVerdict& verdict) { return verdict.tree == state.target; });
}

}  // namespace

EvidenceStanding evidence_standing(const State& state) {
  const EvidenceSeen* seen = state.target ? evidence_for(state, *state.target) : nullptr;
  if (seen != nullptr && seen->status == EvidenceStatus::red && state.rerun < seen->seq)
    return seen->waived ? EvidenceStanding::waived : EvidenceStanding::red;
  if (state.policy.profile.checks.empty()) return EvidenceStanding::not_needed;
  if (seen == nullptr || state.rerun > seen->seq)
    return due_run(state) ? EvidenceStanding::awaited : EvidenceStanding::later;
  switch (seen->status) {
    case EvidenceStatus::green:
      return awaits_cold(state) && is_passed_by_one(state) ? EvidenceStanding::awaited
                                                           : EvidenceStanding::green;
    case EvidenceStatus::red:
    case EvidenceStatus::not_available: return EvidenceStanding::not_needed;
    case EvidenceStatus::unable: return EvidenceStanding::unable;
    case EvidenceStatus::void_: break;
  }
  return EvidenceStanding::void_;
}

MergeStanding merge_standing(const State& state, const TreeId& result) {
  if (state.policy.profile.checks.empty() || state.approved_tree == result)
    return MergeStanding::fine;
  const EvidenceSeen* seen = evidence_for(state, result);
  if (seen == nullptr) return MergeStanding::unjudged;
  switch (seen->status) {
    case EvidenceStatus::green: return MergeStanding::fine;
    case EvidenceStatus::red: return MergeStanding::red;
    case EvidenceStatus::unable: return MergeStanding::unable;
    case EvidenceStatus::not_available:
    case EvidenceStatus::void_: break;
  }
  return MergeStanding::unjudged;
}

std::vector<std::string> flaky_checks(const State& state) {
  const EvidenceSeen* seen = state.target ? evidence_for(state, *state.target) : nullptr;
  const bool counts = seen != nullptr && seen->status == EvidenceStatus::green;
  return counts && state.rerun < seen->seq ? seen->flaky : std::vector<std::string>();
}

namespace {

constexpr int kVoidRuns = 2;  // then it is left at that, or the human is asked

// A red base stays red: that is the human's question, and a run of its own is not asked for.
bool wants_base(const State& state) {
  if (!state.policy.base_first || state.policy.profile.checks.empty()) return false;
  if (state.phase != Phase::running && state.phase != Phase::waiting) return false;
  const EvidenceSeen* seen = evidence_for(state, state.place.base_tree);
  if (seen == nullptr) return true;
  if (seen->status == EvidenceStatus::unable) return state.rerun > seen->seq;
  return seen->status == EvidenceStatus::void_ && seen->voids < kVoidRuns;
}

}  // namespace

bool awaits_cold(const State& state) {
  if (!state.policy.final_cold || !state.target || state.policy.profile.checks.empty())
    return false;
  const EvidenceSeen* seen = evidence_for(state, *state.target);
  return seen != nullptr && seen->status == EvidenceStatus::green && !seen->cold;
}

bool wants_checks(const State& state) {
  if (!state.target || state.policy.profile.checks.empty()) return false;
  const bool asked = state.phase == Phase::ready || state.phase == Phase::approved;
  const bool reviewed = (state.phase == Phase::running || state.phase == Phase::waiting) &&
                        state.active_role == Role::reviewer;
  if (!asked && !reviewed) return false;
  const EvidenceSeen* seen = evidence_for(state, *state.target);
  if (seen == nullptr || state.rerun > seen->seq) return true;
  if (seen->status == EvidenceStatus::unable)  // the human was asked, about another target since
    return reviewed && !contains(state.questions, QuestionKind::unable, &Question::kind);
  if (reviewed && awaits_cold(state)) return is_passed_by_one(state);
  return seen->status == EvidenceStatus::void_ && seen->voids < kVoidRuns;
}

std::optional<DueRun> due_run(const State& state) {
  if (state.sync) return std::nullopt;  // the files change
  if (wants_base(state)) return DueRun{state.place.base_tree};
  if (!wants_checks(state)) return std::nullopt;
  const EvidenceSeen* seen = evidence_for(state, *state.target);
  const bool again = seen != nullptr && state.rerun > seen->seq;
  const bool last =
      state.policy.final_cold &&
      (is_passed_by_one(state) || state.phase == Phase::ready || state.phase == Phase::approved);
  return DueRun{*state.target, again || last};
}

std::string drop_command(const BubbleId& id, const std::vector<std::string>& checks) {
  std::string command = fmt::format("pairflow bubble profile --id {}", id);
  for (const std::string& name : checks) {
    const bool plain = std::ranges::all_of(
        name, [](char c) { return ascii::is_alnum(c) || c == '-' || c == '_' || c == '.'; });
    command += " --drop-check " + (plain ? name : shell_quoted(printable(name)));
  }
  return command + (checks.empty() ? " --drop-check NAME" : "");
}

bool checks_are_unable(const State& state) {
  const EvidenceSeen* base = evidence_for(state, state.place.base_tree);
  const bool of_base = state.policy.base_first && base != nullptr &&
                       base->status == EvidenceStatus::unable && state.rerun < base->seq;
  return of_base || evidence_standing(state) == EvidenceStanding::unable;
}

}  // namespace pf::bubble
