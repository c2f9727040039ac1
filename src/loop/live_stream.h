#pragma once
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/envelope.h"
#include "base/fields.h"
#include "os/os.h"

namespace pf {

// One line of what is shown of a loop that is driven.
struct StreamLine {
  std::string type;  // "said", or the event's: "run.tool", "coder.request_review", "run.started", …
  std::string ts;    // ISO 8601
  std::string prefix;   // "[coder]", "[coder:bash]", "[reviewer:ask-user]", "[user]", "[pairflow]"
  std::string text;     // printable; may have several lines
  Seq seq = Seq::none;  // of an event
};

// One that is not in the journal, as it is kept.
struct SaidLine {
  StreamLine line;
  Seq after = Seq::none;  // the last event by then
  PF_FIELDS(v.always("type", self.line.type), v.always("ts", self.line.ts),
            v.always("prefix", self.line.prefix), v.always("text", self.line.text),
            v.always("after", self.after));
};

// Keeps what is said and not in the journal, for viewers: one file of a bounded size, and the one
// before it. What cannot be written is lost; the transcripts have it.
class StreamWriter {
 public:
  StreamWriter(Os& os, Path file) : os_(os), path_(std::move(file)) {}
  // `after`: the last event by then.
  void add(const StreamLine& line, Seq after);

 private:
  Status write(const std::string& text);
  Status begin();

  Os& os_;
  Path path_;
  std::unique_ptr<File> file_;
  std::uint64_t size_ = 0;
};

// Reads a journal's events and what a StreamWriter kept beside them, in the order of their time.
class StreamTail {
 public:
  // From there on; what was said before that event is passed over.
  StreamTail(Os& os, Path file, Mark from)
      : os_(os), path_(std::move(file)), mark_(std::move(from)) {}
  const Mark& mark() const { return mark_; }
  // All that is new: the events after mark() up to `now`, which is mark() afterwards, and what was
  // said.
  std::vector<StreamLine> merge(std::vector<StreamLine> events, const Mark& now);
  // What was said before this event is of no interest.
  void pass_over(Seq first) { first_ = first; }

 private:
  void fetch();
  void read_rest();
  void take(std::string_view line);

  Os& os_;
  Path path_;
  Mark mark_;
  Seq first_ = mark_.seq;
  std::unique_ptr<File> file_;
  std::string id_;  // of the file
  std::uint64_t offset_ = 0;
  std::string unfinished_;
  std::deque<SaidLine> said_;  // not told yet
};

}  // namespace pf
