// How it works. Three things can be left behind by a write: nothing, a torn tail, a doubt.
// A failed append takes its bytes out again. After a failed fdatasync the kernel may call pages
// clean that never reached the disk, so that descriptor is asked nothing more: a new one truncates,
// syncs and is asked for the size. Where even that fails, the file `<name>.in-doubt` stops
// everybody. For the same reason a doubt is not settled by syncing the file once more but by
// writing what can be read into a new file, which then takes the journal's place.
// A writer that is killed can say nothing of this, not even that its fdatasync failed. So it leaves
// a note in the door's file before it writes and takes it back when all is well; the next one that
// finds the note writes those bytes once more in their place, which makes them dirty again, and
// syncs them.
#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/error_text.h"
#include "base/text.h"
#include "journal/journal.h"

namespace pf {
namespace {

constexpr std::size_t kCopyChunk = 1u << 20;
constexpr int kMaxTornNames = 1000;  // tails saved from one offset

Status ignore(Line&&) { return {}; }

Status cut(File& file, std::uint64_t size) {
  TRY(file.truncate(size));
  TRY(file.sync());
  if (TRY(file.size()) != size) return fail(Exit::machine, "the file kept its size");
  return {};
}

// [begin, end) of `from` goes to `to`, there from `at` on, and is synced.
Status copy_bytes(File& from, std::uint64_t begin, std::uint64_t end, File& to, std::uint64_t at,
                  const Path& name) {
  while (begin < end) {
    const auto bytes = TRY(from.read_at(begin, std::min<std::uint64_t>(end - begin, kCopyChunk)));
    if (bytes.empty() || TRY(to.write_at(at, bytes)) < bytes.size())
      return fail(Exit::machine, fmt::format("cannot write '{}'", printable(name.string())),
                  "the disk is full", "free some disk space, then run the same command again");
    begin += bytes.size();
    at += bytes.size();
  }
  return to.sync();
}

std::uint64_t unproved_from(std::string_view note) {
  if (!note.starts_with(kUnproved)) return 0;
  return parse_number<std::uint64_t>(note.substr(kUnproved.size())).value_or(0);
}

}  // namespace

Error Journal::not_recorded(Error cause) {
  cause.exit = Exit::machine;
  cause.what = "not recorded: " + cause.what;
  if (cause.fix.empty()) cause.fix = "run the same command again";
  return cause;
}

// `synced`: a sync was tried on this descriptor and failed.
Error Journal::withdraw(Lock& door, std::unique_ptr<File> file, const Mark& at, Error cause,
                        bool synced) {
  bool gone = !synced && cut(*file, at.end);
  file.reset();
  if (!gone)
    if (const auto fresh = os_.files.open(path_, Open::write))
      gone = cut(**fresh, at.end).has_value();
  if (!gone) return put_in_doubt(cause);
  (void)door.leave_note("");
  return not_recorded(std::move(cause));
}

Error Journal::doubt() const {
  return {Exit::damaged, fmt::format("{}: journal in doubt", printable(path_.string())),
          "a write failed and could not be undone: its batch may or may not be on the disk",
          fmt::format("run: {} --repair", verify_)};
}

// The mark is the file's being there: an empty one will do, on a full disk too.
Error Journal::put_in_doubt(const Error& cause) {
  const auto path = beside(kInDoubt);
  const auto mark = os_.files.open(path, Open::create);
  Error error = doubt();
  error.why += fmt::format(" ({})", in_short(cause));
  if (mark) {
    (void)(*mark)->write_at(0, error.why + "\n");
    (void)(*mark)->sync();
    (void)os_.files.sync_directory(path.parent_path());
  } else {
    error.why += fmt::format("; '{}' could not be made either", printable(path.string()));
  }
  return error;
}

Result<bool> Journal::in_doubt() const { return os_.files.exists(beside(kInDoubt)); }

Status Journal::refuse_doubt() const {
  if (TRY(in_doubt())) return std::unexpected(doubt());
  return {};
}

// [begin, end) of the journal, there whole and durable under the name `to` or not at all.
Status Journal::copy_durably(std::uint64_t begin, std::uint64_t end, const Path& to) {
  const Path part = Path(to) += ".part";
  const auto from = TRY(os_.files.open(path_, Open::read));
  const auto into = TRY(os_.files.open(part, Open::create));
  TRY(into->truncate(0));
  auto copied = copy_bytes(*from, begin, end, *into, 0, part);
  if (copied) copied = os_.files.rename(part, to);
  if (!copied) (void)os_.files.remove(part);
  TRY(std::move(copied));
  return os_.files.sync_directory(to.parent_path());
}

// A note that is no number any more (a loss of power tore it) stands for the whole file.
Status Journal::prove(Lock& door) {
  PF_CHECK(door.held());
  TRY(refuse_doubt());
  if (door.note().empty()) return {};
  if (TRY(os_.files.exists(path_))) {
    const auto file = TRY(os_.files.open(path_, Open::write));
    const auto from = unproved_from(door.note());
    TRY(copy_bytes(*file, from, TRY(file->size()), *file, from, path_));
  }
  (void)door.leave_note("");
  return {};
}

Result<Path> Journal::repair_tail(const Lock& door, const TornTail& torn) {
  PF_CHECK(door.held());
  if (const auto reach = TRY(scan({}, ignore)); reach.torn != torn)
    return fail(Exit::machine, fmt::format("{}: nothing was repaired", printable(path_.string())),
                "the end of the journal is another than the one reported",
                "run the same command again");
  const auto name = fmt::format(".torn-{}", torn.from);
  Path aside = beside(name);
  for (int n = 2; TRY(os_.files.exists(aside)); ++n) {
    if (n > kMaxTornNames)
      return fail(Exit::machine, fmt::format("'{}' is there already", printable(aside.string())),
                  "too many torn writes were saved at this place", "move them elsewhere");
    aside = beside(fmt::format("{}-{}", name, n));
  }
  TRY(copy_durably(torn.from, torn.from + torn.bytes, aside));
  const auto file = TRY(os_.files.open(path_, Open::write));
  TRY(cut(*file, torn.from));
  return aside;
}

Status Journal::settle_doubt(Lock& door) {
  PF_CHECK(door.held());
  if (!TRY(in_doubt())) return prove(door);
  const auto reach = TRY(read({}, ignore));
  const auto end = reach.mark.end + (reach.torn ? reach.torn->bytes : 0);
  if (TRY(os_.files.exists(path_))) TRY(copy_durably(0, end, path_));
  TRY(os_.files.remove(beside(kInDoubt)));
  (void)door.leave_note("");
  return os_.files.sync_directory(path_.parent_path());
}

}  // namespace pf
