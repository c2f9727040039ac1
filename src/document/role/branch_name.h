#pragma once
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace pf::document {

// The types that a branch may begin with, unless others are configured.
std::vector<std::string> default_branch_types();

// `^[a-z0-9]+(-[a-z0-9]+)*$`, at most 60 characters.
bool is_kebab(std::string_view text);
// The nearest such word: "Log in, größer!" → "log-in-gr-er". "" when nothing is left.
std::string kebab_of(std::string_view title);

// `F` and three digits at least; `T` and two digits at least.
bool is_feature_id(std::string_view text);
bool is_task_id(std::string_view text);

// `<type>/F###-<feature>`, or `<type>/F###-<feature>--T##-<task>`.
struct BranchName {
  std::string type, feature, slug;
  std::string task = {}, task_slug = {};  // "" on a feature's own branch
  bool is_task() const { return !task.empty(); }
  std::string feature_branch() const;
  std::string str() const;
  friend bool operator==(const BranchName&, const BranchName&) = default;
};

// The parts of a branch name; else the rule that it breaks.
std::expected<BranchName, std::string> parse_branch(std::string_view text,
                                                    const std::vector<std::string>& types);

}  // namespace pf::document
