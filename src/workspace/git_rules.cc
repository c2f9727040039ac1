#include "workspace/git_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/codec.h"
#include "base/hash.h"
#include "base/text.h"

namespace pf {
namespace {

constexpr std::size_t kRuleBytes = 8u << 20;
constexpr std::size_t kHookBytes = 64u << 20;
constexpr std::size_t kIgnoredKept = 20'000;

using Setting = std::pair<std::string, std::string>;  // "filter.lfs.clean", its value

// The pieces of `git config --list -z`: key, newline, value; no newline for a bare key.
std::vector<Setting> parse_settings(const std::string& text) {
  std::vector<Setting> settings;
  for (const auto& piece : split_nul(text)) {
    const auto end = piece.find('\n');
    settings.emplace_back(piece.substr(0, end),
                          end == std::string::npos ? "true" : piece.substr(end + 1));
  }
  return settings;
}

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

std::string in_quotes(std::string_view value) {
  std::string out = "\"";
  for (const char c : value) {
    if (c == '\n')
      out += "\\n";
    else if (c == '"' || c == '\\')
      (out += '\\') += c;
    else
      out += c;
  }
  return out + '"';
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

Result<std::vector<Setting>> settings(const Git& git, const Git::Words& scope) {
  Git::Words words = {"config", "--list", "-z", "--includes"};
  words.insert(words.end(), scope.begin(), scope.end());
  const auto listed = TRY(git.run(words));
  if (!listed.ok()) return std::unexpected(git_error("read git's configuration", listed));
  return parse_settings(listed.out);
}

std::string last_value(const std::vector<Setting>& all, std::string_view key) {
  std::string value;
  for (const auto& [name, text] : all)
    if (name == key) value = text;
  return value;
}

// The file a setting names, else git's default below the user's configuration.
Result<std::string> user_file(Os& os, const std::vector<Setting>& all, std::string_view key,
                              const char* otherwise) {
  const std::string home = os.env.get("HOME").value_or("");
  Path path = last_value(all, key);
  if (path.string().starts_with("~/")) path = home / Path(path.string().substr(2));
  if (path.empty()) {
    const auto xdg = os.env.get("XDG_CONFIG_HOME");
    path = (xdg && !xdg->empty() ? Path(*xdg) : Path(home) / ".config") / "git" / otherwise;
  }
  if (!path.is_absolute()) return "";
  return TRY(os.files.read_if_there(path, kRuleBytes)).value_or("");
}

Status watch_file(Os& os, std::vector<Watched>& watched, const Path& common,
                  const std::string& name) {
  const auto info = TRY(os.files.info(common / name));
  if (!info) return {};
  const auto bytes = TRY(os.files.read_if_there(common / name, kHookBytes)).value_or("");
  watched.push_back({name, hash_of((info->executable ? "x" : "-") + bytes)});
  return {};
}

Status watch_hooks(Os& os, std::vector<Watched>& watched, const Path& common,
                   const std::string& below) {
  for (const auto& entry : TRY(os.files.list(common / below))) {
    const auto name = below + "/" + entry.name;
    if (entry.kind == FileKind::directory)
      TRY(watch_hooks(os, watched, common, name));
    else if (entry.kind != FileKind::other && !entry.name.ends_with(".sample"))
      TRY(watch_file(os, watched, common, name));
  }
  return {};
}

Result<std::vector<Watched>> watch(Os& os, const Path& common, const std::vector<Setting>& local) {
  std::vector<Watched> watched;
  std::map<std::string, std::string> values;
  for (const auto& [key, value] : local) (values["config " + key] += value) += '\0';
  for (const auto& [name, value] : values) watched.push_back({name, hash_of(value)});
  for (const auto* name : {"config.worktree", "info/attributes", "info/exclude"})
    TRY(watch_file(os, watched, common, name));
  TRY(watch_hooks(os, watched, common, "hooks"));
  std::ranges::sort(watched, {}, &Watched::name);
  return watched;
}

// By an index of our own: the worktree's is an agent's to write.
Result<std::vector<std::string>> ignored_files(Os& os, const Path& common, const Path& worktree,
                                               const std::string& tree, const Path& index) {
  const Git git(os, {.git_dir = common, .work_tree = worktree, .index = index});
  const auto read = git.must("read the tree", {"read-tree", tree});
  const auto found = git.output("list the ignored files",
                                {"ls-files", "-z", "--others", "--ignored", "--exclude-standard",
                                 "--directory", "--no-empty-directory"});
  TRY(os.files.remove(index));
  TRY(read);
  const std::string listed = TRY(found);
  auto names = split_nul(listed);
  std::erase_if(names, [](const std::string& name) {
    return name == ".git" || name == ".pairflow/" || name.starts_with(".pairflow/");
  });
  std::ranges::sort(names);
  if (names.size() > kIgnoredKept) names.resize(kIgnoredKept);
  return names;
}

}  // namespace

Result<GitRules> read_rules(Os& os, const Repository& repository, const Path& worktree,
                            const std::string& tree, const Path& index) {
  const Path& common = repository.common;
  const Git git(os, {.git_dir = common});
  const auto all = TRY(settings(git, {}));
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
  rules.user_exclude = TRY(user_file(os, all, "core.excludesfile", "ignore"));
  rules.user_attributes = TRY(user_file(os, all, "core.attributesfile", "attributes"));
  rules.watched = TRY(watch(os, common, TRY(settings(git, {"--local"}))));
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
  return rules;
}

Result<Path> frozen_git_dir(Os& os, const FrozenRules& frozen) {
  const GitRules rules = TRY(kept_rules(os, frozen));
  const Path& at = frozen.directory;
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
  return at;
}

}  // namespace pf
