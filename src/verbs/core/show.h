#pragma once
#include <string>
#include <vector>

#include "base/inbox_item.h"
#include "base/json.h"
#include "os/clock.h"

// What commands of all loops show alike.
namespace pf {

// People read local time; JSON has what the journal has.
std::string local_time(Clock& clock, const std::string& ts);
JsonArray inbox_json(const std::vector<InboxItem>& inbox);
// Each item with the commands that settle it; `whose` is the loop's name.
std::string inbox_text(Clock& clock, const std::string& whose, const std::vector<InboxItem>& inbox);

}  // namespace pf
