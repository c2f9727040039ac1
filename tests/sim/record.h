#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/envelope.h"
#include "os/fake/files.h"

namespace pf::sim {

// A promise that was not kept.
struct Broken {
  std::string what;
};

// What the journal's file has held, read by the oracle's own eyes: split, numbered, chained and
// folded from the first line on without the journal's code, and compared with what it held before.
template <class Decider>
class Record {
 public:
  using State = typename Decider::State;
  using StatePtr = std::shared_ptr<const State>;
  struct Batch {
    RequestId request;
    bool warning = false;  // a PROTOCOL_WARNING
    std::uint64_t end = 0;
    Hash hash;  // of its last line, and so of everything before it
    std::vector<Line> lines;
    StatePtr before, state;
  };

  Record(FakeDisk& disk, FakeClock& clock, Path journal);

  // Takes over what one call may have changed. Broken when committed bytes are gone or a line does
  // not continue the chain. Says whether the file became shorter.
  bool look();
  // Broken unless it is byte for byte what the last look saw.
  void compare();
  // Takes over what a loss of power left. Broken unless all that was committed is there. How many
  // batches stayed as they were.
  std::size_t after_power_cut();
  // Everything up to `end` has been answered for: it stays as it is from now on.
  void commit(std::uint64_t end) { committed_ = std::max(committed_, end); }

  const std::string& bytes() const { return bytes_; }
  const std::vector<Batch>& batches() const { return batches_; }
  std::uint64_t whole() const { return batches_.empty() ? 0 : batches_.back().end; }
  const State& state() const { return *state_; }
  // The batch of a request, its warnings aside; null when there is none.
  const Batch* find(const RequestId& request) const;
  // The state of the journal that ends in the line with this hash; null when there never was one.
  const State* state_at(const Hash& hash) const;

 private:
  void cut(std::uint64_t size);
  void parse();
  bool take_batch();
  std::uint64_t size();
  std::string read();

  FakeDisk& disk_;
  FakeClock& clock_;
  Path journal_;
  std::optional<FakeFiles> files_;  // anew after a loss of power
  std::string bytes_;
  std::vector<Batch> batches_;
  std::uint64_t committed_ = 0;
  StatePtr state_ = std::make_shared<State>();
  std::map<std::string, StatePtr> states_;
};

}  // namespace pf::sim
