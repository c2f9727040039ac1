#include "os/fake/disk.h"

#include <algorithm>
#include <cerrno>
#include <deque>
#include <set>

#include "base/check.h"

namespace pf {
namespace {

constexpr int kMostLinks = 40;

void prepend(std::deque<std::string>& parts, const Path& path) {
  std::vector<std::string> names;
  for (const Path& part : path)
    if (part != "/" && part != "." && !part.empty()) names.push_back(part.string());
  parts.insert(parts.begin(), names.begin(), names.end());
}

}  // namespace

void FakeNode::change(Change change) {
  if (!change.bytes) {
    bytes.resize(change.offset);
  } else {
    if (bytes.size() < change.offset) bytes.resize(change.offset);
    bytes.replace(change.offset, change.bytes->size(), *change.bytes);
  }
  lost.resize(bytes.size());
  if (change.bytes)
    std::fill_n(lost.begin() + std::ptrdiff_t(change.offset), change.bytes->size(), false);
  unsynced.push_back(std::move(change));
}

std::string FakeNode::without_lost(std::string content) const {
  for (std::size_t i = 0; i < std::min(content.size(), lost.size()); ++i)
    if (lost[i]) content[i] = i < durable.size() ? durable[i] : '\0';
  return content;
}

void FakeNode::sync() {
  durable = without_lost(bytes);
  unsynced.clear();
}

void FakeNode::fail_sync() {
  for (const Change& change : unsynced)
    for (std::size_t i = 0; change.bytes && i < change.bytes->size(); ++i)
      if (change.offset + i < lost.size()) lost[change.offset + i] = true;
  unsynced.clear();
}

FakeDisk::FakeDisk() : root_(std::make_shared<FakeNode>()) { root_->kind = FileKind::directory; }

FakeDisk::Found FakeDisk::find(const Path& path, Last last) const {
  struct Step {
    FakeNode::Ptr directory;
    std::string name;
  };
  std::vector<Step> way;
  std::deque<std::string> parts;
  prepend(parts, path);
  FakeNode::Ptr node = root_;
  int links = 0;
  while (!parts.empty()) {
    if (!node) return {.error = ENOENT};
    if (node->kind != FileKind::directory) return {.error = ENOTDIR};
    const std::string name = std::move(parts.front());
    parts.pop_front();
    if (name == "..") {
      if (way.empty()) continue;
      node = way.back().directory;
      way.pop_back();
      continue;
    }
    const auto found = node->names.find(name);
    const FakeNode::Ptr next = found == node->names.end() ? nullptr : found->second;
    const bool follow = !parts.empty() || last == Last::follow;
    if (next && next->kind == FileKind::symlink && follow) {
      if (++links > kMostLinks) return {.error = ELOOP};
      if (next->target.is_absolute()) {
        way.clear();
        node = root_;
      }
      prepend(parts, next->target);
      continue;
    }
    way.push_back({node, name});
    node = next;
  }
  Found result{.node = node, .path = "/"};
  for (const Step& step : way) result.path /= step.name;
  if (!way.empty()) {
    result.parent = way.back().directory;
    result.name = way.back().name;
  }
  return result;
}

void FakeDisk::change_names(NameChange change) {
  for (const auto& [directory, name, node] : change) {
    if (node)
      directory->names[name] = node;
    else
      directory->names.erase(name);
  }
  unsynced_names_.push_back(std::move(change));
}

void FakeDisk::make_durable(const NameChange& change) {
  for (const auto& [directory, name, node] : change) {
    if (node)
      directory->durable_names[name] = node;
    else
      directory->durable_names.erase(name);
  }
}

// A rename between directories belongs to both and drags along what went before it in the other
// one.
void FakeDisk::sync_names(const FakeNode::Ptr& directory) {
  std::set<FakeNode::Ptr> directories{directory};
  std::vector<NameChange> synced;
  std::vector<NameChange> kept;
  for (auto change = unsynced_names_.rbegin(); change != unsynced_names_.rend(); ++change) {
    const bool touched = std::ranges::any_of(
        *change, [&](const Naming& naming) { return directories.contains(naming.directory); });
    if (touched)
      for (const Naming& naming : *change) directories.insert(naming.directory);
    (touched ? synced : kept).push_back(std::move(*change));
  }
  std::ranges::reverse(synced);
  std::ranges::reverse(kept);
  std::ranges::for_each(synced, make_durable);
  unsynced_names_ = std::move(kept);
}

void FakeDisk::make_symlink(const Path& target, const Path& path) {
  const Found found = find(path, Last::keep);
  PF_CHECK(found.error == 0 && found.parent && !found.node);
  const auto link = std::make_shared<FakeNode>();
  link->kind = FileKind::symlink;
  link->target = target;
  change_names({{found.parent, found.name, link}});
  sync_names(found.parent);
}

}  // namespace pf
