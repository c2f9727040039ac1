#pragma once
#include "bubble/view/status_shape.h"
#include "bubble/view/status_view.h"
#include "screen/times.h"

// What the status view says about a bubble, part by part.
namespace pf::status {

// In the colour that stands for the phase.
Style accent_of(bubble::Phase phase);

// The turn, the watchdog and what is wrong; then the change and its findings.
std::vector<Section> work_parts(const StatusModel& model, const Shape& shape);
// What waits for the human and what happened last.
std::vector<Section> talk_parts(const StatusModel& model, const Shape& shape);

// Counted by severity, then those that are not settled.
std::vector<Row> finding_rows(const bubble::State& state, const Shape& shape);

// The times that the parts show as they pass.
Passing turn_age(const StatusModel& model);
Passing turn_since(const StatusModel& model);
// Nothing when no watchdog counts.
std::optional<Passing> watchdog_left(const StatusModel& model);
// Nothing when nobody is about to start a supervisor.
std::optional<Passing> restart_left(const StatusModel& model);

}  // namespace pf::status
