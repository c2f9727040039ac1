#include "agents/program.h"

#include <fmt/format.h>

#include <charconv>

#include "agents/launch_parts.h"
#include "base/text.h"

namespace pf {
namespace {

std::optional<Versions::Number> number_in(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
  const char* at = text.data();
  const char* const end = at + text.size();
  Versions::Number number{};
  for (std::size_t part = 0; part < number.size(); ++part) {
    if (part > 0 && (at == end || *at++ != '.')) return std::nullopt;
    const auto [next, error] = std::from_chars(at, end, number[part]);
    if (error != std::errc{}) return std::nullopt;
    at = next;
  }
  return number;
}

}  // namespace

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

std::string ProgramVersion::in_words() const {
  if (text.empty() || tried) return text;
  return fmt::format("advisory: {} is not among the versions that were tried", text);
}

ProgramVersion judge_version(const AgentKind& kind, std::string_view printed) {
  if (kind.versions.option.empty()) return {};
  const auto number = number_in(printed);
  if (!number) return {fmt::format("{} of unknown version", kind.name), false};
  return {fmt::format("{} {}", kind.name, fmt::join(*number, ".")),
          *number >= kind.versions.first && *number < kind.versions.below};
}

ProgramVersion ask_version(Os& os, const AgentSettings& agent) {
  const AgentKind& kind = kind_of(agent);
  if (kind.versions.option.empty() || agent.command.empty()) return {};
  Command command{agent.command};
  command.argv.emplace_back(kind.versions.option);
  command.timeout = std::chrono::seconds(10);
  const auto ran = os.processes.run(command);
  return judge_version(kind, ran && ran->ok() ? trim(ran->out) : "");
}

}  // namespace pf
