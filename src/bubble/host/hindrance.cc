#include "bubble/host/hindrance.h"

namespace pf {

bubble::ReportHindrance hindrance_by(const AgentName& agent, const ModelTrouble& trouble,
                                     WallTime now, std::string how) {
  constexpr std::int64_t kMomentMs = 120'000, kHourMs = 3'600'000;
  const bool limit = trouble.kind == ModelTrouble::Kind::limit;
  WallTime until = trouble.until;
  if (until <= now) until.ms = now.ms + (limit ? kHourMs : kMomentMs);
  return {agent, limit ? bubble::Obstacle::limit : bubble::Obstacle::overload, trouble.line,
          trouble.retries ? "" : iso8601(until), std::move(how)};
}

}  // namespace pf
