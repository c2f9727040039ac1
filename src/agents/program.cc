#include "agents/program.h"

#include <fmt/format.h>

#include "agents/launch_parts.h"
#include "base/text.h"

namespace pf {

Status check_program(Os& os, const AgentSettings& agent, bool headless) {
  if (!agent.kind->takes_command) return {};
  const std::string program = TRY(configured_command(agent, headless)).argv.front();
  const bool named = !program.contains('/');
  if (!named && !program.starts_with('/')) return {};
  if (os.processes.find_program(program)) return {};
  return fail(Exit::machine,
              fmt::format("agent {} cannot be started: there is no program '{}'", agent.name.str(),
                          printable(program)),
              named ? "it is not on PATH" : "no executable file has this path",
              fmt::format("install it, or set {} in [agents.{}]",
                          headless && agent.kind->takes_templates ? "headless" : "command",
                          agent.name.str()));
}

}  // namespace pf
