#pragma once
#include <string>

#include "base/result.h"

namespace pf {

// An error in one line, for logs and notes: "what: why".
inline std::string in_short(const Error& error) {
  return error.why.empty() ? error.what : error.what + ": " + error.why;
}
// The same with what to do: "what: why; fix".
inline std::string in_words(const Error& error) {
  return error.fix.empty() ? in_short(error) : in_short(error) + "; " + error.fix;
}

}  // namespace pf
