#pragma once
#include <functional>
#include <string>

#include "role/host/crew.h"

namespace pf {

// Whoever shows the roles while they are driven.
class RoleWatcher {
 public:
  virtual ~RoleWatcher() = default;
  virtual void tell(const role::Event& event) = 0;  // of the log, in order
  virtual void say(const std::string& prefix, const std::string& text) = 0;
};

// Launches the agent of the current role, and the next one after each switch, until they rest:
// blocked, done, a human is needed, or the interrupt key. Refuses when somebody drives already.
Status drive_roles(RoleLoop& loop, RoleWatcher& watcher, const Request& request);

}  // namespace pf
