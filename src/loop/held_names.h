#pragma once
#include "agents/enter.h"
#include "agents/kind.h"
#include "agents/launch.h"
#include "os/os.h"

namespace pf {

// How it works. While an agent runs, the names of settings, hooks and instructions in its program's
// own directory are mounted read-only in its sandbox. A mount needs something to lie on, so what is
// missing is made first: an empty placeholder, recorded before it is there. With the last agent of
// that directory it is removed again, unless somebody has written into it meanwhile; and any other
// new file there like a setting or a program, and any new directory that holds a program, goes to
// quarantine (loop/quarantine.h). After a crash the next agent's start, or doctor, does it.

// What is to be held for a launch; nothing where the program keeps nothing here.
Result<std::optional<HeldNames>> names_to_hold(Os& os, const AgentLaunch& launch,
                                               const OwnFiles& own, const std::string& loop);
// In the process that becomes the agent: records it, then makes what is missing.
Status hold_names(Os& os, const HeldNames& names);
// Forgets agents that are gone; removes what was held for them, and puts what they left beside it
// in quarantine. The agents of `loop` are ending: they are waited for a moment.
Status release_names(Os& os, const std::string& loop = "");

// A file in a program's own directory is the human's: agents that run now did not bring it.
Status count_as_known(Os& os, const Path& file);

// Where all this is recorded: ~/.local/state/pairflow, or below $XDG_STATE_HOME.
Result<Path> state_directory(Os& os);

}  // namespace pf
