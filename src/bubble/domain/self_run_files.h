#pragma once
#include <string_view>

namespace pf::bubble {

// Whether an editor, a shell or an agent's program runs what the file says without being asked, by
// opening or entering a directory that has it: tasks, extensions, environments, local settings.
// By its path in the repository; a directory ends with a slash. An .editorconfig runs nothing.
bool runs_by_itself(std::string_view path);

}  // namespace pf::bubble
