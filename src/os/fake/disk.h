#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "os/files.h"

namespace pf {

// One file, directory or symlink of a FakeDisk.
struct FakeNode {
  using Ptr = std::shared_ptr<FakeNode>;
  using Names = std::map<std::string, Ptr>;

  // A write, or a truncation to `offset` when there are no bytes.
  struct Change {
    std::uint64_t offset = 0;
    std::optional<std::string> bytes;
  };

  FileKind kind = FileKind::file;
  bool executable = false;
  std::string bytes = {};             // of a file: what every process sees
  std::string durable = {};           // what survives a power cut for sure
  std::vector<Change> unsynced = {};  // what leads from `durable` to `bytes`, but for `lost`
  // Bytes of a sync that failed, one flag each: everybody sees them, the disk has not got them, and
  // no later sync will write them, since they count as clean. Writing them again helps.
  std::vector<bool> lost = {};
  Names names = {};  // of a directory: likewise
  Names durable_names = {};
  Path target = {};               // of a symlink
  std::uint64_t lock_holder = 0;  // number of the File that holds the lock; 0: nobody
  int lock_owner = 0;             // its process

  void change(Change change);
  void sync();
  void fail_sync();
  // `content` as the disk would have it: without what is lost.
  std::string without_lost(std::string content) const;
};

// A disk shared by simulated processes (see FakeFiles) that forgets what was not synced.
//
// How it works. File contents become durable by File::sync, names (create, rename, remove) by
// sync_directory of their directory. Until then they are kept as ordered changes beside the durable
// image, so that a power cut can lose all of them, or keep any part that a real disk might keep.
class FakeDisk {
 public:
  FakeDisk();

  // Power cut: everything volatile, all locks and all open files are gone.
  void crash();
  // The same, but a random part of the unsynced bytes (a prefix, blocks with holes of zeros, all)
  // and a random subset of the unsynced names, in order, has reached the disk.
  void crash_torn(std::uint64_t seed);
  // The process is gone: its locks are free. What it wrote stays.
  void kill(int process);
  // Makes a symlink, durable.
  void make_symlink(const Path& target, const Path& path);
  // How many bytes files may still grow; nothing: without limit.
  std::optional<std::uint64_t> free_bytes;

 private:
  friend class FakeFiles;
  friend class FakeFile;
  friend class FakeBell;

  struct Found {
    int error = 0;              // of the way to it, 0 when only the last name may be missing
    FakeNode::Ptr parent = {};  // null for the root
    std::string name = {};
    FakeNode::Ptr node = {};  // null when missing
    Path path = {};           // absolute, without links on the way
  };
  enum class Last { follow, keep };
  Found find(const Path& path, Last last) const;

  // One or two names that change together; no node: the name goes away.
  struct Naming {
    FakeNode::Ptr directory;
    std::string name;
    FakeNode::Ptr node;
  };
  using NameChange = std::vector<Naming>;
  void change_names(NameChange change);
  void sync_names(const FakeNode::Ptr& directory);
  static void make_durable(const NameChange& change);
  void restart();
  void forget_volatile(FakeNode& node);

  FakeNode::Ptr root_;
  std::vector<NameChange> unsynced_names_;
  std::multimap<Path, class FakeBell*> bells_;  // by the directory they hang in
  std::uint64_t last_number_ = 0;
  std::uint64_t boot_ = 1;
};

}  // namespace pf
