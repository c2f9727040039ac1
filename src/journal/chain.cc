// How it works. A line counts once its whole batch is there: lines are held back until one says
// that none is left. A line must parse, carry the next number, the hash of the line before and the
// batch's request; anything else is a flaw, with one exception, the torn tail. A write that did not
// finish leaves, behind the last whole batch,
//   - the beginning of a line without its newline,
//   - or good lines that announce more, possibly followed by such a beginning,
//   - or, after a loss of power, zeros in place of some of its blocks.
// Zeros excuse a bad line only while all that is intact behind the last whole batch belongs to one
// batch: a second one was written after the first was on the disk, so its bytes were lost later.
#include "journal/chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error_text.h"
#include "base/hash.h"
#include "base/text.h"

namespace pf {
namespace {

// Bytes; zeros in other portions are no loss of power. Real disks lose 512 and more at once.
constexpr std::uint64_t kSmallestBlock = 16;
constexpr std::size_t kChunk = 64u << 10;  // most tails fit into one read

// Bytes of a file up to and including a newline, or up to the end of the file.
struct RawLine {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // after the newline
  bool terminated = false;
  bool too_long = false;  // over kMaxLine: `text` is empty
  bool has_nul = false;
  std::string_view text;  // without the newline; valid until the next line is asked for
};

// Splits a file into lines from an offset on, holding no more than one line and one chunk.
class LineReader {
 public:
  LineReader(File& file, std::uint64_t from) : file_(file), read_to_(from) {}

  // Nothing at the end of the file.
  Result<std::optional<RawLine>> next();

 private:
  Result<bool> fill();

  File& file_;
  std::string buffer_;
  std::size_t used_ = 0;   // bytes of buffer_ already handed out
  std::uint64_t read_to_;  // file offset behind buffer_
};

// Reads on; false at the end of the file. What there is of a line is read again together with the
// rest of it: without the lock a torn tail may have been cut off and written over in between, and
// two halves could make a line that nobody wrote.
Result<bool> LineReader::fill() {
  const std::size_t left = buffer_.size() - used_;
  const std::uint64_t from = read_to_ - left;
  buffer_ = TRY(file_.read_at(from, left + kChunk));
  used_ = 0;
  read_to_ = from + buffer_.size();
  return buffer_.size() > left;
}

Result<std::optional<RawLine>> LineReader::next() {
  RawLine line;
  line.begin = read_to_ - (buffer_.size() - used_);
  std::size_t searched = 0;
  while (true) {
    const auto newline = buffer_.find('\n', used_ + searched);
    line.terminated = newline != std::string::npos;
    if (line.terminated) {
      line.text = std::string_view(buffer_).substr(used_, newline - used_);
      used_ = newline + 1;
      break;
    }
    searched = buffer_.size() - used_;
    if (searched >= kMaxLine) {
      line.too_long = true;
      line.has_nul |= buffer_.find('\0', used_) != std::string::npos;
      used_ = buffer_.size();
      searched = 0;
    }
    const bool more = TRY(fill());
    searched = 0;
    if (more) continue;
    line.text = std::string_view(buffer_).substr(used_);
    used_ = buffer_.size();
    break;
  }
  line.end = read_to_ - (buffer_.size() - used_);
  if (line.begin == line.end) return std::nullopt;
  line.has_nul |= line.text.find('\0') != std::string_view::npos;
  line.too_long |= line.end - line.begin > kMaxLine;
  if (line.too_long) line.text = {};
  return line;
}

Result<Line> decode_own(std::string_view text, std::string_view loop_id) {
  auto line = decode_line(text);
  if (!line) return fail(Exit::damaged, in_short(line.error()));
  if (line->loop_id != loop_id)
    return fail(Exit::damaged, fmt::format("belongs to '{}', not to '{}'",
                                           printable(clip(line->loop_id, 60)), loop_id));
  return line;
}

// Whether `line` can come later in the batch of `before`.
bool same_batch(const Line& before, const Line& line) {
  return line.seq > before.seq && line.left < before.left &&
         number(line.seq) - number(before.seq) ==
             static_cast<std::uint64_t>(before.left - line.left) &&
         line.request == before.request && line.ts == before.ts;
}

// The line, or an error whose `what` is the reason why it cannot stand behind `before`, as the next
// of the `pending` lines of its batch.
Result<Line> check_line(const RawLine& raw, std::string_view loop_id, const Mark& before,
                        const std::vector<Line>& pending) {
  if (raw.too_long) return fail(Exit::damaged, fmt::format("longer than {} bytes", kMaxLine));
  Line line = TRY(decode_own(raw.text, loop_id));
  if (line.seq != next(before.seq))
    return fail(Exit::damaged, fmt::format("has seq {} where {} belongs", number(line.seq),
                                           number(next(before.seq))));
  if (line.prev != before.hash)
    return fail(Exit::damaged, "does not carry the hash of the line before it");
  if (pending.empty() ? line.left >= kMaxBatch : !same_batch(pending.back(), line))
    return fail(Exit::damaged, "does not fit into its batch");
  line.mark = {line.seq, raw.begin, raw.end, hash_of(raw.text)};
  return line;
}

std::optional<Line> intact_line(const RawLine& raw, std::string_view loop_id) {
  if (!raw.terminated || raw.too_long) return std::nullopt;
  auto line = decode_own(raw.text, loop_id);
  if (!line) return std::nullopt;
  return std::move(*line);
}

// Whether the line has zeros where whole blocks of a write that began at `start` are missing. Once,
// they may begin at any byte: an earlier write that was torn there, and taken out since, may be
// what the disk still had of its block.
bool lacks_blocks(const RawLine& raw, std::uint64_t start, bool& began_inside) {
  if (raw.too_long || !raw.has_nul) return raw.has_nul;
  for (auto at = raw.text.find('\0'); at != std::string_view::npos;) {
    const auto end = std::min(raw.text.find_first_not_of('\0', at), raw.text.size());
    const auto from = raw.begin + at;
    if (from != start && from % kSmallestBlock != 0) {
      if (began_inside || end - at < kSmallestBlock) return false;
      began_inside = true;
    }
    if ((raw.begin + end) % kSmallestBlock != 0) return false;
    at = raw.text.find('\0', end);
  }
  return true;
}

// Reads on from a bad line to the end of the file: where it ends when everything behind `whole` can
// be what a loss of power left of a single write. `member` is a line of it, if one is known.
Result<std::optional<std::uint64_t>> end_of_zeroed_write(LineReader& reader, RawLine raw,
                                                         std::string_view loop_id,
                                                         const Mark& whole,
                                                         std::optional<Line> member) {
  if (intact_line(raw, loop_id)) return std::nullopt;
  bool began_inside = false;
  while (true) {
    if (member && member->left == 0) return std::nullopt;
    if (auto line = intact_line(raw, loop_id)) {
      if (member ? !same_batch(*member, *line) : line->seq <= whole.seq) return std::nullopt;
      member = std::move(line);
    } else if (raw.terminated && !lacks_blocks(raw, whole.end, began_inside)) {
      return std::nullopt;
    }
    const auto more = TRY(reader.next());
    if (!more) return raw.end;
    raw = *more;
  }
}

}  // namespace

Result<std::optional<Flaw>> prove_mark(File& file, std::string_view loop_id, const Mark& mark) {
  if (mark == Mark{}) return std::nullopt;
  const auto flaw = [&](std::string reason) { return Flaw{mark.seq, mark.begin, reason}; };
  if (mark.begin >= mark.end || mark.end - mark.begin > kMaxLine) return flaw("is not a line");
  if (const auto size = TRY(file.size()); size < mark.end)
    return flaw(fmt::format("the file ends at byte {}, before the recorded {}", size, mark.end));
  const auto bytes = TRY(file.read_at(mark.begin, mark.end - mark.begin));
  const auto text = std::string_view(bytes).substr(0, bytes.size() - (bytes.empty() ? 0 : 1));
  if (bytes.size() != mark.end - mark.begin || bytes.back() != '\n' || hash_of(text) != mark.hash)
    return flaw("other bytes than those recorded");
  const auto line = decode_own(text, loop_id);
  if (!line) return flaw(line.error().what);
  if (line->seq != mark.seq || line->left != 0) return flaw("is not the end of the recorded batch");
  return std::nullopt;
}

Result<ChainPart> read_batches(File& file, std::string_view loop_id, const Mark& from,
                               const EachLine& each) {
  LineReader reader(file, from.end);
  ChainPart reading{{from, {}}, {}};
  Mark& whole = reading.reach.mark;
  Mark last = from;
  std::vector<Line> pending;
  const auto torn_to = [&](std::uint64_t end) {
    if (end > whole.end) reading.reach.torn = {whole.end, end - whole.end};
    return reading;
  };
  while (const auto raw = TRY(reader.next())) {
    if (!raw->terminated) return torn_to(raw->end);
    auto line = check_line(*raw, loop_id, last, pending);
    if (!line) {
      const auto member = pending.empty() ? std::nullopt : std::optional(pending.back());
      if (const auto end = TRY(end_of_zeroed_write(reader, *raw, loop_id, whole, member)))
        return torn_to(*end);
      reading.flaw = {next(last.seq), raw->begin, line.error().what};
      return reading;
    }
    last = line->mark;
    pending.push_back(std::move(*line));
    if (pending.back().left > 0) continue;
    whole = last;
    for (auto& member : pending) TRY(each(std::move(member)));
    pending.clear();
  }
  return torn_to(last.end);
}

}  // namespace pf
