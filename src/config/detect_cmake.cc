#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "config/detect.h"

namespace pf {
namespace {

constexpr int kInheritDepth = 16;

using Presets = std::vector<JsonObject>;

Presets presets(const JsonObject& root, std::string_view kind) {
  Presets all;
  if (const Json* list = root.if_contains(kind); list != nullptr && list->is_array())
    for (const Json& item : list->get_array())
      if (item.is_object()) all.push_back(item.get_object());
  return all;
}

bool is_visible(const JsonObject& preset) {
  const Json* hidden = preset.if_contains("hidden");
  const bool is_hidden = hidden != nullptr && hidden->is_bool() && hidden->get_bool();
  return !is_hidden && !text_of(preset, "name").empty();
}

// The configure preset a build or test preset goes by, its own or inherited; "" when unknown.
std::string configure_preset(const Presets& all, const JsonObject& preset, int depth = 0) {
  std::string own = text_of(preset, "configurePreset");
  const Json* inherits = preset.if_contains("inherits");
  if (!own.empty() || depth == kInheritDepth || inherits == nullptr) return own;
  const JsonArray parents = inherits->is_array() ? inherits->get_array() : JsonArray{*inherits};
  for (const Json& parent : parents) {
    const auto base = std::ranges::find_if(all, [&](const JsonObject& candidate) {
      return parent.is_string() && text_of(candidate, "name") == parent.get_string();
    });
    if (base == all.end()) continue;
    std::string found = configure_preset(all, *base, depth + 1);
    if (!found.empty()) return found;
  }
  return {};
}

std::string build_preset(const JsonObject& root, const std::string& configure) {
  const Presets builds = presets(root, "buildPresets");
  for (const JsonObject& build : builds)
    if (!configure.empty() && configure_preset(builds, build) == configure)
      return text_of(build, "name");
  return {};
}

// Configure, build and test by presets as far as they say how; "" when there is no test preset.
std::string preset_command(const RepoTop& top) {
  const JsonObject root = top.json("CMakePresets.json");
  const Presets tests = presets(root, "testPresets");
  const auto test = std::ranges::find_if(tests, is_visible);
  if (test == tests.end()) return {};
  const std::string run = "ctest --preset " + shell_word(text_of(*test, "name"));
  const std::string configure = configure_preset(tests, *test);
  const std::string build = build_preset(root, configure);
  if (build.empty()) return run;
  return fmt::format("cmake --preset {} && cmake --build --preset {} && {}", shell_word(configure),
                     shell_word(build), run);
}

}  // namespace

std::string shell_word(std::string_view word) {
  const bool plain = !word.empty() && std::ranges::all_of(word, [](char c) {
    return ascii::is_alnum(c) || std::string_view("_-./+=:@").contains(c);
  });
  return plain ? std::string(word) : shell_quoted(word);
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
