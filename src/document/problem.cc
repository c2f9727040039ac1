#include "document/problem.h"

#include <fmt/format.h>

namespace pf::document {

std::string in_words(const std::string& file, const Problem& problem) {
  return fmt::format("{} line {}: {}{}{}", file, problem.line, problem.what,
                     problem.fix.empty() ? "" : "; ", problem.fix);
}

}  // namespace pf::document
