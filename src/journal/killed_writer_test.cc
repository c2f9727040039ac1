// A writer that dies, alone or with the machine, and what the next one finds.
#include <rapidcheck.h>

#include "journal/test_world.h"

namespace pf::testing {
namespace {

// Dies at the first of these calls on the journal that comes after a failed sync.
Fault killed_after_failed_sync(std::string_view where) {
  return [where, failed = false](std::string_view call, const Path& path) mutable -> Status {
    if (path == kJournal && call == "sync" && !failed) {
      failed = true;
      return eio();
    }
    if (failed && call == where) throw Killed{};
    return {};
  };
}

TEST_CASE("a killed writer's lines are made durable by the next command") {
  FakeDisk disk;
  {
    Process killed(disk);
    append(killed, 1, "r1");
    REQUIRE_THROWS_AS(append_with(killed,
                                  [](std::string_view call, const Path& path) -> Status {
                                    if (call == "sync" && path == kJournal) throw Killed{};
                                    return {};
                                  }),
                      Killed);
  }
  disk.kill(1000);
  {
    Process next(disk, 2000);
    auto door = next.door();
    CHECK(door.note().starts_with("unproved from byte "));
    CHECK(next.journal.after({})->lines.back().request == RequestId("r2"));
    next.files.before = failing_calls({"sync"});
    CHECK(next.journal.prove(door).error().exit == Exit::machine);
    next.files.before = nullptr;
    CHECK(next.journal.prove(door));
    CHECK(door.note().empty());
  }
  disk.crash();
  Process later(disk, 3000);
  CHECK(later.journal.after({})->lines.size() == 3);
}

TEST_CASE("a sync that failed and whose writer died: the next batch does not stand on lost bytes") {
  for (const auto* where : {"open", "truncate", "size"}) {
    CAPTURE(where);
    FakeDisk disk;
    Process killed(disk);
    append(killed, 1, "r1");
    REQUIRE_THROWS_AS(append_with(killed, killed_after_failed_sync(where)), Killed);
    disk.kill(1000);
    Process next(disk, 2000);
    {
      auto door = next.door();
      REQUIRE(next.journal.prove(door));
    }
    const auto lines = next.journal.after({})->lines.size();
    append(next, 1, "r3");
    disk.crash();
    Process later(disk, 3000);
    CHECK(later.journal.after({})->lines.size() == lines + 1);
  }
}

TEST_CASE("a doubt that could not be marked is settled by the next command") {
  World world;
  append(world, 1, "r1");
  const auto lines = append_with(world, [](std::string_view call, const Path& path) -> Status {
    const bool marks = call == "open" && path.string().ends_with(".in-doubt");
    const bool writes = path == kJournal && (call == "sync" || call == "truncate");
    return marks || writes ? eio() : Status{};
  });
  REQUIRE_FALSE(lines);
  CHECK(lines.error().exit == Exit::damaged);
  CHECK(lines.error().why.find("could not be made either") != std::string::npos);
  Process next(world, 2000);
  {
    auto door = next.door();
    REQUIRE(next.journal.settle_doubt(door));
  }
  append(next, 1, "r3");
  world.crash();
  Process later(world, 3000);
  CHECK(later.journal.after({})->lines.size() == 4);
}

TEST_CASE("a note that a loss of power tore stands for the whole journal") {
  for (const auto* note : {"unproved from byte ", "unpro", "?", "unproved from byte 99999999"}) {
    World world;
    append(world, 2, "r1");
    {
      auto door = world.door();
      REQUIRE(door.leave_note(note));
    }
    Process next(world, 2000);
    auto door = next.door();
    CHECK(next.journal.prove(door));
    CHECK(door.note().empty());
    CHECK(next.journal.after({})->lines.size() == 2);
  }
}

// One life of the machine: recovers, then appends until it dies at call number `death`.
struct Life {
  std::size_t acknowledged = 0;  // lines that must be there from now on
  void live(FakeDisk& disk, int death, std::size_t written) {
    Process process(disk);
    int calls = 0;
    process.files.before = [&](std::string_view, const Path&) -> Status {
      if (++calls == death) throw Killed{written};
      return {};
    };
    try {
      auto door = process.door();
      RC_ASSERT(process.journal.prove(door).has_value());
      auto tail = process.journal.after({});
      RC_ASSERT(tail.has_value());
      RC_ASSERT(tail->lines.size() >= acknowledged);
      RC_ASSERT(tail->lines.size() <= acknowledged + 3);
      const auto head = head_of(door.head());
      const auto witnesses = head ? std::vector{*head} : std::vector<Mark>{};
      RC_ASSERT(process.journal.examine(witnesses, [](Line&&) { return Status{}; }).has_value());
      if (tail->torn) RC_ASSERT(process.journal.repair_tail(door, *tail->torn).has_value());
      acknowledged = tail->lines.size();
      Mark at = tail->mark;
      for (std::size_t size : {1u, 3u, 2u}) {
        const auto lines = process.journal.append(door, at, drafts(size), RequestId("r"));
        RC_ASSERT(lines.has_value());
        acknowledged += size;
        at = lines->back().mark;
      }
    } catch (const Killed&) {
    }
  }
};

TEST_CASE("property: killed or without power at any call, nothing acknowledged is lost") {
  CHECK(rc::check([] {
    FakeDisk disk;
    Life life;
    for (int n = 0; n < 6; ++n) {
      life.live(disk, *rc::gen::inRange(1, 40), *rc::gen::inRange<std::size_t>(0, 1500));
      switch (*rc::gen::inRange(0, 3)) {
        case 0: break;
        case 1: disk.crash(); break;
        default: disk.crash_torn(*rc::gen::arbitrary<std::uint64_t>());
      }
    }
    life.live(disk, 0, 0);
  }));
}

}  // namespace
}  // namespace pf::testing
