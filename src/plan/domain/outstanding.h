#pragma once
#include <variant>

#include "base/compiled_once.h"
#include "plan/domain/state.h"

// What is still to be done in the world so that it matches the log. Computed anew on each wake, so
// that a normal run and the recovery from a crash are the same code.
namespace pf::plan {

// A process that was started for a run, and what is known of its end.
struct RunView {
  int run = 0;
  bool alive = false;
  std::optional<int> exit = {};  // nothing: nobody saw it end
};
struct Observed {
  Hash plan = {};  // of plan.md; "" when it is not there
  std::vector<RunView> runs = {};
};

struct WriteRegister {
  RegisterWrite write;
};
struct RecordWritten {
  Hash hash;
};
struct LookAtDocuments {};  // somebody edited plan.md
struct StartRun {
  int run = 0;
  Role role = Role::coder;
  std::string step;
};
struct RecordStart {
  int run = 0;
};
struct StopRun {
  int run = 0;
  bool handed_over = false;  // it may say its last words
};
struct RecordEnd {
  int run = 0;
  std::optional<int> exit = {};
};

struct LandCommits {
  LandingPrepared landing;
};
struct MergeHome {
  MergePrepared merge;
};

struct Effect : std::variant<WriteRegister, RecordWritten, LookAtDocuments, StartRun, RecordStart,
                             StopRun, RecordEnd, LandCommits, MergeHome> {
  using variant::variant;
  PF_COMPILED_ONCE(Effect);
};

// In the order they are to be done; harmless twice, or with a completion of their own. A run is
// started when no other one is there any more.
std::vector<Effect> outstanding(const State& state, const Observed& observed);

}  // namespace pf::plan
