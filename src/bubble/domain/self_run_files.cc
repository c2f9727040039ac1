#include "bubble/domain/self_run_files.h"

#include <algorithm>

#include "base/text.h"

namespace pf::bubble {
namespace {

// Globs as in gitignore: without a slash they match at any depth.
constexpr std::string_view kFiles[] = {
    // editors
    "**/.vscode/**", "*.code-workspace", "**/.idea/**", "**/.cursor/**", "**/.zed/**",
    "**/.devcontainer/**", ".devcontainer.json", "**/.vim/**", ".exrc", ".vimrc", ".gvimrc",
    ".nvimrc", ".nvim.lua", ".lvimrc", "**/.helix/**", ".dir-locals.el", ".dir-locals-2.el",
    // shells and what hangs on their prompt
    ".envrc", "mise.toml", ".mise.toml", "mise.local.toml", ".mise.local.toml", "**/.mise/**",
    "**/mise/config.toml", "**/.config/mise/**", "**/.config/mise.toml", ".tool-versions",
    ".autoenv.zsh", ".autoenv",
    // agents' programs
    ".mcp.json", "**/.claude/settings*.json", "**/.codex/**"};

}  // namespace

bool runs_by_itself(std::string_view path) {
  // A directory as a whole holds whatever may be in it.
  const std::string whole = path.ends_with('/') ? std::string(path) + "settings.json" : "";
  return std::ranges::any_of(kFiles, [&](std::string_view glob) {
    return glob_match(glob, path) || (!whole.empty() && glob_match(glob, whole));
  });
}

}  // namespace pf::bubble
