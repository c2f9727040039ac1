#include "bubble/host/review_checkout.h"

#include <fmt/format.h>

#include "base/text.h"
#include "git/git.h"

namespace pf {
namespace {

TreeId tree_to_show(const bubble::State& state) {
  if (state.target) return *state.target;
  return state.continues ? state.continues->tree : state.place.base_tree;
}

// What the checkout holds, and since which start of the machine: files that were written before a
// loss of power may be others now.
struct Note {
  TreeId tree;
  CommitId base;
  std::string boot;
  friend bool operator==(const Note&, const Note&) = default;
};

Result<std::optional<Note>> read_note(Os& os, const BubblePaths& paths) {
  const std::string text = TRY(os.files.read_if_there(paths.review_kept)).value_or("");
  const auto words = split(trim(text), ' ');
  if (words.size() != 3 || !is_object_id(words[0]) || words[2] != os.clock.moment().boot ||
      !TRY(os.files.exists(paths.review)))
    return std::nullopt;
  return Note{TreeId(std::string(words[0])), CommitId(std::string(words[1])),
              std::string(words[2])};
}

}  // namespace

Result<std::optional<TreeId>> shown_tree(Os& os, const BubblePaths& paths) {
  const auto note = TRY(read_note(os, paths));
  if (!note) return std::nullopt;
  return note->tree;
}

// What is noted is removed before anything happens: a call that was cut off is not trusted.
Status show_tree(BubbleLoop& loop, const bubble::State& state) {
  Os& os = loop.os();
  const BubblePaths& paths = loop.paths();
  const Note wanted{tree_to_show(state), state.place.base_commit, os.clock.moment().boot};
  const auto known = TRY(read_note(os, paths));
  if (known == wanted) return {};
  TRY(os.files.remove(paths.review_kept));
  const TreeCheckout checkout = loop.tree_checkout(state, paths.review);
  if (known)
    TRY(bring_on(os, checkout, known->tree, wanted.tree));
  else
    TRY(bring_to(os, checkout, wanted.tree, Begin::as_it_is));
  return os.files.replace(
      paths.review_kept,
      fmt::format("{} {} {}\n", wanted.tree.str(), wanted.base.str(), wanted.boot), Durable::no);
}

Status show_next_tree(BubbleLoop& loop, const bubble::State& state) {
  const Path& review = loop.paths().review;
  if (TRY(loop.os().files.exists(review))) return show_tree(loop, state);
  return fail(Exit::machine, fmt::format("the reviewers' checkout {} is gone", review.string()),
              "the agent that looks at it would see nothing",
              fmt::format("end the agent in its pane, then: pairflow bubble resume --id {}",
                          loop.paths().id.str()));
}

Status make_build_place(Os& os, const BubblePaths& paths, const AgentName& agent) {
  TRY(clear_away(os, paths.build(agent)));
  return os.files.make_directories(paths.build(agent));
}

// Also where an agent built that is none of the bubble's any more.
Status remove_review(Os& os, const BubblePaths& paths) {
  const Path beside = paths.review.parent_path();
  const std::string ours = paths.id.str() + ".";
  for (const Entry& entry : TRY(os.files.list(beside)))
    if (entry.name.starts_with(ours) && entry.name.ends_with(".build"))
      TRY(clear_away(os, beside / entry.name));
  TRY(os.files.remove(paths.review_kept));
  return os.files.remove_all(paths.review);
}

}  // namespace pf
