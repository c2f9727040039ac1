#pragma once
#include "bubble/host/loop.h"

// artifacts/done-package.md: what the human decides by. A projection; made anew when it is needed.
namespace pf {

// The text of the page as of now.
Result<std::string> done_package(BubbleLoop& loop, const bubble::State& state);
// The same, written to its place.
Status write_done_package(BubbleLoop& loop, const bubble::State& state);

// What an agent gave with --package: the text is checked and kept as a blob.
Result<bubble::PackageBrought> bring_package(BubbleLoop& loop, const std::string& text);
// The newest text of one part; "" when there is none.
Result<std::string> part_text(BubbleLoop& loop, const bubble::State& state, bubble::Part part);

// The submodules of the worktree whose files are not as recorded, in words: they are no part of the
// change. Starts no process where the worktree has no .gitmodules.
Result<std::vector<std::string>> submodule_notes(BubbleLoop& loop, const bubble::State& state);
// What is said of each.
inline constexpr const char* kSubmoduleNote =
    "files in a submodule that are not as recorded are no part of the change: {}";

// The hooks that are not what they were at the start: "hooks/pre-commit (new)".
Result<std::vector<std::string>> changed_hooks(BubbleLoop& loop, const bubble::State& state);

// The same of ignored files, without that word; a directory, as one, ends with a slash.
Result<std::vector<std::string>> changed_ignored(BubbleLoop& loop, const bubble::State& state);

}  // namespace pf
