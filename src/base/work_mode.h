#pragma once
#include <array>
#include <string_view>
#include <utility>

namespace pf {

// How a bubble's files are kept apart from the user's.
enum class WorkMode { worktree, clone };
constexpr std::array<std::pair<WorkMode, std::string_view>, 2> names_of(WorkMode) {
  return {{{WorkMode::worktree, "worktree"}, {WorkMode::clone, "clone"}}};
}

}  // namespace pf
