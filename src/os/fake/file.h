#pragma once
#include "os/fake/files.h"

namespace pf {

// Must not outlive its FakeFiles.
class FakeFile : public File {
 public:
  FakeFile(FakeFiles& files, FakeNode::Ptr node, Path path, Open how)
      : files_(files),
        node_(std::move(node)),
        path_(std::move(path)),
        how_(how),
        number_(++files.disk_.last_number_) {}
  ~FakeFile() override;
  Result<std::string> read_at(std::uint64_t offset, std::size_t limit) override;
  Result<std::size_t> write_at(std::uint64_t offset, std::string_view bytes) override;
  Status sync() override;
  Status truncate(std::uint64_t size) override;
  Result<std::uint64_t> size() override;
  Result<bool> lock(Duration wait) override;
  Result<bool> is_locked() override;
  Result<bool> in_place() override;

 private:
  std::size_t write_some(std::uint64_t offset, std::string_view bytes);

  FakeFiles& files_;
  FakeNode::Ptr node_;
  Path path_;
  Open how_;
  std::uint64_t number_;
};

// A counter of rings; must not outlive its FakeFiles.
class FakeBell : public Bell {
 public:
  FakeBell(FakeFiles& files, Path directory);
  ~FakeBell() override;
  int fd() const override { return -1; }
  void silence() override { rings_ = 0; }
  bool wait(Duration wait) override;
  std::vector<int> wait_or_readable(Duration wait, std::span<const int> others) override;
  void ring() { ++rings_; }

 private:
  FakeFiles& files_;
  Path directory_;
  int rings_ = 0;
};

}  // namespace pf
