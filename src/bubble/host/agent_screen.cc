#include "bubble/host/agent_screen.h"

#include "bubble/host/loop.h"

namespace pf {

Result<AgentScreen> BubbleLoop::read_screen(TmuxSession& terminal, const PaneSeen& pane) const {
  const Settings settings = TRY(this->settings());
  const AgentSettings* agent = find_agent(settings, AgentName(pane.holder));
  if (agent == nullptr) return AgentScreen{};
  AgentScreen screen;
  if (sight_of(*agent, "") == Sight::unknown) return screen;
  const AgentKind& kind = kind_of(*agent);
  screen.text = TRY(terminal.screen(pane));
  screen.sight = sight_of(*agent, screen.text);
  screen.trouble =
      trouble_on_screen(kind.troubles, screen.text, os_.clock.wall(), os_.clock.utc_offset());
  screen.familiar = !kind.look.box.empty();
  return screen;
}

bubble::ReportHindrance hindrance_by(const AgentName& agent, const ModelTrouble& trouble,
                                     WallTime now, std::string how) {
  constexpr std::int64_t kMomentMs = 120'000, kHourMs = 3'600'000;
  const bool limit = trouble.kind == ModelTrouble::Kind::limit;
  WallTime until = trouble.until;
  if (until <= now) until.ms = now.ms + (limit ? kHourMs : kMomentMs);
  return {agent, limit ? bubble::Obstacle::limit : bubble::Obstacle::overload, trouble.line,
          trouble.retries ? "" : iso8601(until), std::move(how)};
}

}  // namespace pf
