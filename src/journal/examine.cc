// How it works. Every line but the last is covered by the hash in the next one, so a change shows
// in the chain. The last line is covered by what remembers it elsewhere: the head in the door's
// file and the mark of the snapshot. Both are written after the line is durable, so either may be
// older than the journal, and then names a line further up, but never newer: a line that is
// remembered and not there was lost.
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "journal/journal.h"

namespace pf {
namespace {

constexpr const char* kOtherBytes = "other bytes than those recorded";

std::string ends_early(const Mark& recorded) {
  return fmt::format("the journal ends before line {}, which was recorded", number(recorded.seq));
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

std::optional<Error> Journal::lost(const Lock& door, const Mark& end) const {
  const auto head = head_of(door.head());
  // A journal that was put aside as a whole left its head behind.
  if (!head || end.seq == Seq::none || head->seq < end.seq || *head == end) return std::nullopt;
  if (head->seq == end.seq) return damage({end.seq, end.begin, kOtherBytes});
  return damage({next(end.seq), end.end, ends_early(*head)});
}

}  // namespace pf
