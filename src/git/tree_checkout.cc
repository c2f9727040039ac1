// How it works. A fresh index has the tree's files without anything known of those on disk, so that
// git compares their contents and writes the ones that differ. What decides how git compares is
// put back first: the attributes and ignore files of the tree, and none beside them. Where git
// converts (ident, line ends, filters), equal by git's rules is not equal: such a file is written
// again, unless it has no line end to be converted.
#include "git/tree_checkout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "git/include_files.h"
#include "git/promised.h"
#include "git/submodules.h"
#include "git/taking.h"

namespace pf {
namespace {

constexpr auto kRuleFiles = std::to_array<std::string_view>({".gitattributes", ".gitignore"});

// Its arguments: files with the paths where rules may stand, and of those that the tree has.
constexpr const char* kCompare = R"sh(
xargs -0 rm -rf -- <"$1" && git checkout-index -q -f -z --stdin <"$2" || exit
git update-index -q --refresh
exit 0 # its code tells of files that differ
)sh";

// Says the paths that are not as in the index, whose entries know nothing of the files yet.
constexpr const char* kSee = R"sh(
git update-index -q --refresh --ignore-submodules
git diff-files -z --name-only --no-renames --ignore-submodules=all &&
git ls-files -z --others --exclude-standard
)sh";

Status make_empty(Os& os, const Path& directory) {
  TRY(os.files.make_directories(directory));
  for (const Entry& entry : TRY(os.files.list(directory)))
    TRY(os.files.remove_all(directory / entry.name));
  return {};
}

bool is_called(std::string_view path, std::string_view name) {
  return path.ends_with(name) &&
         (path.size() == name.size() || path[path.size() - name.size() - 1] == '/');
}

// Of an entry "i/lf w/lf attr/text=auto <tab> path": whether the file may have other bytes than git
// would write although git calls it the same.
bool is_converted(std::string_view entry) {
  const std::string_view about = entry.substr(0, entry.find('\t'));
  const auto words = split(about, ' ');
  const std::string_view in_index = words.empty() ? "" : words[0];
  if (in_index.size() < 2 || in_index == "i/mixed" || about.contains("eol=crlf")) return true;
  const auto as_file =
      std::ranges::find_if(words, [](std::string_view word) { return word.starts_with("w/"); });
  return as_file == words.end() || as_file->substr(2) != in_index.substr(2);
}

// One checkout that is brought to a tree.
class Bringing {
 public:
  Bringing(Os& os, const TreeCheckout& to, const TreeId& tree, PrivateIndex& index, TakingSpec spec)
      : os_(os),
        to_(to),
        tree_(tree),
        index_(index),
        spec_(std::move(spec)),
        taking_(os, spec_, index),
        objects_(spec_.rules) {}

  Status write_files(const GitRules& rules, bool afresh) {
    const Git objects = by_index();
    TRY(objects.must("read the tree", {"read-tree", tree_.str()}));
    tracked_ = TRY(objects.pieces("list the tree", {"ls-files", "-z"}));
    const Git files = taking_.git(to_.directory);
    if (!afresh) {
      TRY(compare(files));
      if (may_convert(rules)) TRY(forget_converted(files, has_line_ends(rules)));
    }
    TRY(files.must("write the tree's files", {"checkout-index", "-q", "-f", "-u", "-a"}));
    if (!afresh) TRY(files.must("remove what is not the tree's", {"clean", "-ffdq"}));
    return copy_included(os_, to_.repository, tracked_, to_.directory);
  }

  // By what is known of the files since they were written.
  Status change_files() {
    TRY(os_.files.copy(to_.directory / ".git" / "index", index_.path()));
    const Git files = taking_.git(to_.directory);
    TRY(files.must("write what differs", {"read-tree", "--reset", "-u", tree_.str()}));
    return files.must("remove what is not the tree's", {"clean", "-ffdq"});
  }

  // A filter that an agent could edit has run where it could write all of the checkout: whether
  // each file is as git wrote it. Now it can write nothing.
  Status see_untouched() {
    PrivateIndex fresh = TRY(PrivateIndex::take(os_, Path(to_.index) += ".seen", true));
    const Taking looking(os_, spec_, fresh);
    GitPlace without_files = objects_;
    without_files.index = fresh.path();
    TRY(Git(os_, std::move(without_files)).must("read the tree", {"read-tree", tree_.str()}));
    const Finished seen = TRY(looking.git().run_script(kSee, {}));
    if (!seen.ok()) return std::unexpected(git_error("look at the files", seen));
    auto touched = split_nul(seen.out);
    std::erase_if(touched, [](const std::string& path) { return path.starts_with(".git/"); });
    if (touched.empty()) return {};
    return fail(Exit::refused, "a filter has changed files that it was not run for",
                printable(name_some(touched, 10)), "look at the filter's program in the change");
  }

  Status make_repository(const GitRules& rules) {
    const Path git = to_.directory / ".git";
    const Path& common = to_.repository.common;
    if (const auto info = TRY(os_.files.info(git)); info && info->kind != FileKind::directory)
      TRY(os_.files.remove(git));
    TRY(make_git_dir(os_, rules, git, common));
    TRY(os_.files.make_directories(git / "objects" / "info"));
    TRY(put(git / "objects/info/alternates", (common / "objects").string() + "\n"));
    if (const auto shallow = TRY(os_.files.read_if_there(common / "shallow")))
      TRY(put(git / "shallow", *shallow));
    const std::string commit = TRY(make_commit(git / "objects"));
    TRY(put(git / "packed-refs", TRY(refs(commit))));
    TRY(put(git / "HEAD",
            (to_.branch.empty() ? commit : "ref: " + ref_of_branch(to_.branch)) + "\n"));
    return os_.files.copy(index_.path(), git / "index");
  }

 private:
  Status put(const Path& path, const std::string& text) {
    return os_.files.replace(path, text, Durable::no);
  }
  Git by_index() const {
    GitPlace place = objects_;
    place.index = index_.path();
    return Git(os_, std::move(place));
  }

  // Notes in the index which files are as the tree has them.
  Status compare(const Git& files) {
    std::set<std::string> places;
    std::string tracked;
    for (const std::string& path : tracked_) {
      for (const std::string_view name : kRuleFiles)
        if (is_called(path, name)) tracked.append(path).push_back('\0');
      for (Path above = Path(path).parent_path();; above = above.parent_path()) {
        if (!places.insert(above.string()).second || above.empty()) break;
      }
    }
    std::string possible;
    for (const Path above : places)
      for (const std::string_view name : kRuleFiles)
        possible.append((above / name).string()).push_back('\0');
    const Path all = index_.directory() / "rules", kept = index_.directory() / "rules.kept";
    TRY(put(all, possible));
    TRY(put(kept, tracked));
    const Finished compared = TRY(files.run_script(kCompare, {all.string(), kept.string()}));
    if (!compared.ok()) return std::unexpected(git_error("compare the files", compared));
    return {};
  }

  static bool has_line_ends(const GitRules& rules) {
    return rules.config.contains("autocrlf") || rules.config.contains("eol");
  }
  bool may_convert(const GitRules& rules) const {
    return !rules.attributes.empty() || !rules.user_attributes.empty() || has_line_ends(rules) ||
           std::ranges::any_of(
               tracked_, [](const std::string& path) { return is_called(path, kRuleFiles[0]); });
  }

  // What was compared through a conversion counts as not compared.
  Status forget_converted(const Git& files, bool any_text) {
    std::vector<std::string> doubtful;
    for (const std::string& entry :
         TRY(files.pieces("look at the line ends", {"ls-files", "-z", "--eol"})))
      if (is_converted(entry) || (any_text && !entry.starts_with("i/-text")))
        doubtful.push_back(entry.substr(entry.find('\t') + 1));
    GitOptions paths;
    for (const std::string& path : tracked_) paths.input.append(path).push_back('\0');
    const auto attributes = TRY(files.pieces(
        "look at the attributes",
        {"check-attr", "-z", "--stdin", "ident", "filter", "working-tree-encoding"}, paths));
    for (std::size_t i = 0; i + 2 < attributes.size(); i += 3)  // path, attribute, value
      if (attributes[i + 2] != "unspecified" && attributes[i + 2] != "unset")
        doubtful.push_back(attributes[i]);
    return forget(std::move(doubtful));
  }

  Status forget(std::vector<std::string> paths) {
    if (paths.empty()) return {};
    std::ranges::sort(paths);
    GitOptions entries;
    for (const std::string& entry :
         TRY(by_index().pieces("list the tree", {"ls-files", "-s", "-z"}))) {
      const std::string path = entry.substr(entry.find('\t') + 1);
      if (std::ranges::binary_search(paths, path)) entries.input.append(entry).push_back('\0');
    }
    return by_index().must("compare files anew", {"update-index", "-z", "--index-info"}, entries);
  }

  // Of the base's time, so that the same tree is the same commit.
  Result<std::string> make_commit(const Path& objects) const {
    GitPlace place = objects_;
    if (place.objects.empty()) place.objects = place.git_dir / "objects";
    place.new_objects = objects;
    const Git git(os_, std::move(place));
    const std::string base = to_.base.str();
    const std::string time =
        TRY(git.line("look at the base", {"show", "-s", "--format=@%ct +0000", base}));
    GitOptions options;
    for (const char* who : {"AUTHOR", "COMMITTER"}) {
      options.environment.emplace_back(fmt::format("GIT_{}_NAME", who), "pairflow");
      options.environment.emplace_back(fmt::format("GIT_{}_EMAIL", who), "pairflow@localhost");
      options.environment.emplace_back(fmt::format("GIT_{}_DATE", who), time);
    }
    return git.line("make a commit of the tree",
                    {"commit-tree", "-p", base, "-m", "The tree that is looked at", tree_.str()},
                    options);
  }

  // As packed-refs has them.
  Result<std::string> refs(const std::string& commit) const {
    const Git main(os_, {.git_dir = to_.repository.common});
    std::string text = TRY(main.output(
        "list the tags", {"for-each-ref", "--format=%(objectname) %(refname)", "refs/tags"}));
    if (!to_.base_branch.empty())
      text += fmt::format("{} {}\n", to_.base.str(), ref_of_branch(to_.base_branch));
    if (!to_.branch.empty()) text += fmt::format("{} {}\n", commit, ref_of_branch(to_.branch));
    return text;
  }

  Os& os_;
  const TreeCheckout& to_;
  const TreeId& tree_;
  PrivateIndex& index_;
  TakingSpec spec_;
  Taking taking_;
  GitPlace objects_;
  std::vector<std::string> tracked_;
};

enum class Known { nothing, all };  // of the files that are there

Status bring(Os& os, const TreeCheckout& to, const TreeId& tree, Known known = Known::nothing) {
  PrivateIndex index = TRY(PrivateIndex::take(os, Path(to.index) += ".checkout", true));
  const GitRules rules =
      to.rules ? TRY(kept_rules(os, *to.rules)) : TRY(rules_now(os, to.repository, to.directory));
  TakingSpec spec = TRY(taking_with(os, to.repository, to.rules, to.directory, tree.str(), index));
  const bool doubtful = spec.filters == Filters::doubtful;
  Bringing bringing(os, to, tree, index, std::move(spec));
  TRY(known == Known::all ? bringing.change_files()
                          : bringing.write_files(rules, TRY(os.files.list(to.directory)).empty()));
  if (doubtful) TRY(bringing.see_untouched());
  TRY(bring_submodules(os, to.repository, tree.str(), to.directory,
                       Path(to.index) += ".submodule"));
  return bringing.make_repository(rules);
}

// Whether files that are the same in both trees may have to be written otherwise.
Result<bool> rules_differ(Os& os, const TreeCheckout& to, const TreeId& from, const TreeId& tree) {
  const auto paths = TRY(Git(os, {.git_dir = to.repository.common})
                             .pieces("compare two trees", {"diff-tree", "-r", "-z", "--name-only",
                                                           from.str(), tree.str()}));
  return std::ranges::any_of(
      paths, [](const std::string& path) { return is_called(path, kRuleFiles[0]); });
}

}  // namespace

Status bring_to(Os& os, const TreeCheckout& checkout, const TreeId& tree, Begin begin) {
  TRY(check_object_id(tree.str()));
  TRY(fetch_promised(os, checkout.repository, tree.str()));
  if (begin == Begin::as_it_is && TRY(os.files.exists(checkout.directory)) &&
      bring(os, checkout, tree))
    return {};
  TRY(make_empty(os, checkout.directory));
  return bring(os, checkout, tree);
}

Status bring_on(Os& os, const TreeCheckout& checkout, const TreeId& from, const TreeId& tree) {
  TRY(check_object_id(from.str()));
  TRY(check_object_id(tree.str()));
  TRY(fetch_promised(os, checkout.repository, tree.str()));
  const auto differ = rules_differ(os, checkout, from, tree);
  if (differ && !*differ && bring(os, checkout, tree, Known::all)) return {};
  return bring_to(os, checkout, tree, Begin::as_it_is);
}

}  // namespace pf
