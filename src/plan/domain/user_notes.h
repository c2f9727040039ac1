#pragma once
#include "plan/domain/state.h"

// What the user said to agents, and what of it later runs are told. Pure.
namespace pf::plan {

inline constexpr std::size_t kMaxUserNotes = std::size_t{8} << 10;  // bytes in one prompt

// "step 1, the coder asked", the question, the answer; each quoted.
std::string in_words(const UserNote& note);
// The newest that fit into kMaxUserNotes, oldest first; the newest one always.
std::vector<const UserNote*> told_notes(const State& state);
// "1, 2, 5"
std::string note_numbers(const State& state);

}  // namespace pf::plan
