#pragma once
#include "agents/model_trouble.h"
#include "bubble/domain/command.h"

namespace pf {

// What holds an agent up whose model does not answer: until the time it was told, an hour for a
// limit that does not say, else a moment; without an end while its program tries by itself. `how`
// it is known. Pure.
bubble::ReportHindrance hindrance_by(const AgentName& agent, const ModelTrouble& trouble,
                                     WallTime now, std::string how);

}  // namespace pf
