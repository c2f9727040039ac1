#include "agents/scripted/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "agents/scripted/table_reader.h"
#include "base/text.h"
#include "config/settings.h"

namespace pf {
namespace {

constexpr int kMostRound = 1000;
constexpr int kLongestThought = 60'000;  // ms; the watchdog waits a minute at least
// A way to end: with a text for this option of a command, or in a form of its own.
struct EndingForm {
  std::string_view key, command = {}, option = {};
};
// What [[turn]] and [[run]] differ in.
struct Form {
  std::string_view name;
  TextRule role;
  std::span<const EndingForm> endings;
};

std::string agent_name(std::string_view text) {
  const auto name = parse_agent_name(text);
  return name ? "" : "must be an agent's name";
}

std::string role_in_bubble(std::string_view text) {
  return text == "implementer" || text == "reviewer" ? "" : "must be implementer or reviewer";
}

std::string role_in_plan(std::string_view text) {
  const bool known =
      text == "planner" || text == "coder" || text == "reviewer" || text == "explainer";
  return known ? "" : "must be planner, coder, reviewer or explainer";
}

constexpr EndingForm kTurnEndings[] = {{"ask_human", "ask-human", "--question"},
                                       {"converged", "converged", "--summary"},
                                       {"pass"},
                                       {"exit"},
                                       {"nothing"}};
constexpr EndingForm kRunEndings[] = {{"request_review", "plan request-review", "--note"},
                                      {"request_changes", "plan request-changes", "--text"},
                                      {"approve", "plan approve", "--note"},
                                      {"ask_user", "plan ask-user", "--message"},
                                      {"exit"},
                                      {"nothing"},
                                      {"hang"}};
constexpr Form kTurn = {"turn", role_in_bubble, kTurnEndings};
constexpr Form kRun = {"run", role_in_plan, kRunEndings};

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
  Ending pass{"pass"};
  TableReader reader(file, table, "pass");
  const auto add = [&](std::string_view option, const std::string& value) {
    pass.command.insert(pass.command.end(), {std::string(option), value});
  };
  const auto add_each = [&](std::string_view key, std::string_view option) {
    std::vector<std::string> values;
    reader.texts(key, values);
    for (const std::string& value : values) add(option, value);
  };
  std::string summary, package;
  bool no_findings = false;
  reader.text("summary", summary);
  pass.command = {"pass", "--summary", summary};
  add_each("findings", "--finding");
  reader.flag("no_findings", no_findings);
  if (no_findings) pass.command.emplace_back("--no-findings");
  for (const std::string_view key : {"resolved", "fixed", "disputed"})
    add_each(key, fmt::format("--{}", key));
  reader.text("package", package);
  if (!package.empty()) add("--package", package + "\n");
  reader.require("summary");
  TRY(reader.finish());
  return pass;
}

Ending text_ending(const EndingForm& form, const std::string& text) {
  Ending ending{form.key};
  for (const std::string_view word : split(form.command, ' ')) ending.command.emplace_back(word);
  if (form.option != "--note" || !text.empty())
    ending.command.insert(ending.command.end(), {std::string(form.option), text});
  return ending;
}

// A key that can only be true; false when it is missing.
bool is_true(const TomlValue& table, TableReader& reader, std::string_view key,
             std::string_view form) {
  bool given = true;
  reader.flag(key, given);
  const TomlValue* found = table.find(key);
  if (!given)
    reader.complain(found->line, fmt::format("'{}' in [[{}]] cannot be false", key, form), "",
                    fmt::format("write {} = true, or another ending", key));
  return found != nullptr;
}

// Fills in the ending; notes every ending as a known key.
Status read_ending(const Path& file, const TomlValue& table, const Form& form, TableReader& reader,
                   Ending& ending) {
  std::vector<std::string_view> endings;
  std::vector<const TomlValue*> given;
  for (const EndingForm& one : form.endings) {
    endings.push_back(one.key);
    if (const TomlValue* found = table.find(one.key)) given.push_back(found);
  }
  if (given.size() != 1)
    reader.complain(given.empty() ? table.line : given[1]->line,
                    given.empty() ? fmt::format("a [[{}]] without an end", form.name)
                                  : fmt::format("a [[{}]] with '{}' and '{}'", form.name,
                                                given[0]->key, given[1]->key),
                    fmt::format("a {} ends in exactly one way", form.name),
                    fmt::format("write one of {}", fmt::join(endings, ", ")));
  if (form.name == kTurn.name)
    if (const TomlValue* pass = reader.value("pass", TomlKind::table))
      ending = TRY(read_pass(file, *pass));
  for (const EndingForm& one : form.endings)
    if (!one.command.empty()) {
      if (const TomlValue* text = reader.value(one.key, TomlKind::string))
        ending = text_ending(one, text->text);
    } else if (one.key == "exit") {
      int code = 0;
      reader.number("exit", code, 0, 255);
      if (table.find("exit") != nullptr) ending = {"exit", {}, code};
    } else if (one.key != "pass" && is_true(table, reader, one.key, form.name)) {
      ending = {one.key};
    }
  return {};
}

Result<ScenarioTurn> read_turn(const Path& file, const TomlValue& table, const Form& form) {
  ScenarioTurn turn;
  TableReader reader(file, table, fmt::format("[[{}]]", form.name));
  reader.text("agent", turn.agent, agent_name);
  reader.text("role", turn.role, form.role);
  if (form.name == kRun.name) reader.text("step", turn.step);
  int round = 0;
  reader.number("round", round, 1, kMostRound);
  if (round > 0) turn.round = round;
  reader.text("say", turn.say);
  reader.number("think_ms", turn.think_ms, 0, kLongestThought);
  reader.texts("delete", turn.remove, beneath);
  reader.texts("run", turn.run);
  const TomlValue* files = reader.value("write", TomlKind::array);
  TRY(read_ending(file, table, form, reader, turn.ending));
  TRY(reader.finish());
  if (files == nullptr) return turn;
  for (const TomlValue& item : files->items) turn.write.push_back(TRY(read_file(file, item)));
  return turn;
}

std::string_view built_in(std::string_view name) {
  return name == "demo" ? demo_scenario() : name == "demo-role" ? demo_role_scenario() : "";
}

}  // namespace

bool is_built_in(std::string_view scenario) { return !built_in(scenario).empty(); }

Result<Scenario> parse_scenario(const Path& file, std::string_view text) {
  auto root = parse_toml(text);
  if (!root) {
    root.error().place.file = file;
    return std::unexpected(to_error({root.error()}));
  }
  TableReader reader(file, *root, "a scenario");
  const TomlValue* turns = reader.value("turn", TomlKind::array);
  const TomlValue* runs = reader.value("run", TomlKind::array);
  if (runs == nullptr) reader.require("turn");
  TRY(reader.finish());
  Scenario scenario{file.string(), {}, {}};
  if (turns != nullptr)
    for (const TomlValue& turn : turns->items)
      scenario.turns.push_back(TRY(read_turn(file, turn, kTurn)));
  if (runs != nullptr)
    for (const TomlValue& run : runs->items)
      scenario.runs.push_back(TRY(read_turn(file, run, kRun)));
  return scenario;
}

Result<Scenario> load_scenario(Os& os, const std::string& name) {
  if (const std::string_view text = built_in(name); !text.empty())
    return parse_scenario(name, text);
  return parse_scenario(name, TRY(os.files.read(name, kConfigBytes)));
}

std::optional<std::size_t> find_turn(const std::vector<ScenarioTurn>& turns, const TurnKey& key,
                                     const std::set<std::size_t>& passed_over) {
  for (std::size_t at = 0; at < turns.size(); ++at) {
    const ScenarioTurn& turn = turns[at];
    if ((turn.agent.empty() || turn.agent == key.agent) &&
        (turn.role.empty() || turn.role == key.role) &&
        (turn.step.empty() || turn.step == key.step) && (!turn.round || *turn.round == key.round) &&
        !passed_over.contains(at))
      return at;
  }
  return std::nullopt;
}

}  // namespace pf
