// Cases made from the schema itself: a new key is tested by being in the table.
#include "config/schema.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

#include "config/testing.h"

namespace pf {
namespace {

using Kind = TomlValue::Kind;
constexpr Kind kTypes[] = {Kind::string, Kind::integer, Kind::boolean, Kind::array};

std::string literal(Kind type) {
  switch (type) {
    case Kind::string: return "\"words\"";
    case Kind::integer: return "7";
    case Kind::boolean: return "true";
    default: return "[\"item\"]";
  }
}

std::string table_of(const Key& key) {
  return key.table == "agents.*" ? "agents.codex" : std::string(key.table);
}
std::string name_of(const Key& key) { return std::string(key.name == "*" ? "lint" : key.name); }

// The key with the value, alone in a file; it stands on line 2.
Result<Settings> with(const Key& key, const std::string& name, const std::string& value) {
  const std::string table = table_of(key);
  const std::string header = table.empty() ? "# top" : fmt::format("[{}]", table);
  const Layer layer = key.held == Held::no_bubble ? Layer::repository : Layer::bubble;
  return merge_layers({{"file", fmt::format("{}\n{} = {}\n", header, name, value), layer}});
}

}  // namespace

TEST_CASE("every key refuses every other type, at its line and with a fix") {
  for (const Key& key : schema()) {
    std::vector<std::string> wrong = {"1.5", "1979-05-27", "{}", "[[1]]"};
    for (const Kind type : kTypes)
      if (type != type_of(key)) wrong.push_back(literal(type));
    for (const auto& value : wrong) {
      CAPTURE(fmt::format("{} {} = {}", key.table, key.name, value));
      const auto settings = with(key, name_of(key), value);
      REQUIRE(!settings);
      CHECK(settings.error().exit == Exit::usage);
      CHECK(settings.error().what.starts_with("file:2: "));
      CHECK(settings.error().what.contains(name_of(key)));
      CHECK(!settings.error().fix.empty());
    }
  }
}

TEST_CASE("every key's misspelled neighbour is told its right name") {
  for (const Key& key : schema()) {
    if (find_key(key.table, "*") != nullptr) continue;  // there any name is a key
    const std::string name(key.name);
    for (const auto& typo : {name + "x", name.substr(1), "z" + name}) {
      if (find_key(key.table, typo) != nullptr) continue;
      CAPTURE(typo);
      const auto settings = with(key, typo, literal(type_of(key)));
      REQUIRE(!settings);
      CHECK(settings.error().what.starts_with(fmt::format("file:2: unknown key '{}'", typo)));
      if (name.size() > 2) CHECK(settings.error().fix == fmt::format("did you mean '{}'?", name));
    }
  }
}

TEST_CASE("every key takes its own default, and every choice it offers") {
  for (const Key& key : schema()) {
    CAPTURE(key.name);
    for (const auto choice : key.rule.one_of) {
      if (choice.empty() || key.table == "agents.*") continue;
      const bool text = type_of(key) == Kind::string;
      CHECK(with(key, name_of(key), text ? toml_quote(choice) : std::string(choice)));
    }
    const std::string value = value_text(key, Settings{}, {});
    if (value.empty() || value == "\"\"" || key.table == "agents.*") continue;
    const auto settings = with(key, name_of(key), value);
    REQUIRE(settings);
    CHECK(*settings == default_settings());
  }
}

TEST_CASE("rows are well formed") {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const Key& key : schema()) {
    CHECK(seen.emplace(key.table, key.name).second);
    CHECK(!key.help.empty());
    CHECK(find_key(key.table, key.name) == &key);
    if (type_of(key) == Kind::integer) CHECK(key.rule.least < key.rule.most);
  }
}

}  // namespace pf
