#pragma once
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <string>

#include "base/check.h"
#include "os/descriptor.h"

namespace pf {

// `name` in an open directory, as /proc/self/fd/<directory>/<name>: an address holds only 108 bytes
// of path, and a repository may lie deeper than that.
inline sockaddr_un socket_address(const Descriptor& directory, std::string_view name) {
  const std::string path = fmt::format("/proc/self/fd/{}/{}", directory.get(), name);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  PF_CHECK(path.size() < sizeof address.sun_path);
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

inline const sockaddr* generic(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

}  // namespace pf
