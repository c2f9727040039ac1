#include "agents/kind.h"
#include "base/check.h"

namespace pf {

extern const AgentKind kClaude, kCodex, kCustom, kScripted;

KindTable agent_kinds() {
  static constexpr const KindSettings* kKinds[] = {&kClaude, &kCodex, &kCustom, &kScripted};
  return kKinds;
}

const AgentKind& kind_of(const AgentSettings& agent) {
  PF_CHECK(agent.kind != nullptr);
  return static_cast<const AgentKind&>(*agent.kind);
}

}  // namespace pf
