#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>

#include "base/text.h"
#include "os/posix/os.h"
#include "os/posix/spawn.h"
#include "os/posix/wait.h"
#include "os/system_error.h"

namespace pf {
namespace {

constexpr std::size_t kLongestReadyLine = 64u << 10;

// Takes what has come of a line; true at its end, or when no more of it will come.
bool take_line(int fd, std::string& line) {
  for (;;) {
    const auto some = read_some(fd);
    line += some.value_or("");
    if (const auto end = line.find('\n'); end != std::string::npos) return line.resize(end), true;
    if (!some || line.size() >= kLongestReadyLine) return true;
    if (some->empty()) return false;
  }
}

// Ignores the interrupt keys for as long as it lives.
class IgnoreInterrupts {
 public:
  IgnoreInterrupts()
      : interrupt_(std::signal(SIGINT, SIG_IGN)), quit_(std::signal(SIGQUIT, SIG_IGN)) {}
  IgnoreInterrupts(const IgnoreInterrupts&) = delete;
  IgnoreInterrupts& operator=(const IgnoreInterrupts&) = delete;
  ~IgnoreInterrupts() {
    std::signal(SIGINT, interrupt_);
    std::signal(SIGQUIT, quit_);
  }

 private:
  void (*interrupt_)(int);
  void (*quit_)(int);
};

constexpr int kDeepestAncestry = 128;

std::string read_proc(int pid, std::string_view file) {
  std::ifstream in(fmt::format("/proc/{}/{}", pid, file), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The parent's pid, 0 when there is none or it cannot be known.
int parent_of(int pid) {
  const std::string stat = read_proc(pid, "stat");
  const auto name_end = stat.rfind(')');  // the name may contain anything, also ')'
  if (name_end == std::string::npos) return 0;
  const auto fields = split(std::string_view(stat).substr(name_end + 1), ' ');
  return fields.size() > 2 ? parse_number<int>(fields[2]).value_or(0) : 0;  // "", state, parent, …
}

std::vector<std::string> variables_of(int pid) {
  std::vector<std::string> result;
  const std::string block = read_proc(pid, "environ");
  for (const auto variable : split(block, '\0'))
    if (!variable.empty()) result.emplace_back(variable);
  return result;
}

}  // namespace

Result<std::unique_ptr<Child>> PosixProcesses::start(const Command& command, const Path& log) {
  reap_detached();
  const auto in = TRY(input_descriptor(command.input));
  const auto out = TRY(log_descriptor(log));
  auto spawned = TRY(spawn(command, {.in = in.get(), .out = out.get(), .err = out.get()}));
  return std::make_unique<PosixChild>(std::move(spawned));
}

Result<std::unique_ptr<Child>> PosixProcesses::serve(const Command& command, int connection,
                                                     const Path& log) {
  reap_detached();
  const Descriptor both(connection);
  const auto err = TRY(log_descriptor(log));
  auto spawned = TRY(spawn(command, {.in = both.get(), .out = both.get(), .err = err.get()}));
  return std::make_unique<PosixChild>(std::move(spawned));
}

void PosixProcesses::end_with_parent() { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }

Error PosixProcesses::become(const Command& command, const std::vector<std::string>& environment,
                             std::string_view given) {
  const auto failed = [&](int code) {
    return system_error(code, fmt::format("cannot run '{}'", printable(command.argv[0])));
  };
  const auto program = find_on_path(command.argv[0], environment);
  if (!program) return failed(ENOENT);
  auto bytes = input_descriptor(given);
  if (!bytes) return std::move(bytes).error();
  if (::dup2(bytes->get(), kGivenFd) < 0) return failed(errno);
  if (!command.directory.empty() && ::chdir(command.directory.c_str()) < 0) return failed(errno);
  ::execve(program->c_str(), pointers(command.argv).data(), pointers(environment).data());
  return failed(errno);
}

Result<std::string> PosixProcesses::start_detached(const Command& command, const Path& log) {
  reap_detached();
  const auto in = TRY(input_descriptor(command.input));
  const auto out = TRY(log_descriptor(log));
  auto ready = TRY(make_pipe());
  const auto spawned = TRY(spawn(command, {.group = Wiring::Group::session,
                                           .in = in.get(),
                                           .out = out.get(),
                                           .err = out.get(),
                                           .ready = ready.write.get()}));
  ready.write.reset();
  detached_.push_back(spawned.pid);
  PosixClock clock;
  const MonoTime deadline = clock.mono() + std::min(command.timeout.value_or(kForever), kForever);
  std::string line;
  for (;;) {
    const int either[] = {ready.read.get(), spawned.pidfd.get()};
    const bool more = !readable_of(either, deadline - clock.mono()).empty();
    const bool ended = wait_readable(spawned.pidfd.get(), Duration::zero());
    if (take_line(ready.read.get(), line) || ended) return line;
    if (!more) break;
  }
  ::kill(-spawned.pid, SIGTERM);
  return fail(Exit::machine,
              fmt::format("'{}' did not become ready in time", printable(command.argv[0])), "",
              fmt::format("look at '{}'", printable(log.string())));
}

Result<int> PosixProcesses::run_in_foreground(const Command& command) {
  reap_detached();
  const IgnoreInterrupts ours;
  const auto spawned = TRY(spawn(command, {.group = Wiring::Group::ours}));
  for (;;) {
    wait_readable(spawned.pidfd.get(), kForever);
    if (const auto code = reap(spawned.pid)) return *code;
  }
}

std::vector<Ancestor> PosixProcesses::ancestry() {
  std::vector<Ancestor> result;
  int pid = ::getpid();
  while (pid > 0 && result.size() < kDeepestAncestry) {
    result.push_back({pid, variables_of(pid)});
    pid = parent_of(pid);
  }
  return result;
}

bool PosixProcesses::alive(int pid) { return !wait_gone(pid, Duration::zero()); }

bool PosixProcesses::wait_gone(int pid, Duration wait) {
  if (pid <= 0) return true;
  const auto pidfd = open_pidfd(pid);
  if (pidfd) return wait_readable(pidfd.get(), wait);
  return errno == ESRCH || (::kill(pid, 0) < 0 && errno == ESRCH);
}

void PosixProcesses::terminate(int pid) {
  if (pid > 0) ::kill(pid, SIGTERM);
}

// Each is held by its pidfd before it is looked at, so that its number cannot be another's by then.
void PosixProcesses::end_marked(const std::string& mark) {
  constexpr int kRounds = 20;  // one that starts another in time is met again
  for (int round = 0; round < kRounds; ++round) {
    bool any = false;
    for (const Entry& entry : PosixFiles().list("/proc").value_or(std::vector<Entry>{})) {
      const int pid = parse_number<int>(entry.name).value_or(0);
      if (pid <= 0 || pid == ::getpid()) continue;
      const auto pidfd = open_pidfd(pid);
      const auto variables = variables_of(pid);
      if (!pidfd || std::ranges::find(variables, mark) == variables.end()) continue;
      any = ::syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0) == 0 || any;
      wait_readable(pidfd.get(), kTerminateGrace);
    }
    if (!any) return;
  }
}

std::optional<Path> PosixProcesses::find_program(std::string_view name) {
  auto found = find_on_path(name, environment_of({}));
  return found && is_program(*found) ? found : std::nullopt;
}

void PosixProcesses::reap_detached() {
  std::erase_if(detached_, [](int pid) { return reap(pid).has_value(); });
}

}  // namespace pf
