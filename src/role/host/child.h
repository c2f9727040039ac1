#pragma once
#include <memory>

#include "loop/kept_running.h"
#include "loop/live_stream.h"
#include "role/host/loop.h"

// The coder's part as a plan or a bubble of its own. The role loop knows it by its id only and
// looks at its journal; a child knows nothing of its parent.
namespace pf {

namespace plan {
struct State;
}

// A name for a new child; nothing of that name is there yet.
Result<std::string> new_child_id(RoleLoop& loop, const role::State& state, role::CoderBy by);
Result<bool> child_exists(RoleLoop& loop, const role::Child& child);
// Makes it from the task and the planner's note.
Status make_child(RoleLoop& loop, const role::State& state, const role::Child& child);

// Keeps one child going for as long as this lives: has the plan driven, starts the bubble, and
// listens to it.
class ChildKeeper {
 public:
  using Say = std::function<void(const std::string& prefix, const std::string& text)>;
  ChildKeeper(RoleLoop& loop, role::Child child, Say say);
  ~ChildKeeper();

  // What is to be filed: its end, or that it waits for the human. Nothing while it goes on.
  Result<std::optional<role::Command>> look();
  std::vector<int> descriptors() const;
  std::optional<MonoTime> wake_at() const { return driver_ ? driver_->wake_at() : std::nullopt; }
  void hear(const std::vector<int>& readable);

 private:
  Result<std::optional<role::Command>> look_at_plan();
  Status tell(const plan::State& state);
  Result<std::optional<role::Command>> look_at_bubble();
  role::Command finished(std::string what) const;
  role::Command failed(std::string what) const;
  role::Command waits() const;

  RoleLoop& loop_;
  role::Child child_;
  Say say_;
  std::unique_ptr<Bell> bell_;
  std::optional<KeptRunning> driver_;  // of a plan
  std::optional<StreamTail> tail_;     // what is new of a plan
  bool begun_ = false;                 // a bubble: it was tried
};

}  // namespace pf
