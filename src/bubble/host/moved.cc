#include "bubble/host/moved.h"

#include <fmt/format.h>

#include "base/text.h"
#include "bubble/domain/views.h"

namespace pf {

std::string MovedRepository::in_words() const {
  return fmt::format(
      "the repository was moved since bubble {} was created, from {}; move it back: {}", bubble,
      printable(was.string()), command());
}

std::string MovedRepository::command() const {
  return fmt::format("mv {} {}", shell_quoted(printable(is.string())),
                     shell_quoted(printable(was.string())));
}

std::optional<MovedRepository> moved_repository(const BubblePaths& paths,
                                                const bubble::State& state) {
  const Path worktree = state.place.worktree;
  if (bubble::is_final(state.phase) || worktree == paths.worktree) return std::nullopt;
  const Path root = worktree.parent_path();  // <parent>/.pairflow-worktrees/<name>
  if (root.parent_path().filename() != ".pairflow-worktrees") return std::nullopt;
  return MovedRepository{state.id.str(), worktree,
                         root.parent_path().parent_path() / root.filename(), paths.repository.top};
}

std::vector<bubble::InboxItem> inbox_with_moved(const BubblePaths& paths,
                                                const bubble::State& state) {
  std::vector<bubble::InboxItem> items = bubble::inbox_of(state);
  if (const auto moved = moved_repository(paths, state))
    items.insert(items.begin(), {state.id.str(), "moved", state.active_since, "orchestrator",
                                 moved->in_words(), moved->command()});
  return items;
}

}  // namespace pf
