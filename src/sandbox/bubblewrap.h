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
  Path home = {};
  std::vector<Path> visible = {};                 // read-only, also in an empty place; if there
  std::vector<Path> writable = {};                // if there
  std::vector<Path> sealed = {};                  // read-only again, inside a writable one
  std::vector<Path> hidden = {};                  // empty directories instead
  std::vector<std::pair<Path, Path>> bound = {};  // writable, at another place
  std::vector<std::pair<Path, Path>> shown = {};  // read-only, at another place
  Path directory = {};                            // where it starts
  std::vector<std::pair<std::string, std::string>> environment = {};  // and nothing else
  bool terminal = false;         // stays on its terminal, with its environment; filtered
  bool filtered = false;         // reads confined_filter() from the descriptor Processes::kGivenFd
  bool inherits = false;         // its environment is that of who starts it, and `environment`
  std::vector<Path> empty = {};  // directories besides /tmp, /run and home that are empty at first
  std::vector<Path> covered = {};  // files in whose place there is nothing to be read or called
  // Directories, in a writable one, that cannot be renamed or removed; what is in them can.
  std::vector<Path> pinned = {};
  // What of /proc root can write is read-only. For others it is so anyway, and without these mounts
  // they can start a sandbox of their own inside.
  bool root = true;
  // Of the file system only programs and their libraries are there, besides what is named; and
  // there is no network.
  bool bare = false;
};

// Pure. The program and its arguments, to be put before the command that is to be confined. It dies
// with its parent and has its own processes. Every path is absolute, without symbolic links.
std::vector<std::string> bubblewrap(const Path& program, const Confinement& confinement);

// Without the empty directories and covers whose place is gone by now: bubblewrap would fail to
// make it. For the moment before its start.
std::vector<std::string> on_what_is_there(Os& os, std::vector<std::string> argv);

// Its program, be it able to start here or not.
std::optional<Path> find_bubblewrap(Os& os);

// Whether commands can be confined on this machine.
struct Enforcement {
  std::optional<Path> program;  // nothing: they cannot
  std::string why_not;
};
// Looks for bubblewrap and lets it start something once.
Enforcement find_enforcement(Os& os);

}  // namespace pf
