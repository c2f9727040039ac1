#pragma once
#include "role/host/loop.h"

namespace pf {

// Of these conflicts of the landing's commit with `onto`, those that somebody has to settle: the
// register and the tasks are what the landing says, and so is its own line of the roadmap.
Result<std::vector<std::string>> real_conflicts(UserRepository& git, const role::Landing& landing,
                                                const CommitId& onto,
                                                std::vector<std::string> conflicts);

// Keeps an object alive by a ref of ours, which is returned; harmless twice.
Result<std::string> keep_commit(UserRepository& git, const std::string& name,
                                const CommitId& commit);

// The merge of the landing's commit into a branch, as objects that are kept.
Result<role::ReportMerge> make_merge(UserRepository& git, const role::Landing& landing);

}  // namespace pf
