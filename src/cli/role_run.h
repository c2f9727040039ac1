#pragma once
#include "verbs/verb.h"

namespace pf {

// `role run`: drives the roles in the foreground.
Verb role_driver();

}  // namespace pf
