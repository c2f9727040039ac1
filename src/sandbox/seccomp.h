#pragma once
#include <string>

namespace pf {

// A seccomp program (for bubblewrap's --seccomp) that refuses the two ioctls by which a process can
// type into its own terminal, TIOCSTI and TIOCLINUX (a session of its own would refuse them too,
// but then a resized window reaches nobody), and the kernel's key rings, which no namespace keeps
// apart. System calls of another architecture than ours are refused: they would be a way around.
std::string confined_filter();

}  // namespace pf
