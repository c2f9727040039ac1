#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/envelope.h"

namespace pf {

// The last line of a journal as its door's file keeps it. Each other line is covered by the hash in
// the next one; a snapshot covers the last, but may be deleted at any time.
std::string head_text(const Mark& mark);
// Nothing when it is missing, or not whole: the file is never synced.
std::optional<Mark> head_of(std::string_view text);

}  // namespace pf
