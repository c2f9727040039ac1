#include "os/posix/spawn.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <csignal>

#include "base/text.h"
#include "os/system_error.h"

namespace pf {
namespace {

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
  ::posix_spawn_file_actions_addclosefrom_np(actions.get(),
                                             wiring.ready >= 0 ? kReadyFd + 1 : kReadyFd);
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

}  // namespace pf
