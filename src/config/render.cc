#include <fmt/format.h>

#include "config/schema.h"
#include "config/settings.h"

namespace pf {
namespace {

bool in_use(const Settings& settings, const AgentSettings& agent) {
  return agent.name == settings.implementer || agent.name == settings.reviewer;
}

bool is_built_in(const AgentSettings& agent) {
  return !agent.kind->program.empty() && agent == plain_agent(*agent.kind);
}

std::string agent_tables(const Settings& settings) {
  std::string out;
  for (const auto& agent : settings.agents) {
    if (!in_use(settings, agent) || is_built_in(agent)) continue;
    out += fmt::format("\n[agents.{}]\n", agent.name.str());
    for (const Key& key : schema()) {
      if (key.table != "agents.*") continue;
      const std::string value = value_text(key, settings, agent);
      if (value != value_text(key, settings, AgentSettings{}))
        out += fmt::format("{} = {}\n", key.name, value);
    }
  }
  return out;
}

// The lines of one table without its header; empty when nothing is to be said.
std::string table_lines(std::string_view table, const Settings& settings) {
  std::string out;
  for (const Key& key : schema()) {
    if (key.table != table) continue;
    if (std::holds_alternative<CheckCommand>(key.slot)) {
      for (const auto& check : settings.commands)
        out += fmt::format("{} = {}\n", check.name, toml_quote(check.command));
      continue;
    }
    if (key.held == Held::no_bubble) continue;
    const std::string value = value_text(key, settings, {});
    if (key.held != Held::when_changed || value != value_text(key, Settings{}, {}))
      out += fmt::format("{} = {}\n", key.name, value);
  }
  return out;
}

}  // namespace

std::string render_bubble_toml(const Settings& settings) {
  std::string out = table_lines("", settings);
  std::string_view last;
  for (const Key& key : schema()) {
    if (key.table == last) continue;
    last = key.table;
    if (key.table == "agents.*") {
      out += agent_tables(settings);
    } else if (const std::string lines = table_lines(key.table, settings); !lines.empty()) {
      out += fmt::format("\n[{}]\n{}", key.table, lines);
    }
  }
  return out;
}

}  // namespace pf
