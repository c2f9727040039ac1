// How one value gets from TOML into its slot, and back.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "config/schema.h"

namespace pf {
namespace {

template <class... F>
struct Overload : F... {
  using F::operator()...;
};

auto& at(auto member, auto& settings, auto& agent) {
  if constexpr (requires { settings.*member; })
    return settings.*member;
  else
    return agent.*member;
}

std::string text_of_value(const std::string& value) { return toml_quote(value); }
std::string text_of_value(const AgentName& value) { return toml_quote(value.str()); }
std::string text_of_value(const KindSettings* value) {
  return toml_quote(value == nullptr ? "" : value->name);
}
std::string text_of_value(int value) { return fmt::to_string(value); }
std::string text_of_value(bool value) { return value ? "true" : "false"; }
std::string text_of_value(const std::vector<std::string>& value) {
  std::vector<std::string> parts;
  for (const auto& item : value) parts.push_back(toml_quote(item));
  return fmt::format("[{}]", join(parts, ", "));
}

// One overload per type of slot: reads the value into `into`, or says why not.
struct Reader {
  const Key& key;
  const std::string& name;
  const TomlValue& value;
  KindTable kinds;

  std::vector<std::string_view> choices() const {
    std::vector<std::string_view> all(key.rule.one_of.begin(), key.rule.one_of.end());
    std::erase(all, std::string_view{});
    if (std::holds_alternative<const KindSettings * AgentSettings::*>(key.slot))
      for (const KindSettings* kind : kinds) all.push_back(kind->name);
    return all;
  }

  // A line that would do: the default, or the first allowed value.
  std::string example() const {
    std::string text;
    if (key.name != "*") text = value_text(key, Settings{}, AgentSettings{});
    if (text.empty() || text == "\"\"") text = "\"…\"";
    if (text == "[]") text = "[\"…\"]";
    if (const auto all = choices(); !all.empty() && type_of(key) == TomlValue::Kind::string)
      text = toml_quote(all[0]);
    return fmt::format("write {} = {}", name, text);
  }

  Problem problem(std::string what, int line) const {
    return {std::move(what), std::string(key.help), example(), {{}, line}};
  }

  std::optional<Problem> wrong_type() const {
    const TomlValue::Kind wanted = type_of(key);
    if (value.kind == wanted) return std::nullopt;
    const auto type = wanted == TomlValue::Kind::array ? "a list of strings"
                                                       : kind_name(TomlValue{.kind = wanted});
    return problem(fmt::format("'{}' must be {}, not {}", name, type, kind_name(value)),
                   value.line);
  }

  // `text` is the value without quotes.
  std::optional<Problem> not_a_choice(std::string_view text, int line) const {
    const auto all = choices();
    if (all.empty() || std::ranges::find(all, text) != all.end()) return std::nullopt;
    std::string why(key.rule.because);
    if (why.empty()) why = fmt::format("it is one of {}", fmt::join(all, ", "));
    const auto near = nearest(text, all);
    std::string fix =
        near.empty() || all.size() == 1 ? example() : fmt::format("did you mean '{}'?", near);
    if (type_of(key) == TomlValue::Kind::boolean)
      fix = fmt::format("write {} = {}, or leave it out", name, all[0]);
    return Problem{fmt::format("'{}' cannot be '{}'", name, printable(clip(text, 60))),
                   std::move(why),
                   std::move(fix),
                   {{}, line}};
  }

  std::optional<Problem> unfit_text(const std::string& text, int line) const {
    const std::string need = key.rule.check == nullptr ? "" : key.rule.check(text);
    if (need.empty()) return not_a_choice(text, line);
    return problem(fmt::format("'{}' {}, not {}", name, need, toml_quote(clip(text, 60))), line);
  }

  std::optional<Problem> operator()(std::string& into) const {
    if (auto problem = unfit_text(value.text, value.line)) return problem;
    into = value.text;
    return std::nullopt;
  }

  std::optional<Problem> operator()(const KindSettings*& into) const {
    std::string kind;
    if (auto problem = (*this)(kind)) return problem;
    if (const auto row = std::ranges::find(kinds, kind, &KindSettings::name); row != kinds.end())
      into = *row;
    return std::nullopt;
  }

  std::optional<Problem> operator()(AgentName& into) const {
    auto agent = parse_agent_name(value.text);
    if (!agent) {
      const Error& error = agent.error();
      return Problem{
          fmt::format("'{}': {}", name, error.what), error.why, error.fix, {{}, value.line}};
    }
    into = std::move(*agent);
    return std::nullopt;
  }

  std::optional<Problem> operator()(int& into) const {
    const auto& [least, most] = std::pair(key.rule.least, key.rule.most);
    if (value.integer < least || value.integer > most)
      return Problem{fmt::format("'{}' cannot be {}", name, value.integer),
                     fmt::format("it is a number from {} to {}", least, most),
                     example(),
                     {{}, value.line}};
    into = static_cast<int>(value.integer);
    return std::nullopt;
  }

  std::optional<Problem> operator()(bool& into) const {
    if (auto problem = not_a_choice(text_of_value(value.boolean), value.line)) return problem;
    into = value.boolean;
    return std::nullopt;
  }

  std::optional<Problem> operator()(std::vector<std::string>& into) const {
    if (key.rule.filled && value.items.empty())
      return problem(fmt::format("'{}' must not be empty", name), value.line);
    std::vector<std::string> items;
    for (const auto& item : value.items) {
      if (item.kind != TomlValue::Kind::string)
        return problem(fmt::format("'{}' holds {} among its strings", name, kind_name(item)),
                       item.line);
      if (auto problem = unfit_text(item.text, item.line)) return problem;
      items.push_back(item.text);
    }
    into = std::move(items);
    return std::nullopt;
  }
};

std::optional<Problem> add_check(const Reader& reader, std::vector<NamedCommand>& commands) {
  std::string command;
  if (auto problem = reader(command)) return problem;
  const auto found = std::ranges::find(commands, reader.name, &NamedCommand::name);
  if (found == commands.end())
    commands.push_back({reader.name, std::move(command)});
  else
    found->command = std::move(command);
  return std::nullopt;
}

}  // namespace

TomlValue::Kind type_of(const Key& key) {
  using Kind = TomlValue::Kind;
  return std::visit(Overload{[](int Settings::*) { return Kind::integer; },
                             [](bool Settings::*) { return Kind::boolean; },
                             [](std::vector<std::string> Settings::*) { return Kind::array; },
                             [](std::vector<std::string> AgentSettings::*) { return Kind::array; },
                             [](auto) { return Kind::string; }},
                    key.slot);
}

std::optional<Problem> assign(const Key& key, const std::string& name, const TomlValue& value,
                              Settings& settings, AgentSettings& agent, KindTable kinds) {
  const Reader reader{key, name, value, kinds};
  if (auto problem = reader.wrong_type()) return problem;
  return std::visit(Overload{[&](CheckCommand) { return add_check(reader, settings.commands); },
                             [&](auto member) { return reader(at(member, settings, agent)); }},
                    key.slot);
}

std::string value_text(const Key& key, const Settings& settings, const AgentSettings& agent) {
  return std::visit(
      Overload{[](CheckCommand) { return std::string(); },
               [&](auto member) { return text_of_value(at(member, settings, agent)); }},
      key.slot);
}

}  // namespace pf
