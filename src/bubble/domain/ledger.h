#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/request.h"
#include "bubble/domain/types.h"

// Findings have an identity and a state; a missing word about one is never a pass.
namespace pf::bubble {

// A finding as somebody reports it: a new one, or a known one by its id.
struct Reported {
  FindingId repeat;  // empty for one given by severity and title
  Severity severity = Severity::p1;
  std::string title;
  std::string path;
  int line = 0;
  friend bool operator==(const Reported&, const Reported&) = default;
};
// `P1:Title`, `P1:Title @path:line` or `F1.2`; a usage error that shows the form otherwise.
Result<Reported> parse_reported(std::string_view text);
// The text that parse_reported reads back as exactly this; a usage error that says why when there
// is none, as for a title that ends in " @word" and has no path behind it.
Result<std::string> write_reported(const Reported& reported);

struct Review {
  std::vector<Reported> findings;
  bool no_findings = false;
  std::vector<FindingId> resolved;
  bool empty() const { return findings.empty() && !no_findings && resolved.empty(); }
  // --finding or --no-findings was given; --resolved alone is no verdict.
  bool declares() const { return !findings.empty() || no_findings; }
};

struct Dispute {
  FindingId finding;
  std::string reason;
};
// `F1.3: reason`
Result<Dispute> parse_dispute(std::string_view text);

// What an implementer says about findings.
struct Claims {
  std::vector<FindingId> fixed;
  std::vector<Dispute> disputed;
  bool empty() const { return fixed.empty() && disputed.empty(); }
};

struct ReviewOutcome {
  std::vector<Finding> changed;   // as they stand afterwards
  std::vector<Finding> declared;  // what this review reported, new and repeated
  std::vector<FindingId> disputed_again;
};

using Ledger = std::vector<Finding>;

// The ledger after a review by `source`. Refuses unknown ids, a settled one by the human, and a
// review that is silent about an unsettled P0/P1.
std::expected<ReviewOutcome, Rejection> take_review(const Ledger& ledger, const Review& review,
                                                    const std::string& source, int round);
// The ledger after an implementer's claims. Refuses what cannot be claimed or disputed.
std::expected<std::vector<Finding>, Rejection> take_claims(const Ledger& ledger,
                                                           const Claims& claims);
// New findings of the human, the first from `message`; one named by its id is opened again, an
// unknown id is left out.
std::vector<Finding> human_findings(const Ledger& ledger, const std::string& message,
                                    const std::vector<Reported>& more, int round);

// The ledger with `changed` put in by id.
Ledger merged(Ledger ledger, const std::vector<Finding>& changed);
// The unsettled findings about the checks.
std::vector<Finding> evidence_findings(const Ledger& ledger);

// Unsettled, but for a claimed finding of the orchestrator: its evidence is still to come.
bool counts_against(const Finding& finding);

struct RiskPolicy {
  const std::vector<std::string>& words;
  const std::vector<std::string>& paths;
};
// Whether a P2/P3 touches core logic, security or data: by words of its title, or by the paths it
// names (those of the whole change when it names none).
bool is_risky(const Finding& finding, const RiskPolicy& policy,
              const std::vector<ChangedFile>& changed);

Verdict verdict_of(const Ledger& ledger, const std::vector<FindingId>& disputed_again,
                   const RiskPolicy& policy, const std::vector<ChangedFile>& changed);

}  // namespace pf::bubble
