// Any bytes as a journal: reading never crashes, never hands over what does not chain, and a torn
// tail can always be repaired. Half of the inputs are edits of a sound journal, since random bytes
// rarely get past the first hash.
#include <fuzzer/FuzzedDataProvider.h>

#include "base/check.h"
#include "base/hash.h"
#include "journal/journal.h"
#include "os/fake/environment.h"
#include "os/fake/files.h"
#include "os/fake/processes.h"
#include "os/fake/random.h"

namespace pf {
namespace {

const Path kPath = "/loop/transcript.ndjson";

struct Machine {
  FakeDisk disk;
  FakeClock clock;
  FakeFiles files{disk, clock, 1};
  FakeProcesses processes;
  FakeRandom random;
  FakeEnvironment env;
  Os os{files, processes, clock, random, env};
  Journal journal{os, kPath, "login"};
  Lock door = Lock::take(os, "/login.lock", Duration::zero()).value();
};

Mark append(Machine& machine, const Mark& at, std::size_t size) {
  const std::vector<Draft> batch(size, {"codex", "claude", "PASS", 1, {{"n", 1}}, {}});
  const auto lines = machine.journal.append(machine.door, at, batch, RequestId("r"));
  PF_CHECK(lines.has_value());
  return lines->back().mark;
}

std::string sound_journal() {
  Machine machine;
  Mark at;
  for (const std::size_t size : {1u, 3u, 2u}) at = append(machine, at, size);
  return machine.files.read(kPath).value();
}

std::string edited(std::string text, FuzzedDataProvider& input) {
  while (input.remaining_bytes() > 0) {
    const auto at = input.ConsumeIntegralInRange<std::size_t>(0, text.size());
    const auto bytes = input.ConsumeRandomLengthString(32);
    switch (input.ConsumeIntegralInRange(0, 3)) {
      case 0: text.insert(at, bytes); break;
      case 1: text.replace(at, bytes.size(), bytes); break;
      case 2: text.erase(at, input.ConsumeIntegral<std::uint8_t>()); break;
      default: text.insert(at, input.ConsumeIntegral<std::uint8_t>(), '\0');
    }
  }
  return text;
}

void check_chain(const std::string& text, const Tail& tail) {
  Mark before;
  for (const auto& line : tail.lines) {
    const auto& [seq, begin, end, hash] = line.mark;
    PF_CHECK(seq == next(before.seq) && line.seq == seq && begin == before.end);
    PF_CHECK(line.prev == before.hash && line.loop_id == "login");
    PF_CHECK(text[end - 1] == '\n' && hash_of(text.substr(begin, end - 1 - begin)) == hash);
    before = line.mark;
  }
  PF_CHECK(tail.lines.empty() || tail.lines.back().left == 0);
  PF_CHECK(tail.mark == before);
  PF_CHECK(before.end + (tail.torn ? tail.torn->bytes : 0) == text.size());
}

void read_and_repair(const std::string& text) {
  Machine machine;
  PF_CHECK(machine.files.make_directories(kPath.parent_path()).has_value());
  PF_CHECK(machine.files.replace(kPath, text, Durable::yes).has_value());
  const auto tail = machine.journal.after({});
  if (!tail) {
    PF_CHECK(tail.error().exit == Exit::damaged);
    PF_CHECK(machine.files.read(kPath) == text);
    return;
  }
  check_chain(text, *tail);
  if (tail->torn) PF_CHECK(machine.journal.repair_tail(machine.door, *tail->torn).has_value());
  append(machine, tail->mark, 2);
  const auto grown = machine.journal.after({});
  PF_CHECK(grown.has_value() && !grown->torn);
  PF_CHECK(grown->lines.size() == tail->lines.size() + 2);
  PF_CHECK(machine.journal.after(tail->mark)->lines.size() == 2);
}

}  // namespace
}  // namespace pf

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  if (input.ConsumeBool()) {
    pf::read_and_repair(pf::edited(pf::sound_journal(), input));
    return 0;
  }
  const auto text = input.ConsumeRemainingBytesAsString();
  if (const auto line = pf::decode_line(text)) {
    const auto again = pf::encode_line(*line);
    const auto decoded = pf::decode_line(again);
    PF_CHECK(decoded.has_value() && pf::encode_line(*decoded) == again);
  }
  pf::read_and_repair(text);
  return 0;
}
