#pragma once
#include <span>
#include <string>
#include <vector>

#include "base/envelope.h"
#include "journal/chain.h"
#include "journal/lock.h"
#include "os/os.h"

namespace pf {

// What a door's note says while bytes from there on may not be on the disk.
inline constexpr std::string_view kUnproved = "unproved from byte ";

// The name of the file that marks a journal in doubt, behind the journal's own.
inline constexpr const char* kInDoubt = ".in-doubt";

// Where one loop's files are, and the command that verifies its journal.
struct LoopFiles {
  std::string id;
  Path journal, snapshot, door, bells;
  std::string verify = {};
};

struct Tail : Reach {
  std::vector<Line> lines;  // of whole batches only
};

// What a reading of the whole journal found.
struct Health : Reach {
  std::uint64_t lines = 0;
  bool in_doubt = false;
  bool witnessed = false;  // something outside the journal remembers its last line
};

// The last line of a journal as its door's file keeps it. Each other line is covered by the hash in
// the next one; a snapshot covers the last, but may be deleted at any time.
std::string head_text(const Mark& mark);
// Nothing when it is missing, or not whole: the file is never synced.
std::optional<Mark> head_of(std::string_view text);

// An append-only file of envelopes, one a line, chained by hash. Knows no domain.
class Journal {
 public:
  // `path` need not exist. `loop_id` goes into every line and must be in every line read. `verify`
  // is the command that verifies this journal, for errors to name.
  Journal(Os& os, Path path, std::string loop_id, std::string verify = {});

  // Whole batches after `from`; no lock needed, a batch still being written is not there yet.
  // Damage (a bad line that is not a torn tail, a gap, a broken chain, another loop's line, a line
  // over kMaxLine, a file shorter than `from`, or other bytes at `from`): an error of Exit::damaged
  // that names file, line and byte.
  Result<Tail> after(const Mark& from) const;
  // The same, one line at a time in bounded memory. An error of `each` ends it and is returned;
  // lines before damage have been handed over.
  Result<Reach> scan(const Mark& from, const EachLine& each) const;

  // Numbers, chains and writes the drafts as one batch at `at` (the mark of the last whole batch,
  // read under the same lock) in one write and one fdatasync. On error nothing of it is in the
  // file; where that cannot be made sure the journal is marked in doubt and the error is
  // Exit::damaged. Refuses (usage) a draft that could not be read back: over kMaxLine, not UTF-8,
  // nested too deep; and more than kMaxBatch drafts.
  Result<std::vector<Line>> append(Lock& door, const Mark& at, std::span<const Draft> drafts,
                                   const RequestId& request);

  // What a killed writer left can be read but may never reach the disk: call this before answering
  // from the journal or adding to it. Afterwards every byte that can be read is durable. Costs
  // nothing when the last writer was not killed; after an error the same call goes on.
  Status prove(Lock& door);

  // Reads all of it, also in doubt, and changes nothing. Damage is also a line that `each` does not
  // understand, and a mark of `witnesses` that is not there, byte for byte. Read those before.
  Result<Health> examine(const std::vector<Mark>& witnesses, const EachLine& each) const;
  // Where the last line, which `end` names, is another than a head (Lock::head) knows. Without the
  // lock, read the head first.
  std::optional<Error> changed(std::string_view head, const Mark& end) const;
  // Where the head knows lines behind `end`: they were acknowledged and are lost.
  std::optional<Error> lost(std::string_view head, const Mark& end) const;

  // The error for a line that is whole but means nothing to its reader: file, line, byte and cause.
  Error unreadable(const Mark& line, const Error& cause) const;

  // Saves the torn bytes beside the journal (`<name>.torn-<from>`, numbered when taken), then cuts
  // them off. Returns where they are. Reads the whole journal first and refuses unless `torn` is
  // what it ends in.
  Result<Path> repair_tail(const Lock& door, const TornTail& torn);

  // An earlier append ended in doubt: every read and write is refused with Exit::damaged until
  // settle_doubt has read the whole file, written what it read durably anew and removed the mark.
  // The batch in doubt is then there, torn (see repair_tail) or gone. Without a doubt it proves.
  Result<bool> in_doubt() const;
  Status settle_doubt(Lock& door);
  Error doubt() const;

 private:
  Result<Reach> read(const Mark& from, const EachLine& each) const;
  // Refuses when the door's file was removed or replaced: then others may write too.
  Status check_alone(const Lock& door) const;
  Result<std::unique_ptr<File>> open_for_append(const Mark& at);
  Error withdraw(Lock& door, std::unique_ptr<File> file, const Mark& at, Error cause, bool synced);
  static Error not_recorded(Error cause);
  Error put_in_doubt(const Error& cause);
  Status refuse_doubt() const;
  Status copy_durably(std::uint64_t begin, std::uint64_t end, const Path& to);
  Error damage(const Flaw& flaw) const;
  Path beside(std::string_view suffix) const { return Path(path_) += suffix; }

  Os& os_;
  Path path_;
  std::string loop_id_;
  std::string verify_;
};

}  // namespace pf
