#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pf::sim {

// What happened, over all seeds of a run of the program.
struct Tally {
  std::uint64_t seeds, steps;
  // Commands by how they ended.
  std::uint64_t commands, reads, repairs, recorded, well_already, repeated, refused, usage, failed,
      in_doubt, killed;
  std::uint64_t retries_of_unknown, retries_of_answered, twins;
  // Faults.
  std::uint64_t kills_in_lock, kills_unsynced, torn_by_kill, errors, failed_syncs, short_writes,
      power_cuts, torn_by_power, cut_unsynced, projections_erased, clock_jumps, lock_waits,
      lock_timeouts;
  // The interesting case of each promise.
  std::uint64_t warnings, unknown_was_recorded, unknown_was_not, withdrawn, tails_saved, damages,
      refused_as_damaged, snapshot_states, folded_states, races, race_losers, stale_turns,
      converged, approved, finished, long_journals, after_append_trouble;
  // Of the plan.
  std::uint64_t plan_steps, plan_commands, plan_recorded, plan_repeated, plan_refused, plan_retries,
      plan_twins, plan_edits, edits_taken_in, plans_rewritten, runs_started, runs_lost,
      drivers_killed, renames_cut, intents_cut, steps_approved, plans_done;
  // Of the roles.
  std::uint64_t role_steps, role_commands, role_recorded, role_repeated, role_refused, role_retries,
      role_twins, register_edits, registers_taken_in, registers_written, performers_killed,
      landings_begun, commits_prepared, trees_cleared, branches_moved, landings_stopped,
      features_landed, pushes;
};

struct TallyRow {
  std::string_view name;
  std::uint64_t Tally::* count;
  std::uint64_t least;  // in 1,000 seeds; fewer means that the simulation has become empty
};

std::span<const TallyRow> tally_rows();
// One line for each row.
std::string summary(const Tally& tally);
// The rows that fell short of their share; "" when there are none.
std::string shortfall(const Tally& tally);

}  // namespace pf::sim
