#pragma once
#include <optional>
#include <string>

namespace pf {

// What has come by a connection so far, at most 4 KiB; its reader still finds it there. "" when the
// other end is gone, nothing when no word has come yet. Never waits.
std::optional<std::string> peek(int connection);

}  // namespace pf
