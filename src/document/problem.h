#pragma once
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/ids.h"
#include "base/result.h"

namespace pf::document {

// Something wrong in a file that people and agents write: where, what, and what to write instead.
struct Problem {
  int line = 1;
  std::string what;
  std::string fix = {};
  friend bool operator==(const Problem&, const Problem&) = default;
  PF_FIELDS(PF_ALWAYS(line, what), PF_IF_SET(fix));
};

// Those of one file, as it was then.
struct FileProblems {
  std::string file;
  Hash hash;
  std::vector<Problem> problems;
  PF_FIELDS(PF_ALWAYS(file, hash, problems));
};

template <class T>
using Read = std::expected<T, Problem>;

inline std::unexpected<Problem> trouble(int line, std::string what, std::string fix = {}) {
  return std::unexpected(Problem{line, std::move(what), std::move(fix)});
}

// Of one document that are told.
inline constexpr std::size_t kMostProblems = 50;

// "plan.md line 3: …; fix"
std::string in_words(const std::string& file, const Problem& problem);
std::vector<std::string> in_words(std::string_view file, const std::vector<Problem>& problems);

}  // namespace pf::document

// TRY takes a Read as it takes a Result.
namespace pf::detail {
template <class T>
T take(document::Read<T>&& read) {
  if constexpr (!std::is_void_v<T>) return std::move(*read);
}
}  // namespace pf::detail
