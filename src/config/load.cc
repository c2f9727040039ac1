#include <fmt/format.h>

#include "base/text.h"
#include "config/settings.h"

namespace pf {
namespace {

std::optional<Path> user_file(Environment& env) {
  // A relative XDG_CONFIG_HOME is invalid and ignored, as its specification asks.
  if (const auto xdg = env.get("XDG_CONFIG_HOME"); xdg && xdg->starts_with('/'))
    return Path(*xdg) / "pairflow" / "config.toml";
  if (const auto home = env.get("HOME"); home && home->starts_with('/'))
    return Path(*home) / ".config" / "pairflow" / "config.toml";
  return std::nullopt;
}

Status add_if_there(Os& os, const Path& path, Layer layer, std::vector<ConfigText>& layers) {
  auto text = TRY(os.files.read_if_there(path, kConfigBytes));
  if (text) layers.push_back({path, std::move(*text), layer});
  return {};
}

Status complete(const Settings& settings, const Path& path) {
  for (const auto& [name, value] :
       {std::pair("id", &settings.id), std::pair("repo_path", &settings.repo_path),
        std::pair("base_branch", &settings.base_branch),
        std::pair("bubble_branch", &settings.bubble_branch)})
    if (value->empty())
      return fail(Exit::usage,
                  fmt::format("{}: the key '{}' is missing", printable(path.string()), name),
                  "a bubble's file names its id, repository and branches",
                  fmt::format("add the line {} = \"…\" at the top", name));
  return {};
}

}  // namespace

Result<Settings> load_settings(Os& os, const Path& repo, const std::optional<Path>& bubble_toml,
                               KindTable kinds) {
  std::vector<ConfigText> layers;
  if (const auto path = user_file(os.env)) TRY(add_if_there(os, *path, Layer::user, layers));
  TRY(add_if_there(os, repo / ".pairflow" / "config.toml", Layer::repository, layers));
  if (!bubble_toml) return merge_settings(layers, kinds);
  const std::size_t shared = layers.size();
  TRY(add_if_there(os, *bubble_toml, Layer::bubble, layers));
  if (layers.size() == shared)
    return fail(Exit::damaged, fmt::format("'{}' is missing", printable(bubble_toml->string())),
                "the bubble's own configuration was removed", "restore the file from a backup");
  auto settings = TRY(merge_settings(layers, kinds));
  TRY(complete(settings, *bubble_toml));
  return settings;
}

}  // namespace pf
