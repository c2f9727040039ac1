#pragma once
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "document/problem.h"
#include "document/role/branch_name.h"

// docs/agents/state.json: who acts next on the repository's roadmap. People and agents edit it too.
namespace pf::document {

enum class AgentRole { planner, coder, reviewer };
PF_NAMES_AS(AgentRole, (planner, "PLANNER"), (coder, "CODER"), (reviewer, "REVIEWER"))

enum class Lifecycle { init, in_progress, handoff, blocked, done };
PF_NAMES(Lifecycle, init, in_progress, handoff, blocked, done)

// In the order of what they allow.
enum class Autopilot { off, review_only, full };
PF_NAMES(Autopilot, off, review_only, full)

enum class CiStatus { unknown, green, red };
PF_NAMES(CiStatus, unknown, green, red)

// A member that means nothing to us and stays as it is.
struct ForeignMember {
  std::string after;  // the key of ours that it follows; "" when it precedes them all
  std::string key;
  std::string text;  // its value as written
  friend bool operator==(const ForeignMember&, const ForeignMember&) = default;
  PF_FIELDS(PF_ALWAYS(after, key, text));
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
  PF_FIELDS(PF_ALWAYS(plan_slug, current_role, state, branch, msg), PF_IF_SET(autopilot),
            PF_ALWAYS(last_updated),
            PF_IF_SET(run_id, last_agent, ci_status, tests_passed, artifacts, foreign));
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
  PF_FIELDS(PF_ALWAYS(key, value, rule, line), PF_IF_SET(fix));
};

// The register, or everything that is wrong with the text. Keys that we do not know are kept.
std::expected<RoleRegister, std::vector<FieldProblem>> read_register(
    std::string_view text, const std::vector<std::string>& types = default_branch_types());

// Two spaces of indentation, the seed's order of keys, others where they were, a last line end.
// Equal registers give equal texts.
std::string render_register(const RoleRegister& reg);

}  // namespace pf::document
