#include "journal/verify.h"

#include <fmt/format.h>

#include "journal/snapshot.h"

namespace pf {
namespace {

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
