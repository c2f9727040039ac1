#include "git/git_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "base/codec.h"
#include "base/hash.h"
#include "base/text.h"
#include "git/private_index.h"
#include "sandbox/bubblewrap.h"

namespace pf {
namespace {

constexpr std::size_t kRuleBytes = 8u << 20;
constexpr std::size_t kHookBytes = 64u << 20;
constexpr std::size_t kIgnoredKept = 5'000;   // entries, a directory being one
constexpr std::size_t kFilesNoted = 300'000;  // in all of them

using Setting = std::pair<std::string, std::string>;  // "filter.lfs.clean", its value

// What has a say in the way from a file to a blob and back. The remotes are for filters and partial
// clones that fetch what is missing.
bool is_rule(std::string_view key) {
  constexpr auto kCore = std::to_array<std::string_view>(
      {"core.autocrlf", "core.eol", "core.filemode", "core.symlinks", "core.ignorecase",
       "core.precomposeunicode", "core.protecthfs", "core.protectntfs", "core.bigfilethreshold",
       "core.checkroundtripencoding", "core.repositoryformatversion", "core.sharedrepository"});
  if (key == "extensions.worktreeconfig" || key == "extensions.refstorage") return false;
  if (key.starts_with("remote."))
    return key.ends_with(".url") || key.ends_with(".promisor") ||
           key.ends_with(".partialclonefilter");
  return key.starts_with("filter.") || key.starts_with("merge.") || key.starts_with("lfs.") ||
         key.starts_with("extensions.") || std::ranges::find(kCore, key) != kCore.end();
}

// One section for each setting: the order of the settings is what counts.
std::string config_line(const Setting& setting) {
  const auto& [key, value] = setting;
  const auto first = key.find('.');
  const auto last = key.rfind('.');
  std::string section = key.substr(0, first);
  if (last > first) section += " " + in_quotes(key.substr(first + 1, last - first - 1));
  return fmt::format("[{}]\n\t{} = {}\n", section, key.substr(last + 1), in_quotes(value));
}

// What `git config --list --show-scope -z` tells: scope, then key, newline, value (no newline for a
// bare key). What our own calls set on the command line is nobody's rule.
Result<std::vector<Setting>> settings(const Git& git, const Git::Words& scope) {
  Git::Words words = {"config", "--list", "--show-scope", "-z", "--includes"};
  words.insert(words.end(), scope.begin(), scope.end());
  const auto pieces = TRY(git.pieces("read git's configuration", words));
  std::vector<Setting> settings;
  for (std::size_t i = 0; i + 1 < pieces.size(); i += 2) {
    if (pieces[i] == "command") continue;
    const auto end = pieces[i + 1].find('\n');
    settings.emplace_back(pieces[i + 1].substr(0, end),
                          end == std::string::npos ? "true" : pieces[i + 1].substr(end + 1));
  }
  return settings;
}

std::string last_value(const std::vector<Setting>& all, std::string_view key) {
  std::string value;
  for (const auto& [name, text] : all)
    if (name == key) value = text;
  return value;
}

// A path as git reads it in its configuration, in this worktree. Only git knows the homes of
// others, which cost a call.
Result<Path> configured_path(const Git& git, const Path& worktree, const std::vector<Setting>& all,
                             const std::string& key) {
  const std::string named = last_value(all, key);
  const bool plain = !named.starts_with('~') && !named.starts_with('%');
  return worktree / (plain ? named : TRY(path_setting(git, key)));  // itself when absolute
}

// The file a setting names, else git's default below the user's configuration.
Result<std::string> user_file(Os& os, const Git& git, const Path& worktree,
                              const std::vector<Setting>& all, const std::string& key,
                              const char* otherwise) {
  Path file;
  if (last_value(all, key).empty()) {
    const std::string xdg = os.env.get("XDG_CONFIG_HOME").value_or("");
    const std::string home = os.env.get("HOME").value_or("");
    file = worktree / (xdg.empty() ? Path(home) / ".config" : Path(xdg)) / "git" / otherwise;
  } else {
    file = TRY(configured_path(git, worktree, all, key));
  }
  return TRY(os.files.read_if_there(file, kRuleBytes)).value_or("");
}

// One that cannot be read (a link to a directory, a pipe) is watched by that.
Status watch_file(Os& os, std::vector<Watched>& watched, const Path& path,
                  const std::string& name) {
  const auto info = TRY(os.files.info(path));
  if (!info) return {};
  const auto bytes = os.files.read_if_there(path, kHookBytes);
  watched.push_back({name, hash_of((info->executable ? "x" : "-") +
                                   (bytes ? bytes->value_or("") : bytes.error().what))});
  return {};
}

Status watch_hooks(Os& os, std::vector<Watched>& watched, const Path& directory,
                   const std::string& shown) {
  for (const auto& entry : TRY(os.files.list(directory))) {
    const auto name = shown + "/" + entry.name;
    if (entry.kind == FileKind::directory)
      TRY(watch_hooks(os, watched, directory / entry.name, name));
    else if (entry.kind != FileKind::other && !entry.name.ends_with(".sample"))
      TRY(watch_file(os, watched, directory / entry.name, name));
  }
  return {};
}

Result<std::vector<Watched>> watch(Os& os, const Git& git, const Path& worktree,
                                   const std::vector<Setting>& all,
                                   const std::vector<Setting>& local) {
  const Path& common = git.place().git_dir;
  std::vector<Watched> watched;
  std::map<std::string, std::string> values;
  for (const auto& [key, value] : local) (values["config " + key] += value) += '\0';
  const std::string hooks = last_value(all, "core.hookspath");
  values["config core.hookspath"] = hooks;
  for (const auto& [name, value] : values) watched.push_back({name, hash_of(value)});
  for (const auto* name : {"config.worktree", "info/attributes", "info/exclude"})
    TRY(watch_file(os, watched, common / name, name));
  const Path directory =
      hooks.empty() ? common / "hooks" : TRY(configured_path(git, worktree, all, "core.hookspath"));
  TRY(watch_hooks(os, watched, directory, "hooks"));
  std::ranges::sort(watched, {}, &Watched::name);
  return watched;
}

// What can be told of a file, or of all in a directory, without reading it.
Status note(Os& os, const Path& path, std::size_t& left, std::string& all) {
  const auto info = TRY(os.files.info(path));
  if (!info || left == 0) return {};
  --left;
  if (info->kind != FileKind::directory) {
    all += fmt::format("{} {} {}\n", path.filename().string(), info->size, info->changed);
    return {};
  }
  all += fmt::format("{}/\n", path.filename().string());
  for (const Entry& entry : TRY(os.files.list(path))) TRY(note(os, path / entry.name, left, all));
  return {};
}

// By an index of our own: the worktree's is an agent's to write.
Result<std::vector<Watched>> ignored_files(Os& os, const Path& common, const Path& worktree,
                                           const std::string& tree, const Path& kept) {
  const auto index = TRY(PrivateIndex::take(os, kept, true));
  const Git git(os, {.git_dir = common, .work_tree = worktree, .index = index.path()});
  TRY(git.must("read the tree", {"read-tree", tree}));
  const auto names = TRY(git.pieces(
      "list the ignored files", {"ls-files", "-z", "--others", "--ignored", "--exclude-standard",
                                 "--directory", "--no-empty-directory"}));
  std::vector<Watched> ignored;
  std::size_t left = kFilesNoted;
  for (const std::string& name : names) {
    if (name == ".git" || name.starts_with(".pairflow/") || ignored.size() == kIgnoredKept)
      continue;
    std::string all;
    TRY(note(os, worktree / (name.ends_with('/') ? name.substr(0, name.size() - 1) : name), left,
             all));
    ignored.push_back({name, hash_of(all)});
  }
  std::ranges::sort(ignored, {}, &Watched::name);
  return ignored;
}

// A directory of every repository; others belong to filters (git-crypt, git-annex, …).
bool is_gits_own(std::string_view name) {
  constexpr auto kOwn = std::to_array<std::string_view>(
      {"branches", "hooks", "info", "logs", "objects", "refs", "worktrees", "rebase-merge",
       "rebase-apply", "sequencer", "modules"});
  return std::ranges::find(kOwn, name) != kOwn.end();
}

// Bytes that JSON could not hold, and the sign for them, as %xx.
std::string escaped(std::string_view bytes) {
  if (is_utf8(bytes) && bytes.find('%') == std::string_view::npos) return std::string(bytes);
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte >= 0x80 || c == '%' ? fmt::format("%{:02x}", byte) : std::string(1, c);
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const bool code =
        text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(&text[i + 1], &text[i + 1] + 2, byte, 16).ptr == &text[i + 1] + 2;
    out += code ? static_cast<char>(byte) : text[i];
    if (code) i += 2;
  }
  return out;
}

void for_each_text(GitRules& rules, auto&& change) {
  for (std::string* text : {&rules.config, &rules.exclude, &rules.attributes, &rules.user_exclude,
                            &rules.user_attributes})
    *text = change(*text);
  for (auto* list : {&rules.watched, &rules.ignored})
    for (Watched& watched : *list) watched.name = change(watched.name);
}

}  // namespace

Result<std::string> path_setting(const Git& git, const std::string& key) {
  std::string path;
  const auto listed = TRY(git.run({"config", "--show-scope", "--type=path", "--get-all", key}));
  for (const auto line : split(listed.out, '\n')) {
    const auto tab = line.find('\t');
    if (tab != std::string_view::npos && line.substr(0, tab) != "command")
      path = std::string(line.substr(tab + 1));
  }
  return path;
}

namespace {

Result<GitRules> rules_by(Os& os, const Git& git, const Path& worktree,
                          const std::vector<Setting>& all) {
  const Path& common = git.place().git_dir;
  GitRules rules;
  for (const Setting& setting : all)
    if (is_rule(setting.first)) rules.config += config_line(setting);
  // A large file store belongs to the repository, not to the directory made of these rules.
  if (last_value(all, "lfs.storage").empty())
    rules.config += config_line({"lfs.storage", (common / "lfs").string()});
  const auto info = [&](const char* name) -> Result<std::string> {
    return TRY(os.files.read_if_there(common / "info" / name, kRuleBytes)).value_or("");
  };
  rules.exclude = TRY(info("exclude"));
  rules.attributes = TRY(info("attributes"));
  rules.user_exclude = TRY(user_file(os, git, worktree, all, "core.excludesfile", "ignore"));
  rules.user_attributes =
      TRY(user_file(os, git, worktree, all, "core.attributesfile", "attributes"));
  rules.confined = find_enforcement(os).program.has_value();
  return rules;
}

}  // namespace

Result<GitRules> rules_now(Os& os, const Repository& repository, const Path& worktree) {
  // A submodule's configuration names a worktree, which may be gone.
  const Git git(os, {.git_dir = repository.common, .work_tree = repository.common});
  return rules_by(os, git, worktree, TRY(settings(git, {})));
}

Result<GitRules> read_rules(Os& os, const Repository& repository, const Path& worktree,
                            const std::string& tree, const Path& index) {
  const Path& common = repository.common;
  const Git git(os, {.git_dir = common});
  const auto all = TRY(settings(git, {}));
  GitRules rules = TRY(rules_by(os, git, worktree, all));
  rules.watched = TRY(watch(os, git, worktree, all, TRY(settings(git, {"--local"}))));
  rules.ignored = TRY(ignored_files(os, common, worktree, tree, index));
  return rules;
}

std::vector<std::string> changes_of(const std::vector<Watched>& before,
                                    const std::vector<Watched>& now) {
  std::vector<std::string> changes;
  for (const Watched& is : now) {
    const auto was = std::ranges::find(before, is.name, &Watched::name);
    if (was == before.end())
      changes.push_back(is.name + " (new)");
    else if (was->hash != is.hash)
      changes.push_back(is.name + " (changed)");
  }
  for (const Watched& was : before)
    if (std::ranges::find(now, was.name, &Watched::name) == now.end())
      changes.push_back(was.name + " (removed)");
  std::ranges::sort(changes);
  return changes;
}

std::string text_of(const GitRules& rules) {
  GitRules plain = rules;
  for_each_text(plain, escaped);
  return dump(codec::encode(plain));
}

Result<GitRules> kept_rules(Os& os, const FrozenRules& frozen) {
  const auto damaged = [&](std::string why) {
    return fail(Exit::damaged, "git's rules from the bubble's start are lost", std::move(why),
                "stop the bubble and create a new one; its work stays in the worktree");
  };
  const auto text = TRY(os.files.read_if_there(frozen.text));
  if (!text) return damaged(fmt::format("there is no {}", frozen.text.string()));
  if (hash_of(*text) != frozen.hash)
    return damaged(fmt::format("{} was changed", frozen.text.string()));
  GitRules rules;
  TRY(codec::decode(TRY(parse_json(*text)), rules));
  for_each_text(rules, unescaped);
  return rules;
}

Result<Path> frozen_git_dir(Os& os, const FrozenRules& frozen, const Path& common) {
  TRY(make_git_dir(os, TRY(kept_rules(os, frozen)), frozen.directory, common));
  return frozen.directory;
}

Status make_git_dir(Os& os, const GitRules& rules, const Path& at, const Path& common) {
  const std::string ours = config_line({"core.excludesfile", (at / "user-exclude").string()}) +
                           config_line({"core.attributesfile", (at / "user-attributes").string()});
  const auto put = [&](const Path& name, const std::string& text) -> Status {
    const auto now = os.files.read_if_there(at / name, kRuleBytes);
    if (now && *now == text) return {};
    TRY(os.files.make_directories((at / name).parent_path()));
    return os.files.replace(at / name, text, Durable::no);
  };
  if (!TRY(os.files.exists(at / "refs"))) TRY(os.files.make_directories(at / "refs"));
  TRY(put("config", rules.config + ours));
  TRY(put("info/exclude", rules.exclude));
  TRY(put("info/attributes", rules.attributes));
  TRY(put("user-exclude", rules.user_exclude));
  TRY(put("user-attributes", rules.user_attributes));
  TRY(put("HEAD", "ref: refs/heads/none\n"));
  for (const Entry& entry : TRY(os.files.list(common)))
    if (entry.kind == FileKind::directory && !is_gits_own(entry.name) &&
        !TRY(os.files.info(at / entry.name)))
      TRY(os.files.make_link(common / entry.name, at / entry.name));
  return {};
}

}  // namespace pf
