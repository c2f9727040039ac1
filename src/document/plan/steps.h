#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "document/problem.h"

namespace pf::document {

// One step of a plan, as its document tells it.
struct Step {
  std::string id;  // its number, else a slug of its title
  std::string title;
  std::string body;                     // as written, without the indentation of a list
  std::vector<std::string> acceptance;  // its criteria, one by one
  int line = 1;
  bool checked = false;  // its box is ticked
  PF_FIELDS(PF_ALWAYS(id, title, line), PF_IF_SET(checked), PF_ALWAYS(acceptance));
};

inline constexpr std::size_t kMaxSteps = 1000;

// One way to read a plan: its steps in document order, all of one family of lines.
struct StepsRead {
  std::string form;         // the family: "step headings", "numbered list"
  std::size_t count = 0;    // of steps; those above kMaxSteps + 1 are only counted
  std::vector<Step> steps;  // ids may repeat: see validate_plan
};

// A log that does not say how its plan is read: as the first releases did, which knew step
// headings, step items and numbered items alone, in this order.
inline constexpr std::string_view kFirstForms = "first";

// The ways in which the steps can be read, the likeliest first; none when there are no steps. More
// than one only where a person would hesitate too (families.h). With the `form` of an earlier
// reading, at most one: that family, else one like it.
std::vector<StepsRead> ways_of(std::string_view body, int first_line, std::string_view form = {});
// The likeliest.
std::vector<Step> steps_of(std::string_view body, int first_line);

// Of several ways the one that a user's word means: a form, or the end of only one of them, as
// "headings" or "list". Null when none or several are meant.
const StepsRead* find_way(const std::vector<StepsRead>& ways, std::string_view word);
// The shortest word that means this one of the ways.
std::string word_for(const std::vector<StepsRead>& ways, const StepsRead& way);

// The option that chooses this one of the ways: "--steps headings".
std::string choice_of(const std::vector<StepsRead>& ways, const StepsRead& way);
// "--steps headings, or --steps list"
std::string choices_of(const std::vector<StepsRead>& ways);

// The step that `wanted` names: its id, `step-2`, or its title as a slug, with or without the
// number. Null when none or several are meant.
const Step* find_step(const std::vector<Step>& steps, std::string_view wanted);

// The criteria below "Acceptance:" or "Acceptance criteria:" in a step's body, one for each bullet
// or paragraph.
std::vector<std::string> acceptance_in(std::string_view body);

}  // namespace pf::document
