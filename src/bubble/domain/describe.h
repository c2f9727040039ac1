#pragma once
#include <string>

#include "bubble/domain/event.h"

namespace pf::bubble {

// The event as one line for people: what happened and who is next. Agent text is made printable and
// clipped. Empty for events nobody needs to read about.
std::string describe(const Event& event);

}  // namespace pf::bubble
