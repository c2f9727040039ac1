#include "journal/lock.h"

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
