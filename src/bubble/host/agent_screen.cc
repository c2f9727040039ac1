#include "bubble/host/agent_screen.h"

namespace pf {

Result<AgentScreen> read_screen(Os& os, TmuxSession& terminal, const PaneSeen& pane,
                                const Settings& settings) {
  const AgentSettings* agent = find_agent(settings, AgentName(pane.holder));
  if (agent == nullptr) return AgentScreen{};
  AgentScreen screen{agent->kind, ""};
  if (sight_of(agent->kind, "", agent->ready) == Sight::unknown) return screen;
  screen.text = TRY(terminal.screen(pane));
  screen.sight = sight_of(agent->kind, screen.text, agent->ready);
  screen.trouble =
      trouble_on_screen(agent->kind, screen.text, os.clock.wall(), os.clock.utc_offset());
  return screen;
}

}  // namespace pf
