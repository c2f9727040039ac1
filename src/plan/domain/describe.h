#pragma once
#include <string>

#include "plan/domain/event.h"

namespace pf::plan {

// "[coder]", "[coder:bash]", "[reviewer:ask-user]": whose words a line of the stream are.
std::string prefix(Role role, std::string_view tool = {});

// The event in the stream, with all that was said, made printable; may have several lines.
struct Told {
  std::string prefix, text;
};
Told tell(const Event& event);

// The same as one line: prefix, what happened, what was said (clipped), who is next.
std::string describe(const Event& event);

}  // namespace pf::plan
