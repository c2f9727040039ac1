#include "loop/advisory.h"

#include <fmt/format.h>

#include "base/text.h"
#include "loop/agent_sandbox.h"

namespace pf {

std::vector<std::string> advisories(Os& os, const Settings& settings, bool in_own_checkout,
                                    std::string_view instead) {
  std::vector<std::string> all;
  if (os.env.get("PAIRFLOW_AGENT")) return all;  // its own sandbox starts no other
  if (const Enforcement enforcement = enforcement_for_agents(os, settings); !enforcement.program)
    all.push_back(
        fmt::format("only their own rules hold the agents back, since {}", enforcement.why_not));
  if (in_own_checkout)
    all.push_back(
        fmt::format("your hooks, editor and shell run what agents write in your checkout{}",
                    instead.empty() ? "" : fmt::format(" ({})", instead)));
  return all;
}

std::string advisory_line(const std::vector<std::string>& reasons, std::string_view margin) {
  return reasons.empty() ? "" : fmt::format("{}advisory: {}\n", margin, join(reasons, "; "));
}

}  // namespace pf
