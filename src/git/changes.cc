// How it works. git takes attributes from the files beside it and from the index. Run in the git
// directory with an index that does not exist it finds neither, so `* -diff` in a tree under review
// changes nothing and a file is binary by its content alone.
#include "git/changes.h"

#include <fmt/format.h>

#include <map>

#include "base/text.h"
#include "git/workspace.h"

namespace pf {
namespace {

std::unexpected<Error> unreadable() {
  return fail(Exit::machine, "cannot read git's list of changes", "it has an unknown form",
              "see that git 2.39 or newer is first on PATH");
}

// ":100644 100755 <id> <id> M"
Result<ChangedFile> parse_raw(const std::string& header, const std::string& path) {
  const auto parts = split(std::string_view(header).substr(1), ' ');
  if (parts.size() != 5 || parts[4].empty() || path.empty()) return unreadable();
  ChangedFile file;
  file.path = path;
  file.status = std::string(parts[4].substr(0, 1));
  file.mode = std::string(file.status == "D" ? parts[0] : parts[1]);
  return file;
}

Result<int> parse_count(std::string_view text) {
  if (text == "-") return -1;
  if (const auto value = parse_number<int>(text)) return *value;
  return unreadable();
}

// "3\t1\t<path>"; a changed type has two of them.
Status add_counts(const std::string& entry, std::map<std::string, ChangedFile>& files) {
  const auto first = entry.find('\t');
  const auto second = first == std::string::npos ? first : entry.find('\t', first + 1);
  if (second == std::string::npos) return unreadable();
  const auto file = files.find(entry.substr(second + 1));
  if (file == files.end()) return unreadable();
  const std::string_view text(entry);
  const int added = TRY(parse_count(text.substr(0, first)));
  const int removed = TRY(parse_count(text.substr(first + 1, second - first - 1)));
  const bool binary = added < 0 || file->second.added < 0;
  file->second.added = binary ? -1 : file->second.added + added;
  file->second.removed = binary ? -1 : file->second.removed + removed;
  return {};
}

// A repository for diff-tree that sees no attributes but the user's own info/attributes.
Git diff_git(Os& os, GitPlace objects) {
  objects.work_tree.clear();
  objects.index = objects.git_dir / "pairflow-no-index";
  return Git(os, std::move(objects));
}

// The arguments every diff has in common.
Git::Words diff_words(const std::string& from, const std::string& to, Git::Words options) {
  Git::Words words = {"-c",
                      "core.attributesFile=/dev/null",
                      "diff-tree",
                      "-r",
                      "--no-renames",
                      "--no-ext-diff",
                      "--no-textconv",
                      "--no-color",
                      "--ignore-submodules=none"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {from, to, "--"});
  return words;
}

constexpr std::string_view kFileHeader = "diff --git ";

std::size_t count_files(std::string_view text) {
  std::size_t count = text.starts_with(kFileHeader) ? 1 : 0;
  const std::string header = fmt::format("\n{}", kFileHeader);
  for (auto at = text.find(header); at != std::string_view::npos; at = text.find(header, at + 1))
    ++count;
  return count;
}

// At most `limit` bytes of whole lines, the last of which tells how many files are not whole.
std::string cut_to(std::string text, std::size_t limit, std::size_t files) {
  const auto note = [&](std::size_t whole) {
    return fmt::format("[cut at {} bytes: {} of {} files are missing or incomplete]\n", limit,
                       files - std::min(files, whole), files);
  };
  const std::size_t room = limit - std::min(limit, note(0).size());
  text.resize(std::min(text.size(), room));
  text.resize(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
  const auto begun = count_files(text);
  text += note(begun == 0 ? 0 : begun - 1);
  text.resize(std::min(text.size(), limit));
  return text;
}

}  // namespace

Result<std::vector<ChangedFile>> parse_changes(std::string_view text) {
  std::map<std::string, ChangedFile> files;
  const auto pieces = split_nul(text);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].starts_with(':')) {
      if (i + 1 == pieces.size()) return unreadable();
      auto file = TRY(parse_raw(pieces[i], pieces[i + 1]));
      files.emplace(file.path, std::move(file));
      ++i;
    } else {
      TRY(add_counts(pieces[i], files));
    }
  }
  std::vector<ChangedFile> sorted;
  sorted.reserve(files.size());
  for (auto& [path, file] : files) sorted.push_back(std::move(file));
  return sorted;
}

std::string shown_path(const std::string& path) {
  if (is_utf8(path)) return path;
  std::string quoted = "\"";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f)
      quoted += fmt::format("\\{:03o}", byte);
    else if (c == '"' || c == '\\')
      (quoted += '\\') += c;
    else
      quoted += c;
  }
  return quoted + '"';
}

Result<std::vector<ChangedFile>> changes_between(Os& os, const GitPlace& objects,
                                                 const std::string& from, const std::string& to) {
  TRY(check_object_id(from));
  TRY(check_object_id(to));
  if (from == to) return std::vector<ChangedFile>();
  return parse_changes(
      TRY(diff_git(os, objects)
              .output("compare two trees", diff_words(from, to, {"--raw", "--numstat", "-z"}))));
}

Result<std::string> Workspace::diff(const std::string& from, const std::string& to,
                                    std::size_t limit, const std::vector<std::string>& paths) {
  TRY(fetch_home(from));
  TRY(fetch_home(to));
  const GitPlace place = TRY(objects());
  Git::Words options = {"-p", "--full-index", "--src-prefix=a/", "--dst-prefix=b/"};
  if (!paths.empty()) options.push_back("--text");  // one NUL byte would hide the rest
  auto words = diff_words(from, to, std::move(options));
  words.insert(words.end(), paths.begin(), paths.end());
  auto finished = TRY(diff_git(os_, place).run(words, {.output_limit = limit}));
  if (!finished.ok()) return std::unexpected(git_error("compare two trees", finished));
  if (!finished.cut) return std::move(finished.out);
  const auto files = TRY(changes_between(os_, place, from, to)).size();
  return cut_to(std::move(finished.out), limit, files);
}

Result<std::vector<ChangedFile>> Workspace::changed(const std::string& from,
                                                    const std::string& to) {
  TRY(fetch_home(from));
  TRY(fetch_home(to));
  auto files = TRY(changes_between(os_, TRY(objects()), from, to));
  for (auto& file : files) file.path = shown_path(file.path);
  return files;
}

}  // namespace pf
