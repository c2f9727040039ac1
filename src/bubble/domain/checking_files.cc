#include "bubble/domain/checking_files.h"

#include <algorithm>

#include "base/text.h"

namespace pf::bubble {
namespace {

// Globs as in gitignore: without a slash they match at any depth.
constexpr std::string_view kSettings[] = {
    // of any language
    "Makefile", "makefile", "GNUmakefile", "*.mk", "justfile", "Justfile", ".justfile", "*.just",
    "Taskfile.y*ml", "BUILD", "*.bazel", "*.bzl", ".bazelrc", "WORKSPACE", "Dockerfile",
    "docker-compose*.y*ml", "compose.y*ml", ".envrc", ".env", "mise.toml", ".mise.toml",
    ".tool-versions", ".pre-commit-config.yaml", "**/.github/workflows/**", ".gitlab-ci.yml",
    // C and C++
    "CMakeLists.txt", "CMakePresets.json", "CMakeUserPresets.json", "*.cmake", "meson.build",
    "meson_options.txt", "meson.options", "configure", "configure.ac", "SConstruct", ".clang-tidy",
    // JavaScript and TypeScript
    "package.json", ".npmrc", ".yarnrc*", ".pnpmfile.cjs", "pnpm-workspace.yaml", "bunfig.toml",
    ".nvmrc", ".node-version", "lerna.json", "nx.json", "turbo.json", "tsconfig*.json",
    "jsconfig.json", "deno.json*", "jest.config.*", "jest.setup.*", "vitest.config.*",
    "vitest.workspace.*", "vitest.setup.*", "vite.config.*", ".mocharc*", "karma.conf.*",
    "cypress.config.*", "playwright.config.*", "ava.config.*", ".nycrc*", ".c8rc*", ".taprc",
    "babel.config.*", ".babelrc*", ".swcrc", "webpack.config.*", "rollup.config.*", "gulpfile.*",
    "Gruntfile.*", ".eslintrc*", "eslint.config.*", "biome.json*", ".prettierrc*",
    // Python
    "pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", ".pytest.ini",
    "conftest.py", "sitecustomize.py", "usercustomize.py", "*.pth", "noxfile.py", "mypy.ini",
    ".mypy.ini", "pyrightconfig.json", "ruff.toml", ".ruff.toml", ".flake8", ".pylintrc",
    ".coveragerc", "requirements*.txt", "Pipfile", ".python-version",
    // Rust
    "Cargo.toml", "build.rs", "**/.cargo/config", "**/.cargo/config.toml", "rust-toolchain*",
    "clippy.toml", ".clippy.toml", "**/.config/nextest.toml",
    // Go
    "go.mod", "go.work", ".golangci.*", "magefile.go",
    // Java, Kotlin, Scala
    "*.gradle", "*.gradle.kts", "gradle.properties", "gradlew*", "**/gradle/wrapper/**", "pom.xml",
    "mvnw*", "**/.mvn/**", "build.xml", "build.sbt",
    // others
    "Rakefile", "Gemfile", ".rspec", ".rubocop.yml", "mix.exs", "composer.json", "phpunit.xml*",
    "Directory.Build.*", "*.csproj", "*.fsproj", "global.json", "*.cabal", "stack.yaml",
    "Package.swift", "pubspec.yaml"};
constexpr std::string_view kTests[] = {
    "**/tests/**", "**/test/**", "**/__tests__/**", "**/spec/**", "**/testdata/**",
    "*.test.*",    "*.spec.*",   "*_test.*",        "*_spec.rb",  "test_*.py"};

bool is_one_of(const auto& globs, std::string_view path) {
  return std::ranges::any_of(globs, [&](std::string_view glob) { return glob_match(glob, path); });
}

// The file's name is a word, or the end of a path, in the command.
bool names(const Check& check, std::string_view name) {
  const std::string& command = check.command;
  const auto is_end = [&](std::size_t i) {
    return i >= command.size() ||
           std::string_view(" \t\n;&|()'\"").find(command[i]) != std::string_view::npos;
  };
  for (auto at = command.find(name); at != std::string::npos; at = command.find(name, at + 1)) {
    const bool begins = at == 0 || is_end(at - 1) || command[at - 1] == '/';
    if (begins && is_end(at + name.size())) return true;
  }
  return false;
}

}  // namespace

Checking checking_of(std::string_view path, const Profile& profile) {
  const auto slash = path.rfind('/');
  const auto name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const bool named =
      std::ranges::any_of(profile.checks, [&](const Check& check) { return names(check, name); });
  if (named || is_one_of(kSettings, path)) return Checking::settings;
  return is_one_of(kTests, path) ? Checking::tests : Checking::no;
}

}  // namespace pf::bubble
