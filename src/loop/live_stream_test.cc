#include "loop/live_stream.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "os/fake/clock.h"
#include "os/fake/environment.h"
#include "os/fake/files.h"
#include "os/fake/processes.h"
#include "os/fake/random.h"

namespace pf {
namespace {

const Path kFile = "/repo/.pairflow/runtime/plan.login.stream";

struct Machine {
  FakeDisk disk;
  FakeClock clock;
  FakeFiles files{disk, clock, 1000};
  FakeProcesses processes;
  FakeRandom random;
  FakeEnvironment env;
  Os os{files, processes, clock, random, env};
  Machine() { REQUIRE(files.make_directories(kFile.parent_path())); }
};

StreamLine said(const std::string& text) {
  return {"said", "2026-02-21T12:00:00Z", "[coder]", text};
}
StreamLine event(std::uint64_t seq) {
  return {"run.tool", "2026-02-21T12:00:00Z", "[coder:bash]", fmt::format("event {}", seq),
          Seq{seq}};
}
Mark mark(std::uint64_t seq) {
  Mark at;
  at.seq = Seq{seq};
  return at;
}
std::string texts(const std::vector<StreamLine>& lines) {
  std::string all;
  for (const StreamLine& line : lines) all += (all.empty() ? "" : ", ") + line.text;
  return all;
}

}  // namespace

TEST_CASE("what was said stands between the events that it was said between") {
  Machine machine;
  StreamWriter writer(machine.os, kFile);
  StreamTail tail(machine.os, kFile, {});
  CHECK(tail.merge({}, mark(0)).empty());
  writer.add(said("first"), Seq{1});
  writer.add(said("second"), Seq{1});
  writer.add(said("third"), Seq{3});
  CHECK(texts(tail.merge({event(1), event(2)}, mark(2))) == "event 1, first, second, event 2");
  // Said after an event that was not read yet: it comes behind that one.
  CHECK(texts(tail.merge({event(3)}, mark(3))) == "event 3, third");
  CHECK(tail.mark().seq == Seq{3});
  writer.add(said("fourth"), Seq{3});
  CHECK(texts(tail.merge({}, mark(3))) == "fourth");
  CHECK(tail.merge({}, mark(3)).empty());
}

TEST_CASE("an event that comes between the look and the reading is told once") {
  Machine machine;
  StreamTail tail(machine.os, kFile, {});
  CHECK(texts(tail.merge({event(1), event(2)}, mark(1))) == "event 1");
  CHECK(texts(tail.merge({event(2)}, mark(2))) == "event 2");
}

TEST_CASE("one who comes late is told what was said since the event he begins with") {
  Machine machine;
  StreamWriter writer(machine.os, kFile);
  for (std::uint64_t seq = 1; seq < 5; ++seq)
    writer.add(said(fmt::format("after {}", seq)), Seq{seq});
  StreamTail tail(machine.os, kFile, mark(3));
  CHECK(texts(tail.merge({event(4)}, mark(4))) == "after 3, event 4, after 4");
  StreamTail all(machine.os, kFile, {});
  all.pass_over(Seq{4});
  CHECK(texts(all.merge({event(4)}, mark(4))) == "event 4, after 4");
}

TEST_CASE("the file is bounded, and nothing is lost to one who reads on") {
  Machine machine;
  StreamWriter writer(machine.os, kFile);
  StreamTail tail(machine.os, kFile, {});
  const std::string words(50'000, 'x');
  for (int i = 0; i < 100; ++i) {
    writer.add(said(fmt::format("{} {}", i, words)), Seq{1});
    const auto lines = tail.merge({}, mark(1));
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].text.starts_with(fmt::format("{} ", i)));
  }
  CHECK(machine.files.info(kFile).value()->size < 1'200'000);
}

TEST_CASE("a driver that was killed in a line, and one that goes on behind it") {
  Machine machine;
  StreamTail tail(machine.os, kFile, {});
  StreamWriter(machine.os, kFile).add(said("whole"), Seq{1});
  auto file = machine.files.open(kFile, Open::write).value();
  REQUIRE(file->write_at(file->size().value(), R"({"type":"said","te)"));
  CHECK(texts(tail.merge({}, mark(1))) == "whole");
  StreamWriter(machine.os, kFile).add(said("next"), Seq{1});
  CHECK(texts(tail.merge({}, mark(1))) == "next");
}

TEST_CASE("words of a log that is gone hold nobody up") {
  Machine machine;
  StreamWriter writer(machine.os, kFile);
  writer.add(said("old"), Seq{70});
  writer.add(said("new"), Seq{1});
  StreamTail tail(machine.os, kFile, {});
  CHECK(texts(tail.merge({event(1)}, mark(1))) == "event 1");
  CHECK(texts(tail.merge({}, mark(1))) == "new");
}

}  // namespace pf
