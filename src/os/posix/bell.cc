#include "os/posix/bell.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>

#include "os/posix/directory_listing.h"
#include "os/posix/socket_address.h"
#include "os/posix/wait.h"
#include "os/system_error.h"

namespace pf {
namespace {

constexpr std::string_view kSuffix = ".bell";

Descriptor open_socket() {
  return Descriptor(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

Descriptor open_directory(const Path& path) {
  return Descriptor(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

}  // namespace

PosixBell::PosixBell(Descriptor directory, Descriptor socket, std::string name)
    : directory_(std::move(directory)), socket_(std::move(socket)), name_(std::move(name)) {}

PosixBell::~PosixBell() { ::unlinkat(directory_.get(), name_.c_str(), 0); }

Result<std::unique_ptr<Bell>> PosixBell::hang(const Path& directory, const std::string& name) {
  auto place = open_directory(directory);
  if (!place) return path_error(errno, "listen in", directory);
  auto socket = open_socket();
  if (!socket) return path_error(errno, "listen in", directory);
  const std::string half_made = name + ".new";
  const auto address = socket_address(place, half_made);
  if (::bind(socket.get(), generic(address), sizeof address) < 0)
    return path_error(errno, "listen in", directory);
  const std::string made = name + std::string(kSuffix);
  if (::renameat(place.get(), half_made.c_str(), place.get(), made.c_str()) < 0) {
    const int code = errno;
    ::unlinkat(place.get(), half_made.c_str(), 0);
    return path_error(code, "listen in", directory);
  }
  return std::unique_ptr<Bell>(new PosixBell(std::move(place), std::move(socket), made));
}

void PosixBell::silence() {
  char byte = 0;
  while (uninterrupted([&] { return ::recv(socket_.get(), &byte, 1, MSG_DONTWAIT); }) >= 0) {
  }
}

bool PosixBell::wait(Duration wait) {
  if (!wait_readable(socket_.get(), wait)) return false;
  silence();
  return true;
}

std::vector<int> PosixBell::wait_or_readable(Duration wait, std::span<const int> others) {
  std::vector<int> all(others.begin(), others.end());
  all.push_back(socket_.get());
  std::vector<int> readable = readable_of(all, wait);
  if (std::erase(readable, socket_.get()) > 0) silence();
  return readable;
}

void ring_bells(const Path& directory) {
  const auto entries = list_directory(directory);
  if (!entries || entries->empty()) return;
  const auto place = open_directory(directory);
  const auto socket = open_socket();
  if (!place || !socket) return;
  for (const Entry& entry : *entries) {
    // Longer names are not ours and would not fit an address.
    if (!entry.name.ends_with(kSuffix) || entry.name.size() > 64) continue;
    const auto address = socket_address(place, entry.name);
    const auto sent = uninterrupted([&] {
      return ::sendto(socket.get(), "", 0, MSG_DONTWAIT | MSG_NOSIGNAL, generic(address),
                      sizeof address);
    });
    if (sent < 0 && errno == ECONNREFUSED && entry.kind == FileKind::other)
      ::unlinkat(place.get(), entry.name.c_str(), 0);
  }
}

}  // namespace pf
