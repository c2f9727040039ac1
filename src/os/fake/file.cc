#include "os/fake/file.h"

#include <algorithm>
#include <cerrno>

#include "os/posix/wait.h"
#include "os/system_error.h"

namespace pf {

FakeFile::~FakeFile() {
  if (node_->lock_holder == number_) node_->lock_holder = 0, node_->lock_owner = 0;
}

Result<std::string> FakeFile::read_at(std::uint64_t offset, std::size_t limit) {
  TRY(files_.enter("read_at", path_));
  if (offset >= node_->bytes.size()) return std::string();
  return node_->bytes.substr(offset, limit);
}

std::size_t FakeFile::write_some(std::uint64_t offset, std::string_view bytes) {
  auto& free_bytes = files_.disk_.free_bytes;
  if (free_bytes) {
    const std::uint64_t room = std::max<std::uint64_t>(node_->bytes.size(), offset) + *free_bytes;
    bytes = bytes.substr(0, room - offset);
  }
  if (bytes.empty()) return 0;
  const std::size_t size = node_->bytes.size();
  node_->change({offset, std::string(bytes)});
  if (free_bytes) *free_bytes -= std::min<std::uint64_t>(*free_bytes, node_->bytes.size() - size);
  return bytes.size();
}

Result<std::size_t> FakeFile::write_at(std::uint64_t offset, std::string_view bytes) {
  try {
    TRY(files_.enter("write_at", path_));
  } catch (const Killed& killed) {
    if (how_ != Open::read) write_some(offset, bytes.substr(0, killed.written));
    throw;
  }
  if (how_ == Open::read) return path_error(EBADF, "write", path_);
  return write_some(offset, bytes);
}

Status FakeFile::sync() {
  const auto entered = files_.enter("sync", path_);
  entered ? node_->sync() : node_->fail_sync();
  return entered;
}

Status FakeFile::truncate(std::uint64_t size) {
  TRY(files_.enter("truncate", path_));
  if (how_ == Open::read) return path_error(EINVAL, "truncate", path_);
  node_->change({size, std::nullopt});
  return {};
}

Result<std::uint64_t> FakeFile::size() {
  TRY(files_.enter("size", path_));
  return node_->bytes.size();
}

Result<bool> FakeFile::lock(Duration wait) {
  TRY(files_.enter("lock", path_));
  const auto free = [&] { return node_->lock_holder == 0 || node_->lock_holder == number_; };
  if (!files_.wait_until(free, wait)) return false;
  node_->lock_holder = number_;
  node_->lock_owner = files_.process_;
  return true;
}

Result<bool> FakeFile::is_locked() {
  TRY(files_.enter("is_locked", path_));
  return node_->lock_holder != 0 && node_->lock_holder != number_;
}

Result<bool> FakeFile::in_place() {
  TRY(files_.enter("in_place", path_));
  return files_.disk_.find(path_, FakeDisk::Last::follow).node == node_;
}

FakeBell::FakeBell(FakeFiles& files, Path directory)
    : files_(files), directory_(std::move(directory)) {
  files_.disk_.bells_.emplace(directory_, this);
}

FakeBell::~FakeBell() {
  std::erase_if(files_.disk_.bells_, [&](const auto& bell) { return bell.second == this; });
}

bool FakeBell::wait(Duration wait) {
  const bool rung = files_.wait_until([&] { return rings_ > 0; }, wait);
  silence();
  return rung;
}

std::vector<int> FakeBell::wait_or_readable(Duration wait, std::span<const int> others) {
  std::vector<int> readable;
  files_.wait_until(
      [&] {
        readable = readable_of(others, Duration::zero());
        return rings_ > 0 || !readable.empty();
      },
      wait);
  silence();
  return readable;
}

}  // namespace pf
