#pragma once
#include <functional>
#include <memory>

#include "agents/stream.h"
#include "plan/host/loop.h"

namespace pf {

// The process of one run, as whoever performs the plan sees it: what it says, who calls it by its
// channel, and how it ended. It dies with us; the destructor ends it.
class LiveRun {
 public:
  virtual ~LiveRun() = default;

  virtual plan::Role role() const = 0;
  // To be waited for: its words, its end, and calls by its channel.
  virtual std::vector<int> descriptors() const = 0;
  // What it has said since, kept in its transcript too.
  virtual Result<std::vector<StreamItem>> read() = 0;
  virtual bool is_called(const std::vector<int>& readable) const = 0;
  // Starts a command for whoever calls; the connection is the command's.
  virtual Status serve() = 0;
  virtual bool has_no_conversation() const = 0;  // that it was to go on in
  virtual bool is_finished() const = 0;          // by its own word, whatever its process does
  virtual std::optional<int> ended() = 0;
  virtual void stop() = 0;

  virtual const plan::ReportRunStarted& started() const = 0;
  virtual plan::ReportRunEnded end_report(std::optional<int> exit) const = 0;
  int run() const { return started().run; }

  std::optional<MonoTime> stop_at;  // it may say its last words until then
};

// Starts the process of a wanted run. `afresh`: not in the conversation that it was to continue.
using RunStarter = std::function<Result<std::unique_ptr<LiveRun>>(
    PlanLoop& loop, const plan::State& state, const plan::Run& run, bool afresh)>;

}  // namespace pf
