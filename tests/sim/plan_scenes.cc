// Moments that chance finds too seldom: plan.md is renamed and not durable, or what it is to say is
// in the log and not durable; somebody goes on from there, then the power fails. And plan.md is
// looked at to be written when somebody edits it.
#include <algorithm>

#include "plan_sim.h"

namespace pf::sim {

void PlanSim::play_scene() {
  if (scenes_left_ == 0) return;
  const auto renamed = [&](const ProcessPtr& process) {
    return process->is_at("sync_directory", world_.plan_md().parent_path());
  };
  const auto looks = [&](const ProcessPtr& process) {
    return process->drives() && process->is_at("read_beneath", world_.plan_md());
  };
  const auto at_sync = [&](const ProcessPtr& process) {
    return !process->drives() && process->is_at("sync", world_.paths.journal);
  };
  if (const auto at = std::ranges::find_if(crowd_.alive, renamed); at != crowd_.alive.end()) {
    if (!dice_.one_in(2)) return;
    --scenes_left_;
    ++tally_.renames_cut;
    (*at)->die(0);
    bury(static_cast<std::size_t>(at - crowd_.alive.begin()));
    go_on_as_driver([&] { return !oracle_.state().write; });
    power_cut();
  } else if (oracle_.state().write && std::ranges::any_of(crowd_.alive, at_sync) &&
             dice_.one_in(2)) {
    --scenes_left_;
    ++tally_.intents_cut;
    const std::string before = oracle_.plan_text();
    go_on_as_driver([&] { return oracle_.plan_text() != before; });
    power_cut();
  } else if (oracle_.state().write && std::ranges::any_of(crowd_.alive, looks) && dice_.one_in(6)) {
    --scenes_left_;
    save(oracle_.plan_text() + "Seen late.\n");
  }
}

// Only who drives has the machine, until it is done or has tried for long.
void PlanSim::go_on_as_driver(const std::function<bool()>& done) {
  constexpr int kLong = 600;
  const Weather weather = faults_.calm();
  if (!is_driven()) spawn(to_drive());
  for (int calls = 0; calls < kLong && !done(); ++calls) {
    const auto driver = std::ranges::find_if(crowd_.alive, &PlanProcess::drives);
    if (driver == crowd_.alive.end()) break;
    drive(static_cast<std::size_t>(driver - crowd_.alive.begin()));
  }
  faults_.weather = weather;
}

}  // namespace pf::sim
