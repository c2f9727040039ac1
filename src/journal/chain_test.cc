#include "journal/chain.h"

#include "base/hash.h"
#include "base/text.h"
#include "journal/test_world.h"

namespace pf::testing {
namespace {

const std::vector<std::size_t> kSizes = {1, 3, 2, 1, 3};

// A line whose place in the chain is right, whatever else is in it.
std::string chained(const Sample& sample, Line line) {
  line.seq = next(sample.lines.back().seq);
  line.prev = sample.lines.back().mark.hash;
  return encode_line(line) + "\n";
}

Error damage_of(Process& process, const std::string& text) {
  set_content(process, text);
  const auto tail = process.journal.after({});
  REQUIRE_FALSE(tail);
  CHECK(tail.error().exit == Exit::damaged);
  CHECK(tail.error().fix == "run: pairflow bubble verify --id login");
  CHECK(content(process) == text);
  return tail.error();
}

TEST_CASE("a missing or empty journal is clean and has no lines") {
  World world;
  for (const bool there : {false, true}) {
    if (there) set_content(world, "");
    const auto tail = world.journal.after({});
    REQUIRE(tail);
    CHECK(tail->lines.empty());
    CHECK(tail->mark == Mark{});
    CHECK_FALSE(tail->torn);
  }
}

TEST_CASE(
    "cut at every byte: whole batches before the cut, then a torn tail that can be repaired") {
  const Sample sample(kSizes);
  World world;
  auto door = world.door();
  for (std::size_t cut = 0; cut <= sample.text.size(); ++cut) {
    CAPTURE(cut);
    set_content(world, sample.text.substr(0, cut));
    const auto tail = world.journal.after({});
    REQUIRE(tail);
    const auto whole = sample.whole_before(cut);
    REQUIRE(tail->lines.size() == whole);
    const auto end = whole == 0 ? 0 : sample.lines[whole - 1].mark.end;
    REQUIRE(tail->mark == (whole == 0 ? Mark{} : sample.lines[whole - 1].mark));
    REQUIRE(tail->torn.has_value() == (cut > end));
    if (!tail->torn) continue;
    REQUIRE(*tail->torn == TornTail{end, cut - end});
    const auto aside = world.journal.repair_tail(door, *tail->torn);
    REQUIRE(aside);
    REQUIRE(world.files.read(*aside) == sample.text.substr(end, cut - end));
    const auto clean = world.journal.after({});
    REQUIRE((clean && !clean->torn && clean->mark == tail->mark));
    REQUIRE(world.files.remove(*aside));
  }
}

TEST_CASE(
    "blocks of the last batch that never came, behind what an earlier torn write left there") {
  const Sample sample(kSizes);
  World world;
  const auto begin = sample.lines[sample.lines.size() - 3].mark.begin;
  constexpr std::size_t kBlock = 16;
  for (std::size_t left = 1; left < 3 * kBlock; ++left) {
    const std::size_t from = begin + left, to = (from / kBlock + 2) * kBlock;
    auto text = sample.text;
    std::fill(text.begin() + static_cast<long>(from), text.begin() + static_cast<long>(to), '\0');
    set_content(world, text);
    const auto tail = world.journal.after({});
    CAPTURE(left);
    REQUIRE((tail && tail->torn && tail->torn->bytes == text.size() - begin));
  }
}

TEST_CASE("every byte changed: damage, or a change of the last line that its mark gives away") {
  const Sample sample(kSizes);
  World world;
  const auto& last = sample.lines.back();
  const auto last_batch = sample.lines[sample.lines.size() - 3].mark.begin;
  for (std::size_t at = 0; at < sample.text.size(); ++at) {
    for (const char value : {'\0', '\n', ' ', '"', '0', '1', '}', 'x', '\x80', '\xff'}) {
      if (sample.text[at] == value) continue;
      CAPTURE(at);
      CAPTURE(static_cast<int>(value));
      auto text = sample.text;
      text[at] = value;
      set_content(world, text);
      const auto tail = world.journal.after({});
      if (!tail) {
        REQUIRE(tail.error().exit == Exit::damaged);
      } else {
        REQUIRE((at >= last.mark.begin || (at == last_batch && value == '\0')));
        const auto others = sample.lines.size() - 1;
        REQUIRE(tail->lines.size() >= sample.whole_before(last.mark.begin));
        for (std::size_t i = 0; i < std::min(others, tail->lines.size()); ++i)
          REQUIRE(encode_line(tail->lines[i]) == encode_line(sample.lines[i]));
      }
      if (at >= last.mark.begin)
        REQUIRE(world.journal.after(last.mark).error().exit == Exit::damaged);
    }
  }
}

TEST_CASE("missing, doubled, swapped, foreign and blank lines are damage with their place") {
  const Sample s({1, 1, 1, 1});
  const auto first = std::string(s.line(0));
  const auto rest = std::string(s.line(2)) + std::string(s.line(3));
  World world;
  const auto place = fmt::format("/loop/transcript.ndjson: line 2, byte {}: ", first.size());
  CHECK(damage_of(world, first + rest).what == place + "has seq 3 where 2 belongs");
  CHECK(damage_of(world, first + first).what == place + "has seq 1 where 2 belongs");
  CHECK(damage_of(world, first + std::string(s.line(2)) + std::string(s.line(1))).what ==
        place + "has seq 3 where 2 belongs");
  CHECK(damage_of(world, first + "\n" + std::string(s.line(1)) + rest).what.starts_with(place));
  CHECK(
      damage_of(world, "garbage\n").what.starts_with("/loop/transcript.ndjson: line 1, byte 0: "));
  Line foreign = s.lines[1];
  foreign.loop_id = "other\x1b";
  CHECK(damage_of(world, first + encode_line(foreign) + "\n").what ==
        place + "belongs to 'other<U+001B>', not to 'login'");
  Line forged = s.lines[1];
  forged.draft.payload["summary"] = "forged";
  CHECK(damage_of(world, first + encode_line(forged) + "\n" + rest).what ==
        fmt::format("/loop/transcript.ndjson: line 3, byte {}: does not carry the hash of the line "
                    "before it",
                    first.size() + encode_line(forged).size() + 1));
}

TEST_CASE("a batch that does not count down or changes its request is damage") {
  const Sample s({1});
  World world;
  Line opening = s.lines[0];
  opening.left = 2;
  const auto text = encode_line(opening);
  Line second = opening;
  second.seq = next(opening.seq);
  second.prev = hash_of(text);
  second.left = 1;
  const auto with = [&](const Line& line) { return text + "\n" + encode_line(line) + "\n"; };
  set_content(world, with(second));
  CHECK(world.journal.after({})->torn.has_value());
  for (int change = 0; change < 3; ++change) {
    Line bad = second;
    if (change == 0) bad.left = 0;
    if (change == 1) bad.request = RequestId("another");
    if (change == 2) bad.ts = "2026-02-21T12:00:01Z";
    CHECK(damage_of(world, with(bad)).what.ends_with("does not fit into its batch"));
  }
  opening.left = kMaxBatch;
  CHECK(
      damage_of(world, encode_line(opening) + "\n").what.ends_with("does not fit into its batch"));
}

TEST_CASE("a line over the limit is damage when terminated and a torn tail when not") {
  const Sample s({1, 2});
  World world;
  for (const std::size_t size : {kMaxLine, std::size_t{10} << 20}) {
    const std::string huge(size, 'x');
    CHECK(damage_of(world, s.text + huge + "\n").what.ends_with("longer than 1048576 bytes"));
    CHECK(damage_of(world, huge + "\n" + s.text).what.ends_with("longer than 1048576 bytes"));
    set_content(world, s.text + huge);
    const auto tail = world.journal.after({});
    REQUIRE(tail);
    CHECK(tail->lines.size() == 3);
    CHECK(tail->torn == TornTail{s.text.size(), size});
  }
}

TEST_CASE("bytes that are not UTF-8 are damage") {
  const Sample s({1, 1});
  World world;
  auto text = s.text;
  text[text.find("Gr") + 2] = '\xff';
  CHECK(damage_of(world, text).what.starts_with("/loop/transcript.ndjson: line 1, byte 0: "));
}

TEST_CASE("keys of a newer release are tolerated") {
  const Sample s({1});
  World world;
  auto text = chained(s, s.lines[0]);
  text.insert(text.size() - 2, R"(,"newer":{"a":[1,null]})");
  set_content(world, s.text + text);
  const auto tail = world.journal.after({});
  REQUIRE(tail);
  CHECK(tail->lines.size() == 2);
}

TEST_CASE("zeros that a loss of power left are a torn tail") {
  const Sample s({2, 1, 3});
  World world;
  const auto whole = s.lines[2].mark.end;
  const auto torn = [&](const std::string& text) {
    set_content(world, text);
    const auto tail = world.journal.after({});
    REQUIRE(tail);
    CHECK(tail->lines.size() == 3);
    CHECK(tail->torn == TornTail{whole, text.size() - whole});
  };
  const auto zeroed = [&](std::uint64_t from, std::uint64_t to) {
    auto text = s.text;
    return text.replace(from, to - from, to - from, '\0');
  };
  torn(s.text.substr(0, whole) + std::string(700, '\0'));
  torn(s.text.substr(0, whole + 20) + std::string(700, '\0'));
  for (const std::uint64_t block : {16u, 64u, 512u}) {
    for (auto at = whole / block * block; at < s.text.size(); at += block) {
      CAPTURE(at);
      torn(zeroed(std::max(at, whole), std::min<std::uint64_t>(at + block, s.text.size())));
    }
  }
}

TEST_CASE("zeros are damage when a later batch shows that they were not there before") {
  const Sample s({2, 1, 3});
  World world;
  const auto zero = [&](std::uint64_t from, std::uint64_t bytes) {
    auto text = s.text;
    return text.replace(from, bytes, bytes, '\0');
  };
  for (std::uint64_t at = 0; at < s.lines[2].mark.begin; at += 16) damage_of(world, zero(at, 16));
  const auto in_last_batch = (s.lines[3].mark.begin / 16 + 2) * 16;
  damage_of(world, zero(in_last_batch + 1, 1));
  damage_of(world, zero(in_last_batch, 1));
  damage_of(world, s.text + std::string(16, '\0') + "\n" + std::string(s.line(5)));
}

TEST_CASE("a mark is proved before anything behind it is read") {
  const Sample s({1, 2, 1});
  World world;
  set_content(world, s.text);
  for (const std::size_t index : {0u, 2u, 3u}) {
    const auto tail = world.journal.after(s.lines[index].mark);
    REQUIRE(tail);
    CHECK(tail->lines.size() == 3 - index);
    CHECK(tail->mark == s.lines.back().mark);
  }
  const auto refused = [&](Mark mark) {
    const auto tail = world.journal.after(mark);
    REQUIRE_FALSE(tail);
    CHECK(tail.error().exit == Exit::damaged);
  };
  const Mark good = s.lines[2].mark;
  refused({Seq{2}, good.begin, good.end, good.hash});
  refused({good.seq, good.begin + 1, good.end, good.hash});
  refused({good.seq, good.begin, good.end, hash_of("other")});
  refused({good.seq, good.end, good.end, good.hash});
  refused({good.seq, 0, std::uint64_t{1} << 40, good.hash});
  refused(s.lines[1].mark);
  set_content(world, s.text.substr(0, good.end - 1));
  refused(good);
  REQUIRE(world.files.remove(kJournal));
  refused(good);
}

TEST_CASE("a reading near the end of a long journal reads only the end") {
  World world;
  for (int i = 0; i < 100; ++i) {
    auto door = world.door();
    const auto many = drafts(4, std::string(2000, 'x'));
    REQUIRE(world.journal.append(door, world.end(), many, RequestId("r")));
  }
  const auto all = *world.journal.after({});
  int reads = 0;
  world.files.before = [&](std::string_view call, const Path&) -> Status {
    reads += call == "read_at";
    return {};
  };
  REQUIRE(world.journal.after(all.lines[395].mark)->lines.size() == 4);
  CHECK(reads <= 3);
}

TEST_CASE("an error of the receiver ends the scan") {
  const Sample s({1, 1});
  World world;
  set_content(world, s.text);
  int seen = 0;
  const auto reach = world.journal.scan({}, [&](Line&&) -> Status {
    ++seen;
    return fail(Exit::refused, "enough");
  });
  CHECK(reach.error().what == "enough");
  CHECK(seen == 1);
}

TEST_CASE("a tail that is cut off and written over while it is read is no damage") {
  const Sample s({1, 1});
  World reader;
  Process writer(reader, 2000);
  set_content(reader, s.text + std::string(70'000, 'x'));
  int reads = 0;
  reader.files.before = [&](std::string_view call, const Path&) -> Status {
    if (call != "read_at" || ++reads != 2) return {};
    auto door = writer.door();
    REQUIRE(writer.journal.repair_tail(door, {s.text.size(), 70'000}));
    const auto large = drafts(1, std::string(100'000, 'y'));
    REQUIRE(writer.journal.append(door, writer.end(), large, RequestId("r")));
    return {};
  };
  const auto tail = reader.journal.after({});
  REQUIRE(tail);
  CHECK(tail->lines.size() == 3);
}

}  // namespace
}  // namespace pf::testing
