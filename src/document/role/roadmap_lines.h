#pragma once
// What the reading and the rewriting of a roadmap share; nothing outside them includes this.
#include "document/role/roadmap.h"

namespace pf::document {

// Where a feature's status stands in the text.
struct StatusPlace {
  enum class Form { word, box, cell, missing_box, missing_line };
  Form form = Form::word;
  Span span;  // empty for what is missing: where it goes
};

struct FoundFeature {
  Feature feature;
  StatusPlace place;
  bool known = true;  // the status is a word of ours
  std::string word = {};
};

// The features of one family, whatever is wrong with them.
std::vector<FoundFeature> find_features(std::string_view text);

}  // namespace pf::document
