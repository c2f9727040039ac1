#pragma once
#include "journal/lock.h"

namespace pf {

// One of `count` places for runs of checks, shared by all bubbles of this user on this machine.
// Waits for one up to `wait`; free again when the lock is gone, be it by death.
Result<Lock> take_slot(Os& os, const Path& directory, int count, Duration wait);

// Where they are: below XDG_RUNTIME_DIR, else in the user's cache.
Path slot_directory(Os& os);

}  // namespace pf
