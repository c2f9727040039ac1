#pragma once
#include <string>
#include <vector>

#include "config/settings.h"

namespace pf {

// What about a loop is advisory, which means up to people's care, one reason each: that its agents
// are not confined here; and, where they work in the user's own checkout, what the user's own
// programs run there. Nothing for an agent who asks. `instead` says what keeps that apart, "" for
// nothing.
std::vector<std::string> advisories(Os& os, const Settings& settings, bool in_own_checkout,
                                    std::string_view instead);

// Those as one line of a status, behind `margin`; "" when there are none.
std::string advisory_line(const std::vector<std::string>& reasons, std::string_view margin);

}  // namespace pf
