#pragma once
#include "base/time.h"
#include "plan/console/style.h"
#include "plan/host/view.h"

// What the console says about a plan, part by part. Pure; rows of exactly `width` columns.
namespace pf::console {

// Feature, whose turn it is and for how long; with `step` the active step too.
Row title_row(const PlanView& view, WallTime now, bool step, std::size_t width);

// Where there is no room for a panel: steps, criteria, problems in at most `height` rows.
std::vector<Row> summary(const PlanView& view, std::size_t width, std::size_t height);

// Steps, criteria of the active one, loop guard and problems in exactly `height` rows.
std::vector<Row> panel(const PlanView& view, std::size_t width, std::size_t height);

// What is asked and how to answer, in at most `height` rows; none when nobody asks.
std::vector<Row> question_block(const PlanView& view, std::size_t width, std::size_t height);

}  // namespace pf::console
