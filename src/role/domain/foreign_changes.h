#pragma once
#include <string>
#include <string_view>
#include <vector>

// Everything that is not committed goes into a feature's commit. What lay there before anybody
// worked on the feature is no part of it, and nobody would look at it: so a feature begins on a
// tree that was clean.
namespace pf::role {

// Of the paths that are not committed, those that are not the loop's own documents.
std::vector<std::string> foreign_changes_in(const std::vector<std::string>& dirty);

inline constexpr std::string_view kForeignChangesFix = "commit it, stash it or let git ignore it";
// "not committed: a, b and 3 more"
std::string name_foreign_changes(const std::vector<std::string>& paths);

}  // namespace pf::role
