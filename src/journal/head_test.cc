#include "base/hash.h"
#include "journal/journal.h"
#include "journal/test_world.h"

namespace pf::testing {
namespace {

const Mark kMark{Seq{57}, 1234, 1500, hash_of("x")};

TEST_CASE("a head is read back as written, and nothing of it when it is not whole") {
  const std::string text = head_text(kMark);
  CHECK(text.starts_with("57 1234 1500 "));
  CHECK(head_of(text) == kMark);
  for (std::size_t cut = 0; cut < text.size(); ++cut) CHECK_FALSE(head_of(text.substr(0, cut)));
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char value : {'\0', ' ', '0', '7', 'f', 'x'}) {
      if (text[at] == value) continue;
      auto other = text;
      other[at] = value;
      CHECK_FALSE(head_of(other));
    }
  }
  for (const auto* odd : {"", " ", "1 2 3", "57", "-1 2 3 4 5", " 1 2 3 4"})
    CHECK_FALSE(head_of(odd));
}

TEST_CASE("each append leaves its last line in the door's file, in the write that ends it") {
  World world;
  int writes = 0;
  world.files.before = [&](std::string_view call, const Path& path) -> Status {
    writes += call == "write_at" && path == "/locks/login.lock";
    return {};
  };
  for (int i = 0; i < 3; ++i) {
    const auto lines = append(world, 2, "r");
    CHECK(head_of(Lock::head_in(world.os, "/locks/login.lock").value()) == lines.back().mark);
  }
  CHECK(writes == 9);  // on entering, the note, the head
  CHECK(Lock::head_in(world.os, "/locks/other.lock") == "");
}

TEST_CASE("a failed append leaves the head as it is") {
  World world;
  const Mark first = append(world, 1, "r1").back().mark;
  {
    auto door = world.door();
    world.files.before = [](std::string_view call, const Path& path) -> Status {
      return call == "write_at" && path == kJournal ? fail(Exit::machine, "no") : Status{};
    };
    CHECK_FALSE(world.journal.append(door, first, drafts(1), RequestId("r2")));
    world.files.before = nullptr;
  }
  CHECK(head_of(world.door().head()) == first);
}

}  // namespace
}  // namespace pf::testing
