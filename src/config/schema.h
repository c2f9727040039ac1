#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/problem.h"
#include "config/settings.h"
#include "config/toml_document.h"

namespace pf {

// Any key of [commands]: a check under its own name.
struct CheckCommand {};

// Where a key's value lives; its type is the key's type.
using Slot = std::variant<std::string Settings::*, int Settings::*, bool Settings::*,
                          AgentName Settings::*, std::vector<std::string> Settings::*,
                          std::string AgentSettings::*, std::vector<std::string> AgentSettings::*,
                          const KindSettings * AgentSettings::*, CheckCommand>;

// What the value must be, "must be an absolute path"; "" when it is.
using TextCheck = std::string (*)(std::string_view);

// What is allowed beyond the type. Texts and flags are compared with `one_of` as they are written.
struct Rule {
  std::array<std::string_view, 3> one_of = {};  // "" ends it; none: anything
  int least = 0;
  int most = 0;                   // numbers only
  TextCheck check = nullptr;      // every text, or every item of a list
  bool filled = false;            // a list must have items
  std::string_view because = {};  // why another value is refused
};

// Which files may hold a key: any, and bubble.toml is written with it always or when it is not the
// default; bubble.toml alone; or any but bubble.toml.
enum class Held { always, when_changed, bubble_only, no_bubble };

struct Key {
  std::string_view table;  // "" is the top; "agents.*" any [agents.<name>]
  std::string_view name;   // "*" is any other name
  Slot slot;
  Rule rule;
  std::string_view help;
  Held held = Held::always;
};

// Every key there is, in the order in which bubble.toml is written. Defaults are those of
// Settings{}.
std::span<const Key> schema();
// The row of that very name; null when unknown.
const Key* find_key(std::string_view table, std::string_view name);

// What the value has to be: a string, a whole number, true or false, or a list of strings.
TomlValue::Kind type_of(const Key& key);
// Checks the value and puts it into its slot under `name` (which differs from key.name for "*");
// on a problem, whose place is the value's line, nothing is changed. A kind is one of `kinds`.
std::optional<Problem> assign(const Key& key, const std::string& name, const TomlValue& value,
                              Settings& settings, AgentSettings& agent, KindTable kinds);
// The slot's value in TOML. Not for "*".
std::string value_text(const Key& key, const Settings& settings, const AgentSettings& agent);

}  // namespace pf
