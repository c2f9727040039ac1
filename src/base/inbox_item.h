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
  PF_FIELDS(v.always("id", self.id), v.always("kind", self.kind), v.always("since", self.since),
            v.always("from", self.from), v.always("text", self.text),
            v.always("command", self.command), v("otherwise", self.otherwise));
};

}  // namespace pf
