#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "role/domain/types.h"

// The switch rules as a table: the decider refuses by it, the briefings are written from it.
namespace pf::role {

enum class Verb { init, start, handoff, block, approve_task, approve_feature };
PF_NAMES_AS(Verb, (init, "init"), (start, "start"), (handoff, "handoff"), (block, "block"),
            (approve_task, "approve-task"), (approve_feature, "approve-feature"));

struct SwitchRule {
  Verb verb;
  std::vector<Role> by;         // whose it is
  std::vector<Lifecycle> from;  // the states it is for; none: while there is none
  std::string_view to;          // current_role afterwards
  std::string_view then;        // state afterwards
  std::string_view command;
  std::string_view rule;
  bool is_for(Role role) const { return contains(by, role); }
  bool is_from(Lifecycle state) const { return contains(from, state); }
};
SwitchRule rule_of(Verb verb);
std::vector<SwitchRule> switch_rules();

// To whom a role usually hands over.
constexpr Role usual_next(Role role) { return role == Role::coder ? Role::reviewer : Role::coder; }

}  // namespace pf::role
