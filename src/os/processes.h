#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "os/path.h"

namespace pf {

struct Command {
  std::vector<std::string> argv;  // argv[0] is looked up on PATH when it has no slash
  Path directory = {};            // empty: ours
  // On top of our own environment; an empty optional removes the variable.
  std::vector<std::pair<std::string, std::optional<std::string>>> environment = {};
  std::string input = {};  // given on standard input, then closed
  // In run(): what this one says is the input instead. How it ends is not told: a reader has to
  // know by what it read whether that was all.
  const Command* fed_by = nullptr;
  std::string given = {};  // in run(): read from the descriptor Processes::kGivenFd
  std::optional<Duration> timeout = {};
  std::size_t output_limit = 64u << 20;  // per stream, from its beginning; the rest is dropped,
  std::size_t output_tail = 0;           // but for this much of its end
  // It is ended when the file system of its directory has fewer bytes left; 0: however many.
  std::uint64_t keep_free = 0;
  // In run(): INT, TERM or HUP that ends us first kills its process group.
  bool ends_with_us = false;
  // In run(), "NAME=value" of its environment: when it is over, or we are ended, end_marked().
  std::string mark = {};
};

struct Finished {
  int code = 0;  // exit code, or 128 + signal
  std::string out;
  std::string err;
  bool timed_out = false;
  bool no_room = false;  // ended because the disk was nearly full
  bool cut = false;      // output went over the limit
  bool ok() const { return code == 0 && !timed_out && !no_room; }
};

// A child in a process group of its own; the destructor neither waits nor kills.
class Child {
 public:
  virtual ~Child() = default;
  virtual int pid() const = 0;
  virtual int pidfd() const = 0;           // readable once it has ended; -1 in fakes
  virtual std::optional<int> ended() = 0;  // its code (128 + signal), reaped; never waits
  virtual void kill_group() = 0;           // TERM to the whole group, KILL after a short grace
};

// A child we hear: its standard input stays open for as long as this lives, its output comes out of
// a descriptor. The destructor ends it.
class HeldChild {
 public:
  virtual ~HeldChild() = default;
  virtual int output() const = 0;  // readable when there is some, or it has ended; owned here
  // As PipedChild's.
  virtual std::optional<std::string> read_some() = 0;
};

// A child whose output we read.
class PipedChild : public Child {
 public:
  virtual int output() const = 0;  // readable when there is some, or it has ended; owned here
  // Some of what it has said since; "" when there is none now, nothing at its end. Never waits.
  virtual std::optional<std::string> read_some() = 0;
};

// One process of our own ancestry, nearest first, ourselves included.
struct Ancestor {
  int pid = 0;
  std::vector<std::string> environment;  // as it was at exec; empty when not readable
};

class Processes {
 public:
  virtual ~Processes() = default;
  // Runs to the end. A program that cannot be started is a machine error that names it; a non-zero
  // code is not an error. A timeout kills the whole process group.
  virtual Result<Finished> run(const Command& command) = 0;
  // Starts it with both output streams appended to `log`.
  virtual Result<std::unique_ptr<Child>> start(const Command& command, const Path& log) = 0;
  // Starts it with a connection, which is closed here, as its standard input and output; errors are
  // appended to `log`.
  virtual Result<std::unique_ptr<Child>> serve(const Command& command, int connection,
                                               const Path& log) = 0;
  // Starts it in a session of its own, away from our terminal; its output is ours to read, errors
  // are appended to `log`.
  virtual Result<std::unique_ptr<PipedChild>> converse(const Command& command, const Path& log) = 0;
  // Becomes the command, with exactly this environment (NAME=value); it reads `given` from the
  // descriptor kGivenFd. Returns only when that failed.
  virtual Error become(const Command& command, const std::vector<std::string>& environment,
                       std::string_view given) = 0;
  // From now on we are killed when our parent ends, also as what we become.
  virtual void end_with_parent() = 0;
  // From now on neither we nor what we start or become reaches an abstract socket of anybody else.
  // Nothing where the kernel cannot (before 6.12) or where `program`, to be run then, is setuid.
  virtual void leave_abstract_sockets(const Path& program) = 0;
  static constexpr int kGivenFd = 9;
  // Starts it in a session of its own, detached from our terminal, output to `log`, and returns
  // when it has written a line to the descriptor named by PAIRFLOW_READY_FD (the line, "" when it
  // ended without one).
  virtual Result<std::string> start_detached(const Command& command, const Path& log) = 0;
  // In a process started by start_detached: the line it waits for. Nothing in others.
  virtual void tell_ready(std::string_view line) = 0;
  // Starts a program whose output is listened to, and returns when its first words are there; a
  // silent one is waited for a moment.
  virtual Result<std::unique_ptr<HeldChild>> hold(const Command& command) = 0;
  // A descriptor that becomes readable when the process ends, the caller's to close; -1 when it is
  // gone already.
  virtual int watch_end(int pid) = 0;
  // Runs it in the foreground on our own terminal.
  virtual Result<int> run_in_foreground(const Command& command) = 0;
  virtual std::vector<Ancestor> ancestry() = 0;
  virtual bool alive(int pid) = 0;
  // Blocks until the process is gone or `wait` has passed; true when it is gone.
  virtual bool wait_gone(int pid, Duration wait) = 0;
  virtual void terminate(int pid) = 0;  // SIGTERM
  // Kills every process but ourselves that began with exactly `mark`, NAME=value, in its
  // environment, and what these start meanwhile.
  virtual void end_marked(const std::string& mark) = 0;
  // The executable file of this name on PATH; a name with a slash is a path.
  virtual std::optional<Path> find_program(std::string_view name) = 0;
};

}  // namespace pf
