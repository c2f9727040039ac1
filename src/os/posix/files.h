#pragma once
#include "os/files.h"

namespace pf {

class PosixFiles : public Files {
 public:
  Result<std::unique_ptr<File>> open(const Path& path, Open how) override;
  Result<std::optional<FileInfo>> info(const Path& path) override;
  Result<std::vector<Entry>> list(const Path& directory) override;
  // What it makes is durable.
  Status make_directories(const Path& path) override;
  Status rename(const Path& from, const Path& to) override;
  Status remove(const Path& path) override;
  Status remove_all(const Path& directory) override;
  Status sync_directory(const Path& path) override;
  Result<Path> canonical(const Path& path) override;
  // Replaces `to`, never writes through a symlink there.
  Status copy(const Path& from, const Path& to) override;
  Status set_executable(const Path& path) override;
  Status copy_mode(const Path& from, const Path& to) override;
  Status make_link(const Path& target, const Path& path) override;
  Result<std::string> read_beneath(const Path& root, const Path& relative,
                                   std::size_t limit) override;
  Result<std::unique_ptr<Bell>> listen(const Path& directory) override;
  void ring(const Path& directory) override;
  Result<std::unique_ptr<Listener>> open_listener(const Path& path) override;
  Result<std::optional<std::string>> call(const Path& path, std::string_view request,
                                          std::size_t limit) override;

 protected:
  std::string unique_part() override;
};

}  // namespace pf
