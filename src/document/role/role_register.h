#pragma once
#include <array>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fields.h"
#include "document/problem.h"
#include "document/role/branch_name.h"

// docs/agents/state.json: who acts next on the repository's roadmap. People and agents edit it too.
namespace pf::document {

enum class AgentRole { planner, coder, reviewer };
constexpr std::array<std::pair<AgentRole, std::string_view>, 3> names_of(AgentRole) {
  return {{{AgentRole::planner, "PLANNER"},
           {AgentRole::coder, "CODER"},
           {AgentRole::reviewer, "REVIEWER"}}};
}

enum class Lifecycle { init, in_progress, handoff, blocked, done };
constexpr std::array<std::pair<Lifecycle, std::string_view>, 5> names_of(Lifecycle) {
  return {{{Lifecycle::init, "init"},
           {Lifecycle::in_progress, "in_progress"},
           {Lifecycle::handoff, "handoff"},
           {Lifecycle::blocked, "blocked"},
           {Lifecycle::done, "done"}}};
}

// In the order of what they allow.
enum class Autopilot { off, review_only, full };
constexpr std::array<std::pair<Autopilot, std::string_view>, 3> names_of(Autopilot) {
  return {{{Autopilot::off, "off"},
           {Autopilot::review_only, "review_only"},
           {Autopilot::full, "full"}}};
}

enum class CiStatus { unknown, green, red };
constexpr std::array<std::pair<CiStatus, std::string_view>, 3> names_of(CiStatus) {
  return {{{CiStatus::unknown, "unknown"}, {CiStatus::green, "green"}, {CiStatus::red, "red"}}};
}

// A member that means nothing to us and stays as it is.
struct ForeignMember {
  std::string after;  // the key of ours that it follows; "" when it precedes them all
  std::string key;
  std::string text;  // its value as written
  friend bool operator==(const ForeignMember&, const ForeignMember&) = default;
  PF_FIELDS(v.always("after", self.after), v.always("key", self.key), v.always("text", self.text));
};

struct RoleRegister {
  std::optional<std::string> plan_slug = {};
  AgentRole current_role = AgentRole::planner;
  Lifecycle state = Lifecycle::in_progress;
  std::optional<std::string> branch = {};
  std::string msg = {};
  std::optional<Autopilot> autopilot = {};  // absent: off
  std::string last_updated = {};
  std::optional<std::string> run_id = {}, last_agent = {};
  std::optional<CiStatus> ci_status = {};
  std::optional<bool> tests_passed = {};
  std::optional<std::vector<std::string>> artifacts = {};
  std::vector<ForeignMember> foreign = {};

  friend bool operator==(const RoleRegister&, const RoleRegister&) = default;
  PF_FIELDS(v.always("plan_slug", self.plan_slug), v.always("current_role", self.current_role),
            v.always("state", self.state), v.always("branch", self.branch),
            v.always("msg", self.msg), v("autopilot", self.autopilot),
            v.always("last_updated", self.last_updated), v("run_id", self.run_id),
            v("last_agent", self.last_agent), v("ci_status", self.ci_status),
            v("tests_passed", self.tests_passed), v("artifacts", self.artifacts),
            v("foreign", self.foreign));
};

inline constexpr std::string_view kDefaultMsg =
    "Determine which feature/task should be worked on next";
// What a new register says, and one whose feature is finished.
RoleRegister default_register(std::string now);

// A value that breaks a rule. Key "" is about the file as a whole.
struct FieldProblem {
  std::string key;
  std::string value;  // as written, clipped; "" when it is missing
  std::string rule;
  int line = 1;
  std::string fix = {};
  // "state is "wip", but it must be one of …"
  Problem problem() const;
  PF_FIELDS(v.always("key", self.key), v.always("value", self.value), v.always("rule", self.rule),
            v.always("line", self.line), v("fix", self.fix));
};

// The register, or everything that is wrong with the text. Keys that we do not know are kept.
std::expected<RoleRegister, std::vector<FieldProblem>> read_register(
    std::string_view text, const std::vector<std::string>& types = default_branch_types());

// Two spaces of indentation, the seed's order of keys, others where they were, a last line end.
// Equal registers give equal texts.
std::string render_register(const RoleRegister& reg);

}  // namespace pf::document
