#include "verbs/core/show.h"

#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"
#include "screen/times.h"

namespace pf {

JsonArray inbox_json(const std::vector<InboxItem>& inbox) {
  JsonArray items;
  for (const InboxItem& item : inbox) items.push_back(codec::encode(item));
  return items;
}

std::string local_time(Clock& clock, const std::string& ts) {
  return screen::full_time(parse_iso8601(ts), clock.utc_offset());
}

std::string inbox_text(Clock& clock, const std::string& whose,
                       const std::vector<InboxItem>& inbox) {
  std::string out;
  for (const InboxItem& item : inbox) {
    out += fmt::format("{}  {}  {}  from {}  {}\n", whose, item.kind, item.id, item.from,
                       local_time(clock, item.since));
    for (const auto line : split(item.text, '\n')) out += fmt::format("    {}\n", line);
    out += fmt::format("    → {}\n", item.command);
    for (const std::string& other : item.otherwise) out += fmt::format("      or {}\n", other);
  }
  return out;
}

}  // namespace pf
