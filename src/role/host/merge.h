#pragma once
#include "role/host/loop.h"

namespace pf {

// Of these conflicts of the landing's commit with `onto`, those that somebody has to settle: the
// register and the tasks are what the landing says, and so is its own line of the roadmap.
Result<std::vector<std::string>> real_conflicts(const Checkout& checkout, const Git& git,
                                                const role::Landing& landing,
                                                const std::string& onto,
                                                std::vector<std::string> conflicts);

// The merge of the landing's commit into a branch, as objects that are kept.
Result<role::ReportMerge> make_merge(RoleLoop& loop, const role::Landing& landing);

}  // namespace pf
