#pragma once
#include "config/settings.h"

namespace pf {

// Kinds as agents/ has them, for a room that knows none.
inline constexpr KindSettings kTestClaude{.name = "claude", .program = "claude"};
inline constexpr KindSettings kTestCodex{.name = "codex", .program = "codex"};
inline constexpr KindSettings kTestCustom{.name = "custom", .takes_templates = true};
inline constexpr KindSettings kTestScripted{
    .name = "scripted", .takes_command = false, .takes_scenario = true};
inline constexpr const KindSettings* kTestKinds[] = {&kTestClaude, &kTestCodex, &kTestCustom,
                                                     &kTestScripted};

inline Settings default_settings() {
  Settings settings;
  settings.agents = built_in_agents(kTestKinds);
  return settings;
}

inline Result<Settings> merge_layers(const std::vector<ConfigText>& layers) {
  return merge_settings(layers, kTestKinds);
}

}  // namespace pf
