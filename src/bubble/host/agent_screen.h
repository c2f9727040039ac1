#pragma once
#include "agents/model_trouble.h"
#include "agents/sight.h"
#include "bubble/domain/command.h"

namespace pf {

// What an agent's pane shows now.
struct AgentScreen {
  std::string text = {};  // "" where nothing on it would be known
  Sight sight = Sight::unknown;
  std::optional<ModelTrouble> trouble = {};
  bool familiar = false;  // the kind's look is known: what is none of it is a dialog
};

// What holds an agent up whose model does not answer: until the time it was told, an hour for a
// limit that does not say, else a moment; without an end while its program tries by itself. `how`
// it is known. Pure.
bubble::ReportHindrance hindrance_by(const AgentName& agent, const ModelTrouble& trouble,
                                     WallTime now, std::string how);

}  // namespace pf
