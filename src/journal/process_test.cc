#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <set>

#include "journal/journal.h"
#include "os/posix/os.h"
#include "os/posix/temp_directory.h"

// The journal on a real disk, written by real processes.
namespace pf {
namespace {

std::vector<Draft> batch(std::size_t size) {
  return std::vector<Draft>(size, {"codex", "claude", "PASS", 1, {{"n", 1}}, {}});
}

bool append_once(Os& os, const Path& directory, const std::string& request) {
  Journal journal(os, directory / "transcript.ndjson", "login");
  auto door = Lock::take(os, directory / "login.lock", std::chrono::minutes(1));
  if (!door) return false;
  const auto tail = journal.after({});
  if (!tail || tail->torn) return false;
  const auto size = 1 + tail->lines.size() % 3;
  return journal.append(*door, tail->mark, batch(size), RequestId(request)).has_value();
}

template <class Body>
pid_t in_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body() ? 0 : 1);
  return child;
}

bool succeeded(pid_t child) {
  int status = -1;
  return ::waitpid(child, &status, 0) == child && status == 0;
}

TEST_CASE("eight processes append at once: gapless, each batch once, readers see no damage") {
  constexpr int kProcesses = 8;
  constexpr int kBatches = 12;
  const TempDirectory directory;
  std::vector<pid_t> children;
  for (int p = 0; p < kProcesses; ++p)
    children.push_back(in_child([&] {
      PosixOs posix;
      Os os = posix.os();
      bool fine = true;
      for (int i = 0; i < kBatches; ++i)
        fine &= append_once(os, directory.path(), fmt::format("{}-{}", p, i));
      return fine;
    }));
  PosixOs posix;
  Os os = posix.os();
  const Journal journal(os, directory.path() / "transcript.ndjson", "login");
  const auto batches = [](const Tail& tail) {
    std::multiset<std::string> requests;
    for (const auto& line : tail.lines)
      if (line.left == 0) requests.insert(line.request.str());
    return requests;
  };
  for (Mark seen; batches(*journal.after({})).size() < kProcesses * kBatches / 2;) {
    const auto tail = journal.after(seen);
    REQUIRE(tail);
    seen = tail->mark;
  }
  for (const auto child : children) CHECK(succeeded(child));
  const auto tail = journal.after({});
  REQUIRE(tail);
  const auto requests = batches(*tail);
  CHECK(requests.size() == kProcesses * kBatches);
  CHECK(std::set(requests.begin(), requests.end()).size() == requests.size());
}

TEST_CASE("a real short write is taken back") {
  const TempDirectory directory;
  CHECK(succeeded(in_child([&] {
    PosixOs posix;
    Os os = posix.os();
    const auto path = directory.path() / "transcript.ndjson";
    if (!append_once(os, directory.path(), "r1")) return false;
    const auto before = os.files.read(path).value();
    ::signal(SIGXFSZ, SIG_IGN);
    for (const std::size_t room : {0u, 1u, 100u}) {
      const rlimit limit{before.size() + room, RLIM_INFINITY};
      if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
      Journal journal(os, path, "login");
      auto door = Lock::take(os, directory.path() / "login.lock", Duration::zero());
      const auto at = journal.after({})->mark;
      const auto lines = journal.append(*door, at, batch(2), RequestId("r2"));
      if (lines || lines.error().exit != Exit::machine) return false;
      if (os.files.read(path).value() != before) return false;
    }
    return true;
  })));
}

TEST_CASE("the lock is free when its holder was killed") {
  const TempDirectory directory;
  const auto path = directory.path() / "login.lock";
  PosixOs posix;
  Os os = posix.os();
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = in_child([&] {
    const auto held = Lock::take(os, path, Duration::zero());
    while (held && ::write(ready[1], "x", 1) == 1) ::pause();
    return false;
  });
  ::close(ready[1]);
  char byte = 0;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  ::close(ready[0]);
  const auto refused = Lock::take(os, path, Duration::zero());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().exit == Exit::machine);
  ::kill(child, SIGKILL);
  CHECK_FALSE(succeeded(child));
  CHECK(Lock::take(os, path, Duration::zero()));
}

}  // namespace
}  // namespace pf
