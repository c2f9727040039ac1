#include "bubble/domain/ledger.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/deciding.h"
#include "base/text.h"

namespace pf::bubble {
namespace {

const Finding* find(const Ledger& ledger, const FindingId& id) {
  return find_in(ledger, id, &Finding::id);
}

Rejection unknown_finding(const FindingId& id) {
  return warning("unknown_finding",
                 fmt::format("there is no finding '{}'", clip(printable(id.str()), 40)), "",
                 "see: pairflow bubble findings");
}

Finding new_finding(const Ledger& ledger, const Reported& reported, std::string source, int round) {
  const auto taken = std::ranges::count(ledger, round, &Finding::round);
  return {FindingId(fmt::format("F{}.{}", round, taken + 1)),
          reported.severity,
          reported.title,
          reported.path,
          reported.line,
          std::move(source),
          FindingStatus::open,
          round};
}

// Builds up the ledger while a review is read.
class ReviewIntake {
 public:
  ReviewIntake(Ledger ledger, std::string source, int round)
      : ledger_(std::move(ledger)), source_(std::move(source)), round_(round) {}

  std::optional<Rejection> report(const Reported& reported) {
    if (!reported.repeat.empty()) {
      const Finding* known = find(ledger_, reported.repeat);
      if (known == nullptr) return unknown_finding(reported.repeat);
      if (known->status == FindingStatus::waived)
        return warning("waived_finding", fmt::format("{} was waived by the human", known->id),
                       known->reason, "report what is new about it under a title of its own");
      repeat(*known);
      return std::nullopt;
    }
    const auto same = [&](const Finding& f) {
      return f.severity == reported.severity && f.title == reported.title;
    };
    const auto unsettled = [&](const Finding& f) { return f.unsettled() && same(f); };
    if (const Finding* known = find_where(ledger_, unsettled)) {
      repeat(*known);
      return std::nullopt;
    }
    Finding finding = new_finding(ledger_, reported, source_, round_);
    const Finding* waived = find_where(ledger_, [&](const Finding& f) {
      return f.status == FindingStatus::waived && !finding.serious() && f.title == finding.title;
    });
    if (waived != nullptr) {
      finding.status = FindingStatus::waived;
      finding.reason = fmt::format("as {}", waived->id);
    }
    put(finding);
    declare(finding);
    return std::nullopt;
  }

  std::optional<Rejection> resolve(const FindingId& id) {
    const Finding* known = find(ledger_, id);
    if (known == nullptr) return unknown_finding(id);
    if (known->source == kOrchestrator)
      return warning("evidence_finding", fmt::format("{} is about the checks", id),
                     "only a green run or the human settles it");
    if (mentioned(id))
      return usage(fmt::format("{} is both reported and resolved", id), "name it once");
    if (known->unsettled()) set(*known, FindingStatus::resolved);
    mentioned_.push_back(id);
    return std::nullopt;
  }

  void resolve_all() {
    for (const Finding& finding : Ledger(ledger_))
      if (finding.unsettled() && finding.source != kOrchestrator)
        set(finding, FindingStatus::resolved);
  }

  std::vector<std::string> unmentioned() const {
    std::vector<std::string> ids;
    for (const Finding& f : ledger_)
      if (f.unsettled() && f.serious() && f.source != kOrchestrator && !mentioned(f.id))
        ids.push_back(fmt::format("{} {} “{}”", f.id, f.severity, f.title));
    return ids;
  }

  ReviewOutcome outcome() && { return std::move(outcome_); }

 private:
  void repeat(Finding finding) {
    if (finding.status == FindingStatus::disputed && finding.serious()) {
      if (!mentioned(finding.id)) outcome_.disputed_again.push_back(finding.id);
    } else {
      finding.status = finding.confirmed ? FindingStatus::upheld : FindingStatus::open;
      put(finding);
    }
    declare(finding);
  }
  void declare(const Finding& finding) {
    if (!mentioned(finding.id)) outcome_.declared.push_back(finding);
    mentioned_.push_back(finding.id);
  }
  void set(Finding finding, FindingStatus status) {
    finding.status = status;
    put(finding);
  }
  void put(const Finding& finding) {
    ledger_ = merged(std::move(ledger_), {finding});
    outcome_.changed = merged(std::move(outcome_.changed), {finding});
  }
  bool mentioned(const FindingId& id) const { return contains(mentioned_, id); }

  Ledger ledger_;
  std::string source_;
  int round_;
  std::vector<FindingId> mentioned_;
  ReviewOutcome outcome_;
};

}  // namespace

bool counts_against(const Finding& finding) {
  if (finding.source == kOrchestrator && finding.status == FindingStatus::claimed) return false;
  return finding.unsettled();
}

Ledger merged(Ledger ledger, const std::vector<Finding>& changed) {
  for (const Finding& finding : changed) {
    if (Finding* known = find_in(ledger, finding.id, &Finding::id))
      *known = finding;
    else
      ledger.push_back(finding);
  }
  return ledger;
}

std::expected<ReviewOutcome, Rejection> take_review(const Ledger& ledger, const Review& review,
                                                    const std::string& source, int round) {
  ReviewIntake reading(ledger, source, round);
  for (const Reported& reported : review.findings)
    if (auto rejection = reading.report(reported)) return std::unexpected(*rejection);
  for (const FindingId& id : review.resolved)
    if (auto rejection = reading.resolve(id)) return std::unexpected(*rejection);
  if (review.no_findings) reading.resolve_all();
  if (auto silent = reading.unmentioned(); !silent.empty())
    return std::unexpected(
        Rejection{{Exit::refused, "this review says nothing about " + join(silent, ", "),
                   "a reviewer accounts for every unsettled P0 and P1",
                   "repeat it (--finding F1.2), settle it (--resolved F1.2) or use --no-findings"},
                  "unmentioned",
                  true,
                  silent});
  return std::move(reading).outcome();
}

std::expected<std::vector<Finding>, Rejection> take_claims(const Ledger& ledger,
                                                           const Claims& claims) {
  std::vector<Finding> changed;
  const auto claim = [&](const FindingId& id, FindingStatus status,
                         const std::string& reason) -> std::optional<Rejection> {
    const Finding* known = find(ledger, id);
    if (known == nullptr) return unknown_finding(id);
    const bool dispute = status == FindingStatus::disputed;
    if (!known->unsettled())
      return warning("settled_finding", fmt::format("{} is settled already", id),
                     std::string(name_of(known->status)), "leave it out");
    if (dispute && (known->confirmed || known->source == kOrchestrator))
      return warning(
          "not_disputable", fmt::format("{} cannot be disputed", id),
          known->confirmed ? "the human upheld it" : "it is about the checks, not an opinion",
          "fix it, or ask: pairflow ask-human --question \"…\"");
    if (const Finding* said = find(changed, id); said != nullptr && said->status != status)
      return usage(fmt::format("{} is both fixed and disputed", id), "name it once");
    Finding finding = *known;
    finding.status = status;
    if (!reason.empty()) finding.reason = reason;
    changed = merged(std::move(changed), {finding});
    return std::nullopt;
  };
  for (const FindingId& id : claims.fixed)
    if (auto rejection = claim(id, FindingStatus::claimed, "")) return std::unexpected(*rejection);
  for (const Dispute& d : claims.disputed)
    if (auto rejection = claim(d.finding, FindingStatus::disputed, d.reason))
      return std::unexpected(*rejection);
  return changed;
}

std::vector<Finding> human_findings(const Ledger& ledger, const std::string& message,
                                    const std::vector<Reported>& more, int round) {
  Ledger grown = ledger;
  std::vector<Finding> fresh;
  const auto add = [&](const Reported& reported) {
    const Finding* known = find(grown, reported.repeat);
    if (known == nullptr && !reported.repeat.empty()) return;
    Finding finding = known != nullptr ? *known : new_finding(grown, reported, "human", round);
    finding.status = FindingStatus::open;
    grown = merged(std::move(grown), {finding});
    fresh = merged(std::move(fresh), {finding});
  };
  if (!message.empty()) add({{}, Severity::p1, clip(printable(message), 300), {}, 0});
  for (const Reported& reported : more) add(reported);
  return fresh;
}

std::vector<Finding> evidence_findings(const Ledger& ledger) {
  std::vector<Finding> found;
  std::ranges::copy_if(ledger, std::back_inserter(found), [](const Finding& finding) {
    return finding.source == kOrchestrator && finding.unsettled();
  });
  return found;
}

namespace {

// "auth" is in "authentication" but "race" is not in "brace".
bool has_word_beginning(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if (at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]))) return true;
  return false;
}

}  // namespace

bool is_risky(const Finding& finding, const RiskPolicy& policy,
              const std::vector<ChangedFile>& changed) {
  const std::string title = lower(finding.title);
  if (std::ranges::any_of(policy.words, [&](const std::string& word) {
        return has_word_beginning(title, lower(word));
      }))
    return true;
  const auto risky_path = [&](const std::string& path) {
    return std::ranges::any_of(
        policy.paths, [&](const std::string& pattern) { return glob_match(pattern, path); });
  };
  if (!finding.path.empty()) return risky_path(finding.path);
  return std::ranges::any_of(changed, risky_path, &ChangedFile::path);
}

Verdict verdict_of(const Ledger& ledger, const std::vector<FindingId>& disputed_again,
                   const RiskPolicy& policy, const std::vector<ChangedFile>& changed) {
  if (!disputed_again.empty()) return Verdict::dispute;
  bool minor = false;
  for (const Finding& finding : ledger) {
    if (!counts_against(finding)) continue;
    if (finding.serious() || is_risky(finding, policy, changed)) return Verdict::blocking;
    minor = true;
  }
  return minor ? Verdict::minor : Verdict::clean;
}

}  // namespace pf::bubble
