#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "document/plan/steps.h"

// docs/<feature>/plan.md: people and agents write it, Pairflow changes one value of it.
namespace pf::document {

enum class StepStatus { pending, needs_changes, done };
PF_NAMES_AS(StepStatus, (pending, "pending"), (needs_changes, "needs-changes"), (done, "done"))

struct StepMark {
  std::string step;  // an id
  StepStatus status = StepStatus::pending;
  friend bool operator==(const StepMark&, const StepMark&) = default;
  PF_FIELDS(PF_ALWAYS(step, status));
};

struct PlanDocument {
  std::vector<Step> steps;
  std::string form;             // of the steps that were read
  std::size_t count = 0;        // of them; see StepsRead
  std::vector<StepsRead> ways;  // when the plan can be read in several, which nobody has settled
  // As written in the frontmatter; nothing when the key or its value is missing.
  std::optional<std::string> named;
  int named_line = 1;
  // The id of the step that is named; without a name, the first step not marked done, else the
  // first. "" when there are no steps or the name is no step's.
  std::string active;
  // What a step_status map says, as far as it names steps and uses our words.
  std::vector<StepMark> marks;

  const Step* step(std::string_view id) const;
  std::optional<StepStatus> mark_of(std::string_view id) const;
};

// Tolerant: no frontmatter, an empty value, CRLF, a byte order mark, other keys and comments are
// all fine. Refuses malformed YAML, frontmatter without an end, an active_step that is no single
// word on one line, what is no UTF-8, and more than 1 MiB. `form`: how its steps are read, when
// that is settled (ways_of).
Read<PlanDocument> read_plan(std::string_view text, std::string_view form = {});

// The form that a user means by `word`: "headings", "list", or a form as ways_of tells it. Refuses
// what does not say which ones of several, and what the plan does not have.
Read<std::string> form_meant(std::string_view text, std::string_view word);

struct PlanChange {
  std::optional<std::string> active = {};  // a step's id
  std::vector<StepMark> marks = {};        // written when there is a step_status map, else nowhere
};
// The same document with these values and every other byte as it was. A value that says so already
// stays; a missing active_step is added as one line, with frontmatter when there is none. Refuses
// what read_plan refuses, and a form in which the value cannot be replaced.
Read<std::string> rewrite_plan(std::string_view text, const PlanChange& change,
                               std::string_view form = {});

// What is wrong with a plan: what read_plan refuses, no steps at all, more than kMaxSteps, several
// ways to read them, steps that share an id, an active_step that is no step's. Other keys of the
// frontmatter are the writer's.
std::vector<Problem> validate_plan(std::string_view text, std::string_view form = {});

// What is wrong with a specification: not UTF-8, no title, an empty section, a code fence or
// frontmatter without its end, frontmatter that is no YAML.
std::vector<Problem> validate_spec(std::string_view text);

}  // namespace pf::document
