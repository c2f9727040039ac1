#include "agents/program.h"

#include <fmt/format.h>

#include "base/text.h"

namespace pf {
namespace {

bool is_program(Os& os, const Path& path) {
  const auto real = os.files.canonical(path);
  if (!real) return false;
  const auto info = os.files.info(*real);
  return info && *info && (*info)->kind == FileKind::file && (*info)->executable;
}

bool on_path(Os& os, const std::string& name) {
  const std::string path = os.env.get("PATH").value_or("");
  for (const auto directory : split(path, ':'))
    if (!directory.empty() && is_program(os, Path(directory) / name)) return true;
  return false;
}

}  // namespace

Status check_program(Os& os, const AgentSettings& agent) {
  if (agent.kind == "scripted" || agent.command.empty()) return {};
  const std::string& program = agent.command.front();
  const bool named = !program.contains('/');
  if (named ? on_path(os, program) : !program.starts_with('/') || is_program(os, program))
    return {};
  return fail(Exit::machine,
              fmt::format("agent {} cannot be started: there is no program '{}'", agent.name.str(),
                          printable(program)),
              named ? "it is not on PATH" : "no executable file has this path",
              fmt::format("install it, or set command in [agents.{}]", agent.name.str()));
}

}  // namespace pf
