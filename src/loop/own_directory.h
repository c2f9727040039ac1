#pragma once
#include "agents/kind.h"
#include "os/os.h"

namespace pf {

// How it works. A program runs what lies in its own directory: a status line, a notifier, itself.
// Of what is there when an agent starts, it may write what the program writes, and nothing in that
// which looks like a program. What comes up later goes to quarantine (loop/held_names.h).

// What of the directory is to be read-only besides the configuration: each file and directory that
// the program does not write and that is no mere record, and each program and script in the
// directories that it does; where these are many, the directories that hold them. Follows no link;
// leaves out what lies in `allowed`. Refuses when there is too much to be looked at.
Result<std::vector<Path>> sealed_of_own(Os& os, const Path& directory, const OwnFiles& own,
                                        const std::vector<Path>& allowed);

// It can be run: an executable file, or one named like a script.
bool is_like_a_program(const std::string& name, const FileInfo& info);

// Whether a directory holds such a file or a symbolic link, at any depth; also when it has too much
// to be looked at.
Result<bool> holds_a_program(Os& os, const Path& directory);

}  // namespace pf
