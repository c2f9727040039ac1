#pragma once
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "os/descriptor.h"
#include "os/listener.h"
#include "os/path.h"

namespace pf {

// Addressed through the directory's descriptor, as bells are: a path may be longer than an address.
class PosixListener : public Listener {
 public:
  // In a directory that exists; takes the place of a socket that nobody listens at any more.
  static Result<std::unique_ptr<Listener>> open(const Path& path);
  ~PosixListener() override;
  int fd() const override { return socket_.get(); }
  int accept() override;

 private:
  PosixListener(Descriptor directory, Descriptor socket, std::string name);
  Descriptor directory_;
  Descriptor socket_;
  std::string name_;
};

// See Files::call; with a limit of 0 no answer is waited for.
Result<std::optional<std::string>> call_listener(const Path& path, std::string_view request,
                                                 std::size_t limit);

}  // namespace pf
