#pragma once
#include <string>
#include <vector>

namespace pf::role {

// The lines as a note that keeps its rules: printable, clipped, no fences, at most twelve lines.
std::string note_of(const std::vector<std::string>& lines);

}  // namespace pf::role
