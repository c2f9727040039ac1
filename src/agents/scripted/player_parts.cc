#include <fmt/format.h>

#include "agents/scripted/player.h"
#include "base/text.h"

namespace pf {
namespace {

constexpr std::size_t kShownWord = 160;  // bytes of one word; two lines of a pane

// `relative` names nothing outside by its text (see parse_scenario); nor may a directory on the
// way.
Status stays_beneath(Os& os, const Path& worktree, const Path& relative) {
  Path on_the_way = worktree;
  for (const Path& part : relative.parent_path()) {
    on_the_way /= part;
    const auto info = TRY(os.files.info(on_the_way));
    if (info && info->kind == FileKind::symlink)
      return fail(Exit::refused, fmt::format("cannot touch '{}'", printable(relative.string())),
                  fmt::format("'{}' is a symlink and may lead out of the worktree",
                              printable(on_the_way.lexically_relative(worktree).string())),
                  "name a path without symlinks in the scenario");
  }
  return {};
}

bool is_plain(std::string_view word) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:@%+=,";
  return !word.empty() && word.find_first_not_of(kPlain) == word.npos;
}

std::string in_quotes(std::string_view word) {
  std::string out = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\' || c == '$' || c == '`') out += '\\';
    out += c;
  }
  return out += '"';
}

}  // namespace

Status make_edits(Os& os, const Path& worktree, const ScenarioTurn& turn) {
  for (const FileToWrite& file : turn.write) {
    TRY(stays_beneath(os, worktree, file.path));
    const Path path = worktree / file.path;
    TRY(os.files.make_directories(path.parent_path()));
    TRY(os.files.replace(path, file.text, Durable::no));
    if (file.executable) TRY(os.files.set_executable(path));
  }
  for (const std::string& name : turn.remove) {
    TRY(stays_beneath(os, worktree, name));
    TRY(os.files.remove(worktree / name));
  }
  return {};
}

std::string shown_command(const std::vector<std::string>& words) {
  std::vector<std::string> shown;
  for (const auto& word : words) {
    const std::string clean = clip(printable(word), kShownWord);
    shown.push_back(is_plain(clean) ? clean : in_quotes(clean));
  }
  return join(shown, " ");
}

}  // namespace pf
