#include "document/plan/plan_keys.h"

namespace pf::document {

Read<PlanKeys> plan_keys(const Frontmatter& front) {
  PlanKeys keys;
  keys.active = front.keys.find(kActiveKey);
  if (keys.active != nullptr) {
    if (!is_word(keys.active->value))
      return trouble(keys.active->line, "active_step is not one step's id",
                     "write it on one line, for example `active_step: \"2\"`");
  }
  if (const YamlPair* statuses = front.keys.find(kStatusKey)) {
    if (statuses->value.kind == YamlNode::Kind::mapping)
      keys.statuses = &statuses->value;
    else if (!statuses->value.is_null())
      return trouble(statuses->line, "step_status is no map of steps",
                     "write a line `\"1\": done` for each step below it, or leave the key out");
  }
  return keys;
}

}  // namespace pf::document
