// Two scenes that need everybody else to be away: a race for one turn and a damaged journal.
#include <fmt/format.h>

#include <algorithm>

#include "journal/snapshot.h"
#include "run.h"

namespace pf::sim {

// Promise 6: several ask for the same transition of one turn; one wins, the others are refused.
void Run::race() {
  if (oracle_.in_doubt() || oracle_.torn()) return;
  const Weather weather = faults_.calm();
  faults_.weather.switching = 1 + dice_.below(4);
  const bubble::State start = oracle_.state();
  const std::size_t racers = 2 + dice_.below(4);
  for (std::size_t i = 0; i < racers; ++i)
    if (auto deed = winning_deed(dice_, start, world_, ++last_number_)) spawn(std::move(*deed));
  const std::size_t spawned = alive_.size();
  const Tally before = tally_;
  all_to_end();
  faults_.weather = weather;
  if (spawned == 0) return;
  ++tally_.races;
  tally_.race_losers += tally_.refused - before.refused;
  if (tally_.recorded - before.recorded != 1 || tally_.refused - before.refused != spawned - 1)
    throw Broken{fmt::format("promise 6: {} of {} won a race and {} were refused",
                             tally_.recorded - before.recorded, spawned,
                             tally_.refused - before.refused)};
}

bool Run::snapshot_is_current() {
  FakeFiles files(world_.disk, world_.clock, 3);
  const auto snapshot = read_snapshot(files, world_.files.snapshot, bubble::State::kFold);
  return snapshot && *snapshot && (*snapshot)->mark.end == oracle_.record().whole();
}

// The journal with damage that can be noticed: behind what the snapshot vouches for nothing does.
std::string Run::damaged_bytes(bool keep_snapshot) {
  std::string bytes = oracle_.record().bytes();
  const auto& batches = oracle_.record().batches();
  const Line& last = batches.back().lines.back();
  if (keep_snapshot) {
    if (dice_.one_in(3))
      return bytes.substr(0, last.mark.begin + dice_.below(last.mark.end - last.mark.begin));
    const auto at = last.mark.begin + dice_.below(last.mark.end - last.mark.begin);
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << dice_.below(7)));
    return bytes;
  }
  const auto at = dice_.below(last.mark.begin);
  const auto begin = at == 0 ? 0 : bytes.rfind('\n', at - 1) + 1;
  const auto end = bytes.find('\n', at) + 1;
  switch (dice_.below(4)) {
    case 0: bytes.erase(begin, end - begin); break;
    case 1: bytes.insert(begin, bytes.substr(begin, end - begin)); break;
    default: bytes[at] = static_cast<char>(bytes[at] ^ (1 << dice_.below(7)));
  }
  return bytes;
}

void Run::write_journal(const std::string& bytes) {
  FakeFiles files(world_.disk, world_.clock, 3);
  const auto file = files.open(world_.files.journal, Open::write);
  (void)(*file)->truncate(0);
  (void)(*file)->write_at(0, bytes);
  (void)(*file)->sync();
}

// Promise 4: bytes that were committed are changed; everybody stops and nobody writes.
void Run::damage() {
  if (oracle_.in_doubt() || oracle_.torn() || oracle_.record().batches().size() < 2) return;
  const bool keep_snapshot = snapshot_is_current() && dice_.one_in(2);
  if (!keep_snapshot) {
    FakeFiles files(world_.disk, world_.clock, 3);
    (void)files.remove(world_.files.snapshot);
  }
  const std::string good = oracle_.record().bytes();
  const Weather weather = faults_.calm();
  const std::string bad = damaged_bytes(keep_snapshot);
  write_journal(bad);
  const auto at = std::ranges::mismatch(good, bad).in1 - good.begin();
  say(fmt::format("damaged at byte {}: {} bytes become {}{}", at, good.size(), bad.size(),
                  keep_snapshot ? ", with a snapshot" : ""));
  ++tally_.damages;
  oracle_.damage(true);
  for (int i = 0; i < 3; ++i) spawn(choose_deed(dice_, oracle_.state(), world_, ++last_number_));
  all_to_end();
  faults_.weather = weather;
  oracle_.damage(false);
  write_journal(good);
  say("the damage is undone");
}

}  // namespace pf::sim
