#include "base/codec.h"
#include "bubble/host/presence.h"
#include "bubble/view/status_view.h"

namespace pf {
namespace {

bool is_alive(const std::optional<Runtime>& runtime, const bubble::Agent& agent) {
  if (runtime)
    for (const Runtime::Pane& pane : runtime->panes)
      if (pane.agent == agent.name.str()) return !pane.dead;
  return agent.launched != Seq::none && !agent.exited;
}

}  // namespace

StatusModel read_status(BubbleLoop& loop, bubble::State state) {
  Os& os = loop.os();
  StatusModel model;
  model.state = std::move(state);
  model.runtime = read_runtime(os, loop.paths());
  model.now = os.clock.moment();
  model.wall = os.clock.wall();
  model.utc_offset = os.clock.utc_offset();
  if (!bubble::has_session(model.state.phase)) return model;
  for (const bubble::Agent& agent : model.state.agents) {
    const auto presence = read_presence(os, loop.paths(), agent.name);
    const Whereabouts where = whereabouts(agent, is_alive(model.runtime, agent), presence);
    AgentSeen seen{agent.name, std::string(name_of(model.state.role_of(agent.name))), where.what,
                   where.how};
    if (where.how == "hook" && presence) seen.since = presence->at;
    seen.until = where.until;
    seen.program = agent.program;
    seen.enforcement = agent.enforcement;
    seen.conversation = agent.conversation;
    model.agents.push_back(std::move(seen));
    if (presence && model.state.active_agent == agent.name) model.sign = presence->moment;
  }
  return model;
}

}  // namespace pf
