#include "tally.h"

#include <fmt/format.h>

namespace pf::sim {
namespace {

constexpr TallyRow kRows[] = {
    {"calls of the files seam", &Tally::steps, 0},
    {"commands", &Tally::commands, 0},
    {"  readers", &Tally::reads, 0},
    {"  repairs", &Tally::repairs, 0},
    {"  recorded", &Tally::recorded, 0},
    {"  all was well already", &Tally::well_already, 0},
    {"  the same answer again", &Tally::repeated, 0},
    {"  refused", &Tally::refused, 0},
    {"    for a turn that was over", &Tally::stale_turns, 0},
    {"  wrong usage", &Tally::usage, 0},
    {"  failed, not recorded", &Tally::failed, 0},
    {"    taken back out of the file", &Tally::withdrawn, 0},
    {"  in doubt", &Tally::in_doubt, 0},
    {"  killed", &Tally::killed, 0},
    {"    inside the lock", &Tally::kills_in_lock, 0},
    {"    before the batch was durable", &Tally::kills_unsynced, 0},
    {"    with a torn write", &Tally::torn_by_kill, 0},
    {"retries without an answer before", &Tally::retries_of_unknown, 0},
    {"  it had been recorded", &Tally::unknown_was_recorded, 0},
    {"  it had not", &Tally::unknown_was_not, 0},
    {"retries of answered requests", &Tally::retries_of_answered, 0},
    {"the same request twice at once", &Tally::twins, 0},
    {"protocol warnings", &Tally::warnings, 0},
    {"failed calls", &Tally::errors, 0},
    {"  failed syncs", &Tally::failed_syncs, 0},
    {"full disks", &Tally::short_writes, 0},
    {"trouble after the append", &Tally::after_append_trouble, 0},
    {"losses of power", &Tally::power_cuts, 0},
    {"  before a batch was durable", &Tally::cut_unsynced, 0},
    {"  with a torn write", &Tally::torn_by_power, 0},
    {"torn tails saved aside", &Tally::tails_saved, 0},
    {"damaged journals", &Tally::damages, 0},
    {"  commands that said so", &Tally::refused_as_damaged, 0},
    {"projections erased", &Tally::projections_erased, 0},
    {"states checked with a snapshot", &Tally::snapshot_states, 0},
    {"states checked without one", &Tally::folded_states, 0},
    {"clock jumps", &Tally::clock_jumps, 0},
    {"waits for the lock", &Tally::lock_waits, 0},
    {"  given up", &Tally::lock_timeouts, 0},
    {"races for one turn", &Tally::races, 0},
    {"  losers", &Tally::race_losers, 0},
    {"long journals", &Tally::long_journals, 0},
    {"bubbles that converged", &Tally::converged, 0},
    {"  were approved", &Tally::approved, 0},
    {"  are done", &Tally::finished, 0},
    {"calls of the files seam at plans", &Tally::plan_steps, 0},
    {"commands at plans", &Tally::plan_commands, 0},
    {"  recorded", &Tally::plan_recorded, 0},
    {"  the same answer again", &Tally::plan_repeated, 0},
    {"  refused", &Tally::plan_refused, 0},
    {"  retries", &Tally::plan_retries, 0},
    {"  the same request twice at once", &Tally::plan_twins, 0},
    {"hand edits of plan.md", &Tally::plan_edits, 0},
    {"  taken in", &Tally::edits_taken_in, 100},
    {"our own writes of plan.md", &Tally::plans_rewritten, 100},
    {"runs started", &Tally::runs_started, 0},
    {"  lost", &Tally::runs_lost, 50},
    {"drivers killed", &Tally::drivers_killed, 0},
    {"power lost after a rename of plan.md", &Tally::renames_cut, 50},
    {"  before what is to be written was durable", &Tally::intents_cut, 5},
    {"steps approved", &Tally::steps_approved, 150},
    {"plans done", &Tally::plans_done, 140},
    {"calls of the files seam at the roles", &Tally::role_steps, 0},
    {"commands at the roles", &Tally::role_commands, 0},
    {"  recorded", &Tally::role_recorded, 500},
    {"  the same answer again", &Tally::role_repeated, 100},
    {"  refused", &Tally::role_refused, 0},
    {"  retries", &Tally::role_retries, 0},
    {"  the same request twice at once", &Tally::role_twins, 30},
    {"hand edits of state.json", &Tally::register_edits, 0},
    {"  taken in", &Tally::registers_taken_in, 40},
    {"our own writes of state.json", &Tally::registers_written, 600},
    {"performers killed", &Tally::performers_killed, 150},
    {"pushes of others", &Tally::pushes, 80},
    {"landings", &Tally::landings_begun, 100},
    {"  commits prepared", &Tally::commits_prepared, 90},
    {"  trees cleared", &Tally::trees_cleared, 80},
    {"  branches moved", &Tally::branches_moved, 80},
    {"  stopped", &Tally::landings_stopped, 4},
    {"features landed", &Tally::features_landed, 60},
};

}  // namespace

std::span<const TallyRow> tally_rows() { return kRows; }

std::string summary(const Tally& tally) {
  std::string text;
  for (const TallyRow& row : kRows) text += fmt::format("{:>10} {}\n", tally.*row.count, row.name);
  return text;
}

std::string shortfall(const Tally& tally) {
  std::string text;
  for (const TallyRow& row : kRows)
    if (const auto wanted = row.least * tally.seeds / 1000; tally.*row.count < wanted)
      text += fmt::format("{}: {}, at least {} were to be expected\n", row.name, tally.*row.count,
                          wanted);
  return text;
}

}  // namespace pf::sim
