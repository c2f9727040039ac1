#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "os/os.h"

namespace pf {

// What a confined process sees. Everything that is not named stays visible read-only, except the
// places where secrets, sockets and locks live: /tmp, /run and the home directory are empty.
struct Confinement {
  Path home;
  std::vector<Path> visible;   // read-only, also below an empty place; missing ones are left out
  std::vector<Path> writable;  // missing ones are left out
  std::vector<Path> sealed;    // read-only again, inside a writable one
  std::vector<Path> hidden;    // empty directories instead
  std::vector<std::pair<Path, Path>> bound = {};                      // writable, at another place
  Path directory = {};                                                // where it starts
  std::vector<std::pair<std::string, std::string>> environment = {};  // and nothing else
  bool terminal = false;  // stays on its terminal, with its environment; see no_typing_filter()
};

// Pure. The program and its arguments, to be put before the command that is to be confined. It dies
// with its parent and has its own processes; on a terminal it reads no_typing_filter() from the
// descriptor Processes::kGivenFd.
std::vector<std::string> bubblewrap(const Path& program, const Confinement& confinement);

// Whether commands can be confined on this machine.
struct Enforcement {
  std::optional<Path> program;  // nothing: they cannot
  std::string why_not;
};
// Looks for bubblewrap and lets it start something once.
Enforcement find_enforcement(Os& os);

}  // namespace pf
