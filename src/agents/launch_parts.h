#pragma once
#include <array>
#include <map>
#include <span>

#include "agents/kind.h"
#include "agents/launch.h"

namespace pf {

// What the kinds make their launches of.

// The configured command as it is; a usage error when there is none. A kind that takes templates
// has one of its own for headless runs.
Result<AgentLaunch> configured_command(const AgentSettings& agent, bool headless = false);

// A program's arguments as data: a group is there when its condition holds, and {names} in its
// words are filled in.
enum class When {
  always,
  confined,    // our sandbox is around it
  unconfined,  // it is not
  edits,       // it is not, and the agent may write the worktree
  reads,       // it is not, and the agent may not
  modelled,    // a model is configured for the role
  begins,      // a new conversation
  continues,   // an old one
  in_pane,     // at a terminal
  headless,    // without one
  prompted,    // at a terminal, with a first prompt
};
struct Arguments {
  When when;
  std::array<std::string_view, 4> words;  // the first ones that are not empty
};
using Fillings = std::map<std::string, std::string, std::less<>>;
void add_arguments(std::vector<std::string>& argv, std::span<const Arguments> table,
                   const LaunchContext& context, const Fillings& fillings);
// {names} that are known are filled in, all others stay as they are.
std::string filled_in(std::string_view word, const Fillings& fillings);

// What every program may be told: prompt, conversation, model, role, worktree, briefing.
Fillings usual_fillings(const LaunchContext& context);

// Those of a program's hooks that are wanted: a headless run is heard by its output, and has only
// to tell when a tool was used.
std::span<const std::string_view> hooks_of(const LaunchContext& context,
                                           std::span<const std::string_view> all);
// `pairflow WORD` as a shell reads it.
std::string own_command(const LaunchContext& context, std::string_view word);
// The variables that our own program goes by, for those who start it with few.
std::vector<std::pair<std::string, std::string>> own_variables(const AgentSettings& agent,
                                                               const LaunchContext& context);
// The value of a variable that the agent is going to see.
std::optional<std::string> variable_of(const LaunchContext& context, std::string_view name);
// Gives the agent the program's own directory, but for what its configuration is.
void add_own_directory(AgentLaunch& launch, const Path& directory, const OwnFiles& own);

}  // namespace pf
