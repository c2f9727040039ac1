#pragma once
#include <string>

#include "plan/event.h"

namespace pf::plan {

// "[coder]", "[coder:bash]", "[reviewer:ask-user]": whose words a line of the stream are.
std::string prefix(Role role, std::string_view tool = {});

// The event as one line of the stream: prefix, what happened, who is next. Agents' text is made
// printable and clipped.
std::string describe(const Event& event);

}  // namespace pf::plan
