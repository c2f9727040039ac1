#pragma once
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "os/os.h"

namespace pf {

// Those that are built in; a file of such a name is "./demo".
bool is_built_in(std::string_view scenario);

struct FileToWrite {
  std::string path;  // beneath the worktree
  std::string text;
  bool executable = false;
};

// How a turn or run ends. The texts are handed to the real commands as they are; those judge.
struct Ending {
  std::string_view key;                   // in the scenario: "pass", "exit", "hang", …
  std::vector<std::string> command = {};  // the words behind `pairflow`; none: it only ends
  int code = 0;                           // of exit
};

// One turn of a bubble, or run of a plan: played in this order when all that is set of agent, role,
// step and round fits.
struct ScenarioTurn {
  std::string agent;         // "": any
  std::string role;          // "": any
  std::string step = {};     // of a run; "": any
  std::optional<int> round;  // none: any
  std::string say;
  int think_ms = 0;
  std::vector<FileToWrite> write;
  std::vector<std::string> remove;  // paths beneath the worktree
  std::vector<std::string> run;     // one program with its arguments
  Ending ending;
};

struct Scenario {
  std::string name;
  std::vector<ScenarioTurn> turns;  // of bubbles
  std::vector<ScenarioTurn> runs;   // of plans
};

// TOML, see docs/agents.md. Unknown keys, wrong types and paths that leave the worktree are usage
// errors with file, line and fix; the first one is reported.
Result<Scenario> parse_scenario(const Path& file, std::string_view text);
// The built-in scenario of that name, else the file's.
Result<Scenario> load_scenario(Os& os, const std::string& name);

// The text of "demo-role": planner, coder and reviewer, one feature F001 of two tasks.
std::string_view demo_role_scenario();
// The text of "demo": two agents, a small tool with a real bug, one P1, a fix, two clean reviews;
// and for any plan a first step that is sent back once.
std::string_view demo_scenario();

// Whose turn it is.
struct TurnKey {
  std::string agent;
  std::string role;
  int round = 0;
  std::string step = {};
};
// The place of the first turn, or run, that fits and is not in `passed_over`.
std::optional<std::size_t> find_turn(const std::vector<ScenarioTurn>& turns, const TurnKey& key,
                                     const std::set<std::size_t>& passed_over);

}  // namespace pf
