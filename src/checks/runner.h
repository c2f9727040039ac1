#pragma once
#include <functional>
#include <string>
#include <vector>

#include "os/os.h"

namespace pf {

inline constexpr std::string_view kSetup = "setup";  // comes first; without it nothing can be run

struct CheckToRun {
  std::string name;
  std::string command;  // for sh -c
};

// How a run is kept in bounds.
struct RunLimits {
  Duration timeout{};             // of all checks together; the process group is killed
  std::size_t head = 256u << 10;  // bytes of each check's output that are kept: its beginning
  std::size_t tail = 256u << 10;  // and its end
  std::uint64_t keep_free = 0;    // bytes that are left on the disk; fewer end the run
  std::string filter = {};        // what the wrapper reads from Processes::kGivenFd
  int retries = 0;                // how often red checks are tried again
  // Called before that: brings the files back to how they were. Without it they stay as they are.
  std::function<Status()> restore = {};
  std::string mark = {};  // "NAME=value", by which all that a check left behind is ended
};

struct CheckDone {
  std::string name, command;
  int code = 0;  // 128 + signal
  Duration took{};
  bool timed_out = false;
  bool no_room = false;
  bool flaky = false;  // red at first, then green on the same files
  std::string output;  // of each try
  bool ok() const { return code == 0 && !timed_out && !no_room; }
  // Why it says nothing about the files: it could not run, or not to its end. "" when it does.
  std::string unable() const;
};

// Runs the checks one after the other in `directory`, all of them whatever the first ones say, but
// none after a setup that failed; red ones are tried again, with all that comes before them, unless
// one was unable to run; what `wrapper` gives is put before each command (a sandbox; {}: nothing),
// `environment` is set on top of our own. A check that cannot be started at all is a machine error.
// A signal that ends us ends the running check with all it started.
Result<std::vector<CheckDone>> run_checks(
    Os& os, const std::vector<CheckToRun>& checks, const Path& directory,
    const std::function<std::vector<std::string>()>& wrapper,
    const std::vector<std::pair<std::string, std::optional<std::string>>>& environment,
    const RunLimits& limits);

// What people read: one headed section a check.
std::string log_text(const std::vector<CheckDone>& checks);

}  // namespace pf
