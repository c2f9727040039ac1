#include "loop/own_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "loop/hidden_places.h"

namespace pf {
namespace {

constexpr std::size_t kMostLooked = 200'000;   // names
constexpr std::size_t kMostKept = 200;         // in the directories that the program writes
constexpr std::ptrdiff_t kDeepestWritten = 2;  // levels below those that are never sealed whole

bool ends_like(std::string_view name, std::span<const std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view end) { return name.ends_with(end); });
}

// Nobody runs or obeys what is called so, and every program has its own.
bool is_record(std::string_view name) {
  static constexpr auto kEndings = std::to_array<std::string_view>(
      {".jsonl", ".lock", ".log", ".pid", ".sqlite", ".sqlite-shm", ".sqlite-wal"});
  return ends_like(name, kEndings);
}

// Most of what is there by far; saves a look at its mode.
bool is_a_text(std::string_view name) {
  static constexpr auto kEndings = std::to_array<std::string_view>({".json", ".md", ".txt"});
  return is_record(name) || ends_like(name, kEndings);
}

bool is_named(const std::string& name, OwnFiles::Names names) {
  return std::ranges::find(names, name) != names.end();
}

// A newer version's locks, or an empty directory: nothing there is run.
Result<bool> holds_only_records(Os& os, const Path& directory) {
  return std::ranges::all_of(TRY(os.files.list(directory)), [](const Entry& entry) {
    return entry.kind == FileKind::file && is_record(entry.name);
  });
}

// The walk through the directories that a program writes.
struct OwnWalk {
  Os& os;
  const Path& top;
  std::size_t looked = 0;
  std::set<Path> found = {};  // programs and scripts

  Status look(const Path& directory) {
    std::vector<Path> waiting = {directory};
    while (!waiting.empty()) {
      const Path here = std::move(waiting.back());
      waiting.pop_back();
      const auto entries = os.files.list(here);
      if (!entries) continue;  // gone, or not for us: then not for the agent either
      looked += entries->size();
      if (looked > kMostLooked)
        return fail(
            Exit::refused,
            fmt::format("there are more than {} files in {}", kMostLooked, printable(top.string())),
            "no more are looked at for programs that an agent must not change",
            "remove old conversations there");
      for (const Entry& entry : *entries) {
        if (entry.kind == FileKind::directory) waiting.push_back(here / entry.name);
        if (entry.kind != FileKind::file || is_a_text(entry.name)) continue;
        const auto info = os.files.info(here / entry.name);
        if (info && *info && is_like_a_program(entry.name, **info)) found.insert(here / entry.name);
      }
    }
    return {};
  }

  std::ptrdiff_t depth(const Path& path) const {
    const Path below = path.lexically_relative(top);
    return std::distance(below.begin(), below.end()) - 1;
  }

  // Many become few: the deepest are sealed with the directory that holds them.
  Status gather() {
    while (found.size() > kMostKept) {
      std::ptrdiff_t deepest = 0;
      for (const Path& path : found) deepest = std::max(deepest, depth(path));
      if (deepest <= kDeepestWritten)
        return fail(Exit::refused,
                    fmt::format("there are {} programs and scripts in {}", found.size(),
                                printable(found.begin()->parent_path().string())),
                    fmt::format("at most {} can be kept from being changed by an agent", kMostKept),
                    "remove what is not needed there");
      std::set<Path> fewer;
      for (const Path& path : found)
        fewer.insert(depth(path) == deepest ? path.parent_path() : path);
      found = std::move(fewer);
    }
    return {};
  }
};

}  // namespace

bool is_like_a_program(const std::string& name, const FileInfo& info) {
  static constexpr auto kEndings = std::to_array<std::string_view>(
      {".sh", ".bash", ".zsh", ".fish", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".lua"});
  return info.executable || ends_like(name, kEndings);
}

Result<std::vector<Path>> sealed_of_own(Os& os, const Path& directory, const OwnFiles& own,
                                        const std::vector<Path>& allowed) {
  std::vector<Path> sealed;
  OwnWalk walk{os, directory};
  for (const Entry& entry : TRY(os.files.list(directory))) {
    const Path path = directory / entry.name;
    const bool is_directory = entry.kind == FileKind::directory;
    if (!is_directory && entry.kind != FileKind::file) continue;
    const auto is_it = [&](const OwnFiles::Name& name) { return name.name == entry.name; };
    if (std::ranges::any_of(own.configuration, is_it) || is_named(entry.name, own.apart)) continue;
    if (!is_named(entry.name, own.written) && !is_record(entry.name)) {
      if (!is_directory || !TRY(holds_only_records(os, path))) sealed.push_back(path);
    } else if (is_directory && !is_named(entry.name, own.records)) {
      TRY(walk.look(path));
    }
  }
  if (sealed.size() > kMostKept)
    return fail(Exit::refused,
                fmt::format("there are {} files in {} that its program does not write",
                            sealed.size(), printable(directory.string())),
                fmt::format("at most {} can be kept from being changed by an agent", kMostKept),
                "put them into a directory of their own there");
  TRY(walk.gather());
  sealed.insert(sealed.end(), walk.found.begin(), walk.found.end());
  std::erase_if(sealed, [&](const Path& path) {
    return std::ranges::any_of(allowed, [&](const Path& place) { return lies_in(path, place); });
  });
  return sealed;
}

Result<bool> holds_a_program(Os& os, const Path& directory) {
  std::vector<Path> waiting = {directory};
  for (std::size_t looked = 0; !waiting.empty() && looked <= kMostLooked;) {
    const Path here = std::move(waiting.back());
    waiting.pop_back();
    const auto entries = TRY(os.files.list(here));
    looked += entries.size() + 1;
    for (const Entry& entry : entries) {
      const auto info = TRY(os.files.info(here / entry.name));
      if (entry.kind == FileKind::symlink || (info && is_like_a_program(entry.name, *info)))
        return true;
      if (entry.kind == FileKind::directory) waiting.push_back(here / entry.name);
    }
  }
  return !waiting.empty();
}

}  // namespace pf
