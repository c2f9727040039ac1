#pragma once
#include <expected>
#include <string>

#include "base/result.h"

namespace pf::document {

// Something wrong in a file that people and agents write: where, what, and what to write instead.
struct Problem {
  int line = 1;
  std::string what;
  std::string fix = {};
  friend bool operator==(const Problem&, const Problem&) = default;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v.always("line", self.line), v.always("what", self.what), v("fix", self.fix);
  }
};

template <class T>
using Read = std::expected<T, Problem>;

inline std::unexpected<Problem> trouble(int line, std::string what, std::string fix = {}) {
  return std::unexpected(Problem{line, std::move(what), std::move(fix)});
}

// "plan.md line 3: …; fix"
std::string in_words(const std::string& file, const Problem& problem);

}  // namespace pf::document
