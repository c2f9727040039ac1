#include "agents/version.h"

#include <fmt/format.h>

#include <charconv>

#include "base/text.h"

namespace pf {
namespace {

using Number = Versions::Number;

std::optional<Number> number_in(std::string_view text) {
  const auto digit = text.find_first_of("0123456789");
  if (digit == std::string_view::npos) return std::nullopt;
  text.remove_prefix(digit);
  Number number{};
  for (std::size_t part = 0; part < number.size(); ++part) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number[part]);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (part + 1 == number.size()) break;
    if (!text.starts_with('.')) return std::nullopt;
    text.remove_prefix(1);
  }
  return number;
}

}  // namespace

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
