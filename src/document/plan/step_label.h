#pragma once
#include <string>
#include <string_view>

namespace pf::document {

// A number as steps carry it: "2", "02" → "2", "2.1", "3b"; "" when the text is none.
std::string step_number(std::string_view text);

// What the words at the front of a line say about the step that begins there.
struct StepLabel {
  bool found = false;
  std::string word = {};    // "step", "phase", …, in small letters; "" for a number alone
  std::string number = {};  // also "b", "ii", "two"; "" for "Step: Title"
  std::string title = {};
  bool ends = false;  // a colon, a dot, a dash ends the number, or the text does
};
// "Step 2: Title", "step-2", "Étape 2 — Title", "Step: Title"; not found when it begins otherwise.
StepLabel step_label(std::string_view text);
// "2. Title", "2) Title", "2 Title", "2️⃣ Title".
StepLabel number_label(std::string_view text);
// A title as it is shown: without separators before it and emphasis in it.
std::string title_of(std::string_view text);

struct FrontText {
  std::string_view text;  // what is left
  bool boxed = false, checked = false, bold = false;
};
// Takes a checkbox, emphasis and emoji off the front.
FrontText without_decoration(std::string_view text);

}  // namespace pf::document
