#pragma once
#include "loop/viewer.h"
#include "plan/host/loop.h"
#include "plan/host/watcher.h"

namespace pf {

// An event as it is shown in the stream: with all that was said.
StreamLine line_of(const plan::Event& event);

// Sees to it that an opened plan is driven and shows it, until it is done or the user leaves;
// without `waits` also as soon as it is the user's turn. Wishes are carried out in the user's name.
Result<Left> view_plan(PlanLoop& loop, PlanWatcher& watcher, bool waits);

}  // namespace pf
