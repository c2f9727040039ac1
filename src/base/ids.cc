#include "base/ids.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace pf {

bool is_slug(std::string_view text, std::size_t least, std::size_t most) {
  if (text.size() < least || text.size() > most) return false;
  if (text.empty() || !ascii::is_lower(text[0])) return false;
  return std::ranges::all_of(text, [](char c) {
    return ascii::is_lower(c) || ascii::is_digit(c) || c == '_' || c == '-';
  });
}

Result<BubbleId> parse_bubble_id(std::string_view text) {
  if (is_slug(text, 3, 40)) return BubbleId(std::string(text));
  return fail(Exit::usage, fmt::format("'{}' is not a bubble id", printable(clip(text, 60))),
              "an id is 3 to 40 characters: a lower-case letter, then a-z, 0-9, '_' or '-'",
              "choose an id such as 'login-timeout'");
}

Result<AgentName> parse_agent_name(std::string_view text) {
  const bool reserved = text == "human" || text == "orchestrator" || text == "both";
  if (!reserved && is_slug(text, 1, 32)) return AgentName(std::string(text));
  return fail(Exit::usage, fmt::format("'{}' is not an agent name", printable(clip(text, 60))),
              "a name is 1 to 32 characters: a lower-case letter, then a-z, 0-9, '_' or '-'; "
              "'human', 'orchestrator' and 'both' are taken",
              "choose a name such as 'codex' or 'claude'");
}

}  // namespace pf
