#pragma once
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/result.h"

namespace pf {

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
  std::uint64_t covers = 0;
  PF_FIELDS(PF_ALWAYS(argv, keep, set, confined),
            PF_IF_SET(ends_with_parent, enforcement, conversation, program, confirms, covers));
};

std::string text_of(const LaunchPlan& plan);
Result<LaunchPlan> parse_launch_plan(std::string_view text);

// The variables (NAME=value) that the agent sees of `all`. Pure.
std::vector<std::string> variables_for(const LaunchPlan& plan, const std::vector<std::string>& all);

}  // namespace pf
