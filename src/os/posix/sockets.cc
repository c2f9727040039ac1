// How it works. A bell is a datagram socket `<name>.bell` in its directory; a ring is one empty
// datagram to each. A listener is a stream socket. Both are bound under another name and then
// renamed, so that nobody who rings or calls meets one half made and takes it for an abandoned one.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cstring>

#include "base/check.h"
#include "os/descriptor.h"
#include "os/posix/os.h"
#include "os/posix/wait.h"
#include "os/system_error.h"

namespace pf {
namespace {

constexpr const char* kBellSuffix = ".bell";
constexpr int kWaitingCallers = 64;

Descriptor open_socket(int type) { return Descriptor(::socket(AF_UNIX, type | SOCK_CLOEXEC, 0)); }

Descriptor open_directory(const Path& path) {
  return Descriptor(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

// `name` in an open directory, as /proc/self/fd/<directory>/<name>: an address holds only 108 bytes
// of path, and a repository may lie deeper than that.
sockaddr_un socket_address(const Descriptor& directory, std::string_view name) {
  const std::string path = fmt::format("/proc/self/fd/{}/{}", directory.get(), name);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  PF_CHECK(path.size() < sizeof address.sun_path);
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

const sockaddr* generic(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

// A socket in a directory, under a name that goes with it.
struct NamedSocket {
  Descriptor directory, socket;
  std::string name;

  NamedSocket(Descriptor in, Descriptor made, std::string called)
      : directory(std::move(in)), socket(std::move(made)), name(std::move(called)) {}
  NamedSocket(NamedSocket&&) = default;
  ~NamedSocket() {
    if (directory) ::unlinkat(directory.get(), name.c_str(), 0);
  }
};

// In a directory that exists; takes the place of a socket that nobody listens at any more. The
// system's code when that fails.
std::expected<NamedSocket, int> make_socket(const Path& directory, const std::string& half_made,
                                            const std::string& name, int type) {
  NamedSocket made(open_directory(directory), open_socket(type | SOCK_NONBLOCK), half_made);
  const int place = made.directory.get(), socket = made.socket.get();
  if (place < 0 || socket < 0) return std::unexpected(errno);
  ::unlinkat(place, half_made.c_str(), 0);
  const auto address = socket_address(made.directory, half_made);
  if (::bind(socket, generic(address), sizeof address) < 0 ||
      (type == SOCK_STREAM && ::listen(socket, kWaitingCallers) < 0) ||
      ::renameat(place, half_made.c_str(), place, name.c_str()) < 0)
    return std::unexpected(errno);
  made.name = name;
  return made;
}

class PosixBell : public Bell {
 public:
  explicit PosixBell(NamedSocket socket) : socket_(std::move(socket)) {}
  int fd() const override { return socket_.socket.get(); }
  void silence() override {
    char byte = 0;
    while (uninterrupted([&] { return ::recv(fd(), &byte, 1, MSG_DONTWAIT); }) >= 0) {
    }
  }
  bool wait(Duration wait) override {
    if (!wait_readable(fd(), wait)) return false;
    silence();
    return true;
  }
  std::vector<int> wait_or_readable(Duration wait, std::span<const int> others) override {
    std::vector<int> all(others.begin(), others.end());
    all.push_back(fd());
    std::vector<int> readable = readable_of(all, wait);
    if (readable.empty() || readable.back() != fd()) return readable;
    silence();
    readable.pop_back();
    return readable;
  }

 private:
  NamedSocket socket_;
};

class PosixListener : public Listener {
 public:
  explicit PosixListener(NamedSocket socket) : socket_(std::move(socket)) {}
  int fd() const override { return socket_.socket.get(); }
  int accept() override {
    return uninterrupted([&] { return ::accept4(fd(), nullptr, nullptr, SOCK_CLOEXEC); });
  }

 private:
  NamedSocket socket_;
};

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

Result<std::unique_ptr<Bell>> PosixFiles::listen(const Path& directory) {
  TRY(make_directories(directory));
  const std::string name = unique_part();
  auto made = make_socket(directory, name + ".new", name + kBellSuffix, SOCK_DGRAM);
  if (!made) return path_error(made.error(), "listen in", directory);
  return std::make_unique<PosixBell>(std::move(*made));
}

void PosixFiles::ring(const Path& directory) {
  const auto entries = list(directory);
  if (!entries || entries->empty()) return;
  const auto place = open_directory(directory);
  const auto socket = open_socket(SOCK_DGRAM | SOCK_NONBLOCK);
  if (!place || !socket) return;
  for (const Entry& entry : *entries) {
    // Longer names are not ours and would not fit an address.
    if (!entry.name.ends_with(kBellSuffix) || entry.name.size() > 64) continue;
    const auto address = socket_address(place, entry.name);
    const auto sent = uninterrupted([&] {
      return ::sendto(socket.get(), "", 0, MSG_DONTWAIT | MSG_NOSIGNAL, generic(address),
                      sizeof address);
    });
    if (sent < 0 && errno == ECONNREFUSED && entry.kind == FileKind::other)
      ::unlinkat(place.get(), entry.name.c_str(), 0);
  }
}

Result<std::unique_ptr<Listener>> PosixFiles::open_listener(const Path& path) {
  TRY(make_directories(path.parent_path()));
  const std::string name = path.filename().string();
  const Path half_made = path.string() + ".new";
  for (const Path& place : {path, half_made})  // whatever stands there instead of a socket
    if (const auto found = TRY(info(place)); found && found->kind == FileKind::directory)
      TRY(remove_all(place));
  auto made = make_socket(path.parent_path(), half_made.filename(), name, SOCK_STREAM);
  if (!made) return path_error(made.error(), "listen at", path);
  return std::make_unique<PosixListener>(std::move(*made));
}

std::optional<std::string> peek(int connection) {
  std::array<char, 4096> buffer;
  const auto got = uninterrupted(
      [&] { return ::recv(connection, buffer.data(), buffer.size(), MSG_PEEK | MSG_DONTWAIT); });
  if (got < 0 && errno == EAGAIN) return std::nullopt;
  return std::string(buffer.data(), got < 0 ? 0 : static_cast<std::size_t>(got));
}

Result<std::optional<std::string>> PosixFiles::call(const Path& path, std::string_view request,
                                                    std::size_t limit) {
  const auto directory = open_directory(path.parent_path());
  const auto socket = open_socket(SOCK_STREAM);
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
