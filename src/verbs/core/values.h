#pragma once
#include "verbs/core/verb.h"

namespace pf {

inline constexpr int kMaxNumber = 9999;  // of Type::number; the least is 1

bool is_number(std::string_view text);

// What every front end refuses alike, as a usage error that names the option: a value that is
// missing, empty, too long, no text or no number; too many of them; a --request that is no id.
Status check_values(const Verb& verb, const Args& args);

}  // namespace pf
