#pragma once
#include <functional>

#include "role/host/loop.h"

namespace pf {

// Does what is outstanding for the role loop, under its lease; results come back through the door.
// Every effect looks at the world first, so doing one again is harmless. Starts no agents: that is
// RoleCrew's.
class RolePerformer {
 public:
  // `lease` is the right to perform; held by the caller for as long as this lives.
  RolePerformer(RoleLoop& loop, const Lock& lease) : loop_(loop) { (void)lease; }
  virtual ~RolePerformer() = default;

  // Performs until nothing is left that can be done now; the state then.
  Result<role::State> settle();

 protected:
  RoleLoop& loop() { return loop_; }
  Result<bool> report(const role::Command& command);

  // Runs and children that are there.
  virtual Status see(const role::State& state, role::Observed& observed);
  // While an agent is at work the files are its own.
  virtual bool is_tree_free() const { return true; }
  // Runs the checks of a landing: true when it has come to something.
  virtual Result<bool> check(const role::RunChecks& effect);
  // Opens a pull request, which was recorded as begun.
  virtual Result<bool> pull(const role::OpenPull& effect);
  // True when the log or the world may have changed.
  virtual Result<bool> perform(const role::State& state, const role::Effect& effect);
  // What has to do with agents: true when the log or the world may have changed.
  virtual Result<bool> perform_agents(const role::State& state, const role::Effect& effect);

 private:
  Result<role::Observed> observe(const role::State& state);
  Result<bool> write(const role::WriteFile& effect);

  RoleLoop& loop_;
};

// Does what is outstanding unless somebody else is at it, who then does it: a command's last act.
// False when somebody else is.
Result<bool> settle_roles(RoleLoop& loop);
// The same by a performer of one's own, for as long as the lease is held.
using Settle = std::function<Result<role::State>(const Lock& lease)>;
Result<bool> settle_roles(RoleLoop& loop, const Settle& settle);

}  // namespace pf
