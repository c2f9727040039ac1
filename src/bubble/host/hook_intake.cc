#include "bubble/host/hook_intake.h"

#include <fmt/format.h>

#include "base/text.h"
#include "bubble/host/presence.h"

namespace pf {
namespace {

using Kind = HookEvent::Kind;

bubble::ReportHindrance model_failed(BubbleLoop& loop, const AgentName& agent,
                                     const std::string& text) {
  Clock& clock = loop.os().clock;
  const WallTime now = clock.wall();
  const auto settings = loop.settings();
  const AgentSettings* known = settings ? find_agent(*settings, agent) : nullptr;
  auto trouble = model_trouble(known == nullptr ? Troubles{} : kind_of(*known).troubles, text, now,
                               clock.utc_offset());
  if (!trouble) trouble = ModelTrouble{};
  if (trouble->line.empty()) trouble->line = text.empty() ? "its model failed" : clip(text, 300);
  return hindrance_by(agent, *trouble, now, "hook");
}

Result<std::string> end_turn(BubbleLoop& loop, const Request& request, const HookEvent& event) {
  const auto answer = loop.execute(request, bubble::EndTurn{event.text});
  if (answer) return "";
  const Error& error = answer.error();
  if (error.exit != Exit::refused) return std::unexpected(error);
  return sent_back(fmt::format("{}: {}. {}", error.what, error.why, error.fix));
}

}  // namespace

Status take_tool_use(BubbleLoop& loop, const bubble::State& state, const AgentName& agent,
                     const HookEvent& event) {
  const bubble::Agent* known = state.agent(agent);
  if (known == nullptr) return {};
  (void)write_presence(loop.os(), loop.paths(), agent, event);
  if (known->hindrance) TRY(loop.report(bubble::ReportFreed{agent}));
  return {};
}

Result<std::string> take_hook_event(BubbleLoop& loop, const bubble::State& state,
                                    const Request& request, const HookEvent& event) {
  const AgentName& agent = request.who.name;
  const bubble::Agent* known = state.agent(agent);
  if (known == nullptr) return "";
  if (event.kind != Kind::tool)
    (void)write_presence(loop.os(), loop.paths(), agent, event);  // a sign of life, no more
  switch (event.kind) {
    case Kind::prompt:
      TRY(loop.report(
          bubble::ReportPrompt{agent, bubble::line_number(event.text), event.conversation}));
      break;
    case Kind::tool: TRY(take_tool_use(loop, state, agent, event)); break;
    case Kind::dialog:
      TRY(loop.report(bubble::ReportHindrance{
          agent, bubble::Obstacle::dialog,
          fmt::format("a permission for {} is asked for", printable(event.text)), "", "hook"}));
      break;
    case Kind::failure: TRY(loop.report(model_failed(loop, agent, event.text))); break;
    case Kind::stop: return end_turn(loop, request, event);
    case Kind::started:
    case Kind::ended:
    case Kind::other: break;
  }
  return "";
}

}  // namespace pf
