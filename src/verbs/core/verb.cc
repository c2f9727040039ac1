#include "verbs/core/verb.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace pf {
namespace {

Status check_value(const Param& param, const std::string& value) {
  const std::string name = fmt::format("--{}", param.name);
  TRY(check_text(name, value, param.limit));
  if (param.type == Type::text ? trim(value).empty() : value.empty() && param.required)
    return fail(Exit::usage, fmt::format("{} is empty", name), "", "give it a value");
  if (param.type == Type::number && !is_number(value))
    return fail(Exit::usage, fmt::format("{} is no number", name), "",
                fmt::format("give a whole number from 1 to {}", kMaxNumber));
  return {};
}

Status check_request(const Args& args) {
  constexpr std::size_t kLongest = 64;
  if (!args.has("request")) return {};
  const std::string id = args.text("request");
  const bool plain = std::ranges::all_of(id, [](char c) { return c > ' ' && c < 0x7f; });
  if (plain && id.size() <= kLongest) return {};
  return fail(Exit::usage, "--request is no request id",
              "1 to 64 printable ASCII characters without blanks",
              "make one up, and give the same one when you try again");
}

}  // namespace

Status check_text(std::string_view what, std::string_view text, std::size_t limit) {
  if (text.size() > limit)
    return fail(Exit::usage, fmt::format("{} is too long", what),
                fmt::format("{} bytes, at most {} are taken", text.size(), limit),
                "shorten it; put details into a file and name it with --ref");
  if (!is_utf8(text))
    return fail(Exit::usage, fmt::format("{} is not UTF-8 text", what), "",
                "convert it to UTF-8 first");
  const bool control = std::ranges::any_of(text, [](unsigned char c) {
    return (c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7f;
  });
  if (control)
    return fail(Exit::usage, fmt::format("{} contains control characters", what),
                "NUL, ESC and the like never go into the transcript", "remove them");
  return {};
}

const Verb* find_verb(const Table& table, std::string_view group, std::string_view name) {
  for (const Verb& verb : each(table))
    if (verb.name == name && verb.group == group) return &verb;
  return nullptr;
}

bool is_number(std::string_view text) {
  const bool digits = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  return digits && !text.empty() && text.size() <= 4 && text[0] != '0';
}

Status check_values(const Verb& verb, const Args& args) {
  for (const Param& param : verb.params) {
    if (!args.has(param.name)) {
      if (!param.required) continue;
      return fail(Exit::usage, fmt::format("--{} is missing", param.name), "", "give it a value");
    }
    if (param.type == Type::flag) continue;
    const auto values = args.all(param.name);
    if (param.repeats && values.size() > kMaxRepeats)
      return fail(Exit::usage, fmt::format("too many --{}", param.name),
                  fmt::format("{}, at most {} are taken", values.size(), kMaxRepeats),
                  "split them over several commands");
    for (const std::string& value : values) TRY(check_value(param, value));
  }
  return check_request(args);
}

}  // namespace pf
