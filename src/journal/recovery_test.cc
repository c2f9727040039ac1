// Errors of the disk while it is written, settled and repaired.
#include "journal/test_world.h"

namespace pf::testing {
namespace {

// Fails the calls from number `first` on, at most `times` of them.
Fault failing(int first, int times, int& count) {
  return [=, &count](std::string_view, const Path&) -> Status {
    ++count;
    return count >= first && count < first + times ? eio() : Status{};
  };
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

}  // namespace
}  // namespace pf::testing
