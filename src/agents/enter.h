#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/result.h"

namespace pf {

// Names in a program's own directory that are to be there while an agent runs, so that it cannot
// make them.
struct HeldNames {
  struct Name {
    std::string path, text;
    bool directory = false;
    PF_FIELDS(PF_ALWAYS(path), PF_IF_SET(text, directory));
  };
  std::string directory;
  std::string loop;                  // whose agent it is
  std::vector<Name> names;           // made where they are missing
  std::vector<std::string> written;  // what the program itself makes
  PF_FIELDS(PF_ALWAYS(directory, loop, names, written));
};

// How an agent's process begins, written to a file because a terminal's command line is short and
// seen by everybody. Holds no secret: variables are named, their values come from the pane.
struct LaunchPlan {
  struct Variable {
    std::string name, value;
    PF_FIELDS(PF_ALWAYS(name, value));
  };
  std::vector<std::string> argv;  // the sandbox's program first, when there is one
  std::vector<std::string> keep;  // names of variables that stay; one with a * at its end: all such
  std::vector<Variable> set;      // on top
  bool confined = false;          // argv expects the seccomp program
  bool ends_with_parent = false;  // killed when its parent ends
  // What is known of the process and not seen in its pane.
  std::string enforcement, conversation, program;
  bool confirms = false;
  bool apart = false;  // it sees another directory in the place of the worktree
  std::uint64_t covers = 0;
  std::optional<HeldNames> held = {};
  PF_FIELDS(PF_ALWAYS(argv, keep, set, confined),
            PF_IF_SET(ends_with_parent, enforcement, conversation, program, confirms, apart, covers,
                      held));
};

std::string text_of(const LaunchPlan& plan);
Result<LaunchPlan> parse_launch_plan(std::string_view text);

// The variables (NAME=value) that the agent sees of `all`. Pure.
std::vector<std::string> variables_for(const LaunchPlan& plan, const std::vector<std::string>& all);

}  // namespace pf
