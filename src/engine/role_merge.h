#pragma once
#include "engine/role_loop.h"

namespace pf {

// In a merge of a finished feature this path is what its landing says, whatever both sides say.
bool is_settled_by_closing(const std::string& path);

// The merge of the landing's commit into a branch, as objects that are kept.
Result<role::FileMerge> make_merge(RoleLoop& loop, const role::Landing& landing);

}  // namespace pf
