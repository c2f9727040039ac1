#include "role/domain/switches.h"

#include "base/check.h"

namespace pf::role {

std::vector<SwitchRule> switch_rules() {
  const std::vector<Role> all = {Role::planner, Role::coder, Role::reviewer};
  const std::vector<Role> planner = {Role::planner}, reviewer = {Role::reviewer};
  const std::vector<Lifecycle> any = {Lifecycle::init, Lifecycle::in_progress, Lifecycle::handoff,
                                      Lifecycle::blocked, Lifecycle::done};
  const std::vector<Lifecycle> begun = {Lifecycle::in_progress, Lifecycle::handoff,
                                        Lifecycle::blocked, Lifecycle::done};
  return {
      {Verb::init, planner, std::vector<Lifecycle>{}, "PLANNER", "init", "pairflow role init",
       "Only on the first run: seed docs/ROADMAP.md and the policy files. It never comes again."},
      {Verb::start, all, any, "yourself", "in_progress", "pairflow role start",
       "When it is your turn, before you do anything else (on the first run: once there is a "
       "docs/ROADMAP.md). Only one can take the role."},
      {Verb::handoff, all, any, "the next role", "handoff",
       "pairflow role handoff --to <ROLE> --message <note>",
       "When your part is done. The note names paths and task ids, never code."},
      {Verb::block, all, begun, "the role that can unblock you", "blocked",
       "pairflow role block --by <ROLE> --message <questions>",
       "When you cannot go on. The note asks precise questions. --by HUMAN when no role can "
       "answer them."},
      {Verb::approve_task, reviewer, begun, "PLANNER", "handoff", "pairflow role approve-task",
       "When the task is done as it should be. The next task, by its number, goes to the planner; "
       "after the last one the feature is approved."},
      {Verb::approve_feature, reviewer, begun, "PLANNER", "in_progress",
       "pairflow role approve-feature",
       "When every task of the feature is approved. Pairflow closes it: roadmap, a fresh "
       "state.json, docs/current/ taken away, then the merge."},
  };
}

SwitchRule rule_of(Verb verb) {
  for (const SwitchRule& rule : switch_rules())
    if (rule.verb == verb) return rule;
  PF_CHECK(!"every verb has a rule");
  return {};
}

}  // namespace pf::role
