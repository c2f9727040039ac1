#include "notify/sound.h"

#include <array>

namespace pf {

void notify(Os& os, const Settings& settings, Notice notice, const Path& log) {
  if (!settings.notifications_enabled) return;
  const std::string& sound =
      notice == Notice::waiting_human ? settings.waiting_human_sound : settings.converged_sound;
  if (sound.empty() || !os.files.exists(sound).value_or(false)) return;
  for (const char* player : {"paplay", "pw-play", "afplay", "aplay", "play"})
    if (const auto program = os.processes.find_program(player)) {
      (void)os.processes.start({{program->string(), sound}}, log);
      return;
    }
}

}  // namespace pf
