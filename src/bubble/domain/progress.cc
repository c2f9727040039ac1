#include "bubble/domain/progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"

namespace pf::bubble {

void Counts::add(Severity severity) {
  switch (severity) {
    case Severity::p0: ++p0; break;
    case Severity::p1: ++p1; break;
    case Severity::p2: ++p2; break;
    case Severity::p3: ++p3; break;
  }
}

Progress progress_of(const Ledger& before, const ReviewOutcome& outcome) {
  Progress progress;
  const auto known = [&](const FindingId& id) {
    return std::ranges::find(before, id, &Finding::id);
  };
  for (const Finding& finding : outcome.declared)
    (known(finding.id) == before.end() ? progress.fresh : progress.repeated).add(finding.severity);
  for (const Finding& finding : outcome.changed) {
    const auto was = known(finding.id);
    if (was != before.end() && was->unsettled() && finding.status == FindingStatus::resolved)
      progress.fixed.add(finding.severity);
  }
  for (const Finding& finding : merged(before, outcome.changed))
    if (finding.unsettled()) progress.open.add(finding.severity);
  return progress;
}

bool is_plateau(const std::vector<RoundProgress>& rounds, const Progress& now) {
  std::vector<int> open;
  for (const RoundProgress& round : rounds)
    if (round.review) open.push_back(round.review->open.total());
  if (open.size() < 2 || now.open.total() == 0) return false;
  const int before = open[open.size() - 2];
  return open.back() >= before && now.open.total() >= open.back();
}

std::string in_words(const Counts& counts) {
  std::string out;
  const auto say = [&](int count, std::string_view name) {
    if (count > 0) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, name);
  };
  say(counts.p0, "P0"), say(counts.p1, "P1"), say(counts.p2, "P2"), say(counts.p3, "P3");
  return out;
}

std::string in_words(const RoundProgress& round) {
  std::string out;
  const auto say = [&](std::string_view word, const std::string& what) {
    if (!what.empty()) out += fmt::format("{}{}{}", out.empty() ? "" : " · ", word, what);
  };
  if (round.review) {
    say("new ", in_words(round.review->fresh));
    say("repeated ", in_words(round.review->repeated));
    say("fixed ", in_words(round.review->fixed));
    if (out.empty()) out = "nothing found";
  }
  if (round.churn) say("", fmt::format("+{} −{}", round.churn->added, round.churn->removed));
  return out;
}

}  // namespace pf::bubble
