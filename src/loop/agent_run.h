#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "agents/stream.h"
#include "base/result.h"
#include "base/time.h"

namespace pf {

// One headless run of an agent's program, as its loop's performer sees it: what it says, who calls
// by its channel, how it ended. It dies with us; the destructor ends it.
class AgentRun {
 public:
  AgentRun() = default;
  AgentRun(const AgentRun&) = delete;
  AgentRun& operator=(const AgentRun&) = delete;
  virtual ~AgentRun() = default;

  // To be waited for: its words, its end, and calls by its channel.
  virtual std::vector<int> descriptors() const = 0;
  // What it has said since, kept in its transcript too.
  virtual Result<std::vector<StreamItem>> read() = 0;
  virtual bool is_called(const std::vector<int>& readable) const = 0;
  // Starts a command for the caller; the connection is the command's.
  virtual Status serve() = 0;
  virtual std::optional<int> ended() = 0;
  virtual void stop() = 0;

  // What it has said of itself so far.
  struct Told {
    bool finished = false;         // whatever its process does
    bool no_conversation = false;  // that it was to go on in
    std::string conversation = {};
    std::int64_t input_tokens = 0, output_tokens = 0;
  };
  virtual Told told() const = 0;
  // Its exit code, or what stands for one when it was stopped after it had finished.
  virtual int code(std::optional<int> exit) const = 0;
  // Why it ended, in its own words where it has some.
  virtual std::string last_words(int code) const = 0;

  // Stops it once it has had time for its last words, which is short when it has none any more;
  // until then when to call this again.
  std::optional<MonoTime> stop_soon(MonoTime now) {
    constexpr Duration kLastWords = std::chrono::seconds(15);
    constexpr Duration kAfterItsEnd = std::chrono::milliseconds(500);
    const MonoTime latest = now + (told().finished ? kAfterItsEnd : kLastWords);
    stop_at_ = stop_at_ ? std::min(*stop_at_, latest) : latest;
    if (now < *stop_at_) return stop_at_;
    stop();
    return std::nullopt;
  }

 private:
  std::optional<MonoTime> stop_at_;
};

}  // namespace pf
