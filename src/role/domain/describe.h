#pragma once
#include <string>

#include "role/domain/event.h"

namespace pf::role {

// The event as one line of the log: whose it is, what happened, whose turn it is then. Agents' text
// is made printable and clipped.
std::string describe(const Event& event);

}  // namespace pf::role
