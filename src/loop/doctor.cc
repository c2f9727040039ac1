#include "loop/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "agents/program.h"
#include "base/error_text.h"
#include "base/text.h"
#include "loop/agent_sandbox.h"
#include "loop/held_names.h"
#include "loop/quarantine.h"
#include "loop/sandbox_trial.h"

namespace pf {
namespace {

using Found = Diagnosis::Health;

// What a program prints as its version, with the oldest one that will do.
struct Tool {
  std::string_view name, option;
  int major, minor;
  std::string_view why;
};
constexpr std::array<Tool, 2> kTools = {
    {{"git", "--version", 2, 36, "worktrees, trees and commits are made by it"},
     {"tmux", "-V", 3, 2, "the agents run in its panes"}}};

// "git version 2.39.5" → {2, 39}
std::pair<int, int> version_in(std::string_view text) {
  const auto digit = text.find_first_of("0123456789");
  if (digit == std::string_view::npos) return {0, 0};
  text.remove_prefix(digit);
  int major = 0, minor = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), major);
  if (error == std::errc{} && end != text.data() + text.size() && *end == '.')
    std::from_chars(end + 1, text.data() + text.size(), minor);
  return {major, minor};
}

Diagnosis examine_tool(Os& os, const Tool& tool) {
  Command command{{std::string(tool.name), std::string(tool.option)}};
  command.timeout = std::chrono::seconds(10);
  const auto ran = os.processes.run(command);
  const std::string name(tool.name);
  if (!ran || !ran->ok())
    return {name, Found::bad, "not found", fmt::format("install {}: {}", name, tool.why)};
  const std::string text = printable(trim(ran->out));
  if (version_in(text) < std::pair(tool.major, tool.minor))
    return {name, Found::bad, text,
            fmt::format("{}.{} or newer is needed", tool.major, tool.minor)};
  return {name, Found::good, text};
}

// It really tries.
Diagnosis examine_confinement(Os& os, const Settings& settings, const Path& program) {
  const std::string found = "bubblewrap, " + program.string();
  const auto could = try_sandbox(os, settings);
  if (!could) return {"sandbox", Found::bad, in_short(could.error()), could.error().fix};
  if (!could->empty())
    return {"sandbox", Found::bad, fmt::format("{}; an agent could {}", found, join(*could, ", ")),
            "do not run agents here before this is mended; docs/security.md says what is meant to "
            "hold"};
  return {"sandbox", Found::good, fmt::format("{}; tried in vain: {}", found, tried_in_words())};
}

// What agents left beside their programs' settings. What those that are gone left behind is settled
// first.
std::vector<Diagnosis> examine_left(Os& os) {
  std::vector<Diagnosis> all;
  if (const auto released = release_names(os); !released)
    all.push_back({"placeholders", Found::doubtful, in_short(released.error())});
  for (const QuarantinedFile& one : quarantined(os).value_or(std::vector<QuarantinedFile>()))
    all.push_back({"quarantine", Found::doubtful,
                   fmt::format("{} came up while an agent ran, and was moved away",
                               printable(one.from.string())),
                   fmt::format("look at it: pairflow quarantine show {}; then restore or forget it",
                               one.id)});
  return all;
}

Diagnosis examine_sandbox(Os& os, const Settings& settings) {
  const Enforcement enforcement = enforcement_for_agents(os, settings);
  if (enforcement.program) return examine_confinement(os, settings, *enforcement.program);
  return {"sandbox", Found::doubtful, "advisory: " + enforcement.why_not,
          "agents are held back by their own rules alone; install bubblewrap and leave [sandbox] "
          "mode at auto"};
}

Diagnosis examine_agent(Os& os, const Settings& settings, const AgentName& name) {
  const std::string what = "agent " + name.str();
  const AgentSettings* agent = find_agent(settings, name);
  if (agent == nullptr) return {what, Found::bad, "not configured"};
  const bool only_headless = agent->command.empty();
  if (auto there = check_program(os, *agent, only_headless); !there)
    return {what, Found::bad, there.error().what, there.error().fix};
  const ProgramVersion version = ask_version(os, *agent);
  if (version.text.empty())
    return {what, Found::good,
            fmt::format("{}{}{}", agent->kind->name, agent->command.empty() ? "" : ": ",
                        printable(join(agent->command, " ")))};
  return {what, version.tried ? Found::good : Found::doubtful, version.in_words()};
}

}  // namespace

std::vector<Diagnosis> examine(Os& os, const Settings& settings) {
  std::vector<Diagnosis> all;
  for (const Tool& tool : kTools) all.push_back(examine_tool(os, tool));
  all.push_back(examine_sandbox(os, settings));
  for (const AgentName& name : {settings.implementer, settings.reviewer})
    all.push_back(examine_agent(os, settings, name));
  std::ranges::move(examine_left(os), std::back_inserter(all));
  return all;
}

}  // namespace pf
