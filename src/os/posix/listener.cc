#include "os/posix/listener.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "os/connection.h"
#include "os/posix/socket_address.h"
#include "os/posix/wait.h"
#include "os/system_error.h"

namespace pf {
namespace {

constexpr int kWaitingCallers = 64;

Descriptor open_directory(const Path& path) {
  return Descriptor(::open(path.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

Descriptor open_socket(int flags) {
  return Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
}

bool send_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto sent =
        uninterrupted([&] { return ::send(fd, text.data(), text.size(), MSG_NOSIGNAL); });
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return ::shutdown(fd, SHUT_WR) == 0;
}

}  // namespace

PosixListener::PosixListener(Descriptor directory, Descriptor socket, std::string name)
    : directory_(std::move(directory)), socket_(std::move(socket)), name_(std::move(name)) {}

PosixListener::~PosixListener() { ::unlinkat(directory_.get(), name_.c_str(), 0); }

Result<std::unique_ptr<Listener>> PosixListener::open(const Path& path) {
  auto directory = open_directory(path);
  auto socket = open_socket(SOCK_NONBLOCK);
  if (!directory || !socket) return path_error(errno, "listen at", path);
  const std::string name = path.filename().string();
  const std::string half_made = name + ".new";
  ::unlinkat(directory.get(), half_made.c_str(), 0);
  const auto address = socket_address(directory, half_made);
  if (::bind(socket.get(), generic(address), sizeof address) < 0 ||
      ::listen(socket.get(), kWaitingCallers) < 0 ||
      ::renameat(directory.get(), half_made.c_str(), directory.get(), name.c_str()) < 0)
    return path_error(errno, "listen at", path);
  return std::unique_ptr<Listener>(
      new PosixListener(std::move(directory), std::move(socket), name));
}

int PosixListener::accept() {
  return uninterrupted([&] { return ::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC); });
}

std::optional<std::string> peek(int connection) {
  std::array<char, 4096> buffer;
  const auto got = uninterrupted(
      [&] { return ::recv(connection, buffer.data(), buffer.size(), MSG_PEEK | MSG_DONTWAIT); });
  if (got < 0 && errno == EAGAIN) return std::nullopt;
  return std::string(buffer.data(), got < 0 ? 0 : static_cast<std::size_t>(got));
}

Result<std::optional<std::string>> call_listener(const Path& path, std::string_view request,
                                                 std::size_t limit) {
  const auto directory = open_directory(path);
  const auto socket = open_socket(0);
  if (!directory || !socket) return path_error(errno, "call", path);
  const auto address = socket_address(directory, path.filename().string());
  if (uninterrupted([&] { return ::connect(socket.get(), generic(address), sizeof address); }) < 0)
    return path_error(errno, "call", path);
  if (!send_all(socket.get(), request) || limit == 0) return std::nullopt;
  std::string answer;
  std::array<char, 1 << 16> buffer;
  for (;;) {
    const auto got =
        uninterrupted([&] { return ::recv(socket.get(), buffer.data(), buffer.size(), 0); });
    if (got < 0 || answer.size() > limit) return std::nullopt;
    if (got == 0) break;
    answer.append(buffer.data(), static_cast<std::size_t>(got));
  }
  if (!answer.ends_with('\n')) return std::nullopt;
  return answer;
}

}  // namespace pf
