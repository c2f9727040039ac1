#include "document/problem.h"

#include <fmt/format.h>

namespace pf::document {

std::string in_words(const std::string& file, const Problem& problem) {
  return fmt::format("{} line {}: {}{}{}", file, problem.line, problem.what,
                     problem.fix.empty() ? "" : "; ", problem.fix);
}

std::vector<std::string> in_words(std::string_view file, const std::vector<Problem>& problems) {
  std::vector<std::string> words;
  for (const Problem& problem : problems) words.push_back(in_words(std::string(file), problem));
  return words;
}

}  // namespace pf::document
