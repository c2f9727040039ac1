#include <algorithm>
#include <random>

#include "os/fake/disk.h"

// What is left on a FakeDisk after a power cut or the end of a process.
namespace pf {
namespace {

using Engine = std::mt19937_64;

std::size_t below(Engine& engine, std::size_t limit) { return engine() % limit; }

// Some of the unsynced changes in order, the one after them in part.
std::string with_prefix(const FakeNode& node, Engine& engine) {
  FakeNode result{.bytes = node.durable};
  const std::size_t whole = below(engine, node.unsynced.size());
  for (std::size_t i = 0; i < whole; ++i) result.change(node.unsynced[i]);
  FakeNode::Change partial = node.unsynced[whole];
  if (partial.bytes) {
    partial.bytes->resize(below(engine, partial.bytes->size() + 1));
    result.change(partial);
  }
  return result.bytes;
}

// The new size, but blocks that never arrived: old content, or zeros where there was none.
std::string with_holes(const FakeNode& node, Engine& engine) {
  std::string result = node.bytes;
  const std::size_t block = below(engine, 2) == 0 ? 512 : 16;
  for (std::size_t at = 0; at < result.size(); at += block) {
    if (below(engine, 2) == 0) continue;
    for (std::size_t i = at; i < std::min(at + block, result.size()); ++i)
      result[i] = i < node.durable.size() ? node.durable[i] : '\0';
  }
  return result;
}

std::string torn(const FakeNode& node, Engine& engine) {
  if (node.unsynced.empty()) return node.durable;
  switch (below(engine, 4)) {
    case 0: return node.durable;
    case 1: return node.without_lost(node.bytes);
    case 2: return node.without_lost(with_holes(node, engine));
    default: return node.without_lost(with_prefix(node, engine));
  }
}

void tear_contents(FakeNode& node, Engine& engine) {
  if (node.kind == FileKind::file) node.durable = torn(node, engine);
  for (const auto& [name, child] : node.durable_names) tear_contents(*child, engine);
}

void release_locks(FakeNode& node, int process) {
  if (node.lock_owner == process) node.lock_owner = 0, node.lock_holder = 0;
  for (const auto& [name, child] : node.names) release_locks(*child, process);
}

}  // namespace

void FakeDisk::forget_volatile(FakeNode& node) {
  node.bytes = node.durable;
  node.unsynced.clear();
  node.lost.clear();
  node.names = node.durable_names;
  node.lock_holder = 0;
  node.lock_owner = 0;
  for (const auto& [name, child] : node.names) forget_volatile(*child);
}

void FakeDisk::restart() {
  unsynced_names_.clear();
  bells_.clear();
  ++boot_;
  forget_volatile(*root_);
}

void FakeDisk::crash() { restart(); }

void FakeDisk::crash_torn(std::uint64_t seed) {
  Engine engine(seed);
  for (const NameChange& change : unsynced_names_)
    if (below(engine, 2) == 0) make_durable(change);
  tear_contents(*root_, engine);
  restart();
}

void FakeDisk::kill(int process) { release_locks(*root_, process); }

}  // namespace pf
