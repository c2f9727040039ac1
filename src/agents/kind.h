#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>

#include "config/settings.h"

namespace pf {

struct AgentKind;
struct AgentLaunch;
struct LaunchContext;
class StreamLines;

// The input box on a program's screen; without one nothing on it is known.
struct Look {
  std::string_view box = {};     // how its line begins; so does a choice's cursor
  std::string_view empty = {};   // what follows when nothing is typed
  std::string_view beside = {};  // in some line near it: the box alone is painted before it works
};

// How a program is asked for its version, and which were tried: those from `first` to below
// `below`.
struct Versions {
  using Number = std::array<int, 3>;
  std::string_view option = {};  // "": it is not asked
  Number first = {}, below = {};
};

// How a program tells that its model does not answer, beside what every service says. Words are in
// lower case.
struct Troubles {
  // A line of the program's own, behind blanks and ornaments.
  struct Line {
    std::string_view begins, has = {};
  };
  std::span<const std::string_view> limits = {};     // what the user may use is used up
  std::span<const std::string_view> overloads = {};  // the service does not answer
  std::string_view retries = {};                     // the program tries again by itself
  std::span<const Line> on_screen = {};              // only these are looked at there
};

// The directory in which a program keeps what belongs to its user. In the sandbox the agent may
// write it, but not what decides there about what the program does and runs.
struct OwnFiles {
  struct Name {
    std::string_view name;
    std::optional<std::string_view> text = {};  // what such a file has when it says nothing;
                                                // none: it is a directory
  };
  using Names = std::span<const std::string_view>;
  std::span<const Name> configuration = {};  // where missing, held by a placeholder meanwhile
  Names written = {};  // what it writes there itself; all else that is there is sealed
  Names apart = {};    // directories from which it runs what it writes: each agent has its own
  Names records = {};  // of those it writes, where nothing is run whatever it looks like
};

// All that is known of one kind of agent. Each is a row in the folder of its name, and one word in
// kinds.cc; nothing else names a kind.
struct AgentKind : KindSettings {
  // Gives argv, in a pane or headless, and what it needs beyond what every agent gets.
  Result<AgentLaunch> (*launch)(const AgentSettings& agent, const LaunchContext& context);
  // Reads what a headless run writes to its standard output.
  std::unique_ptr<StreamLines> (*lines)(const AgentKind& kind);
  Look look = {};
  Versions versions = {};
  Troubles troubles = {};
  OwnFiles own = {};
};

// Every kind there is, for load_settings.
KindTable agent_kinds();

// The agent's row: its kind came out of agent_kinds, or is a row of a test's own.
const AgentKind& kind_of(const AgentSettings& agent);

}  // namespace pf
