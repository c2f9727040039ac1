#include <fmt/format.h>

#include "git/changes.h"
#include "git/workspace.h"

namespace pf {
namespace {

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
