#include <fmt/format.h>

#include "bubble/verbs/caller.h"
#include "verbs/verbs.h"

namespace pf {
namespace {

Result<Said> verify(Caller& caller, const Args& args) {
  const BubblePaths paths = TRY(bubble_of(caller, args));
  BubbleLoop loop(caller.os, paths);
  Journal journal(caller.os, paths.transcript, paths.id.str(),
                  loop_files(paths.control, paths.id).verify);
  if (!TRY(caller.os.files.exists(paths.transcript))) TRY(loop.load());  // says what is wrong
  Said said;
  if (args.has("repair")) {
    Lock door = TRY(Lock::take(caller.os, paths.door, std::chrono::seconds(30)));
    const bool doubted = TRY(journal.in_doubt());
    TRY(journal.settle_doubt(door));
    if (doubted) said.text += "the journal was in doubt and is settled\n";
    const auto reach = TRY(journal.scan({}, [](Line&&) { return Status{}; }));
    if (reach.torn)
      said.text += fmt::format("a torn tail of {} bytes was moved to {}\n", reach.torn->bytes,
                               TRY(journal.repair_tail(door, *reach.torn)).string());
  }
  bubble::State folded;
  std::uint64_t lines = 0;
  const auto reach = TRY(journal.scan({}, [&](Line&& line) -> Status {
    auto next = bubble::fold(std::move(folded), line);
    if (!next) return std::unexpected(journal.unreadable(line.mark, next.error()));
    folded = std::move(*next);
    ++lines;
    return {};
  }));
  // The snapshot is a second witness of the last line it saw.
  if (const auto snapshot = TRY(read_snapshot(caller.os.files, paths.state, bubble::State::kFold)))
    TRY(journal.scan(snapshot->mark, [](Line&&) { return Status{}; }));
  said.json["id"] = paths.id.str();
  said.json["lines"] = lines;
  said.json["last_seq"] = number(reach.mark.seq);
  said.json["head"] = reach.mark.hash.str();
  said.json["torn_bytes"] = reach.torn ? reach.torn->bytes : 0;
  said.text += fmt::format("{} lines, seq 1 to {} without a gap, every hash fits\nhead {}\n", lines,
                           number(reach.mark.seq), reach.mark.hash.str());
  if (reach.torn)
    said.warnings.push_back(
        fmt::format("{} bytes at the end are an unfinished write; the next command repairs it",
                    reach.torn->bytes));
  return said;
}

}  // namespace

Result<Said> run_verify(Caller& caller, const Args& args) {
  auto said = verify(caller, args);
  if (!said && said.error().exit == Exit::damaged && said.error().fix.contains("verify --id") &&
      !said.error().fix.contains("--repair"))
    said.error().fix =
        "restore the file from a backup (or use the pairflow that wrote it); a damaged journal is "
        "never changed";
  return said;
}

}  // namespace pf
