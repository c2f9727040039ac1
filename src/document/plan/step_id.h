#pragma once
#include <string>
#include <string_view>

namespace pf::document {

// "Write the parser!" → "write-the-parser". At most 60 bytes; letters beyond ASCII stay.
std::string slug_of(std::string_view text);

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
