#pragma once
#include "channel/message.h"
#include "verbs/core/verb.h"

namespace pf {

// What a command prints on both streams and its exit code: as text for people, or as one object.
Answered answered(const Error& error, bool json);
Answered answered(const Said& said, bool json);

}  // namespace pf
