#include "journal/verify.h"

#include "base/hash.h"
#include "journal/journal.h"
#include "journal/snapshot.h"
#include "journal/test_world.h"

namespace pf::testing {
namespace {

const Path kState = "/loop/state.json";
const Path kDoor = "/locks/login.lock";
const Path kLease = "/locks/login.run.lock";
const Path kDoubt = "/loop/transcript.ndjson.in-doubt";

// A loop that counts the calls that change something.
struct Verified : World {
  Verifiable loop{{"login", kJournal, kState, kDoor, "/bells", "pairflow verify --plan login"},
                  [](Line&&) { return Status{}; },
                  kLease};
  int changes = 0;

  Verified() {
    files.before = [this](std::string_view call, const Path&) -> Status {
      for (const auto* name : {"write_at", "truncate", "rename", "remove", "make_directories"})
        changes += call == name;
      return {};
    };
  }
  void write_state(const Mark& mark, int format = kSnapshotFormat) {
    REQUIRE(write_snapshot(files, kState, {format, 1, mark, {}}));
  }
  void forget_head() { REQUIRE(files.remove(kDoor)); }
  Error flaw() {
    changes = 0;
    const auto health = examine(os, loop);
    REQUIRE_FALSE(health);
    CHECK(health.error().exit == Exit::damaged);
    CHECK(health.error().fix.starts_with("restore the file from a backup"));
    const auto repaired = repair(os, loop);
    REQUIRE_FALSE(repaired);
    CHECK(repaired.error() == health.error());
    CHECK(changes == 0);
    return health.error();
  }
  void refused(Exit exit, std::string_view what, std::string_view fix) {
    changes = 0;
    const auto repaired = repair(os, loop);
    REQUIRE_FALSE(repaired);
    CHECK(repaired.error().exit == exit);
    CHECK(repaired.error().what.find(what) != std::string::npos);
    CHECK(repaired.error().fix.find(fix) != std::string::npos);
    CHECK(changes == 0);
  }
};

TEST_CASE("verify: sound with its last line witnessed, and nothing is written") {
  Verified v;
  append(v, 2, "r1");
  const auto last = append(v, 1, "r2").back().mark;
  v.changes = 0;
  const auto health = examine(v.os, v.loop);
  REQUIRE(health);
  CHECK(health->lines == 3);
  CHECK(health->mark == last);
  CHECK((health->witnessed && !health->in_doubt && !health->torn));
  const auto repaired = repair(v.os, v.loop);
  REQUIRE(repaired);
  CHECK(repaired->done.empty());
  CHECK(v.changes == 0);
}

TEST_CASE("verify: without head and snapshot nothing vouches for the last line") {
  Verified v;
  const auto first = append(v, 1, "r1").back().mark;
  const auto last = append(v, 1, "r2").back().mark;
  v.forget_head();
  CHECK_FALSE(examine(v.os, v.loop)->witnessed);
  v.write_state(first);  // an older one
  CHECK_FALSE(examine(v.os, v.loop)->witnessed);
  v.write_state(last);
  CHECK(examine(v.os, v.loop)->witnessed);
}

TEST_CASE("verify: every byte of the last line changed is noticed, the snapshot gone or not") {
  for (const bool snapshot : {false, true}) {
    Verified v;
    append(v, 1, "r1");
    const Mark last = append(v, 2, "r2").back().mark;
    if (snapshot) v.forget_head(), v.write_state(last);
    const std::string whole = content(v);
    for (std::uint64_t at = last.begin; at < last.end; ++at) {
      for (const char value : {'\0', '\n', 'x', '\xff'}) {
        if (whole[at] == value) continue;
        auto text = whole;
        text[at] = value;
        set_content(v, text);
        CAPTURE(at);
        CHECK_FALSE(examine(v.os, v.loop));
      }
    }
    auto text = whole;
    text[last.end - 30] ^= 1;  // still reads well
    set_content(v, text);
    v.flaw();
  }
}

TEST_CASE("verify: a journal cut off anywhere, emptied or gone has lost recorded lines") {
  Verified v;
  append(v, 1, "r1");
  append(v, 2, "r2");
  const std::string whole = content(v);
  for (std::size_t size = 1; size < whole.size(); ++size) {
    set_content(v, whole.substr(0, size));
    CAPTURE(size);
    const auto health = examine(v.os, v.loop);
    REQUIRE_FALSE(health);
    CHECK(health.error().what.ends_with("the journal ends before line 3, which was recorded"));
  }
  set_content(v, "");
  CHECK(v.flaw().what.starts_with("/loop/transcript.ndjson: line 1, byte 0: the journal ends"));
  REQUIRE(v.files.remove(kJournal));
  CHECK(v.flaw().what == "/loop/transcript.ndjson: line 1, byte 0: the file is missing");
  v.forget_head();
  CHECK(examine(v.os, v.loop)->lines == 0);
}

TEST_CASE("verify: an older head vouches for its own line only") {
  Verified v;
  const Mark first = append(v, 1, "r1").back().mark;
  append(v, 1, "r2");
  {
    auto door = v.door();
    REQUIRE(door.leave_head(head_text(first)));
  }
  CHECK_FALSE(examine(v.os, v.loop)->witnessed);
  auto door = v.door();
  REQUIRE(door.leave_head(head_text({first.seq, first.begin, first.end, hash_of("other")})));
  CHECK(v.flaw().what ==
        "/loop/transcript.ndjson: line 1, byte 0: other bytes than those recorded");
}

TEST_CASE("verify names a line that is doubled, missing, no text or full of zeros") {
  const Sample s({1, 1, 1});
  const auto line = [&](std::size_t index) { return std::string(s.line(index)); };
  Verified v;
  const auto flaw = [&](const std::string& text) {
    set_content(v, text);
    return v.flaw().what;
  };
  const auto at = fmt::format("line 2, byte {}: ", s.lines[1].mark.begin);
  CHECK(flaw(line(0) + line(0) + line(1) + line(2)).ends_with(at + "has seq 1 where 2 belongs"));
  CHECK(flaw(line(0) + line(2)).ends_with(at + "has seq 3 where 2 belongs"));
  auto text = s.text;
  text[s.lines[1].mark.begin + 40] = '\xff';
  CHECK(flaw(text).find(at) != std::string::npos);
  text[s.lines[1].mark.begin + 40] = '\0';
  CHECK(flaw(text).find(at) != std::string::npos);
}

TEST_CASE("verify: a line that its reader does not understand is damage, repaired or not") {
  Verified v;
  append(v, 1, "r1");
  REQUIRE(v.files.replace(kDoubt, "", Durable::yes));
  v.loop.understand = [](Line&&) -> Status { return fail(Exit::damaged, "unknown event x"); };
  CHECK(v.flaw().what.ends_with("line 1, byte 0: unknown event x"));
}

TEST_CASE("repair: a doubt is settled, a torn tail moved aside, and the second run finds nothing") {
  for (const bool in_doubt : {false, true}) {
    for (const bool torn : {false, true}) {
      if (!in_doubt && !torn) continue;
      Verified v;
      append(v, 2, "r1");
      const auto whole = content(v);
      if (torn) set_content(v, whole + "half a li");
      if (in_doubt) REQUIRE(v.files.replace(kDoubt, "", Durable::yes));
      const auto health = examine(v.os, v.loop);
      REQUIRE(health);
      CHECK(health->in_doubt == in_doubt);
      CHECK(health->torn.has_value() == torn);
      const auto repaired = repair(v.os, v.loop);
      REQUIRE(repaired);
      CHECK(repaired->done.size() == std::size_t{in_doubt} + std::size_t{torn});
      CHECK(content(v) == whole);
      v.changes = 0;
      const auto again = repair(v.os, v.loop);
      REQUIRE(again);
      CHECK((again->done.empty() && again->health.witnessed && again->health.lines == 2));
      CHECK(v.changes == 0);
    }
  }
}

TEST_CASE("repair touches nothing under a lease or of a newer format") {
  Verified v;
  append(v, 1, "r1");
  set_content(v, content(v) + "torn");
  {
    Process driver(v, 77);
    const auto lease = Lock::take(driver.os, kLease, Duration::zero());
    REQUIRE(lease);
    v.refused(Exit::refused, "'login' is being driven",
              "kill 77), then run: pairflow verify --plan login --repair");
    v.loop.lease.clear();
    CHECK(repair(v.os, v.loop));  // under the door alone
    v.loop.lease = kLease;
  }
  set_content(v, content(v) + "torn");
  const auto state = R"({"format":2,"shape":"unknown"})";
  REQUIRE(v.files.replace(kState, state, Durable::no));
  v.refused(Exit::damaged, "has format 2", "use the pairflow that wrote it");
  REQUIRE(v.files.remove(kState));
  CHECK(repair(v.os, v.loop)->done.size() == 1);
}

TEST_CASE("what the head knows is missed by the next writer too") {
  Verified v;
  const auto first = append(v, 1, "r1").back().mark;
  const auto last = append(v, 1, "r2").back().mark;
  auto door = v.door();
  CHECK_FALSE(v.journal.lost(door.head(), last));
  CHECK_FALSE(v.journal.lost(door.head(), {}));  // begun anew
  CHECK(v.journal.lost(door.head(), first)->what.ends_with("before line 2, which was recorded"));
  auto other = last;
  other.hash = hash_of("other");
  CHECK_FALSE(v.journal.lost(door.head(), other));
  CHECK(v.journal.changed(door.head(), other)->what.ends_with("other bytes than those recorded"));
  CHECK_FALSE(v.journal.changed(door.head(), last));
  CHECK_FALSE(v.journal.changed(door.head(), first));
  REQUIRE(door.leave_head(head_text(first)));
  CHECK_FALSE(v.journal.lost(door.head(), last));
}

}  // namespace
}  // namespace pf::testing
