#pragma once
#include <memory>
#include <string>

#include "os/descriptor.h"
#include "os/files.h"

namespace pf {

// How it works. A bell is a datagram socket `<name>.bell` in the directory; a ring is one empty
// datagram to each. The socket is bound under another name and then renamed, so that nobody who
// rings meets it half made and takes it for an abandoned one.
class PosixBell : public Bell {
 public:
  // `name` must be unused in `directory`, which must exist.
  static Result<std::unique_ptr<Bell>> hang(const Path& directory, const std::string& name);
  ~PosixBell() override;
  int fd() const override { return socket_.get(); }
  void silence() override;
  bool wait(Duration wait) override;
  std::vector<int> wait_or_readable(Duration wait, std::span<const int> others) override;

 private:
  PosixBell(Descriptor directory, Descriptor socket, std::string name);

  Descriptor directory_;
  Descriptor socket_;
  std::string name_;
};

// Rings every bell in `directory`; unlinks those whose owner is gone.
void ring_bells(const Path& directory);

}  // namespace pf
