#pragma once
#include <string>
#include <vector>

#include "bubble/domain/state.h"

// The approval package as a page: what the agents wrote, quoted, and what we know ourselves.
namespace pf {

struct PackageModel {
  bubble::State state;
  bubble::PartTexts texts;               // of the agents, the newest of each part
  std::vector<ChangedFile> files;        // against the base
  std::vector<bubble::Evidence> runs;    // of the checks on this tree, oldest first
  std::vector<std::string> human;        // what the human decided on the way, one line each
  std::vector<std::string> git_changes;  // in configuration and hooks since the start
  std::vector<std::string> new_ignored;  // files that no commit will hold
  std::vector<std::string> nested;       // repositories in the tree
  std::vector<std::string> submodules;   // whose files are not as recorded: "lib: a.c"
  std::string checks_diff;               // of the files that say how to check
  std::string tests_diff;                // of the tests
  std::vector<HiddenText> hidden;        // in the change
};

std::string package_page(const PackageModel& model);

}  // namespace pf
