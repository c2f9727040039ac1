#include "agents/program.h"

#include <fmt/format.h>

#include "base/text.h"

namespace pf {

Status check_program(Os& os, const AgentSettings& agent) {
  if (agent.kind == "scripted" || agent.command.empty()) return {};
  const std::string& program = agent.command.front();
  const bool named = !program.contains('/');
  if (!named && !program.starts_with('/')) return {};
  if (os.processes.find_program(program)) return {};
  return fail(Exit::machine,
              fmt::format("agent {} cannot be started: there is no program '{}'", agent.name.str(),
                          printable(program)),
              named ? "it is not on PATH" : "no executable file has this path",
              fmt::format("install it, or set command in [agents.{}]", agent.name.str()));
}

}  // namespace pf
