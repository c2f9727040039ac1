#include "config/profile.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/text.h"
#include "config/detect.h"
#include "os/posix/os.h"
#include "os/posix/temp_directory.h"

namespace pf {
namespace {

struct Written {
  std::string path;
  std::string text = {};
};

std::vector<Detected> detect(const std::vector<Written>& files) {
  const TempDirectory temp;
  PosixOs posix;
  for (const auto& file : files) {
    const Path path = temp.path() / file.path;
    REQUIRE(posix.files.make_directories(path.parent_path()));
    REQUIRE(posix.files.replace(path, file.text, Durable::no));
  }
  Os os = posix.os();
  auto found = detect_profile(os, temp.path());
  REQUIRE(found);
  return std::move(*found);
}

// "test: make test; typecheck: mypy ." for what was found, in order.
std::string summary(const std::vector<Written>& files) {
  std::vector<std::string> parts;
  for (const auto& item : detect(files)) parts.push_back(item.name + ": " + item.command);
  return join(parts, "; ");
}

}  // namespace

TEST_CASE("nothing to go by") {
  CHECK(detect({}).empty());
  CHECK(detect({{"README.md"}, {"sub/Cargo.toml"}, {"src/package.json", "{}"}}).empty());
  PosixOs posix;
  Os os = posix.os();
  CHECK(detect_profile(os, "/nowhere/at/all")->empty());
}

TEST_CASE("package.json: scripts, package manager, TypeScript") {
  const std::string scripts = R"({"scripts": {"test": "jest", "typecheck": "tsc"}})";
  CHECK(summary({{"package.json", scripts}}) == "test: npm test; typecheck: npm run typecheck");
  CHECK(summary({{"package.json", scripts}, {"pnpm-lock.yaml"}}) ==
        "test: pnpm test; typecheck: pnpm run typecheck");
  CHECK(summary({{"package.json", scripts}, {"yarn.lock"}}) ==
        "test: yarn test; typecheck: yarn run typecheck");
  CHECK(summary({{"package.json", R"({"scripts": {"test": "x"}})"}, {"bun.lockb"}}) ==
        "test: bun run test");
  CHECK(summary({{"package.json", R"({"packageManager": "pnpm@9.1.0", "scripts": {"test": "x"}})"},
                 {"package-lock.json"}}) == "test: pnpm test");
  CHECK(summary({{"package.json", "{}"}, {"tsconfig.json", "{}"}}) ==
        "typecheck: npx tsc --noEmit");
  const auto found = detect({{"package.json", scripts}});
  CHECK(found[0].because == "package.json has a test script");
}

TEST_CASE("package.json that says nothing, or nonsense") {
  for (const char* text :
       {R"({"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}})",
        R"({"scripts": {"test": ""}})", R"({"scripts": {"test": 3}})", R"({"scripts": []})", "[]",
        "{broken", "", "\xff\xfe"})
    CHECK_MESSAGE(detect({{"package.json", text}}).empty(), text);
}

TEST_CASE("CMake: presets as far as they say how, else the plain three steps") {
  CHECK(summary({{"CMakeLists.txt"}}) ==
        "test: cmake -S . -B build && cmake --build build && "
        "ctest --test-dir build --output-on-failure --no-tests=error");
  CHECK(summary({{"CMakeLists.txt"},
                 {"CMakePresets.json", R"({"testPresets": [{"name": "base", "hidden": true},
                                                           {"name": "dev"}]})"}}) ==
        "test: ctest --preset dev");
  CHECK(summary({{"CMakeLists.txt"},
                 {"CMakePresets.json",
                  R"({"buildPresets": [{"name": "other", "configurePreset": "x"},
                                       {"name": "dev-build", "configurePreset": "dev"}],
                      "testPresets": [{"name": "base", "hidden": true, "configurePreset": "dev"},
                                      {"name": "unit", "inherits": ["base"]}]})"}}) ==
        "test: cmake --preset dev && cmake --build --preset dev-build && ctest --preset unit");
  CHECK(summary({{"CMakeLists.txt"},
                 {"CMakePresets.json", R"({"testPresets": [{"name": "a'; rm b"}]})"}}) ==
        R"(test: ctest --preset 'a'\''; rm b')");
  CHECK(summary({{"CMakeLists.txt"},
                 {"CMakePresets.json", R"({"testPresets": [{"name": "a", "inherits": "a"}]})"}}) ==
        "test: ctest --preset a");
}

TEST_CASE("one file, one command") {
  CHECK(summary({{"Cargo.toml"}}) == "test: cargo test; typecheck: cargo check");
  CHECK(summary({{"go.mod"}}) == "test: go test ./...; typecheck: go vet ./...");
  CHECK(summary({{"build.gradle.kts"}}) == "test: gradle test");
  CHECK(summary({{"build.gradle"}, {"gradlew"}}) == "test: ./gradlew test");
  CHECK(summary({{"pom.xml"}}) == "test: mvn -q test");
  CHECK(summary({{"pom.xml"}, {"mvnw"}}) == "test: ./mvnw -q test");
  CHECK(summary({{"Package.swift"}}) == "test: swift test; typecheck: swift build");
  CHECK(summary({{"dune-project"}}) == "test: dune test; typecheck: dune build @check");
  CHECK(summary({{"mix.exs"}}).starts_with("test: mix test"));
  CHECK(summary({{"deno.json", R"({"tasks": {"test": "x"}})"}}) ==
        "test: deno task test; test: deno test");
  CHECK(summary({{"composer.json", R"({"scripts": {"test": "phpunit"}})"}}) ==
        "test: composer test");
  CHECK(summary({{"composer.json", "{}"}}).empty());
  CHECK(summary({{"Gemfile", "gem 'rspec'\n"}, {".rspec"}}) == "test: bundle exec rspec");
  CHECK(summary({{"Rakefile", "Rake::TestTask.new\n"}}) == "test: bundle exec rake test");
}

TEST_CASE("pytest and mypy, wherever they are configured") {
  CHECK(summary({{"pytest.ini"}, {"conftest.py"}}) == "test: pytest");
  CHECK(summary({{"pyproject.toml", "[tool.pytest.ini_options]\n[tool.mypy]\n"}}) ==
        "test: pytest; typecheck: mypy .");
  CHECK(summary({{"setup.cfg", "[tool:pytest]\r\n[mypy]\r\n"}}) ==
        "test: pytest; typecheck: mypy .");
  CHECK(summary({{"tox.ini", "[pytest]\n"}}) == "test: pytest");
  CHECK(summary({{"tests/test_a.py"}}) == "test: pytest");
  CHECK(summary({{"pyproject.toml", "# pytest\n"}, {"tests/a_test.c"}}).empty());
}

TEST_CASE("Makefile and justfile: targets, not variables or recipe lines") {
  CHECK(summary({{"Makefile", ".PHONY: test\nall test: deps\n\tx\n"}}) == "test: make test");
  CHECK(summary({{"makefile", "check::\n\tx\n"}}) == "test: make check");
  for (const char* text : {"test := a\n", "test ::= a\n", "\ttest: x\n", "tests:\n", "# test:\n",
                           ".PHONY: test\n", "test\n", ""})
    CHECK_MESSAGE(summary({{"Makefile", text}}).empty(), text);
  CHECK(summary({{"justfile", "build:\n\n@test filter='': build\n  x\n"}}) == "test: just test");
  for (const char* text : {"test := 'a'\n", "tests:\n", "  test:\n", "alias test\n"})
    CHECK_MESSAGE(summary({{"justfile", text}}).empty(), text);
}

TEST_CASE("several builds: the language's own first, all are offered, none twice") {
  CHECK(summary({{"Makefile", "test:\n"}, {"Cargo.toml"}, {"package.json", "{"}}) ==
        "test: cargo test; typecheck: cargo check; test: make test");
}

TEST_CASE("directories in place of files say nothing") {
  const TempDirectory temp;
  PosixOs posix;
  REQUIRE(posix.files.make_directories(temp.path() / "Makefile"));
  REQUIRE(posix.files.make_directories(temp.path() / "Cargo.toml"));
  Os os = posix.os();
  CHECK(detect_profile(os, temp.path())->empty());
}

TEST_CASE("words for the shell") {
  CHECK(shell_word("dev-1.2") == "dev-1.2");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("$(x) 'y'") == R"('$(x) '\''y'\''')");
}

}  // namespace pf
