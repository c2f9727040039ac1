#include "checks/slots.h"

#include <fmt/format.h>

namespace pf {

// Nobody polls: when all are taken, each waiter queues at one of them.
Result<Lock> take_slot(Os& os, const Path& directory, int count, Duration wait) {
  const auto path = [&](int n) { return directory / fmt::format("slot-{}.lock", n); };
  for (int n = 0; n < count; ++n)
    if (auto slot = TRY(Lock::try_take(os, path(n)))) return std::move(*slot);
  return Lock::take(os, path(os.env.pid() % count), wait);
}

Path slot_directory(Os& os) {
  if (const auto runtime = os.env.get("XDG_RUNTIME_DIR"); runtime && runtime->starts_with('/'))
    return Path(*runtime) / "pairflow";
  return Path(os.env.get("HOME").value_or("/tmp")) / ".cache" / "pairflow";
}

}  // namespace pf
