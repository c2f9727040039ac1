#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "config/detect.h"

namespace pf {
namespace {

constexpr int kInheritDepth = 16;

const JsonArray* presets(const JsonObject& root, std::string_view kind) {
  const Json* list = root.if_contains(kind);
  return list != nullptr && list->is_array() ? &list->get_array() : nullptr;
}

const JsonObject* named(const JsonArray& list, std::string_view name) {
  for (const auto& item : list)
    if (item.is_object() && text_of(item.get_object(), "name") == name) return &item.get_object();
  return nullptr;
}

const JsonObject* first_visible(const JsonArray& list) {
  for (const auto& item : list) {
    if (!item.is_object()) continue;
    const Json* hidden = item.get_object().if_contains("hidden");
    const bool is_hidden = hidden != nullptr && hidden->is_bool() && hidden->get_bool();
    if (!is_hidden && !text_of(item.get_object(), "name").empty()) return &item.get_object();
  }
  return nullptr;
}

// The configure preset a build or test preset goes by, its own or inherited; "" when unknown.
std::string configure_preset(const JsonArray& list, const JsonObject& preset, int depth = 0) {
  std::string own = text_of(preset, "configurePreset");
  if (!own.empty() || depth == kInheritDepth) return own;
  const Json* inherits = preset.if_contains("inherits");
  if (inherits == nullptr) return {};
  const JsonArray parents = inherits->is_array() ? inherits->get_array() : JsonArray{*inherits};
  for (const auto& parent : parents) {
    const JsonObject* base =
        parent.is_string() ? named(list, std::string_view(parent.get_string())) : nullptr;
    if (base == nullptr) continue;
    std::string found = configure_preset(list, *base, depth + 1);
    if (!found.empty()) return found;
  }
  return {};
}

std::string build_preset(const JsonObject& root, const std::string& configure) {
  const JsonArray* builds = presets(root, "buildPresets");
  if (builds == nullptr || configure.empty()) return {};
  for (const auto& item : *builds)
    if (item.is_object() && configure_preset(*builds, item.get_object()) == configure)
      return text_of(item.get_object(), "name");
  return {};
}

// Configure, build and test by presets as far as they say how; "" when there is no test preset.
std::string preset_command(const RepoTop& top) {
  const auto text = top.read("CMakePresets.json");
  const auto json = text ? parse_json(*text) : Result<Json>(Json());
  if (!json || !json->is_object()) return {};
  const JsonObject& root = json->get_object();
  const JsonArray* tests = presets(root, "testPresets");
  const JsonObject* test = tests == nullptr ? nullptr : first_visible(*tests);
  if (test == nullptr) return {};
  const std::string run = "ctest --preset " + shell_word(text_of(*test, "name"));
  const std::string configure = configure_preset(*tests, *test);
  const std::string build = build_preset(root, configure);
  if (build.empty()) return run;
  return fmt::format("cmake --preset {} && cmake --build --preset {} && {}", shell_word(configure),
                     shell_word(build), run);
}

}  // namespace

std::string shell_word(std::string_view word) {
  const bool plain = !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./+=:@").contains(c);
  });
  if (plain) return std::string(word);
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out += '\'';
}

void detect_cmake(const RepoTop& top, std::vector<Detected>& found) {
  if (!top.has("CMakeLists.txt")) return;
  if (const std::string command = preset_command(top); !command.empty())
    found.push_back({"test", command, "CMakePresets.json has a test preset"});
  else
    found.push_back({"test",
                     "cmake -S . -B build && cmake --build build && "
                     "ctest --test-dir build --output-on-failure --no-tests=error",
                     "CMakeLists.txt is there"});
}

}  // namespace pf
