#include "journal/lock.h"

#include <utility>

#include "journal/test_world.h"

namespace pf::testing {
namespace {

const Path kLock = "/new/directory/login.lock";

TEST_CASE("a lock excludes, names its holder and is free again after it") {
  FakeDisk disk;
  Process first(disk, 11);
  Process second(disk, 12);
  CHECK(Lock::is_held(first.os, kLock) == false);
  CHECK(first.files.exists(kLock) == false);
  {
    const auto held = Lock::take(first.os, kLock, Duration::zero());
    REQUIRE(held);
    CHECK(first.files.read(kLock) == "11\n");
    CHECK(Lock::last_holder(second.os, kLock) == 11);
    const auto refused = Lock::take(second.os, kLock, std::chrono::seconds(5));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().exit == Exit::machine);
    CHECK(refused.error().what == "'/new/directory/login.lock' is locked by process 11");
    CHECK_FALSE(Lock::try_take(second.os, kLock)->has_value());
    CHECK(Lock::is_held(second.os, kLock) == true);
  }
  CHECK(Lock::is_held(second.os, kLock) == false);
  CHECK(first.files.read(kLock) == "11\n");
  CHECK(Lock::take(second.os, kLock, Duration::zero()));
  CHECK(first.files.read(kLock) == "12\n");
}

TEST_CASE("a dead holder does not block and leaves the file in place") {
  FakeDisk disk;
  Process first(disk, 11);
  Process second(disk, 12);
  const auto held = Lock::take(first.os, kLock, Duration::zero());
  REQUIRE(held);
  disk.kill(11);
  CHECK(Lock::try_take(second.os, kLock)->has_value());
  CHECK(second.files.exists(kLock) == true);
}

TEST_CASE(
    "a lock whose file is removed while it is taken is taken of the file that is there then") {
  FakeDisk disk;
  Process first(disk, 11);
  Process second(disk, 12);
  bool removed = false;
  first.files.before = [&](std::string_view call, const Path&) -> Status {
    if (call == "lock" && !std::exchange(removed, true)) REQUIRE(second.files.remove(kLock));
    return {};
  };
  const auto held = Lock::take(first.os, kLock, Duration::zero());
  REQUIRE(held);
  CHECK(removed);
  CHECK(held->in_place() == true);
  CHECK(Lock::is_held(second.os, kLock) == true);
}

TEST_CASE("a lock's holder is told that its file was removed, and never holds up a new one") {
  FakeDisk disk;
  Process first(disk, 11);
  Process second(disk, 12);
  const auto held = Lock::take(first.os, kLock, Duration::zero());
  REQUIRE(second.files.remove_all(kLock.parent_path()));
  CHECK(held->in_place() == false);
  const auto other = Lock::take(second.os, kLock, Duration::zero());
  REQUIRE(other);
  CHECK(other->in_place() == true);
  CHECK(held->in_place() == false);
}

TEST_CASE("a lock that vanishes each time it is taken is an error, not an endless wait") {
  FakeDisk disk;
  Process first(disk, 11);
  Process second(disk, 12);
  first.files.before = [&](std::string_view call, const Path&) -> Status {
    if (call == "lock") REQUIRE(second.files.remove(kLock));
    return {};
  };
  const auto held = Lock::take(first.os, kLock, Duration::zero());
  REQUIRE_FALSE(held);
  CHECK(held.error().what == "'/new/directory/login.lock' is removed again and again");
}

TEST_CASE("a note reaches the next holder, whatever became of the one who left it") {
  FakeDisk disk;
  Process first(disk, 123456);
  Process second(disk, 7);
  auto held = Lock::take(first.os, kLock, Duration::zero());
  REQUIRE(held);
  CHECK(held->note().empty());
  REQUIRE(held->leave_note("mind the gap"));
  disk.kill(123456);
  for (const auto* call : {"write_at", "truncate"}) {
    Process killed(disk, 88);
    killed.files.before = [&](std::string_view made, const Path&) -> Status {
      if (made == call) throw Killed{};
      return {};
    };
    CHECK_THROWS_AS((void)Lock::take(killed.os, kLock, Duration::zero()), Killed);
    disk.kill(88);
  }
  auto next = Lock::take(second.os, kLock, Duration::zero());
  REQUIRE(next);
  CHECK(next->note() == "mind the gap");
  CHECK(second.files.read(kLock) == "7\nmind the gap\n");
  REQUIRE(next->leave_note(""));
  CHECK(second.files.read(kLock) == "7\n");
}

TEST_CASE("a head outlives notes and holders, and takes the note back") {
  FakeDisk disk;
  Process first(disk, 123456);
  Process second(disk, 7);
  {
    auto held = Lock::take(first.os, kLock, Duration::zero());
    REQUIRE(held->leave_note("mind the gap"));
    REQUIRE(held->leave_head("so far"));
    CHECK(held->note().empty());
    CHECK(first.files.read(kLock) == "123456\n\nhead so far\n");
    REQUIRE(held->leave_note("again"));
  }
  auto next = Lock::take(second.os, kLock, Duration::zero());
  CHECK(next->note() == "again");
  CHECK(next->head() == "so far");
  CHECK(second.files.read(kLock) == "7\nagain\nhead so far\n");
  CHECK(Lock::head_in(first.os, kLock) == "so far");
  REQUIRE(next->leave_head(""));
  CHECK(second.files.read(kLock) == "7\n");
}

TEST_CASE("a waiting process gets the lock when it is released") {
  FakeDisk disk;
  Process first(disk, 11);
  Process second(disk, 12);
  auto held = Lock::try_take(first.os, kLock);
  REQUIRE((held && *held));
  second.files.blocked = [&] { held->reset(); };
  CHECK(Lock::take(second.os, kLock, std::chrono::seconds(5)));
}

TEST_CASE("an unwritable or hostile pid keeps nobody from the lock") {
  World world;
  world.free_bytes = 0;
  const auto held = Lock::take(world.os, kLock, Duration::zero());
  REQUIRE(held);
  Process other(world, 12);
  const auto unnamed = Lock::take(other.os, kLock, Duration::zero());
  CHECK(unnamed.error().what == "'/new/directory/login.lock' is locked by another process");
  world.free_bytes.reset();
  REQUIRE(*other.files.open(kLock, Open::write)->get()->write_at(0, "\x1b[31m7\n") > 0);
  const auto hostile = Lock::take(other.os, kLock, Duration::zero());
  CHECK(hostile.error().what.find('\x1b') == std::string::npos);
}

}  // namespace
}  // namespace pf::testing
