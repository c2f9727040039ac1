#include "journal/journal.h"

#include <fmt/format.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/text.h"

namespace pf {
namespace {

struct Batch {
  std::vector<Line> lines;
  std::string text;
};

// The pair of the check on reading: what is written can be read.
Status check_readable(const Draft& draft, const std::string& text) {
  if (text.size() + 1 > kMaxLine)
    return fail(
        Exit::usage, fmt::format("the {} is too large to record", draft.type),
        fmt::format("it takes {} bytes, a line of the journal holds {}", text.size() + 1, kMaxLine),
        "put long text into a file and refer to it (--ref)");
  if (const auto line = decode_line(text); !line)
    return fail(Exit::usage, fmt::format("the {} cannot be recorded", draft.type),
                fmt::format("{} {}", line.error().what, line.error().why),
                "use UTF-8 text, plain numbers and less nesting");
  return {};
}

Result<Batch> compose(Clock& clock, const std::string& loop_id, const Mark& at,
                      std::span<const Draft> drafts, const RequestId& request) {
  if (drafts.size() > kMaxBatch)
    return fail(Exit::usage, fmt::format("{} messages are too many at once", drafts.size()),
                fmt::format("one command records at most {}", kMaxBatch), "do it in smaller steps");
  Batch batch;
  const auto wall = clock.wall();
  const auto moment = clock.moment();
  Mark before = at;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    Line line;
    line.seq = next(before.seq);
    line.id = message_id(wall, line.seq);
    line.ts = iso8601(wall);
    line.loop_id = loop_id;
    line.draft = drafts[i];
    line.left = static_cast<int>(drafts.size() - 1 - i);
    line.prev = before.hash;
    line.request = request;
    line.moment = moment;
    const auto text = encode_line(line);
    TRY(check_readable(drafts[i], text));
    line.mark = {line.seq, before.end, before.end + text.size() + 1, hash_of(text)};
    before = line.mark;
    batch.text += text;
    batch.text += '\n';
    batch.lines.push_back(std::move(line));
  }
  return batch;
}

}  // namespace

Journal::Journal(Os& os, Path path, std::string loop_id, std::string verify)
    : os_(os), path_(std::move(path)), loop_id_(std::move(loop_id)), verify_(std::move(verify)) {}

Result<Tail> Journal::after(const Mark& from) const {
  Tail tail;
  static_cast<Reach&>(tail) = TRY(scan(from, [&](Line&& line) -> Status {
    tail.lines.push_back(std::move(line));
    return {};
  }));
  return tail;
}

Result<Reach> Journal::scan(const Mark& from, const EachLine& each) const {
  TRY(refuse_doubt());
  return read(from, each);
}

Result<Reach> Journal::read(const Mark& from, const EachLine& each) const {
  const auto info = TRY(os_.files.info(path_));
  if (!info && from == Mark{}) return Reach{};
  if (!info) return std::unexpected(damage({from.seq, from.begin, "the file is missing"}));
  if (info->kind != FileKind::file)
    return std::unexpected(damage({from.seq, from.begin, "not a regular file"}));
  const auto file = TRY(os_.files.open(path_, Open::read));
  if (auto flaw = TRY(prove_mark(*file, loop_id_, from))) return std::unexpected(damage(*flaw));
  auto reading = TRY(read_batches(*file, loop_id_, from, each));
  // Without the lock, a torn tail may have been cut off and written over between two reads.
  if (reading.flaw) reading = TRY(read_batches(*file, loop_id_, reading.reach.mark, each));
  if (reading.flaw) return std::unexpected(damage(*reading.flaw));
  return reading.reach;
}

Result<std::vector<Line>> Journal::append(Lock& door, const Mark& at, std::span<const Draft> drafts,
                                          const RequestId& request) {
  PF_CHECK(door.held());
  PF_CHECK(!drafts.empty());
  TRY(refuse_doubt());
  auto batch = TRY(compose(os_.clock, loop_id_, at, drafts, request));
  auto file = TRY(open_for_append(at));
  // That of a journal which was put aside says nothing of the one that begins here.
  if (at.seq == Seq::none && !door.head().empty()) (void)door.leave_head("");
  if (auto noted = door.leave_note(fmt::format("{}{}", kUnproved, at.end)); !noted)
    return std::unexpected(not_recorded(std::move(noted).error()));
  TRY(check_alone(door));
  const auto written = file->write_at(at.end, batch.text);
  if (!written) return std::unexpected(withdraw(door, std::move(file), at, written.error(), false));
  if (*written < batch.text.size())
    return std::unexpected(
        withdraw(door, std::move(file), at,
                 {Exit::machine, fmt::format("cannot write '{}'", printable(path_.string())),
                  "the disk is full", "free some disk space, then run the same command again"},
                 false));
  if (const auto synced = file->sync(); !synced)
    return std::unexpected(withdraw(door, std::move(file), at, synced.error(), true));
  // Where this fails the note stays, and the next writer proves once more.
  (void)door.leave_head(head_text(batch.lines.back().mark));
  return std::move(batch.lines);
}

Status Journal::check_alone(const Lock& door) const {
  if (TRY(door.in_place())) return {};
  return fail(Exit::machine,
              fmt::format("not recorded: the lock of '{}' was removed", printable(path_.string())),
              "another command may be writing now", "run the same command again");
}

// The name is made durable before the first byte goes in, so that a failure leaves nothing behind.
Result<std::unique_ptr<File>> Journal::open_for_append(const Mark& at) {
  const bool first = at.end == 0;
  if (first) TRY(os_.files.make_directories(path_.parent_path()));
  auto file = TRY(os_.files.open(path_, first ? Open::create : Open::write));
  if (first) TRY(os_.files.sync_directory(path_.parent_path()));
  const auto size = TRY(file->size());
  if (size < at.end)
    return std::unexpected(
        damage({at.seq, at.begin, fmt::format("the file ends at byte {}", size)}));
  if (size > at.end)
    return fail(Exit::machine,
                fmt::format("not recorded: '{}' has {} bytes behind its last whole batch",
                            printable(path_.string()), size - at.end),
                "an earlier write did not finish", fmt::format("run: {} --repair", verify_));
  return file;
}

Error Journal::damage(const Flaw& flaw) const {
  return {Exit::damaged,
          fmt::format("{}: line {}, byte {}: {}", printable(path_.string()), number(flaw.line),
                      flaw.byte, flaw.reason),
          "the journal is not what was written; nothing was changed",
          fmt::format("run: {}", verify_)};
}

Error Journal::unreadable(const Mark& line, const Error& cause) const {
  Error error = damage({line.seq, line.begin, cause.what});
  if (!cause.why.empty()) error.why = cause.why + "; nothing was changed";
  return error;
}

}  // namespace pf
