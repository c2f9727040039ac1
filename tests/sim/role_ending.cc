// How simulated roles end once nothing breaks any more: they come to rest, and a feature lands.
#include <fmt/format.h>

#include <algorithm>

#include "document/role/roadmap.h"
#include "role_sim.h"

namespace pf::sim {
namespace {

using role::Landing;
using role::Stage;

constexpr int kPatience = 100'000;  // calls until a command has to end
constexpr int kLongestWay = 60;     // commands until a feature has to be landed

}  // namespace

void RoleSim::finish() {
  (void)faults_.calm();
  if (dice_.one_in(2)) power_cut();
  while (!crowd_.alive.empty()) drive(crowd_.choose());
  if (oracle_.door.in_doubt()) run_alone({RoleDeed::Kind::repair, {}, {}, "repair"});
  if (!oracle_.state().begun) run_alone(to_init(dice_, ++last_number_));
  take_the_way_on();
  power_cut();
  erase_projections();
  oracle_.door.check_load();
}

bool RoleSim::run_alone(RoleDeed deed) {
  world_.clock.advance(std::chrono::seconds(1));
  spawn(std::move(deed));
  const std::uint64_t refused = tally_.role_refused;
  for (int calls = 0; !crowd_.alive.empty(); ++calls) {
    if (calls > kPatience) throw Broken{"a command does not end"};
    drive(0);
  }
  return tally_.role_refused != refused;
}

void RoleSim::mend_documents() {
  const std::string path(role::kRegisterFile);
  const auto text = world_.read(path);
  if (oracle_.state().problems_of(path) != nullptr || (text && !document::read_register(*text)))
    save(world_, path, document::render_register(oracle_.state().reg));
  keep_roadmap(world_);
  oracle_.person_acted();
}

void RoleSim::come_to_rest() {
  mend_documents();
  run_alone(to_perform());
  if (oracle_.state().problems_of(role::kRegisterFile) != nullptr) {  // people were told just now
    mend_documents();
    run_alone(to_perform());
  }
  oracle_.check_rest();
}

// What stopped a landing is undone as its words ask for; then the human says that it goes on, and
// when that does not help, that it does not. False when nothing waits.
bool RoleSim::mend_landings() {
  for (const Landing& landing : oracle_.state().landings) {
    if (role::is_over(landing.stage)) continue;
    if (landing.stage == Stage::clear)
      restore(world_, landing.salvage.empty() ? landing.commit.str() : landing.salvage);
    else if (landing.aside && words_[landing.number] > 0)
      commit_and_merge(world_, landing.commit.str(), true);
    oracle_.person_acted();
    run_alone(word_on(landing, ++words_[landing.number] % 3 != 0, ++last_number_));
    return true;
  }
  return false;
}

// What is not committed would go into another feature, and what others pushed may be in the way.
void RoleSim::begin_afresh() {
  commit_and_merge(world_, world_.git.refs.at("refs/heads/main"), false);
  oracle_.person_acted();
}

void RoleSim::take_the_way_on() {
  world_.red = false;
  const std::uint64_t before = tally_.features_landed;
  for (int turns = 0; turns < kLongestWay; ++turns) {
    come_to_rest();
    if (mend_landings()) continue;
    const role::State& state = oracle_.state();
    const auto roadmap = document::read_roadmap(world_.read(role::kRoadmapFile).value_or(""));
    const auto open = [](const document::Feature& feature) {
      return feature.status != document::WorkStatus::done;
    };
    const auto next = std::ranges::find_if(roadmap->features, open);
    if (tally_.features_landed != before || (next == roadmap->features.end() && !state.work))
      return;
    if (state.reg.state == role::Lifecycle::blocked) begin_afresh();
    const std::string feature = state.work ? state.work->feature : next->id;
    const bool plans = state.reg.current_role == role::Role::planner;
    if (plans && !has_tasks(world_)) write_tasks(world_, dice_);
    if (state.reg.current_role == role::Role::coder) write_work(world_, dice_, ++last_number_);
    oracle_.person_acted();
    if (!run_alone(way_on(state, feature, ++last_number_))) continue;
    if (plans)
      begin_afresh();
    else
      run_alone(to_planner(++last_number_));
  }
  throw Broken{"no feature comes to its end"};
}

}  // namespace pf::sim
