#include "channel/hook_event.h"

#include <algorithm>
#include <array>

#include "base/json.h"
#include "base/text.h"

namespace pf {
namespace {

struct Name {
  std::string_view name;
  HookEvent::Kind kind;
  std::string_view text;  // the member that says more
};
using Kind = HookEvent::Kind;
constexpr std::array<Name, 9> kNames = {{{"UserPromptSubmit", Kind::prompt, "prompt"},
                                         {"PreToolUse", Kind::tool, "tool_name"},
                                         {"PostToolUse", Kind::tool, "tool_name"},
                                         {"PermissionRequest", Kind::dialog, "tool_name"},
                                         {"Stop", Kind::stop, "last_assistant_message"},
                                         {"StopFailure", Kind::failure, "last_assistant_message"},
                                         {"SessionStart", Kind::started, "source"},
                                         {"SessionEnd", Kind::ended, "reason"},
                                         {"Interrupt", Kind::other, ""}}};

}  // namespace

HookEvent hook_event(std::string name, std::string conversation, std::string text) {
  const auto known = std::ranges::find(kNames, name, &Name::name);
  return {known == kNames.end() ? Kind::other : known->kind, std::move(name),
          std::move(conversation), std::move(text)};
}

Result<HookEvent> parse_hook_event(std::string_view text) {
  const auto json = parse_json(trim(text));
  if (!json || !json->is_object() || text_of(json->as_object(), "hook_event_name").empty())
    return fail(Exit::usage, "this is no hook's event",
                "a JSON object with hook_event_name is expected on standard input");
  const JsonObject& event = json->as_object();
  const std::string name = clip(printable(text_of(event, "hook_event_name")), 60);
  const auto known = std::ranges::find(kNames, name, &Name::name);
  std::string said = known == kNames.end() ? "" : text_of(event, known->text);
  if (said.empty() && known != kNames.end() && known->kind == Kind::failure)
    said = text_of(event, "error");
  return hook_event(name, clip(printable(text_of(event, "session_id")), 80), std::move(said));
}

std::optional<HookEvent> sign_of_life(const Ask& ask) {
  constexpr std::size_t kLongest = 200;
  std::string name, conversation, text, request;
  if (ask.verb != "hook") return std::nullopt;
  for (const Option& option : ask.options) {
    std::string* place = option.name == "event"          ? &name
                         : option.name == "conversation" ? &conversation
                         : option.name == "text"         ? &text
                         : option.name == "request"      ? &request
                                                         : nullptr;
    const bool plain = option.values.size() == 1 && option.values[0].size() <= kLongest &&
                       is_utf8(option.values[0]) && printable(option.values[0]) == option.values[0];
    if (place == nullptr || !plain) return std::nullopt;
    *place = option.values[0];
  }
  HookEvent event = hook_event(std::move(name), std::move(conversation), std::move(text));
  if (event.kind != Kind::tool) return std::nullopt;
  return event;
}

std::string sent_back(const std::string& reason) {
  return dump(JsonObject{{"decision", "block"}, {"reason", reason}}) + "\n";
}

}  // namespace pf
