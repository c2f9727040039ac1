#pragma once
#include "base/inbox_item.h"
#include "loop/engine.h"

namespace pf {

// What a bubble, a plan and the roles have in common: one journal with its door, a file that lists
// what waits for the human, and facts that each gathers in its own way.
template <Domain D>
class Loop {
 public:
  using State = typename D::State;
  using Event = typename D::Event;
  using Command = typename D::Command;
  using Answer = typename Engine<D>::Answer;

  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  Os& os() { return os_; }
  Result<Answer> execute(const Request& request, const Command& command);
  // In the orchestrator's name; with `turn` only while that turn lasts.
  Result<Answer> report(const Command& command, Seq turn = Seq::none);
  // Whether a failed write stops everything until verify --repair.
  Result<bool> in_doubt() const { return engine_.in_doubt(); }
  // The events with their numbers, after `from`.
  Result<std::vector<Event>> events(const Mark& from = {}) const;

 protected:
  Loop(Os& os, const LoopFiles& files, Path inbox);
  ~Loop() = default;

  // Adds what is asked for to the facts; runs outside the lock.
  virtual Status gather(const std::vector<Need>& needs, const State& state, const Command& command,
                        Facts& facts) = 0;
  virtual std::vector<InboxItem> inbox(const State& state) const = 0;
  // Files that tell of single events; writing one again is harmless.
  virtual Status tell(const std::vector<Event>& events);

  Os& os_;
  Engine<D> engine_;

 private:
  Status project(const State& state, const std::vector<Event>& events);

  Path inbox_file_;
};

// The rest is instantiated once for each domain, beside its loop: it takes seconds to compile.

template <Domain D>
Loop<D>::Loop(Os& os, const LoopFiles& files, Path inbox)
    : os_(os),
      engine_(
          os, files,
          [this](const auto& needs, const auto& state, const auto& command, Facts& facts) {
            return gather(needs, state, command, facts);
          },
          [this](const auto& state, const auto& events) { return project(state, events); }),
      inbox_file_(std::move(inbox)) {}

template <Domain D>
auto Loop<D>::execute(const Request& request, const Command& command) -> Result<Answer> {
  return engine_.execute(request, command);
}

template <Domain D>
auto Loop<D>::report(const Command& command, Seq turn) -> Result<Answer> {
  return execute({RequestId(os_.random.token(16)), {PrincipalKind::orchestrator}, turn}, command);
}

template <Domain D>
auto Loop<D>::events(const Mark& from) const -> Result<std::vector<Event>> {
  return engine_.events(from);
}

template <Domain D>
Status Loop<D>::tell(const std::vector<Event>&) {
  return {};
}

template <Domain D>
Status Loop<D>::project(const State& state, const std::vector<Event>& events) {
  TRY(tell(events));
  std::string text;
  for (const InboxItem& item : inbox(state)) text += dump(codec::encode(item)) + "\n";
  const auto now = TRY(os_.files.read_if_there(inbox_file_));
  if (now == text) return {};
  return os_.files.replace(inbox_file_, text, Durable::no);
}

}  // namespace pf
