#include "agents/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"

namespace pf {
namespace {

using Number = std::array<int, 3>;

// From the first to below the second: those that this build was tried with lie in between.
struct Range {
  std::string_view kind;
  Number first, below;
};
constexpr std::array<Range, 2> kTried = {
    {{"claude", {2, 1, 197}, {2, 2, 0}}, {"codex", {0, 166, 0}, {0, 167, 0}}}};

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

const Range* range_of(std::string_view kind) {
  const auto at = std::ranges::find(kTried, kind, &Range::kind);
  return at == kTried.end() ? nullptr : &*at;
}

}  // namespace

std::string ProgramVersion::in_words() const {
  if (text.empty() || tried) return text;
  return fmt::format("advisory: {} is not among the versions that were tried", text);
}

ProgramVersion judge_version(std::string_view kind, std::string_view printed) {
  const Range* range = range_of(kind);
  if (range == nullptr) return {};
  const auto number = number_in(printed);
  if (!number) return {fmt::format("{} of unknown version", kind), false};
  return {fmt::format("{} {}", kind, fmt::join(*number, ".")),
          *number >= range->first && *number < range->below};
}

ProgramVersion ask_version(Os& os, const AgentSettings& agent) {
  if (range_of(agent.kind) == nullptr || agent.command.empty()) return {};
  Command command{agent.command};
  command.argv.emplace_back("--version");
  command.timeout = std::chrono::seconds(10);
  const auto ran = os.processes.run(command);
  return judge_version(agent.kind, ran && ran->ok() ? trim(ran->out) : "");
}

}  // namespace pf
