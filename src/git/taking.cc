// How it works. The index begins as the base's and is filled by git without files, outside. Then
// one script runs confined: it adds the files, writes the tree, and says as a pack what is new,
// since objects go to a directory of this index alone. Outside, unpack-objects reads the pack; it
// hashes every object itself and refuses those that git would not make. Moving the files in would
// let a planted one stand under another's name.
#include "git/taking.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "git/index_times.h"
#include "git/large_files.h"
#include "git/nested.h"
#include "git/sparse.h"
#include "sandbox/bubblewrap.h"

namespace pf {
namespace {

constexpr std::string_view kNestedMode = "160000 ";
constexpr std::size_t kKnownBytes = 8u << 20;
constexpr std::size_t kIndexBytes = 1u << 30;

// git knows a file by its times in whole seconds. One that changed in this long before it was
// looked at may have changed once more since without showing it.
constexpr std::int64_t kDoubtfulSeconds = 2;
constexpr std::size_t kMaxAlternates = 64;  // and other places

// A file that is larger, and was not so in the base, is refused: git reads all of it, and one that
// is a hole of 100 GB costs nothing to make.
constexpr std::uint64_t kLargestFile = 2ull << 30;
// The same of all that the change adds together, files of kCounted bytes and less left out.
constexpr std::uint64_t kMostNew = 4ull << 30;
constexpr std::uint64_t kCounted = 64u << 10;

// Its arguments: the file for the tree's name, the base where .pairflow is to be left as it is
// there (else ""), how large a file may be, how much may be new, what is counted for that, and what
// is forced. Sizes are looked at only when git takes long, which reading so much does; the file
// <tree>.large then names a file, or <tree>.much the largest of many. A file that is there before
// and has a filter does not count: its blob is of another size by rule.
constexpr const char* kTake = R"sh(set -e
to=$1; base=$2; limit=$3; most=$4; counted=$5; shift 5
trap 'code=$?; [ "$code" -eq 0 ] || echo "$code" >"$to.code"' EXIT
look() {
  sleep 2
  find . -name .git -prune -o -type f -size "+${limit}c" -exec sh -c '
    limit=$1; to=$2; shift 2
    for path; do
      path=${path#./}
      if size=$(git cat-file -s ":$path"); then
        [ "$size" -le "$limit" ] || continue
      else
        [ -n "$(git ls-files -o --exclude-standard -- "$path")" ] || continue
      fi
      printf %s "$path" >"$to.large"
    done' sh "$limit" "$to" {} +
  [ -e "$to.large" ] || add_up
  [ ! -e "$to.large" ] && [ ! -e "$to.much" ] || kill "$1"
}
add_up() {
  find . -name .git -prune -o -type f -size "+${counted}c" -printf '%s %p\0' |
    tr '\n\0' '\1\n' >"$to.sizes" # a line each, whatever is in its name
  awk -v most="$most" '{ sum += $1 } END { exit sum > most }' "$to.sizes" && return
  cut -d ' ' -f 2- "$to.sizes" | tr '\n\1' '\0\n' >"$to.paths"
  GIT_LITERAL_PATHSPECS=0 git check-ignore -z --stdin <"$to.paths" | tr '\n\0' '\1\n' >"$to.ignored"
  git check-attr -z --stdin filter <"$to.paths" | tr '\n\0' '\1\n' |
    awk 'NR % 3 == 1 { path = $0 } NR % 3 == 0 && $0 != "unspecified" { print path }' >"$to.filtered"
  cut -d / -f 2- "$to.sizes" | sed 's/^/:/' | git cat-file --batch-check='%(objectsize)' |
    awk '{ print /^[0-9]+$/ ? $0 : "-" }' | paste -d ' ' - "$to.sizes" |
    awk -v most="$most" -v ignored="$to.ignored" -v filtered="$to.filtered" '
      BEGIN {
        while ((getline path <ignored) > 0) skip[path] = 1
        while ((getline path <filtered) > 0) other[path] = 1
      }
      {
        path = $0
        sub(/^[^ ]* [^ ]* /, "", path)
        if (path in skip || ($1 != "-" && path in other) || $2 <= $1 + 0) next
        sum += $2 - $1
        if ($2 - $1 > largest) { largest = $2 - $1; name = substr(path, 3) }
      }
      END { if (sum > most) printf "%s", name }' | tr '\1' '\n' >"$to.sum"
  [ ! -s "$to.sum" ] || mv "$to.sum" "$to.much"
}
git add -A & adding=$!
look "$adding" >/dev/null 2>&1 </dev/null & looking=$!
code=0
wait "$adding" || code=$?
kill "$looking" 2>/dev/null || :
[ "$code" -eq 0 ] || exit "$code"
for path; do git add -A -f -- "$path"; done
[ -z "$base" ] || git reset -q "$base" -- .pairflow
git write-tree >"$to"
)sh";

Error cannot_add(const Finished& added) {
  Error error = git_error("add the files", added);
  error.fix =
      "see that git can read it (a repository within needs a commit), or remove it, or name "
      "it in .gitignore";
  return error;
}

std::unexpected<Error> too_much(const std::string& path) {
  return fail(Exit::refused, "the change is too large",
              fmt::format("it adds more than {} GB, the largest part in '{}'", kMostNew >> 30,
                          clip(printable(path), 200)),
              "remove what does not belong to it, or name it in .gitignore");
}

std::unexpected<Error> too_large(const std::string& path) {
  return fail(
      Exit::refused, fmt::format("'{}' is too large", clip(printable(path), 200)),
      fmt::format("a file of more than {} GB is not taken into a change", kLargestFile >> 30),
      "remove it, or name it in .gitignore");
}

// Whether the script came to a failure of its own; one that was killed says no code.
Result<bool> has_failed(Os& os, const Path& to) {
  const auto text = TRY(os.files.read_if_there(Path(to) += ".code", kPointerBytes));
  const auto code = parse_number<int>(trim(text.value_or("")));
  return code && !is_killed(*code);
}

}  // namespace

Status add_alternates(Os& os, const Path& objects, std::vector<Path>& all) {
  const auto text = TRY(os.files.read_if_there(objects / "info" / "alternates", kPointerBytes));
  for (const auto line : split(text.value_or(""), '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    const Path named = (objects / Path(line)).lexically_normal();
    if (std::ranges::find(all, named) != all.end() || all.size() > kMaxAlternates) continue;
    all.push_back(named);
    TRY(add_alternates(os, named, all));
  }
  return {};
}

Result<TakingSpec> taking_by(Os& os, const GitRules& rules, GitPlace place, TakingSpec spec) {
  spec.rules = std::move(place);
  const Git git(os, spec.rules);
  const auto programs = TRY(git_programs(git));
  spec.filters = TRY(filters_of(os, spec.rules, spec.repository, spec.base, programs));
  if (!rules.confined) {
    spec.refused = programs;
    for (auto& setting : failing_filters(programs)) spec.rules.settings.push_back(setting);
    return spec;
  }
  if (!programs.empty()) {  // the tree may have more than the base
    spec.programs = places_of(os, programs, spec.repository.top);
    for (const std::string& name : complete_filters(os, programs, spec.repository.top))
      spec.rules.settings.emplace_back(fmt::format("filter.{}.required", name), "true");
    spec.large_files = TRY(large_file_store(git, spec.repository));
  }
  spec.bubblewrap = find_bubblewrap(os);
  if (spec.bubblewrap) return spec;
  return fail(Exit::machine, "git cannot be confined any more",
              "bubblewrap, which was there at the start, is gone", "install bubblewrap again");
}

Result<TakingSpec> taking_now(Os& os, const Repository& repository, const Path& work_tree,
                              const std::string& base, const PrivateIndex& index) {
  const GitRules rules = TRY(rules_now(os, repository, work_tree));
  TRY(make_git_dir(os, rules, index.rules(), repository.common));
  return taking_by(os, rules, {.git_dir = index.rules(), .objects = repository.common / "objects"},
                   {repository, {}, work_tree, base});
}

Result<TakingSpec> taking_with(Os& os, const Repository& repository,
                               const std::optional<FrozenRules>& frozen, const Path& work_tree,
                               const std::string& base, const PrivateIndex& index) {
  if (!frozen) return taking_now(os, repository, work_tree, base, index);
  GitPlace place{.git_dir = TRY(frozen_git_dir(os, *frozen, repository.common)),
                 .objects = repository.common / "objects"};
  return taking_by(os, TRY(kept_rules(os, *frozen)), std::move(place),
                   {repository, {}, work_tree, base});
}

Result<std::vector<std::string>> status_of(Os& os, const Repository& repository, GitPlace place,
                                           const char* untracked) {
  const PrivateIndex room = TRY(PrivateIndex::take(os, repository.common / "pairflow-look", true));
  const std::string head =
      TRY(Git(os, {.git_dir = place.git_dir}).line("look at HEAD", {"rev-parse", "HEAD"}));
  const TakingSpec spec = TRY(taking_now(os, repository, place.work_tree, head, room));
  if (spec.bubblewrap) {
    place.cell = GitCell{
        .bubblewrap = *spec.bubblewrap, .visible = spec.programs, .scratch = room.directory()};
    place.cell->visible.insert(place.cell->visible.end(), {repository.common, room.rules()});
    if (!place.index.empty()) place.cell->visible.push_back(place.index.parent_path());
  }
  for (const auto& setting : failing_filters(spec.refused)) place.settings.push_back(setting);
  // There is no home in the sandbox: what the user has configured there is in the rules.
  const GitOptions options{
      .environment = {{"GIT_CONFIG_GLOBAL", (room.rules() / "config").string()}}};
  return Git(os, std::move(place))
      .pieces("look for uncommitted changes",
              {"status", "--porcelain=v1", "-z", "--no-renames", "--ignore-submodules=dirty",
               fmt::format("--untracked-files={}", untracked)},
              options);
}

Status refresh_plain(const Git& git) {
  // Its code tells of files that differ.
  TRY(TRY(without_filters(git)).run({"update-index", "-q", "--refresh"}));
  return {};
}

Taking::Taking(Os& os, TakingSpec spec, PrivateIndex& index)
    : os_(os), spec_(std::move(spec)), index_(index) {}

Git Taking::without_files() const {
  GitPlace place = spec_.rules;
  place.index = index_.path();
  return Git(os_, std::move(place));
}

Git Taking::git(const Path& target) const {
  GitPlace place = spec_.rules;
  place.index = index_.path();
  place.work_tree = spec_.work_tree;
  place.new_objects = index_.directory() / "objects";
  if (!spec_.bubblewrap) return Git(os_, std::move(place));
  const auto& [top, common] = spec_.repository;
  GitCell cell{.bubblewrap = *spec_.bubblewrap, .visible = {common}, .target = target};
  cell.sealed = {common, spec_.work_tree / ".git", top / ".pairflow", place.git_dir};
  cell.scratch = index_.directory();
  cell.visible.insert(cell.visible.end(), spec_.programs.begin(), spec_.programs.end());
  if (!spec_.large_files.empty() && spec_.large_files != common / "lfs")
    show_large_files(place, cell);
  // One that cannot be read is missed by git, which says so.
  [[maybe_unused]] const auto at_best = add_alternates(os_, place.objects, cell.visible);
  if (spec_.work_tree == top)
    for (const char* name : {"runtime", "locks"})
      if (const auto info = os_.files.info(top / ".pairflow" / name); info && *info)
        cell.hidden.push_back(top / ".pairflow" / name);
  place.cell = std::move(cell);
  return Git(os_, std::move(place));
}

// git-lfs looks for what it lacks beside the object directories that are borrowed from.
void Taking::show_large_files(GitPlace& place, GitCell& cell) const {
  const Path reference = index_.reference();
  const auto made = os_.files.make_directories(reference / "objects");
  if (!made || !os_.files.make_link(spec_.large_files, reference / "lfs")) return;
  cell.visible.insert(cell.visible.end(), {spec_.large_files, reference});
  place.alternates.push_back(reference / "objects");
}

Status Taking::begin() {
  if (!index_.is_warm() || !recall() || !look_again()) {
    TRY(index_.clear());
    TRY(fill());
  }
  begun_ = TRY(second_of_disk());
  return note_nested();
}

// By the clock that files are marked with.
Result<std::int64_t> Taking::second_of_disk() const {
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  const Path mark = index_.directory() / "begun";
  TRY(os_.files.replace(mark, "", Durable::no));
  const auto info = TRY(os_.files.info(mark));
  return info ? info->changed / kNanoseconds : 0;
}

// What may have changed behind the kept index is read again.
Status Taking::look_again() {
  const auto doubtful = changed_since(TRY(os_.files.read(index_.path(), kIndexBytes)),
                                      begun_ - kDoubtfulSeconds, spec_.base.size() / 2);
  if (!doubtful) return fail(Exit::machine, "the kept index is not in a form that is known");
  if (doubtful->empty()) return {};
  GitOptions entries;
  for (const std::string& entry : *doubtful) entries.input.append(entry).push_back('\0');
  return without_files().must("look at files again", {"update-index", "-z", "--index-info"},
                              entries);
}

Status Taking::fill() {
  const Git git = without_files();
  TRY(git.must("read the base", {"read-tree", spec_.base}));
  nested_.clear();
  has_control_ = false;
  for (const std::string& entry :
       TRY(git.pieces("list the base's files", {"ls-files", "-s", "-z"}))) {
    const std::string path = entry.substr(entry.find('\t') + 1);
    has_control_ = has_control_ || is_control(path);
    if (entry.starts_with(kNestedMode)) nested_.push_back(path);
  }
  filtered_ = spec_.filters == Filters::doubtful;
  if (spec_.left_out.empty()) return {};
  TRY(overlook(git, spec_.left_out));
  // The index knows its trees again: otherwise they would be made anew, and with them whatever of
  // them a partial clone lacks would be asked for.
  return git.must("record the base's trees", {"write-tree", "--missing-ok"});
}

Status Taking::keep() {
  if (filtered_) return {};
  std::string text = fmt::format("{}{}", has_control_ ? "c" : "-", begun_);
  for (const std::string& path : nested_) text.append(1, '\0').append(path);
  TRY(os_.files.replace(known(), text, Durable::no));
  return index_.keep();
}

Status Taking::recall() {
  const auto text = TRY(os_.files.read(known(), kKnownBytes));
  nested_ = split_nul(text);
  const auto begun = nested_.empty() || nested_.front().empty()
                         ? std::nullopt
                         : parse_number<std::int64_t>(nested_.front().substr(1));
  if (!begun) return fail(Exit::machine, "what was known of the index is lost");
  filtered_ = false;
  begun_ = *begun;
  has_control_ = nested_.front().front() == 'c';
  nested_.erase(nested_.begin());
  return {};
}

// git leaves an entry alone that is told to be outside of the checkout. A directory that is no
// repository is one that was never checked out: it counts as unchanged.
Status Taking::note_nested() {
  GitOptions changed, left_alone;
  for (const std::string& path : nested_) {
    const Nested nested = TRY(look_at_nested(os_, spec_.work_tree / path));
    const bool is_repository = nested.kind == Nested::Kind::repository && !nested.head.empty();
    const bool is_gone = nested.kind == Nested::Kind::file || nested.kind == Nested::Kind::nothing;
    if (is_repository || is_gone)
      changed.input
          .append(fmt::format("{} {}\t{}", is_gone ? "0" : "160000",
                              is_gone ? std::string(spec_.base.size(), '0') : nested.head, path))
          .push_back('\0');
    if (!is_gone) left_alone.input.append(path).push_back('\0');
  }
  const Git git = without_files();
  if (!changed.input.empty())
    TRY(git.must("note the repositories within", {"update-index", "-z", "--index-info"}, changed));
  if (!left_alone.input.empty())
    TRY(git.must("leave the repositories within alone",
                 {"update-index", "--skip-worktree", "-z", "--stdin"}, left_alone));
  return {};
}

Result<Git::Words> Taking::arguments(const Path& to) const {
  const bool control = has_control_ || TRY(os_.files.exists(spec_.work_tree / ".pairflow"));
  Git::Words all = {to.string(), control ? spec_.base : "", std::to_string(kLargestFile),
                    std::to_string(kMostNew), std::to_string(kCounted)};
  for (const std::string& path : spec_.forced)
    if (TRY(os_.files.exists(spec_.work_tree / path))) all.push_back(path);
  return all;
}

Result<std::string> Taking::take() {
  TRY(refuse_filtered_files(git(), spec_.refused));  // of the work tree as it is now
  const Path file = index_.directory() / "tree";
  const Finished taken =
      TRY(without_files().run_fed({"unpack-objects", "-q", "--strict"}, git(),
                                  std::string(kTake) + kSayNewObjects, TRY(arguments(file))));
  const auto large = TRY(os_.files.read_if_there(Path(file) += ".large", kPointerBytes));
  if (large) return too_large(*large);
  const auto much = TRY(os_.files.read_if_there(Path(file) += ".much", kPointerBytes));
  if (much) return too_much(*much);
  const auto tree = TRY(os_.files.read_if_there(file, kPointerBytes));
  if (!taken.ok() || !tree || !is_object_id(trim(*tree))) {
    cut_off_ = is_killed(taken.code) || !TRY(has_failed(os_, file));
    return std::unexpected(cannot_add(taken));
  }
  if (!spec_.large_files.empty())
    TRY(import_large_files(os_, GitCell::large_files_in(index_.directory()), spec_.large_files));
  return std::string(trim(*tree));
}

Result<bool> Taking::any_ignored(const std::vector<const std::string*>& paths) const {
  if (paths.empty()) return false;
  GitOptions options;  // check-ignore knows no literal pathspecs; behind ./ every name is plain
  options.environment = {{"GIT_LITERAL_PATHSPECS", "0"}};
  for (const auto* path : paths) options.input.append("./").append(*path).push_back('\0');
  const auto found = TRY(git().run({"check-ignore", "--no-index", "-z", "--stdin"}, options));
  if (found.code > 1) return std::unexpected(git_error("look for ignored files", found));
  return found.ok();
}

}  // namespace pf
