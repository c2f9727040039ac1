#pragma once
#include <set>
#include <string>

#include "git/git.h"

namespace pf {

// A checkout of the user's: its files, its git directory with the index, and a name for files that
// are made and removed while it is looked at.
struct UserCheckout {
  Path where;
  Path git_dir;
  Path scratch;
};

// What git was told to overlook in a checkout.
struct Overlooked {
  bool assumed = false;            // some entries of the index are taken for unchanged
  std::set<std::string> left_out;  // paths that a sparse checkout leaves out: nothing is there
};
// By the flags in the checkout's index and, where the user has set a sparse checkout, by its
// patterns for the files of `tree`. No file is read.
Result<Overlooked> look_for_overlooked(Os& os, const UserCheckout& checkout,
                                       const std::string& tree);

// Tells the index of `git`, which has no files, to take those of the paths that it has for
// unchanged.
Status overlook(const Git& git, const std::set<std::string>& paths);
// Marks in the checkout's index what that leaves out of `tree`, which the index is of.
Status leave_out(Os& os, const UserCheckout& checkout, const std::string& tree);

}  // namespace pf
