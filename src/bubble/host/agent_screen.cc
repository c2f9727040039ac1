#include "bubble/host/agent_screen.h"

namespace pf {

Result<AgentScreen> read_screen(Os& os, TmuxSession& terminal, const PaneSeen& pane,
                                const Settings& settings) {
  const AgentSettings* agent = find_agent(settings, AgentName(pane.holder));
  if (agent == nullptr) return AgentScreen{};
  AgentScreen screen;
  if (sight_of(*agent, "") == Sight::unknown) return screen;
  const AgentKind& kind = kind_of(*agent);
  screen.text = TRY(terminal.screen(pane));
  screen.sight = sight_of(*agent, screen.text);
  screen.trouble =
      trouble_on_screen(kind.troubles, screen.text, os.clock.wall(), os.clock.utc_offset());
  screen.familiar = !kind.look.box.empty();
  return screen;
}

}  // namespace pf
