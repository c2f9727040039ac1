#include "os/clock.h"

namespace pf {

Moment Clock::moment() {
  return {boot_id(),
          std::chrono::duration_cast<std::chrono::milliseconds>(mono().since_boot).count()};
}

}  // namespace pf
