#include "journal/journal.h"

#include <rapidcheck.h>

#include <limits>

#include "base/hash.h"
#include "journal/test_world.h"

namespace pf::testing {
namespace {

// Any UTF-8, with the characters that a line format trips over.
rc::Gen<std::string> any_text() {
  const auto pieces = rc::gen::container<std::vector<std::string>>(
      rc::gen::weightedElement<std::string>({{4, "a"},
                                             {1, "\n"},
                                             {1, "\r"},
                                             {1, std::string(1, '\0')},
                                             {1, "\x1b[0m"},
                                             {1, "\""},
                                             {1, "\\"},
                                             {1, "é"},
                                             {1, "🙂"},
                                             {1, "\u2028"}}));
  return rc::gen::map(pieces, [](const std::vector<std::string>& parts) {
    std::string text;
    for (const auto& part : parts) text += part;
    return text;
  });
}

rc::Gen<Draft> any_draft() {
  return rc::gen::exec([] {
    Draft draft{*any_text(), *any_text(), *any_text(), *rc::gen::inRange(0, 1000), {}, {}};
    draft.payload["text"] = *any_text();
    draft.payload["number"] = *rc::gen::arbitrary<std::int64_t>();
    draft.payload["list"] = JsonArray{*rc::gen::arbitrary<bool>(), nullptr, 1.5};
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i) draft.refs.push_back(*any_text());
    return draft;
  });
}

Result<std::vector<Line>> try_append(Process& process, const std::vector<Draft>& batch) {
  auto door = process.door();
  return process.journal.append(door, process.end(), batch, RequestId("r1"));
}

TEST_CASE("property: what is appended is what is read, whatever the texts") {
  CHECK(rc::check([] {
    World world;
    std::vector<std::string> written;
    std::vector<Mark> marks;
    for (int n = *rc::gen::inRange(1, 4); n > 0; --n) {
      const auto lines = try_append(
          world, *rc::gen::nonEmpty(rc::gen::container<std::vector<Draft>>(any_draft())));
      RC_ASSERT(lines.has_value());
      for (const auto& line : *lines) {
        written.push_back(encode_line(line)), marks.push_back(line.mark);
        RC_ASSERT(encode_line(*decode_line(written.back())) == written.back());
      }
    }
    const auto tail = world.journal.after({});
    RC_ASSERT(tail.has_value());
    RC_ASSERT(!tail->torn);
    RC_ASSERT(encoded(tail->lines) == written);
    for (std::size_t i = 0; i < marks.size(); ++i) RC_ASSERT(tail->lines[i].mark == marks[i]);
  }));
}

TEST_CASE("a batch is numbered, chained and stamped once") {
  World world;
  world.clock.set_wall({1'771'677'296'000});
  const auto first = append(world, 1, "r1");
  const auto batch = append(world, 3, "r2");
  CHECK(first[0].prev.empty());
  CHECK(first[0].id.str() == "msg_20260221_001");
  Mark before = first[0].mark;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    CHECK(batch[i].seq == next(before.seq));
    CHECK(batch[i].left == 2 - static_cast<int>(i));
    CHECK(batch[i].prev == before.hash);
    CHECK(batch[i].mark.begin == before.end);
    CHECK(batch[i].mark.hash == hash_of(encode_line(batch[i])));
    CHECK(batch[i].ts == "2026-02-21T12:34:56Z");
    CHECK(batch[i].loop_id == "login");
    CHECK(batch[i].request == RequestId("r2"));
    CHECK(batch[i].moment == world.clock.moment());
    before = batch[i].mark;
  }
}

TEST_CASE("one batch is one write and one sync") {
  World world;
  append(world, 1, "r1");
  const auto at = world.end();
  auto door = world.door();
  std::string calls;
  world.files.before = [&](std::string_view call, const Path& path) -> Status {
    if (path == kJournal) calls += std::string(call) + " ";
    return {};
  };
  REQUIRE(world.journal.append(door, at, drafts(3), RequestId("r2")));
  CHECK(calls == "open size write_at sync ");
}

TEST_CASE("an acknowledged batch survives a loss of power, the first one too") {
  FakeDisk disk;
  for (std::size_t n = 1; n <= 3; ++n) {
    Process process(disk);
    append(process, n, "r");
    disk.crash();
    Process next(disk);
    CHECK(next.journal.after({})->lines.size() == n * (n + 1) / 2);
  }
}

TEST_CASE("what could not be read back is refused before anything is written") {
  World world;
  append(world, 1, "r1");
  const auto before = content(world);
  const auto refused = [&](const std::vector<Draft>& batch) {
    const auto lines = try_append(world, batch);
    REQUIRE_FALSE(lines);
    CHECK(lines.error().exit == Exit::usage);
    CHECK(content(world) == before);
  };
  auto bad = drafts(2);
  bad[1].payload["summary"] = "\xff";
  refused(bad);
  bad = drafts(2);
  bad[1].payload["x"] = std::numeric_limits<double>::quiet_NaN();
  refused(bad);
  bad = drafts(1);
  Json deep = 1;
  for (int i = 0; i < 40; ++i) deep = JsonArray{deep};
  bad[0].payload["x"] = deep;
  refused(bad);
  refused(drafts(kMaxBatch + 1));
  CHECK(try_append(world, drafts(kMaxBatch)));
}

TEST_CASE("a line may be as long as the limit and no longer") {
  World world;
  const auto fixed = encode_line(append(world, 1, "r1")[0]).size() -
                     std::string(drafts(1)[0].payload["summary"].as_string()).size();
  const auto chain = hash_of("").str().size();  // the second line names the first
  const auto room = kMaxLine - 1 - fixed - chain;
  const auto long_one = try_append(world, drafts(1, std::string(room, 'x')));
  REQUIRE(long_one);
  CHECK(long_one->back().mark.end - long_one->back().mark.begin == kMaxLine);
  const auto too_long = try_append(world, drafts(1, std::string(room + 1, 'x')));
  REQUIRE_FALSE(too_long);
  CHECK(too_long.error().exit == Exit::usage);
  CHECK(world.journal.after({})->lines.size() == 2);
}

TEST_CASE("an append at another place than the end is refused") {
  World world;
  const auto first = append(world, 1, "r1");
  append(world, 1, "r2");
  const auto before = content(world);
  auto door = world.door();
  const auto stale = world.journal.append(door, first[0].mark, drafts(1), RequestId("r3"));
  REQUIRE_FALSE(stale);
  CHECK(stale.error().exit == Exit::machine);
  CHECK(stale.error().fix == "run: pairflow bubble verify --id login --repair");
  const Mark beyond{Seq{2}, before.size(), before.size() + 10, hash_of("")};
  CHECK(world.journal.append(door, beyond, drafts(1), RequestId("r3")).error().exit ==
        Exit::damaged);
  CHECK(content(world) == before);
}

TEST_CASE("a journal that is no regular file is damage") {
  World world;
  REQUIRE(world.files.make_directories("/loop"));
  world.make_symlink("/elsewhere", kJournal);
  CHECK(world.journal.after({}).error().exit == Exit::damaged);
}

TEST_CASE("a writer whose door was removed writes nothing: another may be at it") {
  FakeDisk disk;
  Process first(disk, 11);
  Process second(disk, 12);
  append(first, 1, "r1");
  auto door = first.door();
  const Mark at = first.end();
  REQUIRE(second.files.remove_all("/locks"));
  append(second, 1, "r2");
  const std::string acknowledged = content(second);
  const auto late =
      first.journal.append(door, at, drafts(1, "longer than the other"), RequestId("r3"));
  REQUIRE_FALSE(late);
  CHECK(late.error().exit == Exit::machine);
  CHECK(content(second) == acknowledged);

  // Removed when all but the write was done.
  auto again = second.door();
  const Mark end = second.end();
  second.files.before = [&](std::string_view call, const Path& path) -> Status {
    if (call == "truncate" && path == "/locks/login.lock")
      REQUIRE(first.files.remove_all("/locks"));
    return {};
  };
  const auto refused = second.journal.append(again, end, drafts(1), RequestId("r4"));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().what == "not recorded: the lock of '/loop/transcript.ndjson' was removed");
  CHECK(refused.error().fix == "run the same command again");
  CHECK(content(second) == acknowledged);
}

}  // namespace
}  // namespace pf::testing
