#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/parse.h"

namespace pf {
namespace {

using Words = std::span<const std::string>;

std::string full_name(std::string_view program, const Verb& verb) {
  return fmt::format("{} {}", program, verb.full_name);
}

Error usage(std::string what, std::string hint, std::string_view command) {
  std::string fix = fmt::format("{} --help", command);
  if (!hint.empty()) fix = fmt::format("did you mean '{}'? see: {}", hint, fix);
  return {Exit::usage, std::move(what), "", std::move(fix)};
}

std::string shown(std::string_view word) { return clip(printable(word), 80); }

// A command that is not there: the nearest one, also when only its group was left out.
Error no_command(const Table& table, Words words, std::string_view program,
                 std::string_view group) {
  const std::string command =
      group.empty() ? std::string(program) : fmt::format("{} {}", program, group);
  const std::size_t at = group.empty() ? 0 : 1;
  if (words.size() <= at || words[at].starts_with('-'))
    return usage(fmt::format("which command of '{}'?", command), "", command);
  std::vector<std::string_view> names;
  for (const Verb& verb : each(table))
    if (verb.who != Audience::internal && (group.empty() || verb.group == group))
      names.push_back(verb.name);
  const auto near = nearest(words[at], names);
  const auto rows = each(table);
  const auto verb = std::ranges::find_if(
      rows, [&](const Verb& v) { return v.name == near && (group.empty() || v.group == group); });
  return usage(fmt::format("there is no command '{} {}'", command, shown(words[at])),
               near.empty() ? "" : full_name(program, *verb), command);
}

struct Option {
  std::string name;
  bool takes_value;
};

std::vector<Option> options_of(const Verb& verb) {
  std::vector<Option> options = {
      {"--repo", true}, {"--request", true}, {"--json", false}, {"--help", false}, {"-h", false}};
  for (const Param& param : verb.params)
    options.push_back({fmt::format("--{}", param.name), param.type != Type::flag});
  return options;
}

// The first word behind the command that is no option of it and no option's value.
std::optional<Error> stray_word(const Verb& verb, Words words, std::string_view program) {
  const std::string command = full_name(program, verb);
  const auto options = options_of(verb);
  auto places = std::ranges::count(verb.params, true, &Param::positional);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string name = words[i].substr(0, words[i].find('='));
    if (!words[i].starts_with('-') && places-- > 0) continue;
    if (!words[i].starts_with('-'))
      return usage(fmt::format("'{}' was not expected", shown(words[i])), "", command);
    const auto option = std::ranges::find(options, name, &Option::name);
    if (option == options.end()) {
      std::vector<std::string_view> names;
      for (const Option& known : options) names.push_back(known.name);
      return usage(fmt::format("'{}' has no option '{}'", command, shown(name)),
                   std::string(nearest(name, names)), command);
    }
    if (option->takes_value && name == words[i]) ++i;
  }
  return std::nullopt;
}

// The group that the line begins with, or "".
std::string_view group_in(const Table& table, Words words) {
  if (words.empty()) return {};
  for (const Verb& verb : each(table))
    if (verb.group == words[0]) return verb.group;
  return {};
}

}  // namespace

const Verb* verb_in(const Table& table, std::span<const std::string> words) {
  const std::string_view group = group_in(table, words);
  const std::size_t at = group.empty() ? 0 : 1;
  return words.size() > at ? find_verb(table, group, words[at]) : nullptr;
}

Error wrong_line(const Table& table, const std::vector<std::string>& words,
                 std::string_view program, std::string_view reason) {
  const Words all = words;
  const std::string_view group = group_in(table, words);
  const Verb* verb = verb_in(table, words);
  if (verb == nullptr) return no_command(table, all, program, group);
  if (auto stray = stray_word(*verb, all.subspan(group.empty() ? 1 : 2), program)) return *stray;
  return usage(printable(reason), "", full_name(program, *verb));
}

}  // namespace pf
