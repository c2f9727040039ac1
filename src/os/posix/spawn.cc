#include "os/posix/spawn.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <csignal>

#include "base/text.h"
#include "os/system_error.h"

namespace pf {
namespace {

constexpr std::string_view kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

bool names(std::string_view variable, std::string_view name) {
  return variable.size() > name.size() && variable.starts_with(name) &&
         variable[name.size()] == '=';
}

class Actions {
 public:
  Actions() { ::posix_spawn_file_actions_init(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  ~Actions() { ::posix_spawn_file_actions_destroy(&actions_); }
  posix_spawn_file_actions_t* get() { return &actions_; }
  void connect(int from, int to) {
    if (from >= 0) ::posix_spawn_file_actions_adddup2(&actions_, from, to);
  }

 private:
  posix_spawn_file_actions_t actions_;
};

class Attributes {
 public:
  explicit Attributes(Wiring::Group group) {
    ::posix_spawnattr_init(&attributes_);
    sigset_t signals;
    sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes_, &signals);
    sigfillset(&signals);
    ::posix_spawnattr_setsigdefault(&attributes_, &signals);
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (group == Wiring::Group::own) flags |= POSIX_SPAWN_SETPGROUP;
    if (group == Wiring::Group::session) flags |= POSIX_SPAWN_SETSID;
    ::posix_spawnattr_setflags(&attributes_, static_cast<short>(flags));
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { ::posix_spawnattr_destroy(&attributes_); }
  posix_spawnattr_t* get() { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

std::unexpected<Error> cannot_run(std::string_view program, std::string why, std::string fix) {
  return fail(Exit::machine, fmt::format("cannot run '{}'", printable(program)), std::move(why),
              std::move(fix));
}

std::unexpected<Error> spawn_error(int code, const Command& command) {
  const std::string& program = command.argv[0];
  std::error_code ignored;
  if (!command.directory.empty() && !std::filesystem::is_directory(command.directory, ignored))
    return cannot_run(
        program,
        fmt::format("its directory '{}' is missing", printable(command.directory.string())),
        "restore the directory, then run the same command again");
  const Error error = system_error(code, "");
  if (code == ENOENT || code == EACCES || code == ENOEXEC)
    return cannot_run(program, error.why,
                      fmt::format("check that '{}' is an executable program", printable(program)));
  return cannot_run(program, error.why, error.fix);
}

void wire(Actions& actions, const Wiring& wiring, const Path& directory) {
  actions.connect(wiring.in, STDIN_FILENO);
  actions.connect(wiring.out, STDOUT_FILENO);
  actions.connect(wiring.err, STDERR_FILENO);
  actions.connect(wiring.ready, kReadyFd);
  actions.connect(wiring.given, Processes::kGivenFd);
  int rest = wiring.ready >= 0 ? kReadyFd + 1 : kReadyFd;
  if (wiring.given >= 0) {
    for (; rest < Processes::kGivenFd; ++rest)
      ::posix_spawn_file_actions_addclose(actions.get(), rest);
    ++rest;
  }
  ::posix_spawn_file_actions_addclosefrom_np(actions.get(), rest);
  if (!directory.empty()) ::posix_spawn_file_actions_addchdir_np(actions.get(), directory.c_str());
}

}  // namespace

Result<Spawned> spawn(const Command& command, const Wiring& wiring) {
  if (command.argv.empty() || command.argv[0].empty())
    return fail(Exit::machine, "cannot run a command without a name", "",
                "check the configuration");
  const std::string& name = command.argv[0];
  std::vector<std::string> environment = environment_of(command);
  if (wiring.ready >= 0) environment.push_back(fmt::format("PAIRFLOW_READY_FD={}", kReadyFd));
  const auto program = find_on_path(name, environment);
  if (!program)
    return cannot_run(name, "no such program is on PATH",
                      fmt::format("install '{}' or put it on PATH", printable(name)));
  Actions actions;
  wire(actions, wiring, command.directory);
  Attributes attributes(wiring.group);
  pid_t pid = -1;
  const int code = ::posix_spawn(&pid, program->c_str(), actions.get(), attributes.get(),
                                 pointers(command.argv).data(), pointers(environment).data());
  if (code != 0) return spawn_error(code, command);
  Descriptor pidfd = open_pidfd(pid);
  if (!pidfd) {
    const int why = errno;
    ::kill(pid, SIGKILL);
    uninterrupted([&] { return ::waitpid(pid, nullptr, 0); });
    return spawn_error(why, command);
  }
  return Spawned{pid, std::move(pidfd)};
}

std::vector<std::string> our_environment() {
  std::vector<std::string> result;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    result.emplace_back(*variable);
  return result;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

std::optional<std::string> read_some(int fd) {
  std::array<char, 1 << 16> buffer;
  const auto got = uninterrupted([&] { return ::read(fd, buffer.data(), buffer.size()); });
  if (got < 0 && errno == EAGAIN) return "";
  if (got <= 0) return std::nullopt;
  return std::string(buffer.data(), static_cast<std::size_t>(got));
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto wrote = uninterrupted([&] { return ::write(fd, bytes.data(), bytes.size()); });
    if (wrote == 0) errno = EIO;
    if (wrote <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

std::vector<std::string> environment_of(const Command& command) {
  std::vector<std::string> result = our_environment();
  for (const auto& [name, value] : command.environment) {
    std::erase_if(result, [&](const std::string& variable) { return names(variable, name); });
    if (value) result.push_back(name + "=" + *value);
  }
  std::erase_if(result, [](const std::string& v) { return names(v, "PAIRFLOW_READY_FD"); });
  return result;
}

bool is_program(const Path& path) {
  struct stat found{};
  return ::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

std::optional<Path> find_on_path(std::string_view name,
                                 const std::vector<std::string>& environment) {
  if (name.empty()) return std::nullopt;
  if (name.find('/') != std::string_view::npos) return Path(name);
  const auto variable =
      std::ranges::find_if(environment, [](const std::string& v) { return names(v, "PATH"); });
  const std::string_view path = variable == environment.end()
                                    ? kDefaultPath
                                    : std::string_view(*variable).substr(sizeof "PATH");
  for (const std::string_view directory : split(path, ':'))
    if (directory.starts_with('/'))
      if (Path candidate = Path(directory) / name; is_program(candidate)) return candidate;
  return std::nullopt;
}

// A file in memory: the child reads at its own pace and a child that does not read harms nobody.
Result<Descriptor> input_descriptor(std::string_view input) {
  Descriptor fd(input.empty() ? ::open("/dev/null", O_RDONLY | O_CLOEXEC)
                              : ::memfd_create("input", MFD_CLOEXEC));
  if (!fd || !write_all(fd.get(), input) || (!input.empty() && ::lseek(fd.get(), 0, SEEK_SET) < 0))
    return std::unexpected(system_error(errno, "cannot hand over standard input"));
  return fd;
}

Result<Descriptor> given_descriptor(std::string_view given) {
  if (given.empty()) return Descriptor();
  const auto low = TRY(input_descriptor(given));
  Descriptor high(::fcntl(low.get(), F_DUPFD_CLOEXEC, Processes::kGivenFd + 1));
  if (!high) return std::unexpected(system_error(errno, "cannot hand over a descriptor"));
  return high;
}

Result<Descriptor> log_descriptor(const Path& log) {
  Descriptor fd(::open(log.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600));
  if (!fd) return path_error(errno, "write the log", log);
  return fd;
}

Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) < 0)
    return std::unexpected(system_error(errno, "cannot make a pipe"));
  Pipe pipe{Descriptor(ends[0]), Descriptor(ends[1])};
  ::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK);
  return pipe;
}

namespace {

std::optional<int> reap_as(pid_t pid, int options) {
  int status = 0;
  const pid_t got = uninterrupted([&] { return ::waitpid(pid, &status, options); });
  if (got == 0) return std::nullopt;
  if (got < 0) return 128 + 9;  // somebody else reaped it; how it ended is not known
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

std::optional<int> reap(pid_t pid) { return reap_as(pid, WNOHANG); }
int reap_ended(pid_t pid) { return *reap_as(pid, 0); }

Descriptor open_pidfd(pid_t pid) {
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

}  // namespace pf
