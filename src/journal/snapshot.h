#pragma once
#include <optional>

#include "base/envelope.h"
#include "os/files.h"

namespace pf {

inline constexpr int kSnapshotFormat = 1;

// A loop's state as of `mark`, kept in a file beside its journal. Only a projection: when it is
// missing or odd the journal is folded again.
struct Snapshot {
  int format = kSnapshotFormat;
  int fold = 0;      // version of the code that folded it
  Mark mark;         // prove it with Journal::after before trusting the state
  JsonObject state;  // its members stand beside format, fold and mark in the file
  PF_FIELDS(PF_ALWAYS(format, fold, mark));
};

// Nothing when the file is missing, unreadable, of an older format or another fold. A newer format
// is refused with Exit::damaged.
Result<std::optional<Snapshot>> read_snapshot(Files& files, const Path& path, int fold);
// The mark alone, of whatever fold.
Result<std::optional<Mark>> read_snapshot_mark(Files& files, const Path& path);
// Old or new content, never a mixture; not synced. The journal must be durable up to `mark`, or a
// loss of power would make it look cut off. `state` must not use the three reserved names.
Status write_snapshot(Files& files, const Path& path, const Snapshot& snapshot);

}  // namespace pf
