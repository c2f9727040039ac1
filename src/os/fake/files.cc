#include "os/fake/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "os/fake/file.h"
#include "os/posix/wait.h"
#include "os/system_error.h"

namespace pf {
namespace {

constexpr Duration kWaitStep = std::chrono::milliseconds(1);

FakeNode::Ptr make_node(FileKind kind) {
  auto node = std::make_shared<FakeNode>();
  node->kind = kind;
  return node;
}

}  // namespace

// Killed, thrown inside `call`, ends this process.
template <class Call>
auto FakeFiles::dying(Call call) {
  try {
    return call();
  } catch (const Killed&) {
    gone_ = true;
    disk_.kill(process_);
    throw;
  }
}

Status FakeFiles::enter(std::string_view call, const Path& path) {
  if (!gone() && before) {
    TRY(dying([&] { return before(call, path); }));
  }
  if (gone()) return fail(Exit::machine, "the simulated process is gone");
  return {};
}

bool FakeFiles::wait_until(const std::function<bool()>& ready, Duration wait) {
  const MonoTime deadline = clock_.mono() + std::min(wait, kForever);
  while (!gone() && !ready()) {
    if (clock_.mono() >= deadline) return false;
    clock_.advance(std::min(kWaitStep, deadline - clock_.mono()));
    if (blocked) dying([&] { return blocked(), true; });
  }
  return !gone();
}

Result<std::unique_ptr<File>> FakeFiles::open(const Path& path, Open how) {
  TRY(enter("open", path));
  auto found = disk_.find(path, FakeDisk::Last::follow);
  if (found.error != 0) return path_error(found.error, "open", path);
  if (!found.node && how != Open::create && how != Open::create_shared)
    return path_error(ENOENT, "open", path);
  if (!found.node) {
    found.node = make_node(FileKind::file);
    disk_.change_names({{found.parent, found.name, found.node}});
  }
  if (found.node->kind == FileKind::directory) return path_error(EISDIR, "open", path);
  return std::make_unique<FakeFile>(*this, found.node, path, how);
}

Result<std::optional<FileInfo>> FakeFiles::info(const Path& path) {
  TRY(enter("info", path));
  const auto found = disk_.find(path, FakeDisk::Last::keep);
  if (found.error == ELOOP) return path_error(ELOOP, "look at", path);
  if (!found.node) return std::nullopt;
  return FileInfo{found.node->kind, found.node->bytes.size(), found.node->executable, 0};
}

Result<std::vector<Entry>> FakeFiles::list(const Path& directory) {
  TRY(enter("list", directory));
  const auto found = disk_.find(directory, FakeDisk::Last::follow);
  std::vector<Entry> entries;
  if (found.error == ENOENT || (found.error == 0 && !found.node)) return entries;
  if (found.error != 0) return path_error(found.error, "list", directory);
  if (found.node->kind != FileKind::directory) return path_error(ENOTDIR, "list", directory);
  for (const auto& [name, node] : found.node->names) entries.push_back({name, node->kind});
  return entries;
}

Status FakeFiles::make_directories(const Path& path) {
  TRY(enter("make_directories", path));
  Path so_far = "/";
  for (const Path& part : path.relative_path()) {
    so_far /= part;
    const auto found = disk_.find(so_far, FakeDisk::Last::follow);
    if (found.error != 0) return path_error(found.error, "make the directory", path);
    if (found.node && found.node->kind != FileKind::directory)
      return path_error(EEXIST, "make the directory", path);
    if (found.node) continue;
    disk_.change_names({{found.parent, found.name, make_node(FileKind::directory)}});
    disk_.sync_names(found.parent);
  }
  return {};
}

Status FakeFiles::rename(const Path& from, const Path& to) {
  TRY(enter("rename", to));
  const auto source = disk_.find(from, FakeDisk::Last::keep);
  const auto target = disk_.find(to, FakeDisk::Last::keep);
  if (source.error != 0 || !source.node) return path_error(ENOENT, "rename a file to", to);
  if (target.error != 0) return path_error(target.error, "rename a file to", to);
  if (!source.parent || !target.parent) return path_error(EBUSY, "rename a file to", to);
  if (source.node == target.node) return {};
  const bool directory = source.node->kind == FileKind::directory;
  if (target.node && (target.node->kind == FileKind::directory) != directory)
    return path_error(directory ? ENOTDIR : EISDIR, "rename a file to", to);
  if (target.node && !target.node->names.empty())
    return path_error(ENOTEMPTY, "rename a file to", to);
  disk_.change_names(
      {{source.parent, source.name, nullptr}, {target.parent, target.name, source.node}});
  return {};
}

Status FakeFiles::remove(const Path& path) {
  TRY(enter("remove", path));
  const auto found = disk_.find(path, FakeDisk::Last::keep);
  if (!found.node) return {};
  if (found.node->kind == FileKind::directory) return path_error(EISDIR, "remove", path);
  disk_.change_names({{found.parent, found.name, nullptr}});
  return {};
}

Status FakeFiles::remove_all(const Path& directory) {
  TRY(enter("remove_all", directory));
  const auto found = disk_.find(directory, FakeDisk::Last::keep);
  if (!found.node) return {};
  if (!found.parent) return path_error(EBUSY, "remove", directory);
  const FakeNode::Names inside = found.node->names;
  for (const auto& [name, node] : inside) TRY(remove_all(directory / name));
  if (!found.node->names.empty()) return path_error(ENOTEMPTY, "remove", directory);
  disk_.change_names({{found.parent, found.name, nullptr}});
  return {};
}

Status FakeFiles::sync_directory(const Path& path) {
  TRY(enter("sync_directory", path));
  const auto found = disk_.find(path, FakeDisk::Last::follow);
  if (!found.node) return path_error(ENOENT, "make durable", path);
  if (found.node->kind != FileKind::directory) return path_error(ENOTDIR, "make durable", path);
  disk_.sync_names(found.node);
  return {};
}

Result<Path> FakeFiles::canonical(const Path& path) {
  TRY(enter("canonical", path));
  auto found = disk_.find(path, FakeDisk::Last::follow);
  if (!found.node) return path_error(found.error != 0 ? found.error : ENOENT, "find", path);
  return std::move(found.path);
}

Status FakeFiles::copy(const Path& from, const Path& to) {
  TRY(enter("copy", to));
  const auto source = disk_.find(from, FakeDisk::Last::keep);
  const auto target = disk_.find(to, FakeDisk::Last::keep);
  if (!source.node) return path_error(ENOENT, "copy", from);
  if (source.node->kind == FileKind::directory) return path_error(EISDIR, "copy", from);
  if (target.error != 0) return path_error(target.error, "write", to);
  if (target.node && target.node->kind == FileKind::directory)
    return path_error(EISDIR, "write", to);
  auto node = make_node(source.node->kind);
  node->executable = source.node->executable;
  node->target = source.node->target;
  if (!source.node->bytes.empty()) node->change({0, source.node->bytes});
  disk_.change_names({{target.parent, target.name, std::move(node)}});
  return {};
}

Status FakeFiles::make_link(const Path&, const Path& path) {
  return fail(Exit::machine, "no links are made in a simulation: " + path.string());
}

Status FakeFiles::set_executable(const Path& path) {
  TRY(enter("set_executable", path));
  const auto found = disk_.find(path, FakeDisk::Last::follow);
  if (!found.node) return path_error(ENOENT, "make executable", path);
  found.node->executable = true;
  return {};
}

Status FakeFiles::copy_mode(const Path& from, const Path& to) {
  TRY(enter("copy_mode", to));
  const auto model = disk_.find(from, FakeDisk::Last::follow);
  const auto found = disk_.find(to, FakeDisk::Last::follow);
  if (!model.node) return {};
  if (!found.node) return path_error(ENOENT, "set the mode of", to);
  found.node->executable = model.node->executable;
  return {};
}

Result<std::string> FakeFiles::read_beneath(const Path& root, const Path& relative,
                                            std::size_t limit) {
  TRY(enter("read_beneath", root / relative));
  const auto refused = [&](std::string why) {
    return fail(Exit::usage, fmt::format("cannot use '{}'", relative.string()), std::move(why));
  };
  if (relative.empty() || relative.is_absolute()) return refused("it leaves the directory");
  Path so_far = root;
  FakeNode::Ptr node;
  for (const Path& part : relative) {
    if (part == "..") return refused("it leaves the directory");
    node = disk_.find(so_far /= part, FakeDisk::Last::keep).node;
    if (!node) return refused("there is no such file");
    if (node->kind == FileKind::symlink) return refused("a part of the path is a symlink");
  }
  if (node->kind != FileKind::file) return refused("it is not a regular file");
  if (node->bytes.size() > limit) return refused("it is too large");
  return node->bytes;
}

Result<std::unique_ptr<Bell>> FakeFiles::listen(const Path& directory) {
  TRY(enter("listen", directory));
  TRY(make_directories(directory));
  return std::make_unique<FakeBell>(*this, disk_.find(directory, FakeDisk::Last::follow).path);
}

void FakeFiles::ring(const Path& directory) {
  if (!enter("ring", directory)) return;
  const auto found = disk_.find(directory, FakeDisk::Last::follow);
  const auto [first, last] = disk_.bells_.equal_range(found.path);
  std::for_each(first, last, [](const auto& bell) { bell.second->ring(); });
}

// Nobody is called in a simulation: every command goes through the door itself.
Result<std::unique_ptr<Listener>> FakeFiles::open_listener(const Path& path) {
  return fail(Exit::machine, "cannot listen at " + path.string());
}
Result<std::optional<std::string>> FakeFiles::call(const Path& path, std::string_view,
                                                   std::size_t) {
  return fail(Exit::machine, "nobody listens at " + path.string());
}

std::string FakeFiles::unique_part() { return std::to_string(++disk_.last_number_); }

}  // namespace pf
