#pragma once
#include "config/settings.h"
#include "os/os.h"

namespace pf {

enum class Notice { waiting_human, converged };

// Plays the configured sound when notifications are on, the file exists and a player is installed.
// Never waits and never fails: a notification is a courtesy.
void notify(Os& os, const Settings& settings, Notice notice, const Path& log);

}  // namespace pf
