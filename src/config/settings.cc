#include "config/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "config/problem.h"
#include "config/schema.h"

namespace pf {
namespace {

struct Merge {
  KindTable kinds;
  Settings settings = {};
  std::vector<Problem> problems = {};
  std::map<std::string, Place> said = {};  // "agents.reviewer" → where it was said last
};

AgentSettings& agent_named(Settings& settings, const AgentName& name) {
  auto& agents = settings.agents;
  auto at = std::ranges::lower_bound(agents, name, {}, &AgentSettings::name);
  if (at == agents.end() || at->name != name) at = agents.insert(at, AgentSettings{.name = name});
  return *at;
}

std::vector<std::string_view> keys_of(std::string_view table) {
  std::vector<std::string_view> names;
  for (const Key& key : schema()) {
    if (key.table == table && key.name != "*") names.push_back(key.name);
    if (table.empty() && !key.table.empty() && !key.table.contains('.') &&
        (names.empty() || names.back() != key.table))
      names.push_back(key.table);
  }
  return names;
}

std::string in_table(std::string_view table, std::string_view key) {
  if (table.empty()) return fmt::format("'{}'", key);
  return fmt::format("'{}' in [{}]", key, table);
}

// Reads one file's tree into the merge; goes on after a problem, to report them all.
class LayerReader {
 public:
  LayerReader(const ConfigText& layer, Merge& merge) : layer_(layer), merge_(merge) {}

  void read(const TomlValue& root) {
    for (const auto& member : root.items) {
      const auto tables = keys_of("");
      if (find_key("", member.key) != nullptr)
        read_key("", member, unused_);
      else if (std::ranges::find(tables, member.key) != tables.end())
        read_table(member);
      else
        unknown("", "", member);
    }
  }

 private:
  void read_table(const TomlValue& table, const std::string& above = {}) {
    const std::string name = above.empty() ? table.key : fmt::format("{}.{}", above, table.key);
    if (table.kind != TomlValue::Kind::table)
      return complain({fmt::format("'{}' must be a table, not {}", table.key, kind_name(table)), "",
                       fmt::format("put its keys under a line [{}]", name)},
                      table.line);
    for (const auto& member : table.items) {
      if (!keys_of(fmt::format("{}.{}", name, member.key)).empty()) {
        read_table(member, name);
        continue;
      }
      const bool is_agent = name == "agents" && find_key("agents", member.key) == nullptr &&
                            member.kind == TomlValue::Kind::table;
      if (is_agent)
        read_agent(member);
      else
        read_key(name, member, unused_);
    }
  }

  void read_agent(const TomlValue& table) {
    const auto name = parse_agent_name(table.key);
    if (!name) return complain({name.error().what, name.error().why, name.error().fix}, table.line);
    merge_.said["agents." + table.key] = {layer_.path, table.line};
    AgentSettings& agent = agent_named(merge_.settings, *name);
    if (const auto* kind = table.find("kind")) {
      agent = {.name = *name};
      read_key("agents.*", *kind, agent);
      if (agent.kind != nullptr) agent.command = plain_agent(*agent.kind).command;
    }
    for (const auto& member : table.items)
      if (member.key != "kind") read_key("agents.*", member, agent, "agents." + table.key);
  }

  // `shown` is the table's name in messages when it differs from the schema's.
  void read_key(std::string_view table, const TomlValue& member, AgentSettings& agent,
                const std::string& shown = {}) {
    const Key* key = find_key(table, member.key);
    if (key == nullptr && is_slug(member.key, 1, 32)) key = find_key(table, "*");
    if (key == nullptr) return unknown(table, shown.empty() ? std::string(table) : shown, member);
    if (key->held == Held::bubble_only && layer_.layer != Layer::bubble)
      return complain({fmt::format("'{}' belongs in a bubble's own bubble.toml", member.key),
                       std::string(key->help), "remove the line"},
                      member.line);
    if (key->held == Held::no_bubble && layer_.layer == Layer::bubble)
      return complain({fmt::format("[{}] says nothing about a bubble", table),
                       std::string(key->help), "move it to .pairflow/config.toml"},
                      member.line);
    if (const auto problem = assign(*key, member.key, member, merge_.settings, agent, merge_.kinds))
      return complain(*problem, problem->place.line);
    merge_.said[fmt::format("{}.{}", table, member.key)] = {layer_.path, member.line};
  }

  void unknown(std::string_view table, const std::string& shown, const TomlValue& member) {
    const std::string key = printable(clip(member.key, 60));
    const auto known = keys_of(table);
    std::string why, fix;
    if (find_key(table, "*") != nullptr) {
      why = "a name is 1 to 32 characters: a lower-case letter, then a-z, 0-9, '_' or '-'";
      fix = "choose a name such as 'lint'";
    } else if (const auto near = nearest(key, known); !near.empty()) {
      fix = fmt::format("did you mean '{}'?", near);
    } else if (const Key* other = elsewhere(member.key)) {
      fix = fmt::format("did you mean {}?", in_table(other->table, other->name));
    } else {
      fix = fmt::format("known here: {}", fmt::join(known, ", "));
    }
    complain({fmt::format("unknown key {}", in_table(shown, key)), std::move(why), std::move(fix)},
             member.line);
  }

  static const Key* elsewhere(std::string_view name) {
    for (const Key& key : schema())
      if (key.name == name && key.table != "agents.*") return &key;
    return nullptr;
  }

  void complain(Problem problem, int line) {
    problem.place = {layer_.path, line};
    merge_.problems.push_back(std::move(problem));
  }

  const ConfigText& layer_;
  Merge& merge_;
  AgentSettings unused_;
};

Place place_of(const Merge& merge, const std::string& key) {
  const auto found = merge.said.find(key);
  return found == merge.said.end() ? Place{} : found->second;
}

// "claude", "codex" or "custom"
std::string in_words(KindTable kinds) {
  std::string words;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    words += fmt::format("{}\"{}\"",
                         i == 0                 ? ""
                         : i + 1 < kinds.size() ? ", "
                                                : " or ",
                         kinds[i]->name);
  return words;
}

// What is wrong with an agent as merged, or nothing.
std::optional<Problem> unfit_agent(const AgentSettings& agent, KindTable kinds) {
  const auto problem = [&](std::string_view what, std::string_view fix,
                           bool KindSettings::* taken_by = nullptr) {
    const auto other = taken_by == nullptr ? kinds.end() : std::ranges::find(kinds, true, taken_by);
    return Problem{fmt::format("[agents.{}] {}", agent.name.str(), what),
                   {},
                   other == kinds.end()
                       ? std::string(fix)
                       : fmt::format("{}, or write kind = \"{}\"", fix, (*other)->name)};
  };
  if (agent.kind == nullptr) return problem("has no kind", "add kind = " + in_words(kinds));
  const KindSettings& kind = *agent.kind;
  const std::string of_kind = fmt::format("of kind {} ", kind.name);
  if (kind.takes_command && agent.command.empty() && agent.headless.empty())
    return problem(of_kind + "needs a command", "add command = [\"program\", \"argument\"]");
  if (kind.takes_scenario && agent.scenario.empty())
    return problem(of_kind + "needs a scenario", "add scenario = \"demo\" or a file");
  if (!kind.takes_command && !agent.command.empty())
    return problem(of_kind + "takes no command", "remove command", &KindSettings::takes_templates);
  if (!kind.takes_templates && (!agent.resume.empty() || !agent.ready.empty()))
    return problem("takes no resume and no ready",
                   "how such an agent is continued is known; remove them",
                   &KindSettings::takes_templates);
  if (!kind.takes_templates && (!agent.headless.empty() || !agent.headless_resume.empty()))
    return problem("takes no headless and no headless_resume",
                   "how such an agent runs without a terminal is known; remove them",
                   &KindSettings::takes_templates);
  if (!kind.takes_scenario && !agent.scenario.empty())
    return problem("has a scenario", "remove scenario", &KindSettings::takes_scenario);
  return std::nullopt;
}

void check_role(const char* role, const AgentName& agent, Merge& merge) {
  if (find_agent(merge.settings, agent) != nullptr) return;
  std::vector<std::string_view> known;
  for (const auto& candidate : merge.settings.agents) known.push_back(candidate.name.str());
  const auto near = nearest(agent.str(), known);
  merge.problems.push_back(
      {fmt::format("'{}' names the unknown agent '{}'", role, agent.str()),
       fmt::format("known agents: {}", fmt::join(known, ", ")),
       near.empty() ? fmt::format("add a table [agents.{}] with kind and command", agent.str())
                    : fmt::format("did you mean '{}'?", near),
       place_of(merge, fmt::format("agents.{}", role))});
}

// What only the merged whole can show.
void check_agents(Merge& merge) {
  const Settings& settings = merge.settings;
  for (const auto& agent : settings.agents)
    if (auto problem = unfit_agent(agent, merge.kinds)) {
      problem->place = place_of(merge, "agents." + agent.name.str());
      merge.problems.push_back(std::move(*problem));
    }
  check_role("implementer", settings.implementer, merge);
  check_role("reviewer", settings.reviewer, merge);
  if (settings.implementer != settings.reviewer) return;
  const bool reviewer_said = merge.said.contains("agents.reviewer");
  merge.problems.push_back(
      {fmt::format("implementer and reviewer are both '{}'", settings.implementer.str()),
       "two different agents must agree on a change",
       fmt::format("set {} under [agents] to another agent",
                   reviewer_said ? "implementer or reviewer" : "reviewer"),
       place_of(merge, reviewer_said ? "agents.reviewer" : "agents.implementer")});
}

}  // namespace

AgentSettings plain_agent(const KindSettings& kind) {
  AgentSettings agent{AgentName(std::string(kind.name)), &kind};
  if (!kind.program.empty()) agent.command.emplace_back(kind.program);
  return agent;
}

std::vector<AgentSettings> built_in_agents(KindTable kinds) {
  std::vector<AgentSettings> agents;
  for (const KindSettings* kind : kinds)
    if (!kind->program.empty()) agents.push_back(plain_agent(*kind));
  std::ranges::sort(agents, {}, &AgentSettings::name);
  return agents;
}

const AgentSettings* find_agent(const Settings& settings, const AgentName& name) {
  const auto found = std::ranges::find(settings.agents, name, &AgentSettings::name);
  return found == settings.agents.end() ? nullptr : &*found;
}

Result<Settings> merge_settings(const std::vector<ConfigText>& layers, KindTable kinds) {
  Merge merge{kinds};
  merge.settings.agents = built_in_agents(kinds);
  for (const auto& layer : layers) {
    auto root = parse_toml(layer.text);
    if (root) {
      LayerReader(layer, merge).read(*root);
    } else {
      root.error().place.file = layer.path;
      merge.problems.push_back(std::move(root.error()));
    }
  }
  if (merge.problems.empty()) check_agents(merge);
  if (!merge.problems.empty()) return std::unexpected(to_error(merge.problems));
  return std::move(merge.settings);
}

}  // namespace pf
