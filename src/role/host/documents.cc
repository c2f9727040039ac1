// What the role loop's deciders are told of the files and of the repository.
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "document/role/task_file.h"
#include "role/host/loop.h"

namespace pf {
namespace {

constexpr std::size_t kLongestDocument = 1u << 20;
constexpr std::size_t kMostLeftovers = 2000;

Error not_plain(const std::string& path, FileKind kind) {
  const char* what = kind == FileKind::directory ? "a directory"
                     : kind == FileKind::symlink ? "a symbolic link"
                     : kind == FileKind::file    ? "a file"
                                                 : "no plain file";
  return {Exit::refused, fmt::format("{} is {}", printable(path), what),
          path.ends_with('/') ? "the tasks are looked for in a directory of that name"
                              : "the role loop reads and writes it as a file",
          "move it away, then run this again"};
}

// Every file below the directory, by its path in the repository; links are not followed.
Status list_below(Files& files, const Path& top, const Path& directory,
                  std::vector<std::string>& paths) {
  for (const Entry& entry : TRY(files.list(top / directory))) {
    if (paths.size() >= kMostLeftovers)
      return fail(Exit::refused, fmt::format("there are too many files in {}", directory.string()),
                  fmt::format("more than {} are not put away", kMostLeftovers),
                  "move what is no task's away");
    if (entry.kind == FileKind::directory)
      TRY(list_below(files, top, directory / entry.name, paths));
    else
      paths.push_back((directory / entry.name).string());
  }
  return {};
}

bool is_meant_as_task(const std::string& name) {
  const auto parsed = document::parse_task_name(name);
  return !parsed || *parsed;
}

}  // namespace

Result<FileFact> RoleLoop::document(const std::string& path) const {
  const Path& top = paths_.repository.top;
  FileFact fact{path};
  Path above;
  for (const Path& part : Path(path).parent_path()) {
    above /= part;
    const auto info = TRY(os_.files.info(top / above));
    if (info && info->kind != FileKind::directory)
      return fail(Exit::refused, fmt::format("{} is no directory", printable(above.string())),
                  fmt::format("{} is looked for in it", printable(path)), "move it away");
  }
  const auto info = TRY(os_.files.info(top / path));
  fact.exists = info.has_value();
  if (!info) return fact;
  if (info->kind != FileKind::file) return std::unexpected(not_plain(path, info->kind));
  if (info->size > kLongestDocument)
    return fail(Exit::refused, fmt::format("{} is too large", printable(path)),
                fmt::format("{} bytes, at most {} are read", info->size, kLongestDocument),
                "shorten it, then run this again");
  fact.text = TRY(os_.files.read_beneath(top, path, kLongestDocument));
  fact.hash = hash_of(fact.text);
  return fact;
}

Result<std::vector<FileFact>> RoleLoop::documents() const {
  std::vector<FileFact> all = {TRY(document(std::string(role::kRegisterFile))),
                               TRY(document(std::string(role::kRoadmapFile)))};
  const std::string folder(role::kCurrentFolder);
  const auto info =
      TRY(os_.files.info(paths_.repository.top / folder.substr(0, folder.size() - 1)));
  if (info && info->kind != FileKind::directory)
    return std::unexpected(not_plain(folder, info->kind));
  for (const Entry& entry : TRY(os_.files.list(paths_.repository.top / folder)))
    if (is_meant_as_task(entry.name)) all.push_back(TRY(document(folder + entry.name)));
  return all;
}

// The new text is made in our own directory, so that a killed process leaves nothing in the
// user's.
Status RoleLoop::write_document(const std::string& path, const Hash& before,
                                const std::string& text) {
  const FileFact now = TRY(document(path));
  if (now.hash != before) return {};
  const Path file = paths_.repository.top / path;
  const Path fresh = paths_.directory / "document.next";
  TRY(os_.files.remove(fresh));
  {
    const auto made = TRY(os_.files.open(fresh, Open::create_shared));
    if (TRY(made->write_at(0, text)) < text.size())
      return fail(Exit::machine, fmt::format("cannot write {}", path), "the disk is full",
                  "make room, then run this again");
    TRY(made->sync());
  }
  TRY(os_.files.make_directories(file.parent_path()));
  if (now.exists) TRY(os_.files.copy_mode(file, fresh));
  if (TRY(document(path)).hash != before) return os_.files.remove(fresh);
  TRY(os_.files.rename(fresh, file));
  return keep_document(path);
}

Status RoleLoop::keep_document(const std::string& path) {
  return os_.files.sync_directory((paths_.repository.top / path).parent_path());
}

Result<RepositoryFact> RoleLoop::repository_fact(const role::State& state) const {
  RepositoryFact fact = TRY(git_->look(state.policy.default_branch, "*/F*"));
  TRY(list_below(os_.files, paths_.repository.top, Path(role::kCurrentFolder).parent_path(),
                 fact.leftovers));
  return fact;
}

}  // namespace pf
