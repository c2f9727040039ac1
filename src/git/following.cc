// How it works. An index of our own begins at `known`; the paths that differ are added to it as
// they are in the checkout, so it tells which of them are as in `known`, as in `to`, or somebody's.
// Then git's two-tree merge goes from that index to one with the paths as in `to`. It writes a file
// by removing the old one first, so a mark is made before (git/half_written).
#include "git/following.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/check.h"
#include "base/text.h"
#include "git/changes.h"
#include "git/promised.h"

namespace pf {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLockedFor = 10s;  // another git in the same worktree
constexpr Duration kLockPause = 50ms;

// Standard input: the paths that are there. Its argument: the known tree. Says what differs.
constexpr const char* kCompareFiles = R"sh(set -e
git update-index -z --add --remove --replace --stdin
git diff-index --cached -z --no-renames --no-abbrev --ignore-submodules=all "$1"
)sh";

// Standard input: what is to change in the index. Its argument: room for another index.
constexpr const char* kChangeFiles = R"sh(set -e
now=$(git write-tree --missing-ok)
cp "$GIT_INDEX_FILE" "$1"
wanted=$(export GIT_INDEX_FILE="$1"
  git update-index -z --index-info && git write-tree --missing-ok)
git read-tree -m -u "$now" "$wanted"
)sh";

// The nearest thing above a path that is no directory; nothing when there is none.
Result<std::optional<Path>> obstacle_above(Files& files, const Path& where, const Path& path) {
  Path above;
  for (const Path& part : path.parent_path()) {
    above /= part;
    const auto info = TRY(files.info(where / above));
    if (!info) return std::nullopt;
    if (info->kind != FileKind::directory) return above;
  }
  return std::nullopt;
}

// Whether the directory holds anything but the files that go.
Result<bool> has_others(Files& files, const Path& where, const Path& path,
                        const std::set<std::string>& going) {
  for (const Entry& entry : TRY(files.list(where / path))) {
    const Path inner = path / entry.name;
    if (entry.kind == FileKind::directory ? TRY(has_others(files, where, inner, going))
                                          : !going.contains(inner.string()))
      return true;
  }
  return false;
}

}  // namespace

Git Following::without_files() const {
  GitPlace place = taking_->git().place();
  place.work_tree.clear();
  place.cell.reset();
  return Git(os_, std::move(place));
}

void Following::endanger(const std::string& path) { in_danger_.push_back(shown_path(path)); }

Result<Following> Following::look(Os& os, const Repository& repository, UserCheckout checkout,
                                  TreeMove move, const std::string& ours) {
  const Git git(os, {.git_dir = repository.common});
  for (std::string* treeish : {&move.known, &move.to})
    *treeish = TRY(git.line("look at a tree", {"rev-parse", *treeish + "^{tree}"}));
  Following following(os, repository, std::move(checkout), std::move(move));
  TRY(following.list(ours));
  if (!following.changes_.empty()) TRY(following.compare());
  std::ranges::sort(following.in_danger_);
  return following;
}

// A submodule that becomes a file, or the other way round, is one that goes or comes and a file
// that does.
Status Following::list(const std::string& ours) {
  const Git git(os_, {.git_dir = repository_.common});
  const auto overlooked = TRY(look_for_overlooked(os_, checkout_, move_.to));
  TRY(fetch_promised(os_, repository_, move_.to, overlooked.left_out));
  for (RawChange& change : TRY(raw_changes(git, move_.known, move_.to))) {
    if (change.path == ours || overlooked.left_out.contains(change.path)) continue;
    const bool was = change.old_mode == RawChange::kNested;
    const bool is = change.new_mode == RawChange::kNested;
    if (was && !is) old_nested_.emplace_back(change.path);
    if (is && !was) new_nested_.emplace_back(change.path);
    if (was) change.old_mode = RawChange::kNone;
    if (is) change.new_mode = RawChange::kNone, change.new_id.assign(change.new_id.size(), '0');
    if (change.comes() && change.goes()) continue;
    if (change.goes()) going_.insert(change.path);
    changes_.push_back(std::move(change));
  }
  for (const Path& path : new_nested_) {
    const auto info = TRY(os_.files.info(checkout_.where / path));
    if ((info && info->kind != FileKind::directory && !going_.contains(path.string())) ||
        TRY(is_blocked(path)))
      endanger(path.string());
  }
  return {};
}

Result<bool> Following::is_blocked(const Path& path) const {
  const auto above = TRY(obstacle_above(os_.files, checkout_.where, path));
  return above && !going_.contains(above->string());
}

Status Following::sort_by_what_stands(const RawChange& change, std::vector<std::string>& there,
                                      std::vector<std::string>& absent) {
  const Path path = change.path;
  const bool above = TRY(obstacle_above(os_.files, checkout_.where, path)).has_value();
  const auto info = above ? std::nullopt : TRY(os_.files.info(checkout_.where / path));
  const bool is_file = info && (info->kind == FileKind::file || info->kind == FileKind::symlink);
  (is_file ? there : absent).push_back(change.path);
  if (change.goes() || is_file) return {};
  if (above ? TRY(is_blocked(path))
            : info && (info->kind == FileKind::other ||
                       TRY(has_others(os_.files, checkout_.where, path, going_))))
    endanger(change.path);
  return {};
}

Status Following::compare() {
  index_ = std::make_unique<PrivateIndex>(TRY(PrivateIndex::take(os_, checkout_.scratch, true)));
  taking_ = std::make_unique<Taking>(
      os_, TRY(taking_now(os_, repository_, checkout_.where, move_.known, *index_)), *index_);
  std::vector<std::string> there, absent;
  for (const RawChange& change : changes_) TRY(sort_by_what_stands(change, there, absent));
  if (!in_danger_.empty()) return {};
  GitOptions gone, present;
  for (const std::string& path : absent) gone.input.append(path).push_back('\0');
  for (const std::string& path : there) present.input.append(path).push_back('\0');
  TRY(without_files().must("read a tree", {"read-tree", move_.known}));
  TRY(without_files().must("note what is gone", {"update-index", "-z", "--force-remove", "--stdin"},
                           gone));
  const Finished compared = TRY(taking_->git().run_script(kCompareFiles, {move_.known}, present));
  if (!compared.ok()) return std::unexpected(git_error("look at the files", compared));
  std::map<std::string, RawChange> now;
  for (RawChange& change : parse_raw_changes(compared.out))
    now.emplace(change.path, std::move(change));
  const bool cut_off = TRY(half().was_cut_off());
  for (const RawChange& change : changes_) {
    const auto at = now.find(change.path);
    const auto is = [&](const std::string& mode, const std::string& id) {
      return at != now.end() && at->second.new_mode == mode &&
             (at->second.goes() || at->second.new_id == id);
    };
    if (is(change.new_mode, change.new_id)) continue;
    open_.push_back(change);
    const bool as_known = at == now.end() || is(change.old_mode, change.old_id);
    if (!as_known && !(cut_off && TRY(half().is_at(taking_->git(), change.path, change.new_id))))
      endanger(change.path);
  }
  return {};
}

// An empty directory, where a submodule was, that a file is to take the place of.
Status Following::make_way_for_nested() const {
  for (const Path& path : old_nested_) {
    const auto info = TRY(os_.files.info(checkout_.where / path));
    if (info && info->kind == FileKind::directory &&
        !TRY(has_others(os_.files, checkout_.where, path, {})))
      TRY(os_.files.remove_all(checkout_.where / path));
  }
  return {};
}

Status Following::change_files() {
  PF_CHECK(in_danger_.empty());
  TRY(make_way_for_nested());
  if (!open_.empty()) {
    TRY(half().begin());
    const Finished changed = TRY(taking_->git(checkout_.where)
                                     .run_script(kChangeFiles, {index_->directory() / "wanted"},
                                                 {.input = index_info(open_)}));
    if (!changed.ok()) return std::unexpected(git_error("change the files", changed));
    open_.clear();
  }
  for (const Path& path : new_nested_)
    if (!TRY(os_.files.info(checkout_.where / path)))
      TRY(os_.files.make_directories(checkout_.where / path));
  return half().end();
}

Status move_index(Os& os, const UserCheckout& checkout, const Git::Words& trees) {
  const Git git =
      TRY(without_filters(Git(os, {.git_dir = checkout.git_dir, .work_tree = checkout.where})));
  Git::Words words = {"read-tree", "-i", "-m"};  // flags stay
  words.insert(words.end(), trees.begin(), trees.end());
  const MonoTime deadline = os.clock.mono() + kLockedFor;
  for (;;) {
    const Finished done = TRY(git.run(words));
    if (done.ok()) break;
    const bool locked = done.err.contains("index.lock");  // somebody else's git, for a moment
    if (!locked || os.clock.mono() >= deadline)
      return std::unexpected(git_error("bring the index along", done));
    os.clock.sleep(kLockPause);
  }
  TRY(leave_out(os, checkout, trees.back()));
  return refresh_plain(git);
}

Result<std::vector<std::string>> staged_in_the_way(Os& os, const UserCheckout& checkout,
                                                   const TreeMove& move) {
  const Git git(os, {.git_dir = checkout.git_dir, .work_tree = checkout.where});
  const auto staged = parse_raw_changes(TRY(git.output(
      "look at what is staged", {"diff-index", "--cached", "-z", "--no-renames", "--no-abbrev",
                                 "--ignore-submodules=none", move.known})));
  std::vector<std::string> paths;
  if (staged.empty()) return paths;
  std::map<std::string, RawChange> wanted;
  for (RawChange& change : TRY(raw_changes(git, move.known, move.to)))
    wanted.emplace(change.path, std::move(change));
  const auto blocks = [&](const RawChange& is) {
    const auto to = wanted.find(is.path);
    if (to != wanted.end())
      return is.new_mode != to->second.new_mode || (!is.goes() && is.new_id != to->second.new_id);
    if (!is.comes()) return false;
    const auto below = wanted.lower_bound(is.path + "/");
    if (below != wanted.end() && below->first.starts_with(is.path + "/")) return true;
    for (Path above = Path(is.path).parent_path(); !above.empty(); above = above.parent_path())
      if (const auto file = wanted.find(above.string()); file != wanted.end())
        return !file->second.goes();
    return false;
  };
  for (const RawChange& is : staged)
    if (blocks(is)) paths.push_back(shown_path(is.path));
  if (paths.empty() && !TRY(git.run({"read-tree", "-n", "-i", "-m", move.known, move.to})).ok())
    for (const RawChange& is : staged) paths.push_back(shown_path(is.path));
  return paths;
}

}  // namespace pf
