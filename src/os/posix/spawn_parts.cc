#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>

#include "base/text.h"
#include "os/posix/spawn.h"
#include "os/system_error.h"

namespace pf {
namespace {

constexpr std::string_view kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

bool names(std::string_view variable, std::string_view name) {
  return variable.size() > name.size() && variable.starts_with(name) &&
         variable[name.size()] == '=';
}

}  // namespace

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

std::optional<int> reap(pid_t pid) {
  int status = 0;
  const pid_t got = uninterrupted([&] { return ::waitpid(pid, &status, WNOHANG); });
  if (got == 0) return std::nullopt;
  if (got < 0) return 128 + 9;  // somebody else reaped it; how it ended is not known
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

Descriptor open_pidfd(pid_t pid) {
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

}  // namespace pf
