#pragma once
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/ids.h"
#include "base/json.h"
#include "base/result.h"
#include "base/time.h"

namespace pf {

// What a decider hands to the journal: an envelope without its number.
struct Draft {
  std::string sender;     // an agent's name, "orchestrator" or "human"
  std::string recipient;  // likewise, or "both"
  std::string type;       // TASK, PASS, …, LIFECYCLE
  int round = 0;
  JsonObject payload;
  std::vector<std::string> refs;
};

// A durable position: `seq` is the last line, which occupies [begin, end) and hashes to `hash`.
struct Mark {
  Seq seq = Seq::none;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  Hash hash;
  friend bool operator==(const Mark&, const Mark&) = default;
  PF_FIELDS(PF_ALWAYS(seq, begin, end, hash));
};

// One numbered line of a journal.
struct Line {
  MessageId id;
  std::string ts;
  std::string loop_id;
  Draft draft;
  Seq seq = Seq::none;
  int left = 0;       // lines of the same batch still to come
  Hash prev;          // hash of the line before; "" on the first
  RequestId request;  // of the command that wrote the batch
  Moment moment;      // when, by the machine's own clock
  Mark mark;          // where it stands; not part of the text
};

// The line's text without the newline: the seed's keys in the seed's order, then ours.
std::string encode_line(const Line& line);
// Refuses anything that encode_line could not have written.
Result<Line> decode_line(std::string_view text);
// Of a line whose type we do not know.
std::unexpected<Error> unknown_event(std::string_view name);
// msg_<UTC date>_<seq, three digits at least>
MessageId message_id(WallTime when, Seq seq);

}  // namespace pf
