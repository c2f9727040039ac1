#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fields.h"

namespace pf {

// One thing that a headless program tells. Texts are printable and short, but for `said`, which
// keeps its lines.
struct StreamItem {
  enum class Kind {
    conversation,  // text: the id by which it can be continued; "" when the one that was to be
                   // continued is not there
    said,          // text: the agent's words, whole messages
    tool,          // a call begins; text: the command or the file
    blocked,       // a call that failed because it may not write; text: what the system said
    failed,        // a call that failed otherwise, or trouble that the program goes on from
    usage,         // of the whole run; Codex counts those of its conversation before, too
    finished,      // the program says that its turn is over; text: its last words, or the error
  };
  Kind kind = Kind::said;
  std::string tool = {};  // "bash", "edit", "write", "read", "request-review", "server:tool", …
  std::string text = {};
  bool ours = false;  // the tool is pairflow's own: the door tells of it
  bool ok = true;     // finished
  std::int64_t input_tokens = 0, output_tokens = 0;  // usage
  friend bool operator==(const StreamItem&, const StreamItem&) = default;
  PF_FIELDS(PF_ALWAYS(kind), PF_IF_SET(tool, text, ours), PF_ALWAYS(ok),
            PF_IF_SET(input_tokens, output_tokens));
};
constexpr std::array<std::pair<StreamItem::Kind, std::string_view>, 7> names_of(StreamItem::Kind) {
  using enum StreamItem::Kind;
  return {{{conversation, "conversation"},
           {said, "said"},
           {tool, "tool"},
           {blocked, "blocked"},
           {failed, "failed"},
           {usage, "usage"},
           {finished, "finished"}}};
}

// What the lines of one kind of program mean: what it prints is what it says, unless the kind knows
// more.
class StreamLines {
 public:
  virtual ~StreamLines() = default;
  virtual void read(std::string_view line, std::vector<StreamItem>& items);
  // The program has ended and `errors` is what it wrote to its standard error.
  virtual void end(std::string_view errors, std::vector<StreamItem>& items);
};

struct AgentKind;

// Reads what a headless program of this kind writes to its standard output, in pieces of any size.
// Pure; garbage is passed over, and so is the rest of a line of more than 4 MiB, which is told.
class StreamReader {
 public:
  explicit StreamReader(const AgentKind& kind);
  std::vector<StreamItem> feed(std::string_view bytes);
  // At the end of the output. A program that never said it was finished is finished now: not ok
  // where its kind always says so, and why is the end of `errors`, its standard error.
  std::vector<StreamItem> end(std::string_view errors = {});

 private:
  void take_line(std::vector<StreamItem>& items);

  std::unique_ptr<StreamLines> lines_;
  std::string line_;       // what has come of it
  bool too_long_ = false;  // the rest of it is passed over
};

}  // namespace pf
