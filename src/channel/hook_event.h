#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "channel/message.h"

namespace pf {

// What an agent's program tells by its hooks; Claude Code and Codex CLI use the same form.
struct HookEvent {
  enum class Kind {
    prompt,   // a prompt was taken
    tool,     // a tool is used, or was
    dialog,   // a permission is asked for
    stop,     // the agent has come to an end
    failure,  // its model failed it
    started,
    ended,
    other,
  };
  Kind kind = Kind::other;
  std::string name;          // as the program calls it
  std::string conversation;  // its id
  std::string text;          // the prompt, the tool, the last words, the error
};

// The event that the program calls `name`.
HookEvent hook_event(std::string name, std::string conversation, std::string text);
// Usage error for anything but a JSON object with hook_event_name.
Result<HookEvent> parse_hook_event(std::string_view text);

// The tool that a bubble's agent uses, when `ask` tells of nothing else: a sign of life, which
// needs no answer. Nothing for what has to be refused, too.
std::optional<HookEvent> sign_of_life(const Ask& ask);

// What a Stop hook prints to send the agent back.
std::string sent_back(const std::string& reason);

}  // namespace pf
