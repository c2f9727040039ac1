#include "document/role/branch_name.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "document/lines.h"

namespace pf::document {
namespace {

bool is_small(char c) { return (c >= 'a' && c <= 'z') || is_digit(c); }

bool is_numbered(std::string_view text, char letter, std::size_t least) {
  constexpr std::size_t kMostDigits = 6;
  return text.starts_with(letter) && text.size() > least && text.size() <= kMostDigits + 1 &&
         std::ranges::all_of(text.substr(1), is_digit);
}

struct Numbered {
  std::string id, slug;
};
// "F001-login" in its two parts.
Numbered split_id(std::string_view text) {
  const auto dash = text.find('-');
  if (dash == std::string_view::npos) return {std::string(text), ""};
  return {std::string(text.substr(0, dash)), std::string(text.substr(dash + 1))};
}

}  // namespace

std::vector<std::string> default_branch_types() {
  return {"feat", "fix", "chore", "docs", "refactor", "test", "perf"};
}

bool is_kebab(std::string_view text) {
  return !text.empty() && text.size() <= kMaxSlug && text.front() != '-' && text.back() != '-' &&
         text.find("--") == std::string_view::npos &&
         std::ranges::all_of(text, [](char c) { return is_small(c) || c == '-'; });
}

std::string kebab_of(std::string_view title) { return slug_of(title, true); }

bool is_feature_id(std::string_view text) { return is_numbered(text, 'F', 3); }
bool is_task_id(std::string_view text) { return is_numbered(text, 'T', 2); }

std::string BranchName::feature_branch() const {
  return fmt::format("{}/{}-{}", type, feature, slug);
}

std::string BranchName::str() const {
  return is_task() ? fmt::format("{}--{}-{}", feature_branch(), task, task_slug) : feature_branch();
}

std::expected<BranchName, std::string> parse_branch(std::string_view text,
                                                    const std::vector<std::string>& types) {
  const auto slash = text.find('/');
  const std::string type(text.substr(0, slash));
  if (slash == std::string_view::npos || std::ranges::find(types, type) == types.end())
    return std::unexpected(
        fmt::format("it must begin with one of {}, and a slash", join(types, ", ")));
  std::string_view rest = text.substr(slash + 1);
  const auto cut = rest.find("--");
  const Numbered feature = split_id(rest.substr(0, cut));
  if (!is_feature_id(feature.id) || !is_kebab(feature.slug))
    return std::unexpected("it must be <type>/F###-<feature>, as in feat/F001-login");
  BranchName name{type, feature.id, feature.slug};
  if (cut == std::string_view::npos) return name;
  const Numbered task = split_id(rest.substr(cut + 2));
  if (!is_task_id(task.id) || !is_kebab(task.slug))
    return std::unexpected(
        "a task's branch must be <type>/F###-<feature>--T##-<task>, as in "
        "feat/F001-login--T02-form");
  name.task = task.id;
  name.task_slug = task.slug;
  return name;
}

}  // namespace pf::document
