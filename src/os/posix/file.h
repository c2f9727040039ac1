#pragma once
#include "os/descriptor.h"
#include "os/files.h"

namespace pf {

class PosixFile : public File {
 public:
  PosixFile(Descriptor fd, Path path) : fd_(std::move(fd)), path_(std::move(path)) {}
  Result<std::string> read_at(std::uint64_t offset, std::size_t limit) override;
  Result<std::size_t> write_at(std::uint64_t offset, std::string_view bytes) override;
  Status sync() override;
  Status truncate(std::uint64_t size) override;
  Result<std::uint64_t> size() override;
  Result<bool> lock(Duration wait) override;
  Result<bool> is_locked() override;
  Result<bool> in_place() override;

 private:
  Descriptor fd_;
  Path path_;  // as it was opened
};

}  // namespace pf
