#pragma once
// What the reading and the rewriting of a plan share; nothing outside them includes this.
#include "document/frontmatter.h"
#include "document/plan/plan_document.h"

namespace pf::document {

inline constexpr std::string_view kActiveKey = "active_step";
inline constexpr std::string_view kStatusKey = "step_status";

struct PlanKeys {
  const YamlPair* active = nullptr;
  const YamlNode* statuses = nullptr;  // a mapping
};
// The keys that mean something to us; refuses forms whose value could not be replaced.
Read<PlanKeys> plan_keys(const Frontmatter& front);

// "done", "needs-changes", "needs_changes", …
std::optional<StepStatus> parse_status(std::string_view word);

}  // namespace pf::document
