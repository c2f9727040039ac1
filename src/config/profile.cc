#include "config/profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "config/detect.h"

namespace pf {
namespace {

using Clue = bool (*)(std::string_view text);

// A file that means a command, when its text holds the clue.
struct FileRule {
  std::string_view file;
  std::string_view name;
  std::string_view command;
  std::string_view says = "is there";
  Clue clue = nullptr;
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

bool has_script(std::string_view text, std::string_view group, std::string_view name) {
  const auto json = parse_json(text);
  if (!json || !json->is_object()) return false;
  const Json* scripts = json->get_object().if_contains(group);
  return scripts != nullptr && scripts->is_object() && scripts->get_object().contains(name);
}

bool make_test(std::string_view text) { return has_target(text, "test"); }
bool make_check(std::string_view text) { return has_target(text, "check"); }
bool make_typecheck(std::string_view text) { return has_target(text, "typecheck"); }
bool just_test(std::string_view text) { return has_recipe(text, "test"); }
bool just_typecheck(std::string_view text) { return has_recipe(text, "typecheck"); }
bool deno_task(std::string_view text) { return has_script(text, "tasks", "test"); }
bool composer_test(std::string_view text) { return has_script(text, "scripts", "test"); }
bool names_rspec(std::string_view text) { return text.contains("rspec"); }
bool rake_test(std::string_view text) {
  return text.contains("TestTask") || text.contains("task :test") || text.contains("task test:");
}
template <auto& Header>
bool section(std::string_view text) {
  return has_section(text, Header);
}
constexpr char kToolPytest[] = "[tool.pytest";
constexpr char kCfgPytest[] = "[tool:pytest]";
constexpr char kPytest[] = "[pytest]";
constexpr char kToolMypy[] = "[tool.mypy";
constexpr char kMypy[] = "[mypy]";

constexpr FileRule kRules[] = {
    {"Cargo.toml", "test", "cargo test"},
    {"Cargo.toml", "typecheck", "cargo check"},
    {"go.mod", "test", "go test ./..."},
    {"go.mod", "typecheck", "go vet ./..."},
    {"pytest.ini", "test", "pytest"},
    {"pyproject.toml", "test", "pytest", "configures pytest", section<kToolPytest>},
    {"setup.cfg", "test", "pytest", "configures pytest", section<kCfgPytest>},
    {"tox.ini", "test", "pytest", "configures pytest", section<kPytest>},
    {"conftest.py", "test", "pytest"},
    {"mypy.ini", "typecheck", "mypy ."},
    {".mypy.ini", "typecheck", "mypy ."},
    {"pyproject.toml", "typecheck", "mypy .", "configures mypy", section<kToolMypy>},
    {"setup.cfg", "typecheck", "mypy .", "configures mypy", section<kMypy>},
    {"build.gradle", "test", "gradle test", "is there", nullptr, "gradlew"},
    {"build.gradle.kts", "test", "gradle test", "is there", nullptr, "gradlew"},
    {"pom.xml", "test", "mvn -q test", "is there", nullptr, "mvnw"},
    {"mix.exs", "test", "mix test"},
    {"mix.exs", "typecheck", "mix compile --warnings-as-errors"},
    {"deno.json", "test", "deno task test", "has a test task", deno_task},
    {"deno.json", "test", "deno test"},
    {"deno.jsonc", "test", "deno test"},
    {"composer.json", "test", "composer test", "has a test script", composer_test},
    {"dune-project", "test", "dune test"},
    {"dune-project", "typecheck", "dune build @check"},
    {"Package.swift", "test", "swift test"},
    {"Package.swift", "typecheck", "swift build"},
    {".rspec", "test", "bundle exec rspec"},
    {"Gemfile", "test", "bundle exec rspec", "names rspec", names_rspec},
    {"Rakefile", "test", "bundle exec rake test", "has a test task", rake_test},
    {"GNUmakefile", "test", "make test", "has a test target", make_test},
    {"Makefile", "test", "make test", "has a test target", make_test},
    {"makefile", "test", "make test", "has a test target", make_test},
    {"GNUmakefile", "test", "make check", "has a check target", make_check},
    {"Makefile", "test", "make check", "has a check target", make_check},
    {"makefile", "test", "make check", "has a check target", make_check},
    {"Makefile", "typecheck", "make typecheck", "has a typecheck target", make_typecheck},
    {"justfile", "test", "just test", "has a test recipe", just_test},
    {"Justfile", "test", "just test", "has a test recipe", just_test},
    {"justfile", "typecheck", "just typecheck", "has a typecheck recipe", just_typecheck},
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
    if (rule.clue != nullptr && !rule.clue(top.read(rule.file).value_or(""))) continue;
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
