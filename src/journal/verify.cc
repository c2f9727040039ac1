// How it works. Every line but the last is covered by the hash in the next one, so a change shows
// in the chain. The last line is covered by what remembers it elsewhere: the head in the door's
// file and the mark of the snapshot. Both are written after the line is durable, so either may be
// older than the journal, and then names a line further up, but never newer: a line that is
// remembered and not there was lost.
#include "journal/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "journal/snapshot.h"

namespace pf {
namespace {

constexpr const char* kOtherBytes = "other bytes than those recorded";

std::string ends_early(const Mark& recorded) {
  return fmt::format("the journal ends before line {}, which was recorded", number(recorded.seq));
}

constexpr Duration kDoorWait = std::chrono::seconds(30);

Journal journal_of(Os& os, const LoopFiles& files) {
  return Journal(os, files.journal, files.id, files.verify);
}

bool is_whole(const Health& health) { return !health.in_doubt && !health.torn; }

Error driven(Os& os, const Verifiable& loop) {
  const int holder = Lock::last_holder(os, loop.lease).value_or(0);
  return {
      Exit::refused, fmt::format("'{}' is being driven", loop.files.id),
      fmt::format("by process {}; nothing was changed", holder),
      fmt::format("let it end (or: kill {}), then run: {} --repair", holder, loop.files.verify)};
}

// The lease, so that nobody begins to drive it meanwhile; nothing for a loop without.
Result<std::optional<Lock>> take_lease(Os& os, const Verifiable& loop) {
  if (loop.lease.empty()) return std::nullopt;
  if (TRY(Lock::is_held(os, loop.lease))) return std::unexpected(driven(os, loop));
  if (TRY(os.files.exists(loop.files.journal)))
    TRY(os.files.open(loop.files.journal, Open::write));  // or why that cannot be
  auto lease = TRY(Lock::try_take(os, loop.lease));
  if (!lease) return std::unexpected(driven(os, loop));
  return lease;
}

Result<std::vector<Mark>> witnesses_of(Os& os, const LoopFiles& files) {
  std::vector<Mark> witnesses;
  if (const auto head = head_of(TRY(Lock::head_in(os, files.door)))) witnesses.push_back(*head);
  if (const auto mark = TRY(read_snapshot_mark(os.files, files.snapshot)))
    witnesses.push_back(*mark);
  return witnesses;
}

}  // namespace

std::string head_text(const Mark& mark) {
  const auto text =
      fmt::format("{} {} {} {}", number(mark.seq), mark.begin, mark.end, mark.hash.str());
  return fmt::format("{} {}", text, hash_of(text).str().substr(0, 8));
}

std::optional<Mark> head_of(std::string_view text) {
  const auto fields = split(text, ' ');
  if (fields.size() != 5) return std::nullopt;
  const auto seq = parse_number<std::uint64_t>(fields[0]);
  const auto begin = parse_number<std::uint64_t>(fields[1]);
  const auto end = parse_number<std::uint64_t>(fields[2]);
  if (!seq || !begin || !end) return std::nullopt;
  const Mark mark{Seq{*seq}, *begin, *end, Hash(std::string(fields[3]))};
  if (head_text(mark) != text) return std::nullopt;
  return mark;
}

Result<Health> Journal::examine(const std::vector<Mark>& witnesses, const EachLine& each) const {
  Health health;
  health.in_doubt = TRY(in_doubt());
  static_cast<Reach&>(health) = TRY(read({}, [&](Line&& line) -> Status {
    for (const Mark& witness : witnesses)
      if (witness.seq == line.seq && witness != line.mark)
        return std::unexpected(damage({line.seq, line.mark.begin, kOtherBytes}));
    ++health.lines;
    const Mark mark = line.mark;
    const auto understood = each(std::move(line));
    if (!understood) return std::unexpected(unreadable(mark, understood.error()));
    return {};
  }));
  for (const Mark& witness : witnesses) {
    if (witness.seq <= health.mark.seq) continue;
    const bool there = TRY(os_.files.exists(path_));
    return std::unexpected(damage({next(health.mark.seq), health.mark.end,
                                   there ? ends_early(witness) : "the file is missing"}));
  }
  health.witnessed = std::ranges::find(witnesses, health.mark) != witnesses.end();
  return health;
}

std::optional<Error> Journal::changed(std::string_view recorded, const Mark& end) const {
  const auto head = head_of(recorded);
  if (!head || head->seq != end.seq || *head == end) return std::nullopt;
  return damage({end.seq, end.begin, kOtherBytes});
}

std::optional<Error> Journal::lost(std::string_view recorded, const Mark& end) const {
  const auto head = head_of(recorded);
  // A journal that was put aside as a whole left its head behind.
  if (!head || end.seq == Seq::none || head->seq <= end.seq) return std::nullopt;
  return damage({next(end.seq), end.end, ends_early(*head)});
}

Result<Health> examine(Os& os, const Verifiable& loop) {
  const auto witnesses = TRY(witnesses_of(os, loop.files));
  auto health = journal_of(os, loop.files).examine(witnesses, loop.understand);
  if (!health && health.error().exit == Exit::damaged)
    health.error().fix =
        "restore the file from a backup (or use the pairflow that wrote it); a damaged journal is "
        "never changed";
  return health;
}

Result<Repaired> repair(Os& os, const Verifiable& loop) {
  Repaired repaired{TRY(examine(os, loop)), {}};
  if (is_whole(repaired.health)) return repaired;
  const auto lease = TRY(take_lease(os, loop));
  Lock door = TRY(Lock::take(os, loop.files.door, kDoorWait));
  Health found = TRY(examine(os, loop));
  Journal journal = journal_of(os, loop.files);
  TRY(journal.settle_doubt(door));
  if (found.in_doubt) repaired.done.push_back("the journal was in doubt and is settled");
  if (found.torn)
    repaired.done.push_back(fmt::format("a torn tail of {} bytes was moved to {}",
                                        found.torn->bytes,
                                        TRY(journal.repair_tail(door, *found.torn)).string()));
  if (found.lines > 0) (void)door.leave_head(head_text(found.mark));
  repaired.health = TRY(examine(os, loop));
  return repaired;
}

}  // namespace pf
