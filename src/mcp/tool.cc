#include "mcp/tool.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace pf::mcp {
namespace {

std::string with_underscores(std::string_view name) {
  std::string out(name);
  std::ranges::replace(out, '-', '_');
  return out;
}

std::string argument_name(const Param& param) {
  return with_underscores(param.json.name.empty() ? param.name : param.json.name);
}

bool is_argument(const Param& param) { return param.name != "id" && param.name != "yes"; }

JsonObject one_value(const Param& param) {
  switch (param.type) {
    case Type::flag: return {{"type", "boolean"}};
    case Type::number: return {{"type", "integer"}, {"minimum", 1}, {"maximum", kMaxNumber}};
    case Type::text:
    case Type::word: break;
  }
  JsonObject text{{"type", "string"}};
  if (param.type == Type::text) text["maxLength"] = param.limit;  // of bytes, so of characters too
  if (param.json.object == nullptr) return text;
  text["description"] = param.help;
  JsonArray shapes = param.json.object->schemas();
  shapes.push_back(std::move(text));
  return {{"anyOf", std::move(shapes)}};
}

JsonObject property_of(const Param& param) {
  JsonObject property = one_value(param);
  if (param.repeats)
    property = {{"type", "array"}, {"items", std::move(property)}, {"maxItems", kMaxRepeats}};
  property["description"] = param.json.help.empty() ? param.help : param.json.help;
  return property;
}

std::unexpected<Error> wrong_type(const Param& param, std::string_view wanted) {
  return fail(Exit::usage, fmt::format("{} is not {}", argument_name(param), wanted), "",
              "see the tool's schema");
}

// One value as a command line writes it.
Result<std::string> word_of(const Param& param, const Json& value) {
  if (param.type == Type::number) {
    if (value.is_int64()) return std::to_string(value.get_int64());
    if (value.is_uint64()) return std::to_string(value.get_uint64());
    return wrong_type(param, "a whole number");
  }
  if (value.is_string()) return std::string(value.get_string());
  if (param.json.object == nullptr) return wrong_type(param, "a string");
  if (!value.is_object()) return wrong_type(param, "an object or a string");
  return param.json.object->text(value.get_object());
}

Status set_argument(Args& args, const Param& param, const Json& value) {
  std::vector<std::string> words;
  if (param.type == Type::flag) {
    if (!value.is_bool()) return wrong_type(param, "true or false");
    if (!value.get_bool()) return {};
  } else if (param.repeats) {
    if (!value.is_array()) return wrong_type(param, "an array");
    for (const Json& item : value.get_array()) words.push_back(TRY(word_of(param, item)));
    if (words.empty()) return {};
  } else {
    words.push_back(TRY(word_of(param, value)));
  }
  args.set(std::string(param.name), std::move(words));
  return {};
}

Error no_argument(const Verb& verb, std::string_view name) {
  std::vector<std::string> names;
  for (const Param& param : verb.params)
    if (is_argument(param)) names.push_back(argument_name(param));
  return {Exit::usage,
          fmt::format("{} has no argument '{}'", tool_name(verb), clip(printable(name), 80)), "",
          names.empty() ? "call it without any" : fmt::format("there are {}", join(names, ", "))};
}

}  // namespace

bool is_tool(const Verb& verb, std::string_view role) {
  if (role.starts_with(kOfRoles))
    return verb.group == "role" && verb.who == Audience::either &&
           (verb.role.empty() || verb.role == role.substr(kOfRoles.size()));
  if (verb.who != Audience::agent) return false;
  if (role.empty()) return verb.group.empty();
  if (role == "explainer") return false;
  return verb.group == "plan" && (verb.role.empty() || verb.role == role);
}

std::string tool_name(const Verb& verb) { return with_underscores(verb.name); }

JsonObject tool_of(const Verb& verb) {
  JsonObject properties;
  JsonArray required;
  for (const Param& param : verb.params) {
    if (!is_argument(param)) continue;
    properties[argument_name(param)] = property_of(param);
    if (param.required) required.push_back(Json(argument_name(param)));
  }
  JsonObject schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  // Clients ask their user before a tool that may destroy or reach anything; these only add lines
  // to the bubble's transcript.
  JsonObject hints{
      {"readOnlyHint", verb.reads}, {"destructiveHint", false}, {"openWorldHint", false}};
  return {{"name", tool_name(verb)},
          {"description", verb.help},
          {"inputSchema", std::move(schema)},
          {"annotations", std::move(hints)}};
}

Result<Args> args_of(const Verb& verb, const JsonObject& arguments) {
  Args args;
  for (const auto& argument : arguments) {
    const auto param = std::ranges::find_if(verb.params, [&](const Param& candidate) {
      return is_argument(candidate) && argument_name(candidate) == argument.key();
    });
    if (param == verb.params.end()) return std::unexpected(no_argument(verb, argument.key()));
    if (!argument.value().is_null()) TRY(set_argument(args, *param, argument.value()));
  }
  return args;
}

}  // namespace pf::mcp
