#pragma once
#include <string>

#include "document/plan/steps.h"
#include "plan/domain/state.h"

// What an agent is told when its run begins. Pure.
namespace pf::plan {

// Paths as the agent sees them; "" when there is no such file.
struct Sources {
  std::string plan, intent, spec;
  std::string build = {};  // where one that cannot write the workspace can build
};

inline constexpr std::size_t kMaxStepText = std::size_t{24} << 10;
inline constexpr std::size_t kMaxHistory = std::size_t{8} << 10;

// A run in a new conversation gets all of it: role, step with its acceptance criteria, pointers to
// intent and specification, the check it is encouraged to run, what was approved and rejected so
// far, what the user said in the whole plan, and what is new. A run that continues a conversation
// gets what is new. An answer always comes with its question.
// The coder is told of other steps by one line each, and of its own all that was requested; the
// reviewer of all requests; the newest of kMaxHistory bytes.
std::string prompt_for(const State& state, const Run& run, const document::Step& step,
                       const Sources& sources);

}  // namespace pf::plan
