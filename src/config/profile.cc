#include "config/profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "config/detect.h"

namespace pf {
namespace {

// What a file's text has to hold.
struct Clue {
  bool (*holds)(std::string_view text, std::string_view what) = nullptr;
  std::string_view what = {};
};

// A file that means a command, when its text holds the clue.
struct FileRule {
  std::string_view file;
  std::string_view name;
  std::string_view command;
  std::string_view says = "is there";
  Clue clue = {};
  std::string_view wrapper = {};  // a script at the top to use instead of the program
};

bool any_line(std::string_view text, auto&& matches) {
  return std::ranges::any_of(split(text, '\n'), matches);
}

// An INI or TOML header that begins so.
bool has_section(std::string_view text, std::string_view header) {
  return any_line(text, [&](std::string_view line) { return trim(line).starts_with(header); });
}

// `test check: deps`, but neither a recipe line nor `test := value`.
bool has_target(std::string_view text, std::string_view target) {
  return any_line(text, [&](std::string_view line) {
    const auto colon = line.find(':');
    if (colon == line.npos || line.starts_with('\t') || line.starts_with('#')) return false;
    if (line.substr(colon + 1).starts_with('=') || line.substr(colon).starts_with("::="))
      return false;
    const auto names = split(line.substr(0, colon), ' ');
    return std::ranges::find(names, target) != names.end();
  });
}

// `test filter="": build`; `@test:` is the quiet form.
bool has_recipe(std::string_view text, std::string_view recipe) {
  return any_line(text, [&](std::string_view line) {
    if (line.starts_with('@')) line.remove_prefix(1);
    if (!line.starts_with(recipe)) return false;
    line.remove_prefix(recipe.size());
    const auto rest = trim(line);
    return (line.starts_with(' ') || line.starts_with(':')) && rest.contains(':') &&
           !rest.starts_with(":=");
  });
}

// A JSON object with a test among its scripts.
bool has_test(std::string_view text, std::string_view scripts) {
  const auto json = parse_json(text);
  const Json* group = json && json->is_object() ? json->get_object().if_contains(scripts) : nullptr;
  return group != nullptr && group->is_object() && group->get_object().contains("test");
}

bool has_word(std::string_view text, std::string_view word) { return text.contains(word); }

bool has_task(std::string_view text, std::string_view) {
  return text.contains("TestTask") || text.contains("task :test") || text.contains("task test:");
}

constexpr FileRule kRules[] = {
    {"Cargo.toml", "test", "cargo test"},
    {"Cargo.toml", "typecheck", "cargo check"},
    {"go.mod", "test", "go test ./..."},
    {"go.mod", "typecheck", "go vet ./..."},
    {"pytest.ini", "test", "pytest"},
    {"pyproject.toml", "test", "pytest", "configures pytest", {has_section, "[tool.pytest"}},
    {"setup.cfg", "test", "pytest", "configures pytest", {has_section, "[tool:pytest]"}},
    {"tox.ini", "test", "pytest", "configures pytest", {has_section, "[pytest]"}},
    {"conftest.py", "test", "pytest"},
    {"mypy.ini", "typecheck", "mypy ."},
    {".mypy.ini", "typecheck", "mypy ."},
    {"pyproject.toml", "typecheck", "mypy .", "configures mypy", {has_section, "[tool.mypy"}},
    {"setup.cfg", "typecheck", "mypy .", "configures mypy", {has_section, "[mypy]"}},
    {"build.gradle", "test", "gradle test", "is there", {}, "gradlew"},
    {"build.gradle.kts", "test", "gradle test", "is there", {}, "gradlew"},
    {"pom.xml", "test", "mvn -q test", "is there", {}, "mvnw"},
    {"mix.exs", "test", "mix test"},
    {"mix.exs", "typecheck", "mix compile --warnings-as-errors"},
    {"deno.json", "test", "deno task test", "has a test task", {has_test, "tasks"}},
    {"deno.json", "test", "deno test"},
    {"deno.jsonc", "test", "deno test"},
    {"composer.json", "test", "composer test", "has a test script", {has_test, "scripts"}},
    {"dune-project", "test", "dune test"},
    {"dune-project", "typecheck", "dune build @check"},
    {"Package.swift", "test", "swift test"},
    {"Package.swift", "typecheck", "swift build"},
    {".rspec", "test", "bundle exec rspec"},
    {"Gemfile", "test", "bundle exec rspec", "names rspec", {has_word, "rspec"}},
    {"Rakefile", "test", "bundle exec rake test", "has a test task", {has_task}},
    {"GNUmakefile", "test", "make test", "has a test target", {has_target, "test"}},
    {"Makefile", "test", "make test", "has a test target", {has_target, "test"}},
    {"makefile", "test", "make test", "has a test target", {has_target, "test"}},
    {"GNUmakefile", "test", "make check", "has a check target", {has_target, "check"}},
    {"Makefile", "test", "make check", "has a check target", {has_target, "check"}},
    {"makefile", "test", "make check", "has a check target", {has_target, "check"}},
    {"Makefile",
     "typecheck",
     "make typecheck",
     "has a typecheck target",
     {has_target, "typecheck"}},
    {"justfile", "test", "just test", "has a test recipe", {has_recipe, "test"}},
    {"Justfile", "test", "just test", "has a test recipe", {has_recipe, "test"}},
    {"justfile",
     "typecheck",
     "just typecheck",
     "has a typecheck recipe",
     {has_recipe, "typecheck"}},
};

std::string command_of(const FileRule& rule, const RepoTop& top) {
  if (rule.wrapper.empty() || !top.has(rule.wrapper)) return std::string(rule.command);
  return fmt::format("./{}{}", rule.wrapper, rule.command.substr(rule.command.find(' ')));
}

void add(std::vector<Detected>& found, Detected item) {
  const bool known = std::ranges::any_of(found, [&](const Detected& other) {
    return other.name == item.name && other.command == item.command;
  });
  if (!known) found.push_back(std::move(item));
}

void detect_by_rules(const RepoTop& top, std::vector<Detected>& found) {
  for (const FileRule& rule : kRules) {
    if (!top.has(rule.file)) continue;
    const auto& [holds, what] = rule.clue;
    if (holds != nullptr && !holds(top.read(rule.file).value_or(""), what)) continue;
    add(found, {std::string(rule.name), command_of(rule, top),
                fmt::format("{} {}", rule.file, rule.says)});
  }
}

}  // namespace

Result<std::vector<Detected>> detect_profile(Os& os, const Path& repo) {
  const RepoTop top = TRY(RepoTop::look(os.files, repo));
  std::vector<Detected> found;
  detect_node(top, found);
  detect_cmake(top, found);
  detect_by_rules(top, found);
  for (const auto* directory : {"tests", "test"})
    if (top.holds(directory, "test_", ".py"))
      add(found, {"test", "pytest", fmt::format("{}/ holds test_*.py", directory)});
  return found;
}

}  // namespace pf
