#pragma once
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <string>
#include <vector>

#include "journal/journal.h"
#include "os/fake/clock.h"
#include "os/fake/environment.h"
#include "os/fake/files.h"
#include "os/fake/processes.h"
#include "os/fake/random.h"
#include "os/system_error.h"

namespace pf::testing {

// One simulated process on a disk of its own or on a shared one, with one journal.
struct Process {
  FakeClock clock;
  FakeFiles files;
  FakeProcesses processes;
  FakeRandom random;
  FakeEnvironment env;
  Os os{files, processes, clock, random, env};
  Journal journal{os, "/loop/transcript.ndjson", "login", "pairflow bubble verify --id login"};

  explicit Process(FakeDisk& disk, int pid = 1000) : files(disk, clock, pid) { env.process = pid; }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  Lock door() {
    auto lock = Lock::take(os, "/locks/login.lock", Duration::zero());
    REQUIRE(lock);
    return std::move(*lock);
  }
  Mark end() { return journal.after({})->mark; }
};

struct World : FakeDisk, Process {
  World() : Process(static_cast<FakeDisk&>(*this)) {}
};

inline const Path kJournal = "/loop/transcript.ndjson";

inline std::vector<Draft> drafts(std::size_t count, const std::string& summary = "Grüße") {
  std::vector<Draft> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back({"codex", "claude", "PASS", 1, {{"summary", summary}}, {"artifacts/x.md"}});
  return result;
}

// Appends one batch behind whatever is there.
inline std::vector<Line> append(Process& process, std::size_t count, const std::string& request) {
  auto door = process.door();
  const auto lines = process.journal.append(door, process.end(), drafts(count), RequestId(request));
  REQUIRE(lines);
  return *lines;
}

inline std::string content(Process& process) { return process.files.read(kJournal).value(); }

inline void set_content(Process& process, const std::string& bytes) {
  REQUIRE(process.files.make_directories(kJournal.parent_path()));
  REQUIRE(process.files.replace(kJournal, bytes, Durable::yes));
}

using Fault = std::function<Status(std::string_view call, const Path& path)>;

inline Status eio() { return std::unexpected(system_error(EIO, "cannot do it")); }

// Fails the calls of these names on the journal itself.
inline Fault failing_calls(std::vector<std::string_view> names) {
  return [names](std::string_view call, const Path& path) -> Status {
    const bool named = std::ranges::find(names, call) != names.end();
    return named && path == kJournal ? eio() : Status{};
  };
}

// Two lines as the request "r2".
inline Result<std::vector<Line>> append_with(Process& process, const Fault& fault) {
  auto door = process.door();
  const auto at = process.end();
  process.files.before = fault;
  auto lines = process.journal.append(door, at, drafts(2), RequestId("r2"));
  process.files.before = nullptr;
  return lines;
}

// The text of a journal with batches of these sizes, and its lines.
struct Sample {
  std::string text;
  std::vector<Line> lines;
  explicit Sample(const std::vector<std::size_t>& sizes) {
    World world;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      for (auto& line : append(world, sizes[i], fmt::format("r{}", i))) lines.push_back(line);
    text = content(world);
  }
  std::string_view line(std::size_t index) const {
    const auto& mark = lines[index].mark;
    return std::string_view(text).substr(mark.begin, mark.end - mark.begin);
  }
  // How many lines of whole batches end at or before `size`.
  std::size_t whole_before(std::uint64_t size) const {
    std::size_t whole = 0;
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (lines[i].left == 0 && lines[i].mark.end <= size) whole = i + 1;
    return whole;
  }
};

inline std::vector<std::string> encoded(const std::vector<Line>& lines) {
  std::vector<std::string> texts;
  for (const auto& line : lines) texts.push_back(encode_line(line));
  return texts;
}

}  // namespace pf::testing
