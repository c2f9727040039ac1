#pragma once
#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "os/descriptor.h"
#include "os/processes.h"

namespace pf {

// What a new process gets; everything else of ours is closed in it.
struct Wiring {
  enum class Group { ours, own, session };
  Group group = Group::own;
  int in = -1;  // -1: inherited
  int out = -1;
  int err = -1;
  int ready = -1;  // becomes kReadyFd, named by PAIRFLOW_READY_FD
  int given = -1;  // becomes Processes::kGivenFd, and is above it here
};
constexpr int kReadyFd = 3;

// A started process that is not reaped yet.
struct Spawned {
  pid_t pid = -1;
  Descriptor pidfd;
};

// Starts the command with an empty signal mask and default signal actions.
Result<Spawned> spawn(const Command& command, const Wiring& wiring);

std::vector<std::string> our_environment();  // NAME=value
// The same with the command's changes.
std::vector<std::string> environment_of(const Command& command);
// The texts as execve takes them, ended by a null pointer.
std::vector<char*> pointers(const std::vector<std::string>& texts);
bool is_program(const Path& path);  // an executable file
// The first executable `name` in the absolute directories of PATH (of `environment`); a name with a
// slash stands for itself.
std::optional<Path> find_on_path(std::string_view name,
                                 const std::vector<std::string>& environment);

// Some of what a non-blocking descriptor has; "" when that is none now, nothing at its end.
std::optional<std::string> read_some(int fd);
// All of it, or false and errno.
bool write_all(int fd, std::string_view bytes);
// A descriptor from which the child reads `input` and then the end of the file.
Result<Descriptor> input_descriptor(std::string_view input);
// The same above Processes::kGivenFd, for Wiring::given; none for "".
Result<Descriptor> given_descriptor(std::string_view given);
// `log` opened for appending, made (0600) when missing.
Result<Descriptor> log_descriptor(const Path& log);
struct Pipe {
  Descriptor read;  // non-blocking
  Descriptor write;
};
Result<Pipe> make_pipe();

// The code of an ended process (128 + signal), which is reaped; nothing while it runs.
std::optional<int> reap(pid_t pid);
// The same of one that has ended: whoever traces it may be told first, and is waited for.
int reap_ended(pid_t pid);
// -1 when there is no such process.
Descriptor open_pidfd(pid_t pid);

inline constexpr Duration kTerminateGrace = std::chrono::seconds(2);  // from TERM to KILL

class PosixChild : public Child {
 public:
  explicit PosixChild(Spawned spawned) : spawned_(std::move(spawned)) {}
  int pid() const override { return spawned_.pid; }
  int pidfd() const override { return spawned_.pidfd.get(); }
  std::optional<int> ended() override;
  // Returns when the child has ended, its descendants in the group have been killed. Does nothing
  // once ended() has given the code, since the group's number may be another's by then.
  void kill_group() override;

 private:
  Spawned spawned_;
  std::optional<int> code_;
};

}  // namespace pf
