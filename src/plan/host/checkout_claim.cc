#include "plan/host/checkout_claim.h"

#include <fmt/format.h>

#include "role/domain/decide.h"
#include "role/domain/state.h"

namespace pf {
namespace {

ClaimFact claim_of(const plan::State& state) {
  const std::string& feature = state.feature.str();
  return {fmt::format("plan {} works", feature),
          plan::is_active(state.phase)
              ? fmt::format("pairflow plan pause {0} && pairflow plan release {0}", feature)
              : fmt::format("pairflow plan release {}", feature)};
}

ClaimFact claim_of(const role::State& state) {
  return {"the roles work", state.automation.empty()
                                ? "pairflow role release"
                                : "pairflow role pause && pairflow role release"};
}

// What `claim` makes of the loop's state when that holds the checkout.
template <class D>
Result<std::optional<typename D::State>> holder(Os& os, const LoopPaths& paths,
                                                const LoopFiles& files) {
  auto state = read_state<D>(os, files);
  if (state) {
    if (*state && holds_checkout(**state)) return std::move(*state);
    return std::nullopt;
  }
  if (state.error().exit != Exit::damaged || TRY(is_driven(os, paths)))
    return std::unexpected(state.error());
  return std::nullopt;
}

Result<ClaimFact> by_plans(Os& os, const Repository& repository, const plan::FeatureId* but,
                           bool delegated) {
  for (const plan::FeatureId& feature : TRY(plans_run(os, repository))) {
    if (but != nullptr && feature == *but) continue;
    const PlanPaths paths(repository, feature);
    const auto state = TRY(holder<plan::Domain>(os, paths, paths.loop_files()));
    if (state && (delegated || !state->delegated)) return claim_of(*state);
  }
  return ClaimFact{};
}

Result<ClaimFact> by_roles(Os& os, const Repository& repository) {
  const DrivenPaths paths(repository, "role.loop", "role");
  const LoopFiles files{"role",     paths.journal, paths.state,
                        paths.door, paths.bells,   "pairflow verify --roles"};
  const auto state = TRY(holder<role::Domain>(os, paths, files));
  return state ? claim_of(*state) : ClaimFact{};
}

}  // namespace

Result<ClaimFact> claim_on_checkout(Os& os, const Repository& repository,
                                    const PlanClaimant& asking) {
  if (!asking.delegated)
    if (auto claim = TRY(by_roles(os, repository)); !claim.holder.empty()) return claim;
  return by_plans(os, repository, &asking.feature, true);
}

Result<ClaimFact> claim_on_checkout(Os& os, const Repository& repository, const RolesClaimant&) {
  return by_plans(os, repository, nullptr, false);
}

}  // namespace pf
