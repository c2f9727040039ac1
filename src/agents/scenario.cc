#include "agents/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "agents/table_reader.h"
#include "base/text.h"
#include "config/settings.h"

namespace pf {
namespace {

using Kind = TomlValue::Kind;

constexpr int kMostRound = 1000;
constexpr int kLongestThought = 60'000;  // ms; the watchdog waits a minute at least
constexpr std::array<std::string_view, 5> kEndings = {"pass", "ask_human", "converged", "exit",
                                                      "nothing"};

std::string agent_name(std::string_view text) {
  const auto name = parse_agent_name(text);
  return name ? "" : "must be an agent's name";
}

std::string role_name(std::string_view text) {
  return text == "implementer" || text == "reviewer" ? "" : "must be implementer or reviewer";
}

std::string beneath(std::string_view text) {
  const Path path(text);
  const bool steps_out = std::ranges::any_of(path, [](const Path& part) { return part == ".."; });
  if (text.empty() || path.is_absolute() || steps_out || path.lexically_normal() == "." ||
      !path.has_filename())
    return "must be the path of a file beneath the worktree, without '..'";
  return "";
}

Result<FileToWrite> read_file(const Path& file, const TomlValue& table) {
  FileToWrite write;
  TableReader reader(file, table, "write");
  reader.text("path", write.path, beneath);
  reader.text("text", write.text);
  reader.flag("executable", write.executable);
  reader.require("path");
  reader.require("text");
  TRY(reader.finish());
  return write;
}

Result<Ending> read_pass(const Path& file, const TomlValue& table) {
  EndByPass pass;
  TableReader reader(file, table, "pass");
  reader.text("summary", pass.summary);
  reader.texts("findings", pass.findings);
  reader.flag("no_findings", pass.no_findings);
  reader.texts("resolved", pass.resolved);
  reader.texts("fixed", pass.fixed);
  reader.texts("disputed", pass.disputed);
  reader.text("package", pass.package);
  reader.require("summary");
  TRY(reader.finish());
  return pass;
}

// Fills in the ending; notes every ending as a known key.
Status read_ending(const Path& file, const TomlValue& table, TableReader& reader, Ending& ending) {
  std::vector<const TomlValue*> given;
  for (const auto name : kEndings)
    if (const TomlValue* found = table.find(name)) given.push_back(found);
  if (given.size() != 1)
    reader.complain(
        given.empty() ? table.line : given[1]->line,
        given.empty() ? "a [[turn]] without an end"
                      : fmt::format("a [[turn]] with '{}' and '{}'", given[0]->key, given[1]->key),
        "a turn ends in exactly one way",
        fmt::format("write one of {}", fmt::join(kEndings, ", ")));
  if (const TomlValue* pass = reader.value("pass", Kind::table))
    ending = TRY(read_pass(file, *pass));
  if (const TomlValue* asked = reader.value("ask_human", Kind::string))
    ending = EndByQuestion{asked->text};
  if (const TomlValue* converged = reader.value("converged", Kind::string))
    ending = EndByConverged{converged->text};
  EndByExit exited;
  reader.number("exit", exited.code, 0, 255);
  if (table.find("exit") != nullptr) ending = exited;
  bool nothing = true;
  reader.flag("nothing", nothing);
  if (!nothing)
    reader.complain(table.find("nothing")->line, "'nothing' in [[turn]] cannot be false", "",
                    "write nothing = true, or another ending");
  return {};
}

Result<ScenarioTurn> read_turn(const Path& file, const TomlValue& table) {
  ScenarioTurn turn;
  TableReader reader(file, table, "[[turn]]");
  reader.text("agent", turn.agent, agent_name);
  reader.text("role", turn.role, role_name);
  int round = 0;
  reader.number("round", round, 1, kMostRound);
  if (round > 0) turn.round = round;
  reader.text("say", turn.say);
  reader.number("think_ms", turn.think_ms, 0, kLongestThought);
  reader.texts("delete", turn.remove, beneath);
  reader.texts("run", turn.run);
  const TomlValue* files = reader.value("write", Kind::array);
  TRY(read_ending(file, table, reader, turn.ending));
  TRY(reader.finish());
  if (files == nullptr) return turn;
  for (const TomlValue& item : files->items) turn.write.push_back(TRY(read_file(file, item)));
  return turn;
}

}  // namespace

Result<Scenario> parse_scenario(const Path& file, std::string_view text) {
  auto root = parse_toml(text);
  if (!root) {
    root.error().place.file = file;
    return std::unexpected(to_error({root.error()}));
  }
  TableReader reader(file, *root, "a scenario");
  const TomlValue* turns = reader.value("turn", Kind::array);
  reader.require("turn");
  TRY(reader.finish());
  Scenario scenario{file.string(), {}};
  for (const TomlValue& turn : turns->items) scenario.turns.push_back(TRY(read_turn(file, turn)));
  return scenario;
}

Result<Scenario> load_scenario(Os& os, const std::string& name) {
  if (name == kDemoScenario) return parse_scenario(name, demo_scenario());
  return parse_scenario(name, TRY(os.files.read(name, kConfigBytes)));
}

std::optional<std::size_t> find_turn(const Scenario& scenario, const TurnKey& key,
                                     const std::set<std::size_t>& passed_over) {
  for (std::size_t at = 0; at < scenario.turns.size(); ++at) {
    const ScenarioTurn& turn = scenario.turns[at];
    if ((turn.agent.empty() || turn.agent == key.agent) &&
        (turn.role.empty() || turn.role == key.role) && (!turn.round || *turn.round == key.round) &&
        !passed_over.contains(at))
      return at;
  }
  return std::nullopt;
}

}  // namespace pf
