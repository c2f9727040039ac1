#include "journal/snapshot.h"

#include "base/hash.h"
#include "journal/test_world.h"

namespace pf::testing {
namespace {

const Path kState = "/state.json";

Snapshot sample() {
  return {
      kSnapshotFormat, 3, {Seq{7}, 100, 250, hash_of("x")}, {{"state", "RUNNING"}, {"round", 2}}};
}

TEST_CASE("a snapshot is read back as written, flat and readable") {
  World world;
  CHECK(write_snapshot(world.files, kState, sample()));
  const auto text = world.files.read(kState).value();
  CHECK(text == fmt::format(R"({{"format":1,"fold":3,"mark":{{"seq":7,"begin":100,"end":250,)"
                            R"("hash":"{}"}},"state":"RUNNING","round":2}})"
                            "\n",
                            hash_of("x").str()));
  const auto read = read_snapshot(world.files, kState, 3);
  REQUIRE((read && *read));
  CHECK((*read)->mark == sample().mark);
  CHECK((*read)->state == sample().state);
}

TEST_CASE("a snapshot that is missing, odd, older or of another fold is nothing") {
  World world;
  CHECK_FALSE(read_snapshot(world.files, kState, 3)->has_value());
  REQUIRE(write_snapshot(world.files, kState, sample()));
  CHECK_FALSE(read_snapshot(world.files, kState, 4)->has_value());
  const auto good = world.files.read(kState).value();
  for (std::size_t cut = 0; cut + 1 < good.size(); ++cut) {
    REQUIRE(world.files.replace(kState, good.substr(0, cut), Durable::no));
    REQUIRE_FALSE(read_snapshot(world.files, kState, 3)->has_value());
  }
  for (const auto* text : {R"([1])", R"({"format":0,"fold":3})", R"({"format":1,"fold":3})",
                           R"({"format":"1","fold":3,"mark":{}})",
                           R"({"format":1,"fold":3,"mark":{"seq":-1}})", "\xff\xff"}) {
    REQUIRE(world.files.replace(kState, text, Durable::no));
    CHECK_FALSE(read_snapshot(world.files, kState, 3)->has_value());
  }
  REQUIRE(world.files.remove(kState));
  REQUIRE(world.files.make_directories(kState));
  CHECK_FALSE(read_snapshot(world.files, kState, 3)->has_value());
}

TEST_CASE("a snapshot of a newer format is refused with its version and left alone") {
  World world;
  for (const auto* format : {"2", "18446744073709551615"}) {
    const auto text = fmt::format(R"({{"format":{},"shape":"unknown"}})", format);
    REQUIRE(world.files.replace(kState, text, Durable::no));
    const auto read = read_snapshot(world.files, kState, 3);
    REQUIRE_FALSE(read);
    CHECK(read.error().exit == Exit::damaged);
    CHECK(read.error().what == fmt::format("'/state.json' has format {}", format));
    CHECK(world.files.read(kState) == text);
  }
}

TEST_CASE("a snapshot that cannot be written leaves the old one") {
  World world;
  REQUIRE(write_snapshot(world.files, kState, sample()));
  world.free_bytes = 10;
  auto newer = sample();
  newer.state["round"] = 3;
  CHECK(write_snapshot(world.files, kState, newer).error().exit == Exit::machine);
  CHECK((*read_snapshot(world.files, kState, 3))->state == sample().state);
}

}  // namespace
}  // namespace pf::testing
