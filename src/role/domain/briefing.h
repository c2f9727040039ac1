#pragma once
#include <string>

#include "role/domain/state.h"

// What an agent is told. Written from the table that the decider refuses by. Pure.
namespace pf::role {

// The rules of one role, for repositories that let agents read them themselves.
std::string briefing_of(Role role, const Policy& policy);

// The same with how things stand: the note, feature, task, branch, autopilot.
std::string briefing_for(const State& state, Role role, bool sent_back);

}  // namespace pf::role
