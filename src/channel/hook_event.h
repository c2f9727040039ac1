#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

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

// What a Stop hook prints to send the agent back.
std::string sent_back(const std::string& reason);

}  // namespace pf
