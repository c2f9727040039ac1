#include "config/problem.h"

#include <fmt/format.h>

#include <ranges>

#include "base/check.h"
#include "base/text.h"

namespace pf {
namespace {

constexpr std::size_t kListed = 10;

std::string headline(const Problem& problem) {
  const std::string file = printable(problem.place.file.string());
  if (problem.place.line == 0) return fmt::format("{}: {}", file, problem.what);
  return fmt::format("{}:{}: {}", file, problem.place.line, problem.what);
}

std::string one_line(const Problem& problem) {
  std::string line = headline(problem);
  if (!problem.why.empty()) line += fmt::format("; {}", problem.why);
  if (!problem.fix.empty()) line += fmt::format(" ({})", problem.fix);
  return line;
}

}  // namespace

Error to_error(const std::vector<Problem>& problems) {
  PF_CHECK(!problems.empty());
  const Problem& first = problems.front();
  if (problems.size() == 1) return {Exit::usage, headline(first), first.why, first.fix};
  std::vector<std::string> lines;
  for (const auto& problem : problems | std::views::take(kListed))
    lines.push_back(one_line(problem));
  if (problems.size() > kListed)
    lines.push_back(fmt::format("and {} more", problems.size() - kListed));
  return {Exit::usage, fmt::format("{} mistakes in the configuration", problems.size()),
          join(lines, "\n"), "correct these lines; docs/configuration.md lists every key"};
}

}  // namespace pf
