#pragma once
#include "plan/domain/event.h"
#include "plan/host/watcher.h"

namespace pf {

// An event as it is shown in the stream: with all that was said.
StreamLine line_of(const plan::Event& event);

}  // namespace pf
