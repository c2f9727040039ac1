#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/facts.h"
#include "git/git.h"

namespace pf {

// What differs between two trees or commits, sorted by path, with paths as bytes. Neither renames
// nor attributes in the trees are looked at, so nothing can hide a change.
Result<std::vector<ChangedFile>> changes_between(Os& os, const GitPlace& objects,
                                                 const std::string& from, const std::string& to);
// The output of `diff-tree -r --raw --numstat -z --no-renames`; damaged when it has another form.
Result<std::vector<ChangedFile>> parse_changes(std::string_view text);
// The path as it is, or as git quotes it when it is not UTF-8.
std::string shown_path(const std::string& path);

}  // namespace pf
