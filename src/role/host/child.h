#pragma once
#include <memory>

#include "role/host/loop.h"

// The coder's part as a plan or a bubble of its own. The role loop knows it by its id only and
// looks at its journal; a child knows nothing of its parent.
namespace pf {

// A name for a new child; nothing of that name is there yet.
Result<std::string> new_child_id(RoleLoop& loop, const role::State& state, role::CoderBy by);
Result<bool> child_exists(RoleLoop& loop, const role::Child& child);
// Makes it from the task and the planner's note.
Status make_child(RoleLoop& loop, const role::State& state, const role::Child& child);

// Keeps one child going for as long as this lives: drives the plan in a process of its own, starts
// the bubble and listens to it.
class ChildKeeper {
 public:
  using Say = std::function<void(const std::string& prefix, const std::string& text)>;
  ChildKeeper(RoleLoop& loop, role::Child child, Say say);
  ~ChildKeeper();

  // What is to be filed: its end, or that it waits for the human. Nothing while it goes on.
  Result<std::optional<role::Command>> look();
  std::vector<int> descriptors() const;
  Status hear();

 private:
  Result<std::optional<role::Command>> look_at_plan();
  Result<std::optional<role::Command>> look_at_bubble();
  role::Command finished(std::string what) const;
  role::Command failed(std::string what) const;
  role::Command waits() const;

  RoleLoop& loop_;
  role::Child child_;
  Say say_;
  std::unique_ptr<Bell> bell_;
  std::unique_ptr<PipedChild> driver_;  // of a plan
  std::string unfinished_line_;
  bool driven_ = false;  // it was tried
};

}  // namespace pf
