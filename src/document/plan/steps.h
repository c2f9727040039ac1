#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "document/problem.h"

namespace pf::document {

// One step of a plan, as its document tells it.
struct Step {
  std::string id;  // its number, else a slug of its title
  std::string title;
  std::string body;                     // as written, without the indentation of a list
  std::vector<std::string> acceptance;  // its criteria, one by one
  int line = 1;
};

inline constexpr std::size_t kMaxSteps = 500;

// The steps in document order. One family counts, the first that is there at all:
//   1. headings `## Step 2: title`, of the highest level that has one;
//   2. list items `- Step 2: title` (any marker, a checkbox, emphasis), the least indented;
//   3. numbered items `2. title`, `2) title` that are in no other list; when there is a heading
//      "Steps", only those below it. A list that says `1.` everywhere is counted.
// Fenced code and comments are no text. Ids may repeat: see validate_plan.
std::vector<Step> steps_of(std::string_view body, int first_line);

// The step that `wanted` names: its id, `step-2`, or its title as a slug, with or without the
// number. Null when none or several are meant.
const Step* find_step(const std::vector<Step>& steps, std::string_view wanted);

// The criteria below "Acceptance:" or "Acceptance criteria:" in a step's body, one for each bullet
// or paragraph.
std::vector<std::string> acceptance_in(std::string_view body);

// A number as steps carry it: "2", "02" → "2", "2.1", "3b"; "" when the text is none.
std::string step_number(std::string_view text);

// What "Step 2: Title", "step-2" and "Step: Title" say; neither when the text is no step's label.
struct StepLabel {
  bool found = false;
  std::string number = {};
  std::string title = {};
};
StepLabel step_label(std::string_view text);

}  // namespace pf::document
