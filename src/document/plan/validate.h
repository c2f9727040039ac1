#pragma once
#include <string_view>
#include <vector>

#include "document/problem.h"

namespace pf::document {

// What is wrong with a plan: what read_plan refuses, no steps at all, steps that share an id, an
// active_step that is no step's. Other keys of the frontmatter are the writer's.
std::vector<Problem> validate_plan(std::string_view text);

// What is wrong with a specification: not UTF-8, no title, an empty section, a code fence or
// frontmatter without its end, frontmatter that is no YAML.
std::vector<Problem> validate_spec(std::string_view text);

}  // namespace pf::document
