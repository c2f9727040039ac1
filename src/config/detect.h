#pragma once
#include <vector>

#include "config/profile.h"
#include "config/repo_top.h"

// One detector per kind of build whose files need more than a look; each appends what it finds.
namespace pf {

void detect_node(const RepoTop& top, std::vector<Detected>& found);
void detect_cmake(const RepoTop& top, std::vector<Detected>& found);

// The word as sh reads it back.
std::string shell_word(std::string_view word);

}  // namespace pf
