#pragma once
#include <string>
#include <vector>

#include "base/fields.h"

namespace pf {

// Something that waits for the human.
struct InboxItem {
  std::string id;    // message id of the question, name of a held up agent; else the loop's id
  std::string kind;  // a question's kind, an obstacle, "approval", "commit", "setup_failed"
  std::string since;
  std::string from;
  std::string text;
  std::string command;                      // what answers it
  std::vector<std::string> otherwise = {};  // what else can be done
  PF_FIELDS(PF_ALWAYS(id, kind, since, from, text, command), PF_IF_SET(otherwise));
};

}  // namespace pf
