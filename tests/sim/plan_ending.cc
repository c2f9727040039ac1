// How a simulated plan ends once nothing breaks any more: it comes to rest, and then to its end.
#include <fmt/format.h>

#include <algorithm>

#include "document/plan/plan_document.h"
#include "plan/host/driver.h"
#include "plan_sim.h"
#include "plan_worker.h"

namespace pf::sim {
namespace {

constexpr int kPatience = 20'000;  // calls until it has to rest
constexpr int kLongestWay = 80;    // tool calls and replies until it has to be done

}  // namespace

void PlanSim::finish() {
  (void)faults_.calm();
  if (dice_.one_in(2)) power_cut();
  while (saving_) go_on_saving();
  while (!std::ranges::all_of(crowd_.alive, &PlanProcess::drives)) drive(crowd_.choose());
  mend();
  if (oracle_.door.in_doubt()) run_alone({PlanDeed::Kind::repair, {}, {}, "repair"});
  if (oracle_.state().phase == plan::Phase::none) run_alone(to_open(dice_, ++last_number_));
  take_the_way_on();
  power_cut();
  oracle_.door.check_load();
  erase_projections();
  oracle_.door.check_load();
}

void PlanSim::mend() {
  if (document::validate_plan(oracle_.plan_text()).empty()) return;
  save(sound_);
}

void PlanSim::run_alone(PlanDeed deed) {
  spawn(std::move(deed));
  const int pid = crowd_.alive.back()->pid();
  const auto is_it = [&](const ProcessPtr& process) { return process->pid() == pid; };
  for (int calls = 0;; ++calls) {
    const auto at = std::ranges::find_if(crowd_.alive, is_it);
    if (at == crowd_.alive.end()) return;
    if (calls > kPatience) throw Broken{"a command does not end"};
    drive(static_cast<std::size_t>(at - crowd_.alive.begin()));
    if (!crowd_.alive.empty()) drive(crowd_.choose());  // who may have the lock that it waits for
  }
}

void PlanSim::come_to_rest() {
  int quiet = 0;
  bool last = false;  // nobody drives a plan for long whose agents rest
  for (int calls = 0; quiet < 3; ++calls) {
    if (calls > kPatience) throw Broken{"the plan does not come to rest"};
    if (crowd_.alive.empty()) {
      if (std::exchange(last, !wants_driver(oracle_.state()))) break;
      spawn(to_drive());
    }
    if (std::ranges::all_of(crowd_.alive, [](const ProcessPtr& p) { return p->is_idle(); })) {
      ++quiet;
      world_.clock.advance(std::chrono::seconds(20));
      FakeFiles files(world_.disk, world_.clock, 3);
      files.ring(world_.paths.bells);
      for (std::size_t i = 0; i < crowd_.alive.size(); ++i) drive(i);
    } else {
      drive(crowd_.choose());
      if (const int scenes = scenes_left_; play_scene(), scenes != scenes_left_) last = false;
    }
  }
  oracle_.check_rest();
}

void PlanSim::take_the_way_on() {
  for (int turns = 0; turns < kLongestWay; ++turns) {
    come_to_rest();
    const plan::State& state = oracle_.state();
    if (state.phase == plan::Phase::done) {
      ++tally_.plans_done;
      return;
    }
    Worker* worker = world_.at_work();
    if (worker != nullptr && worker->role == plan::Role::explainer) {
      end_worker(world_, *worker, 0);
      continue;
    }
    run_alone(way_on(state, ++last_number_));
    if (worker != nullptr && worker->alive) end_worker(world_, *worker, 0);
  }
  throw Broken{"the plan does not come to its end: " + std::string(name_of(oracle_.state().phase))};
}

}  // namespace pf::sim
