#include "bubble/domain/self_run_files.h"

#include <doctest/doctest.h>

namespace pf::bubble {

TEST_CASE("what editors and shells run by themselves is known by its path, at any depth") {
  for (const auto* path : {".vscode/tasks.json",
                           "sub/.vscode/settings.json",
                           ".vscode/",
                           "app.code-workspace",
                           ".idea/runConfigurations/a.xml",
                           ".cursor/mcp.json",
                           ".zed/tasks.json",
                           ".devcontainer/devcontainer.json",
                           ".devcontainer.json",
                           ".vim/after/x.vim",
                           ".exrc",
                           ".nvim.lua",
                           ".dir-locals.el",
                           "a/b/.dir-locals.el",
                           ".envrc",
                           "services/api/.envrc",
                           "mise.toml",
                           ".mise.toml",
                           ".config/mise/config.toml",
                           ".tool-versions",
                           ".mcp.json",
                           ".claude/settings.local.json",
                           ".claude/"}) {
    CAPTURE(path);
    CHECK(runs_by_itself(path));
  }
}

TEST_CASE("what only describes, or only looks like it, is harmless") {
  for (const auto* path : {".editorconfig", "src/main.c", "vscode/a.json", "docs/.vscode.md",
                           "envrc", "my.envrc", "mise.toml.md", ".claude/agents/reviewer.md",
                           "node_modules/", "idea/a", ".gitignore", "tool-versions"}) {
    CAPTURE(path);
    CHECK_FALSE(runs_by_itself(path));
  }
}

}  // namespace pf::bubble
