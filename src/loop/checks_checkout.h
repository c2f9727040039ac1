#pragma once
#include <cstdint>
#include <optional>

#include "git/tree_checkout.h"
#include "loop/confined_checks.h"

namespace pf {

// The checkout in which a loop's checks run. It is kept from one run to the next, so that what was
// built and installed is still there.
struct ChecksCheckout {
  TreeCheckout files;
  Path kept;  // what is known of it; a projection
};

struct TreeChecks : ConfinedChecks {
  bool from_empty = false;  // nothing of an earlier run was there
};

// Runs the checks on exactly this tree, after `setup` of the settings where that is due: in a
// checkout that began empty, or since it was last run with other lock files or another command.
Result<TreeChecks> check_tree(Os& os, const LoopPaths& loop, const std::string& name,
                              const Settings& settings, const ChecksCheckout& checkout,
                              const TreeId& tree, std::vector<CheckToRun> wanted, Begin begin);

// Notes how much of the disk it takes, with other directories of its loop.
void note_size(Os& os, const ChecksCheckout& checkout, const std::vector<Path>& others = {});
// In bytes, as it was last noted; nothing when there is no such checkout.
std::optional<std::uint64_t> noted_size(Os& os, const Path& kept);

}  // namespace pf
