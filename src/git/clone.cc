// How it works. A clone is made beside its place as <id>.part and renamed when complete, so a
// clone that is there is whole. It shares no object file with the user's repository.
#include <fmt/format.h>

#include "git/workspace.h"

namespace pf {
namespace {

// What decides who commits and how files are converted; the rest stays the clone's own.
constexpr const char* kInherited =
    "^(user|author|committer|filter|lfs)\\.|^core\\.(autocrlf|eol|excludesfile|attributesfile)$";

Result<Git::Words> inherited_settings(const Git& main) {
  const auto found = TRY(main.run({"config", "--local", "-z", "--get-regexp", kInherited}));
  if (found.code > 1) return std::unexpected(git_error("read git's configuration", found));
  Git::Words words;
  for (const auto& entry : split_nul(found.out)) {
    const auto newline = entry.find('\n');
    words.emplace_back("-c");
    words.push_back(newline == std::string::npos ? entry
                                                 : fmt::format("{}={}", entry.substr(0, newline),
                                                               entry.substr(newline + 1)));
  }
  return words;
}

Status copy_rules(Os& os, const Path& from, const Path& to) {
  TRY(os.files.make_directories(to / "info"));
  for (const auto* name : {"info/exclude", "info/attributes"})
    if (const auto bytes = TRY(os.files.read_if_there(from / name)))
      TRY(os.files.replace(to / name, *bytes, Durable::no));
  return {};
}

}  // namespace

Status Workspace::make_clone(const Link& link) {
  if (link.site == Site::ours) return {};
  const Path part = Path(spec_.worktree) += ".part";
  TRY(os_.files.remove_all(part));
  Git::Words words = {
      "clone",          "-q",          "--no-checkout",
      "--no-hardlinks", "--template=", "--branch",
      spec_.branch,     "-c",          "remote.origin.pushurl=/dev/null/bubbles-do-not-push"};
  for (auto& word : TRY(inherited_settings(main()))) words.push_back(std::move(word));
  words.insert(words.end(), {"--", spec_.repository.common, part});
  TRY(Git(os_, {.git_dir = {}}).must("clone the repository", words));

  const Path git_dir = part / ".git";
  TRY(copy_rules(os_, spec_.repository.common, git_dir));
  TRY(os_.files.replace(git_dir / kCloneSource, spec_.repository.top.string() + "\n",
                        Durable::yes));
  TRY(fill(git_dir, part));
  TRY(mark_ready(os_, git_dir));
  if (link.site == Site::absent) TRY(os_.files.remove_all(spec_.worktree));
  TRY(os_.files.rename(part, spec_.worktree));
  return os_.files.sync_directory(spec_.worktree.parent_path());
}

}  // namespace pf
