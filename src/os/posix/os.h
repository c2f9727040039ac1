#pragma once
#include "os/os.h"

// The real seams of this process.
namespace pf {

// Makes sure that descriptors 0 to 2 are open (else a journal could become standard output) and
// that a closed pipe is an error to ignore instead of a signal.
class PosixEnvironment : public Environment {
 public:
  PosixEnvironment();
  std::optional<std::string> get(std::string_view name) override;
  std::vector<std::string> all() override;
  Path current_directory() override;  // empty when it was removed
  Path executable() override;
  int pid() override;
  unsigned uid() override;
  bool is_terminal(Stream stream) override;
  std::size_t terminal_columns() override;
  std::size_t terminal_rows() override;
  Result<std::unique_ptr<SignalWatch>> watch_signals() override;
  Result<std::unique_ptr<Keys>> take_keys() override;
  void print(Stream stream, std::string_view text) override;
  std::errc output_error() override { return output_error_; }
  std::optional<std::string> read_line() override;
  Result<std::optional<std::string>> read_line_within(std::size_t limit) override;
  std::string read_some() override;
  Result<std::string> read_all(std::size_t limit) override;

 private:
  bool read_more();

  std::string unread_;
  std::errc output_error_ = {};
};

class PosixFiles : public Files {
 public:
  Result<std::unique_ptr<File>> open(const Path& path, Open how) override;
  Result<std::optional<FileInfo>> info(const Path& path) override;
  Result<std::vector<Entry>> list(const Path& directory) override;
  // What it makes is durable.
  Status make_directories(const Path& path) override;
  Status rename(const Path& from, const Path& to) override;
  Status remove(const Path& path) override;
  Status remove_all(const Path& directory) override;
  Status sync_directory(const Path& path) override;
  Result<Path> canonical(const Path& path) override;
  // Replaces `to`, never writes through a symlink there.
  Status copy(const Path& from, const Path& to) override;
  Status set_executable(const Path& path) override;
  Status copy_mode(const Path& from, const Path& to) override;
  Status make_link(const Path& target, const Path& path) override;
  Result<std::string> read_beneath(const Path& root, const Path& relative,
                                   std::size_t limit) override;
  Result<std::unique_ptr<Bell>> listen(const Path& directory) override;
  void ring(const Path& directory) override;
  Result<std::unique_ptr<Listener>> open_listener(const Path& path) override;
  Result<std::optional<std::string>> call(const Path& path, std::string_view request,
                                          std::size_t limit) override;

 protected:
  std::string unique_part() override;
};

class PosixProcesses : public Processes {
 public:
  // A descendant that keeps the output open does not delay the answer.
  Result<Finished> run(const Command& command) override;
  Result<std::unique_ptr<Child>> start(const Command& command, const Path& log) override;
  Result<std::unique_ptr<Child>> serve(const Command& command, int connection,
                                       const Path& log) override;
  Result<std::unique_ptr<PipedChild>> converse(const Command& command, const Path& log) override;
  void end_with_parent() override;
  void leave_abstract_sockets(const Path& program) override;
  Error become(const Command& command, const std::vector<std::string>& environment,
               std::string_view given) override;
  // A machine error when `command.timeout` passes without a line; it is terminated then.
  Result<std::string> start_detached(const Command& command, const Path& log) override;
  void tell_ready(std::string_view line) override;
  Result<std::unique_ptr<HeldChild>> hold(const Command& command) override;
  int watch_end(int pid) override;
  // In our own process group; input and timeout are not used. An interrupt key reaches only the
  // child.
  Result<int> run_in_foreground(const Command& command) override;
  std::vector<Ancestor> ancestry() override;
  bool alive(int pid) override;  // an ended process that nobody reaped is not alive
  bool wait_gone(int pid, Duration wait) override;
  void terminate(int pid) override;
  void end_marked(const std::string& mark) override;
  std::optional<Path> find_program(std::string_view name) override;

 private:
  void reap_detached();

  bool ready_told_ = false;
  std::vector<int> detached_;  // children of start_detached that may still run
};

class PosixClock : public Clock {
 public:
  WallTime wall() override;
  MonoTime mono() override;
  std::string boot_id() override;  // first 8 hex digits of the kernel's; "unknown" when hidden
  Duration utc_offset() override;
  void sleep(Duration time) override;
};

// The kernel's random bytes.
class PosixRandom : public Random {
 public:
  void fill(std::span<std::byte> bytes) override;
};

struct PosixOs {
  PosixEnvironment env;  // first: it makes sure that the standard streams are open
  PosixFiles files;
  PosixProcesses processes;
  PosixClock clock;
  PosixRandom random;

  Os os() { return {files, processes, clock, random, env}; }
};

}  // namespace pf
