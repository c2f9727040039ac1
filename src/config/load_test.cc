#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>

#include "config/testing.h"
#include "os/posix/os.h"
#include "os/posix/temp_directory.h"

namespace pf {
namespace {

struct Variables : PosixEnvironment {
  std::map<std::string, std::string, std::less<>> values;
  std::optional<std::string> get(std::string_view name) override {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
};

// A home, a repository and a bubble in one temporary directory.
struct World {
  TempDirectory temp;
  PosixOs posix;
  Variables variables;
  Os os{posix.files, posix.processes, posix.clock, posix.random, variables};
  Path home = temp.path() / "home";
  Path repo = temp.path() / "repo";
  Path bubble = repo / ".pairflow/bubbles/login/bubble.toml";

  World() { variables.values["HOME"] = home.string(); }
  void write(const Path& path, std::string_view text) {
    REQUIRE(posix.files.make_directories(path.parent_path()));
    REQUIRE(posix.files.replace(path, text, Durable::no));
  }
};

constexpr std::string_view kBubble =
    "id = \"login\"\nrepo_path = \"/r\"\nbase_branch = \"main\"\nbubble_branch = \"b\"\n";

Result<Settings> load(World& world, const std::optional<Path>& bubble = std::nullopt) {
  return load_settings(world.os, world.repo, bubble, kTestKinds);
}

}  // namespace

TEST_CASE("missing files are fine, and so is having no home") {
  World world;
  CHECK(load(world).value() == default_settings());
  world.variables.values.clear();
  CHECK(load(world).value() == default_settings());
}

TEST_CASE("user file, repository file and bubble.toml, later wins") {
  World world;
  world.write(world.home / ".config/pairflow/config.toml",
              "max_rounds = 2\nwatchdog_timeout_minutes = 2\nopen_command = \"vi\"\n");
  world.write(world.repo / ".pairflow/config.toml",
              "max_rounds = 3\nwatchdog_timeout_minutes = 3\n");
  world.write(world.bubble, fmt::format("{}max_rounds = 4\n", kBubble));
  const auto settings = load(world, world.bubble);
  REQUIRE(settings);
  CHECK(settings->id == "login");
  CHECK(settings->max_rounds == 4);
  CHECK(settings->watchdog_timeout_minutes == 3);
  CHECK(settings->open_command == "vi");
}

TEST_CASE("XDG_CONFIG_HOME is honoured when it is absolute") {
  World world;
  world.write(world.home / ".config/pairflow/config.toml", "max_rounds = 2\n");
  world.write(world.home / "xdg/pairflow/config.toml", "max_rounds = 9\n");
  world.variables.values["XDG_CONFIG_HOME"] = (world.home / "xdg").string();
  CHECK(load(world)->max_rounds == 9);
  world.variables.values["XDG_CONFIG_HOME"] = "xdg";
  CHECK(load(world)->max_rounds == 2);
}

TEST_CASE("a bubble's file must be there and complete") {
  World world;
  const auto missing = load(world, world.bubble);
  CHECK(missing.error().exit == Exit::damaged);
  CHECK(missing.error().what.contains("bubble.toml' is missing"));
  world.write(world.bubble, "id = \"login\"\nrepo_path = \"/r\"\nbase_branch = \"main\"\n");
  const auto partial = load(world, world.bubble);
  CHECK(partial.error().exit == Exit::usage);
  CHECK(partial.error().what.ends_with("bubble.toml: the key 'bubble_branch' is missing"));
}

TEST_CASE("a shared file cannot name one bubble, and what is unreadable is an error") {
  World world;
  const Path file = world.repo / ".pairflow/config.toml";
  world.write(file, "id = \"login\"\n");
  CHECK(load(world).error().what.contains("config.toml:1: 'id' belongs"));
  world.write(file, std::string(kConfigBytes + 1, '#'));
  CHECK(load(world).error().what.contains("too large"));
  world.write(file, std::string(kConfigBytes, '#'));
  CHECK(load(world));
  REQUIRE(world.posix.files.remove(file));
  REQUIRE(world.posix.files.make_directories(file));
  CHECK_FALSE(load(world));
}

}  // namespace pf
