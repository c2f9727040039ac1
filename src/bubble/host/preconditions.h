#pragma once
#include "bubble/host/loop.h"

namespace pf {

// Refuses, with the paths, when files of the base have a filter that this machine cannot confine.
Status check_filters(BubbleLoop& loop, const bubble::State& state);

}  // namespace pf
