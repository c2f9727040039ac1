#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <limits>

#include "os/descriptor.h"
#include "os/posix/os.h"
#include "os/posix/spawn.h"

namespace pf {
namespace {

int fd_of(Stream stream) {
  switch (stream) {
    case Stream::in: return STDIN_FILENO;
    case Stream::out: return STDOUT_FILENO;
    case Stream::err: break;
  }
  return STDERR_FILENO;
}

void wait_for(int fd, short events) {
  pollfd waiting{fd, events, 0};
  uninterrupted([&] { return ::poll(&waiting, 1, -1); });
}

winsize terminal_size() {
  winsize size{};
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO})
    if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size;
  return winsize{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
}

}  // namespace

PosixEnvironment::PosixEnvironment() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) < 0) (void)::open("/dev/null", O_RDWR);  // the lowest one is this one
  std::signal(SIGPIPE, SIG_IGN);
}

std::optional<std::string> PosixEnvironment::get(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Path PosixEnvironment::current_directory() {
  std::error_code code;
  auto path = std::filesystem::current_path(code);
  return code ? Path{} : path;
}

std::vector<std::string> PosixEnvironment::all() { return our_environment(); }

Path PosixEnvironment::executable() {
  std::error_code code;
  std::string path = std::filesystem::read_symlink("/proc/self/exe", code).string();
  constexpr std::string_view kReplaced = " (deleted)";  // an upgrade put another file in its place
  if (path.ends_with(kReplaced)) path.resize(path.size() - kReplaced.size());
  return path;
}

int PosixEnvironment::pid() { return ::getpid(); }
unsigned PosixEnvironment::uid() { return ::getuid(); }

bool PosixEnvironment::is_terminal(Stream stream) { return ::isatty(fd_of(stream)) == 1; }
std::size_t PosixEnvironment::terminal_columns() { return terminal_size().ws_col; }
std::size_t PosixEnvironment::terminal_rows() {
  const auto rows = terminal_size().ws_row;
  return rows > 0 ? rows : 24;
}

void PosixEnvironment::print(Stream stream, std::string_view text) {
  const int fd = fd_of(stream);
  while (!text.empty()) {
    const auto wrote = uninterrupted([&] { return ::write(fd, text.data(), text.size()); });
    if (wrote < 0 && errno == EAGAIN) {
      wait_for(fd, POLLOUT);
      continue;
    }
    if (wrote < 0 && stream == Stream::out) output_error_ = std::errc{errno};
    if (wrote <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

bool PosixEnvironment::read_more() {
  for (;;) {
    const auto some = pf::read_some(STDIN_FILENO);
    if (!some) return false;
    unread_ += *some;
    if (!some->empty()) return true;
    wait_for(STDIN_FILENO, POLLIN);
  }
}

std::optional<std::string> PosixEnvironment::read_line() {
  return *read_line_within(std::numeric_limits<std::size_t>::max());
}

Result<std::optional<std::string>> PosixEnvironment::read_line_within(std::size_t limit) {
  bool too_long = false;
  std::size_t end = 0, seen = 0;
  while ((end = unread_.find('\n', seen)) == std::string::npos) {
    if (unread_.size() > limit) {
      too_long = true;
      unread_.clear();
    }
    seen = unread_.size();
    if (!read_more()) break;
  }
  if (end == std::string::npos && unread_.empty() && !too_long) return std::nullopt;
  std::string line = unread_.substr(0, end);
  unread_.erase(0, end == std::string::npos ? end : end + 1);
  if (!too_long && line.size() <= limit) return line;
  return fail(Exit::usage, "a line of standard input is too long",
              fmt::format("at most {} bytes are read", limit), "give less text");
}

std::string PosixEnvironment::read_some() {
  if (unread_.empty()) read_more();
  return std::exchange(unread_, {});
}

Result<std::string> PosixEnvironment::read_all(std::size_t limit) {
  while (unread_.size() <= limit && read_more()) {
  }
  if (unread_.size() > limit)
    return fail(Exit::usage, "standard input is too long",
                fmt::format("at most {} bytes are read", limit), "give less text");
  return std::exchange(unread_, {});
}

}  // namespace pf
