#pragma once
#include "verbs/core/verb.h"

namespace pf {

JsonArray finding_schemas();
// {severity, title, path?, line?} or {repeat}; what --finding cannot carry exactly is refused.
Result<std::string> finding_text(const JsonObject& object);

inline constexpr ObjectForm kFindingObject{finding_schemas, finding_text};

}  // namespace pf
