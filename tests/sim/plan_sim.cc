#include "plan_sim.h"

#include <fmt/format.h>

#include <algorithm>

#include "document/plan/plan_document.h"
#include "plan_worker.h"

namespace pf::sim {
namespace {

constexpr int kDeeds = 40;
constexpr int kMaxSteps = 100'000;
// A request is known again among the last 32; its retry comes sooner than that.
constexpr std::size_t kRetryWithin = 16;
constexpr int kJustWritten = 500;  // calls

}  // namespace

PlanSim::PlanSim(std::uint64_t seed, Stacks& stacks, Tally& tally, Trace trace)
    : dice_(seed),
      stacks_(stacks),
      tally_(tally),
      trace_(std::move(trace)),
      faults_(dice_, tally, world_.disk, world_.clock, world_.paths.journal, trace_),
      oracle_(world_, tally),
      pace_(dice_.pick_of({10, 60, 120})),
      crowd_(dice_, faults_, world_.paths.journal) {
  // Who drives has a long way to go.
  faults_.weather.kill *= 6;
  faults_.weather.error *= 6;
  faults_.weather.full *= 3;
  faults_.weather.power *= 2;
  faults_.tender = world_.plan_md().parent_path();
  faults_.more_often = 60;
}

void PlanSim::say(const std::string& text) const {
  if (trace_) trace_(text);
}

void PlanSim::go() {
  prepare();
  deeds_left_ = kDeeds;
  while (deeds_left_ > 0) crowd_step();
  finish();
}

void PlanSim::prepare() {
  FakeFiles files(world_.disk, world_.clock, 3);
  (void)files.make_directories(world_.plan_md().parent_path());
  (void)files.make_directories(world_.paths.directory);
  const TreeId empty = world_.git.add(FakeGitDirectory::Tree{});
  world_.git.refs[world_.git.head] = world_.git.add(FakeGitDirectory::Commit{empty, {}, ""}).str();
  save(first_plan(dice_));
  spawn(to_open(dice_, ++last_number_));
}

void PlanSim::crowd_step() {
  if (++steps_ > kMaxSteps) throw Broken{"the run does not end"};
  const bool room = crowd_.alive.size() < faults_.weather.crowd + 1;
  const auto idle = [](const ProcessPtr& process) { return process->is_idle(); };
  const bool nobody = std::ranges::all_of(crowd_.alive, idle);
  if (room && (nobody || dice_.one_in(pace_))) new_deed();
  if (Worker* worker = world_.at_work(); worker != nullptr && dice_.one_in(nobody ? 2 : 40))
    work(*worker);
  disturb_machine();
  play_scene();
  go_on_saving();
  if (std::ranges::all_of(crowd_.alive, idle)) pass_time();
  if (!crowd_.alive.empty()) drive(crowd_.choose());
}

void PlanSim::new_deed() {
  --deeds_left_;
  const plan::State& state = oracle_.state();
  if (oracle_.door.in_doubt() && dice_.one_in(2))
    return spawn({PlanDeed::Kind::repair, {}, {}, "repair"});
  if (dice_.one_in(is_driven() ? 30 : 2)) return spawn(to_drive());
  if (state.phase == plan::Phase::none) return spawn(to_open(dice_, ++last_number_));
  if (!crowd_.alive.empty() && dice_.one_in(20))
    if (const PlanDeed& twin = dice_.pick(crowd_.alive)->deed();
        twin.kind == PlanDeed::Kind::execute) {
      ++tally_.plan_twins;
      return spawn(twin);
    }
  if (auto again = retry()) return spawn(std::move(*again));
  if (dice_.one_in(12)) return spawn({PlanDeed::Kind::read, {}, {}, "read"});
  if (dice_.one_in(8)) return spawn(odd_tool_call(dice_, state, ++last_number_));
  if (dice_.one_in(8)) return edit();
  if (Worker* worker = world_.at_work(); worker != nullptr && !dice_.one_in(4))
    return spawn(tool_call(dice_, state, *worker, ++last_number_));
  spawn(wish(dice_, state, ++last_number_));
}

// The agent's program, of its own accord.
void PlanSim::work(Worker& worker) {
  const plan::Run* run = oracle_.state().run_of(worker.run);
  const bool called = run != nullptr && !run->tool.empty();
  if (worker.role == plan::Role::explainer || called || dice_.one_in(8)) {
    if (dice_.one_in(3)) worker.finished = true;
    const int exit = dice_.one_in(5) ? 1 : 0;
    say(fmt::format("run {} ends with {}", worker.run, exit));
    if (dice_.one_in(3)) return;  // it hangs
    return end_worker(world_, worker, exit);
  }
  if (dice_.one_in(3)) note_tool(world_, worker);
}

std::optional<PlanDeed> PlanSim::retry() {
  const std::size_t now = oracle_.door.record().batches().size();
  std::erase_if(memory_, [&](const Remembered& r) {
    return now > oracle_.door.born(r.deed.request.id) + kRetryWithin;
  });
  if (memory_.empty() || !dice_.one_in(4)) return std::nullopt;
  const std::size_t index = dice_.below(memory_.size());
  Remembered remembered = std::move(memory_[index]);
  memory_.erase(memory_.begin() + static_cast<std::ptrdiff_t>(index));
  ++tally_.plan_retries;
  return std::move(remembered.deed);
}

bool PlanSim::is_driven() const { return std::ranges::any_of(crowd_.alive, &PlanProcess::drives); }

void PlanSim::spawn(PlanDeed deed) {
  ++tally_.plan_commands;
  crowd_.alive.push_back(
      std::make_unique<PlanProcess>(world_, stacks_, ++last_pid_, std::move(deed)));
  PlanProcess& process = *crowd_.alive.back();
  say(fmt::format("{}: {} {}", process.pid(), process.deed().what,
                  process.deed().request.id.str()));
  oracle_.started(process);
}

void PlanSim::drive(std::size_t index) {
  PlanProcess& process = *crowd_.alive[index];
  ++tally_.plan_steps;
  crowd_.move(process);
  oracle_.door.calls_failed |= faults_.calls_failed;
  oracle_.stepped();
  if (process.ended()) bury(index);
}

void PlanSim::bury(std::size_t index) {
  const ProcessPtr process = crowd_.take(index);
  const Error* error = process->error();
  const bool killed = process->killed();
  say(fmt::format("{}: {} ({} step {} run {})", process->pid(), process->outcome(),
                  name_of(oracle_.state().phase), oracle_.state().step, oracle_.state().run));
  if (killed && process->drives()) ++tally_.drivers_killed;
  oracle_.ended(*process);
  if (dice_.one_in(3)) oracle_.door.check_load();
  if (process->deed().kind != PlanDeed::Kind::execute) return;
  const bool unknown = killed || (error != nullptr && error->exit >= Exit::machine);
  if (unknown || dice_.one_in(4)) memory_.push_back({process->deed(), unknown});
}

void PlanSim::pass_time() {
  if (crowd_.alive.empty()) return;
  world_.clock.advance(std::chrono::milliseconds(dice_.pick_of({10, 700, 5000, 20'000})));
}

// Between our last look at plan.md and the rename there is one instant that nobody can close.
bool PlanSim::is_being_replaced() const {
  return std::ranges::any_of(crowd_.alive, [&](const ProcessPtr& process) {
    return process->is_at("read_at", world_.plan_md()) ||
           process->is_at("rename", world_.plan_md());
  });
}

void PlanSim::edit() {
  if (is_being_replaced() || saving_) return;
  const std::string text = edited_plan(dice_, oracle_.plan_text(), sound_);
  ++tally_.plan_edits;
  if (!dice_.one_in(4)) return save(text);
  saving_ = Saving{text, 1 + dice_.below(60)};
  save(text.substr(0, dice_.below(text.size())));
}

void PlanSim::go_on_saving() {
  if (!saving_ || is_being_replaced() || saving_->calls-- > 1) return;
  save(saving_->whole);
  saving_.reset();
}

void PlanSim::save(const std::string& text) {
  FakeFiles files(world_.disk, world_.clock, 3);
  const auto room = std::exchange(world_.disk.free_bytes, std::nullopt);
  (void)files.replace(world_.plan_md(), text, Durable::yes);
  world_.disk.free_bytes = room;
  if (document::validate_plan(text).empty()) sound_ = text;
  oracle_.person_wrote(text);
  say(fmt::format("somebody edits plan.md: {} bytes", text.size()));
}

// Somebody writes plan.md's next version, or makes it durable.
bool PlanSim::is_being_written() const {
  return std::ranges::any_of(crowd_.alive, [&](const ProcessPtr& process) {
    const Path& path = process->path();
    if (process->call() == "sync_directory") return path == world_.plan_md().parent_path();
    return oracle_.state().write && path.native().starts_with(world_.plan_md().native());
  });
}

// Rare things are less rare when they matter.
void PlanSim::disturb_machine() {
  const Weather& weather = faults_.weather;
  const auto at_sync = [&](const ProcessPtr& p) { return p->is_at("sync", world_.paths.journal); };
  const bool writing = is_being_written();
  if (writing) written_ago_ = 0;
  const bool tender = std::ranges::any_of(crowd_.alive, at_sync) || ++written_ago_ < kJustWritten;
  if (dice_.one_in(weather.erase)) erase_projections();
  if (faults_.jumps_clock(false))
    for (const ProcessPtr& process : crowd_.alive) process->disturbed = true;
  if (dice_.one_in(weather.edit)) world_.forgets = true;
  if (weather.edit != 0 && dice_.one_in(writing ? weather.edit / 15 : weather.edit)) edit();
  if (weather.jump != 0 && is_driven() && dice_.one_in(600))
    for (const ProcessPtr& process : crowd_.alive) process->interrupt();
  if (weather.power != 0 && dice_.one_in(tender ? weather.power / 6 : weather.power)) power_cut();
}

void PlanSim::power_cut() {
  faults_.lose_power();
  for (const ProcessPtr& process : crowd_.alive) process->die(0);
  oracle_.power_cut();
  while (!crowd_.alive.empty()) bury(crowd_.alive.size() - 1);
}

void PlanSim::erase_projections() {
  FakeFiles files(world_.disk, world_.clock, 3);
  const std::size_t which = dice_.below(3);
  if (which != 0) (void)files.remove(world_.paths.state);
  if (which != 1) (void)files.remove(world_.paths.inbox);
  ++tally_.projections_erased;
  say("projections erased");
}

}  // namespace pf::sim
