#pragma once
#include <string>

namespace pf {

// A seccomp program (for bubblewrap's --seccomp) that refuses the two ioctls by which a process can
// type into its own terminal, TIOCSTI and TIOCLINUX. A session of its own would refuse them too,
// but then a resized window reaches nobody. System calls of another architecture than ours are
// refused, since they would be a way around.
std::string no_typing_filter();

}  // namespace pf
