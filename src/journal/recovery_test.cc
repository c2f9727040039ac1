#include <rapidcheck.h>

#include <algorithm>
#include <cerrno>
#include <functional>

#include "journal/journal.h"
#include "journal/test_world.h"
#include "os/system_error.h"

namespace pf::testing {
namespace {

using Fault = std::function<Status(std::string_view call, const Path& path)>;

Status eio() { return std::unexpected(system_error(EIO, "cannot do it")); }

// Fails the calls from number `first` on, at most `times` of them.
Fault failing(int first, int times, int& count) {
  return [=, &count](std::string_view, const Path&) -> Status {
    ++count;
    return count >= first && count < first + times ? eio() : Status{};
  };
}

// Fails the calls of these names on the journal itself.
Fault failing_calls(std::vector<std::string_view> names) {
  return [names](std::string_view call, const Path& path) -> Status {
    const bool named = std::ranges::find(names, call) != names.end();
    return named && path == kJournal ? eio() : Status{};
  };
}

Result<std::vector<Line>> append_with(Process& process, const Fault& fault) {
  auto door = process.door();
  const auto at = process.end();
  process.files.before = fault;
  auto lines = process.journal.append(door, at, drafts(2), RequestId("r2"));
  process.files.before = nullptr;
  return lines;
}

void settle(Process& process) {
  auto door = process.door();
  REQUIRE(process.journal.settle_doubt(door));
  const auto tail = process.journal.after({});
  REQUIRE(tail);
  if (tail->torn) REQUIRE(process.journal.repair_tail(door, *tail->torn));
}

TEST_CASE("a torn tail that is written over while it is read makes no line of two halves") {
  World world;
  append(world, 1, "first");
  const std::string whole = content(world);
  Process writer(world, 1001);
  // The same beginning, another end.
  auto door = writer.door();
  REQUIRE(writer.journal.append(door, writer.end(), drafts(1, "one thing"), RequestId("second")));
  const std::string fresh = content(writer);
  std::string torn = fresh;
  torn.replace(torn.find("one thing"), 9, "two halves and more");
  torn.resize(torn.find("halves") + 3);
  set_content(world, torn);
  int reads = 0;
  world.files.before = [&](std::string_view call, const Path& path) -> Status {
    if (call != "read_at" || path != kJournal || ++reads != 2) return {};
    const auto file = writer.files.open(kJournal, Open::write).value();
    TRY(file->truncate(whole.size()));
    TRY(file->write_at(whole.size(), std::string_view(fresh).substr(whole.size())));
    return {};
  };
  const auto tail = world.journal.after({});
  REQUIRE(tail);
  CHECK(reads >= 2);
  REQUIRE(tail->lines.size() == 2);
  CHECK(tail->lines.back().draft.payload.at("summary") == "one thing");
}

TEST_CASE("an error at each call: recorded, or not in the file, or in doubt and settled later") {
  for (const std::size_t before : {0u, 3u}) {
    for (const int times : {1, 2, 3, 100}) {
      for (int first = 1;; ++first) {
        CAPTURE(before);
        CAPTURE(times);
        CAPTURE(first);
        FakeDisk disk;
        Process process(disk);
        if (before > 0) append(process, before, "r1");
        int calls = 0;
        const auto lines = append_with(process, failing(first, times, calls));
        if (calls < first) {
          REQUIRE(lines);
          break;
        }
        if (lines) {  // the failed call came after the sync
          disk.crash();
          CHECK(Process(disk).journal.after({})->lines.size() == before + 2);
          continue;
        }
        if (lines.error().exit == Exit::damaged && process.journal.in_doubt().value()) {
          CHECK(process.journal.after({}).error().what.ends_with("journal in doubt"));
          settle(process);
          const auto now = process.journal.after({})->lines.size();
          CHECK((now == before || now == before + 2));
        } else if (lines.error().exit == Exit::machine) {
          CHECK(process.journal.after({})->lines.size() == before);
          CHECK_FALSE(process.journal.after({})->torn);
          disk.crash();
          Process later(disk);
          CHECK(later.journal.after({})->lines.size() == before);
        } else {
          CHECK(lines.error().why.find("could not be made either") != std::string::npos);
        }
      }
    }
  }
}

TEST_CASE("a full disk takes the partial bytes back, wherever it got full") {
  World world;
  append(world, 1, "r1");
  const auto before = content(world);
  for (std::uint64_t room = 0;; room += 7) {
    CAPTURE(room);
    Process process(world, 2000);
    auto door = process.door();
    const auto at = process.end();
    world.free_bytes = room;
    const auto lines = process.journal.append(door, at, drafts(2), RequestId("r2"));
    world.free_bytes.reset();
    if (lines) break;
    REQUIRE(lines.error().exit == Exit::machine);
    REQUIRE(lines.error().what.starts_with("not recorded: "));
    REQUIRE(lines.error().fix.starts_with("free some disk space"));
    REQUIRE(content(process) == before);
    REQUIRE_FALSE(process.journal.in_doubt().value());
  }
  CHECK(world.journal.after({})->lines.size() == 3);
}

TEST_CASE("a failed sync is not repeated on its descriptor: a new one takes the batch out") {
  World world;
  append(world, 1, "r1");
  const auto before = content(world);
  std::string calls;
  const auto lines = append_with(world, [&](std::string_view call, const Path& path) -> Status {
    if (path == kJournal) calls += std::string(call) + " ";
    return calls.ends_with("write_at sync ") ? eio() : Status{};
  });
  REQUIRE_FALSE(lines);
  CHECK(lines.error().exit == Exit::machine);
  CHECK(lines.error().what == "not recorded: cannot do it");
  CHECK(calls == "open size write_at sync open truncate sync size ");
  CHECK(content(world) == before);
}

TEST_CASE("in doubt: everything is refused until it is settled, the retry is told what is there") {
  World world;
  append(world, 1, "r1");
  const auto lines = append_with(world, failing_calls({"sync", "truncate"}));
  REQUIRE_FALSE(lines);
  CHECK(lines.error().exit == Exit::damaged);
  CHECK(lines.error().what == "/loop/transcript.ndjson: journal in doubt");
  CHECK(lines.error().fix == "run: pairflow bubble verify --id login --repair");
  CHECK(world.journal.in_doubt() == true);
  {
    auto door = world.door();
    const auto refused = world.journal.append(door, {}, drafts(1), RequestId("r3"));
    CHECK(refused.error().exit == Exit::damaged);
    CHECK(world.journal.repair_tail(door, {}).error().exit == Exit::damaged);
  }
  world.crash();
  Process later(world, 2000);
  CHECK(later.journal.in_doubt() == true);
  settle(later);
  CHECK(later.journal.in_doubt() == false);
  CHECK(later.journal.after({})->lines.size() == 1);
  append(later, 1, "r2");
}

TEST_CASE("settling writes anew what the failed sync may have lost") {
  World world;
  append(world, 1, "r1");
  REQUIRE_FALSE(append_with(world, failing_calls({"sync", "truncate"})));
  settle(world);
  CHECK(world.journal.after({})->lines.size() == 3);
  world.crash();
  Process later(world, 2000);
  CHECK(later.journal.after({})->lines.size() == 3);
  CHECK(later.journal.in_doubt() == false);
}

TEST_CASE("settling: damage keeps the doubt, a failure at any call can be repeated") {
  const Sample s({1, 2});
  for (int first = 1;; ++first) {
    World world;
    set_content(world, s.text + "torn");
    REQUIRE(world.files.replace("/loop/transcript.ndjson.in-doubt", "", Durable::yes));
    auto door = world.door();
    int calls = 0;
    world.files.before = failing(first, 1, calls);
    const auto settled = world.journal.settle_doubt(door);
    world.files.before = nullptr;
    if (calls < first) {
      REQUIRE(settled);
      break;
    }
    REQUIRE(world.journal.settle_doubt(door));
    CHECK(content(world) == s.text + "torn");
    CHECK(world.journal.after({})->lines.size() == 3);
  }
  World world;
  set_content(world, "damage\n" + s.text);
  REQUIRE(world.files.replace("/loop/transcript.ndjson.in-doubt", "", Durable::yes));
  auto door = world.door();
  CHECK(world.journal.settle_doubt(door).error().what.find("line 1, byte 0") != std::string::npos);
  CHECK(world.journal.in_doubt() == true);
}

TEST_CASE("repair: saved aside first, never over an older one, and only what is really torn") {
  const Sample s({1, 2});
  World world;
  auto door = world.door();
  const auto tear = [&](const std::string& bytes) {
    set_content(world, s.text + bytes);
    return world.journal.repair_tail(door, {s.text.size(), bytes.size()}).value();
  };
  const auto base = fmt::format("/loop/transcript.ndjson.torn-{}", s.text.size());
  CHECK(tear("one") == base);
  CHECK(tear("other") == base + "-2");
  CHECK(world.files.read(base) == "one");
  CHECK(world.files.read(base + "-2") == "other");
  for (const auto& torn : {TornTail{s.lines[0].mark.end, s.text.size() - s.lines[0].mark.end},
                           TornTail{s.text.size(), 5}, TornTail{}}) {
    const auto refused = world.journal.repair_tail(door, torn);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().exit == Exit::machine);
    CHECK(content(world) == s.text);
  }
}

TEST_CASE("repair: an error at each call loses neither lines nor torn bytes") {
  const Sample s({1, 2});
  for (int first = 1;; ++first) {
    CAPTURE(first);
    World world;
    set_content(world, s.text + "torn");
    const TornTail torn{s.text.size(), 4};
    const auto aside = fmt::format("/loop/transcript.ndjson.torn-{}", s.text.size());
    auto door = world.door();
    int calls = 0;
    world.files.before = failing(first, 1, calls);
    const auto repaired = world.journal.repair_tail(door, torn);
    world.files.before = nullptr;
    if (calls < first) {
      REQUIRE(repaired);
      break;
    }
    REQUIRE_FALSE(repaired);
    const auto tail = world.journal.after({});
    REQUIRE(tail);
    CHECK(tail->lines.size() == 3);
    CHECK((tail->torn || world.files.read(aside) == "torn"));
  }
}

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
