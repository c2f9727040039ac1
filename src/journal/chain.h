#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/envelope.h"
#include "os/files.h"

namespace pf {

inline constexpr std::size_t kMaxLine = 1u << 20;  // bytes of one line, newline included
inline constexpr int kMaxBatch = 256;              // lines of one batch

// Bytes after the last whole batch that are no batch: a write that did not finish.
struct TornTail {
  std::uint64_t from = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(const TornTail&, const TornTail&) = default;
};

// How far a reading came.
struct Reach {
  Mark mark;  // the last line of a whole batch, or where the reading began
  std::optional<TornTail> torn;
};

// The first place where a journal is not what was written.
struct Flaw {
  Seq line = Seq::none;
  std::uint64_t byte = 0;
  std::string reason;
};

struct ChainPart {
  Reach reach;
  std::optional<Flaw> flaw;
};

using EachLine = std::function<Status(Line&&)>;

// Whether the line that `mark` names is still there, byte for byte, and ends a batch of this loop.
Result<std::optional<Flaw>> prove_mark(File& file, std::string_view loop_id, const Mark& mark);

// Hands over the lines behind `from`, batch by batch, until the end, a torn tail or a flaw. Fails
// only when the file cannot be read or `each` fails.
Result<ChainPart> read_batches(File& file, std::string_view loop_id, const Mark& from,
                               const EachLine& each);

}  // namespace pf
