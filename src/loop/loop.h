#pragma once
#include "agents/kind.h"
#include "base/inbox_item.h"
#include "config/settings.h"
#include "loop/engine.h"
#include "loop/paths.h"

namespace pf {

// What a bubble, a plan and the roles have in common: one journal with its door, a file that lists
// what waits for the human, settings, and facts that each gathers in its own way.
template <Domain D, class P>
class Loop : public Engine<D> {
 public:
  using typename Engine<D>::State;
  using typename Engine<D>::Event;
  using typename Engine<D>::Command;
  using typename Engine<D>::Answer;

  Loop(Os& os, P paths);
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  Os& os() { return os_; }
  const P& paths() const { return paths_; }
  Result<Settings> settings() const;

  // Refuses when it has not begun.
  Result<State> load();
  // The same, once all of it would survive a loss of power: what acts on the world acts on this.
  Result<State> load_durable();
  // The same, as nothing has made it when it has not begun.
  virtual Result<State> load_or_none();
  // In the orchestrator's name; with `turn` only while that turn lasts.
  Result<Answer> report(const Command& command, Seq turn = Seq::none);

 protected:
  ~Loop() = default;

  // Adds what is asked for to the facts; runs outside the lock.
  virtual Status gather(const std::vector<Need>& needs, const State& state, const Command& command,
                        Facts& facts) = 0;
  // Files that tell of single events; writing one again is harmless.
  virtual Status tell(const std::vector<Event>&) { return {}; }
  // Why there is nothing to load.
  virtual Result<Error> not_begun() const = 0;
  // What to do about a damaged journal; "": as the journal says.
  virtual std::string way_out() const { return ""; }
  // The name in `directory` that is nearest to this one and not the same; "" when none is near.
  Result<std::string> nearest_in(const Path& directory, const std::string& name) const;

  Os& os_;
  P paths_;

 private:
  Status project(const State& state, const std::vector<Event>& events);
};

// The state of one loop and nothing else, for those who read many; nothing when there is none.
template <Domain D>
Result<std::optional<typename D::State>> read_state(Os& os, const LoopFiles& files) {
  auto loaded = TRY(Engine<D>(os, files, nullptr, nullptr).load());
  if (!D::has_begun(loaded.state)) return std::nullopt;
  return std::move(loaded.state);
}

// The rest is instantiated once for each domain, beside its loop: it takes seconds to compile.

template <Domain D, class P>
Loop<D, P>::Loop(Os& os, P paths)
    : Engine<D>(
          os, paths.loop_files(),
          [this](const auto& needs, const auto& state, const auto& command, Facts& facts) {
            return gather(needs, state, command, facts);
          },
          [this](const auto& state, const auto& events) { return project(state, events); }),
      os_(os),
      paths_(std::move(paths)) {}

template <Domain D, class P>
Result<Settings> Loop<D, P>::settings() const {
  std::optional<Path> own;
  if constexpr (requires { paths_.config; }) own = paths_.config;
  return load_settings(os_, paths_.repository.top, own, agent_kinds());
}

template <Domain D, class P>
auto Loop<D, P>::load_or_none() -> Result<State> {
  auto loaded = Engine<D>::load();
  if (loaded) return std::move(loaded->state);
  Error error = loaded.error();
  if (const std::string fix = way_out(); !fix.empty())
    if (error.exit == Exit::damaged && !TRY(this->in_doubt())) error.fix = fix;
  return std::unexpected(std::move(error));
}

template <Domain D, class P>
auto Loop<D, P>::load() -> Result<State> {
  auto state = TRY(load_or_none());
  if (D::has_begun(state)) return state;
  return std::unexpected(TRY(not_begun()));
}

template <Domain D, class P>
auto Loop<D, P>::load_durable() -> Result<State> {
  const Lock door = TRY(this->prove());
  return load();
}

template <Domain D, class P>
auto Loop<D, P>::report(const Command& command, Seq turn) -> Result<Answer> {
  return this->execute({RequestId(os_.random.token(16)), {PrincipalKind::orchestrator}, turn},
                       command);
}

template <Domain D, class P>
Result<std::string> Loop<D, P>::nearest_in(const Path& directory, const std::string& name) const {
  std::vector<std::string> known;
  for (const Entry& entry : TRY(os_.files.list(directory)))
    if (entry.name != name) known.push_back(entry.name);
  return std::string(nearest(name, {known.begin(), known.end()}));
}

template <Domain D, class P>
Status Loop<D, P>::project(const State& state, const std::vector<Event>& events) {
  TRY(tell(events));
  std::string text;
  for (const InboxItem& item : inbox_of(state)) text += dump(codec::encode(item)) + "\n";
  const auto now = TRY(os_.files.read_if_there(paths_.inbox));
  if (now == text) return {};
  return os_.files.replace(paths_.inbox, text, Durable::no);
}

}  // namespace pf
