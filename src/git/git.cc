#include "git/git.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "sandbox/bubblewrap.h"

namespace pf {
namespace {

constexpr Duration kGitTimeout = std::chrono::minutes(30);  // a filter may fetch large files
constexpr std::size_t kReasonBytes = 400;

// The second group keeps what decides "has this file changed" and "is this file there" out of
// reach of configuration.
constexpr auto kFixed = std::to_array<std::string_view>({
    "core.hooksPath=/dev/null",
    "core.quotePath=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "commit.gpgSign=false",
    "submodule.recurse=false",
    "protocol.version=2",
    "i18n.commitEncoding=UTF-8",

    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.splitIndex=false",
    "core.sparseCheckout=false",
    "core.ignoreStat=false",
    "core.trustctime=true",
    "core.checkStat=default",
    "core.safecrlf=false",

    "core.fsync=committed,reference",
    "core.fsyncMethod=batch",
    "core.filesRefLockTimeout=10000",
    "core.packedRefsTimeout=10000",
});

constexpr auto kRemoved = std::to_array<const char*>({
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_ATTR_SOURCE",
    "GIT_CEILING_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DEFAULT_HASH",
    "GIT_DIFF_OPTS",
    "GIT_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_GLOB_PATHSPECS",
    "GIT_GRAFT_FILE",
    "GIT_ICASE_PATHSPECS",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_LITERAL_PATHSPECS",
    "GIT_NAMESPACE",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_TEMPLATE_DIR",
    "GIT_TRACE",
    "GIT_TRACE2",
    "GIT_TRACE_SETUP",
    "GIT_WORK_TREE",
});

using Variables = std::vector<std::pair<std::string, std::string>>;

// The variables that a call is about; a script's git goes by them as well.
Variables variables_of(const GitPlace& place) {
  Variables all = {
      {"GIT_LITERAL_PATHSPECS", "1"}, {"GIT_TERMINAL_PROMPT", "0"}, {"GIT_NO_REPLACE_OBJECTS", "1"},
      {"GIT_OPTIONAL_LOCKS", "0"},    {"GIT_PAGER", "cat"},         {"LC_ALL", "C"}};
  const auto set = [&](const char* name, const Path& value) {
    if (!value.empty()) all.emplace_back(name, value.string());
  };
  set("GIT_DIR", place.git_dir);
  set("GIT_WORK_TREE", place.work_tree);
  set("GIT_INDEX_FILE", place.index);
  if (!place.objects.empty()) {
    set("GIT_SHALLOW_FILE", place.objects.parent_path() / "shallow");
    set("GIT_CONFIG_GLOBAL", "/dev/null");
    all.emplace_back("GIT_CONFIG_NOSYSTEM", "1");
  }
  set("GIT_OBJECT_DIRECTORY", place.new_objects.empty() ? place.objects : place.new_objects);
  if (!place.new_objects.empty()) {
    std::string borrowed =
        in_quotes((place.objects.empty() ? place.git_dir / "objects" : place.objects).string());
    for (const Path& more : place.alternates) borrowed += ":" + in_quotes(more.string());
    all.emplace_back("GIT_ALTERNATE_OBJECT_DIRECTORIES", borrowed);
  }
  Variables settings = place.settings;
  for (const auto setting : kFixed) {
    const auto equals = setting.find('=');
    settings.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
  }
  if (place.cell && !place.cell->scratch.empty()) {
    settings.emplace_back("lfs.storage", GitCell::large_files_in(place.cell->scratch).string());
    settings.emplace_back("lfs.transfer.maxretries", "1");  // there is no network
    all.emplace_back("GIT_LFS_SKIP_DOWNLOAD_ERRORS", "1");
  }
  all.emplace_back("GIT_CONFIG_COUNT", std::to_string(settings.size()));
  for (std::size_t i = 0; i < settings.size(); ++i) {
    all.emplace_back(fmt::format("GIT_CONFIG_KEY_{}", i), settings[i].first);
    all.emplace_back(fmt::format("GIT_CONFIG_VALUE_{}", i), settings[i].second);
  }
  return all;
}

Path directory_of(const GitPlace& place) {
  if (!place.work_tree.empty()) return place.work_tree;
  return place.git_dir.empty() ? Path("/") : place.git_dir;  // ours may be gone
}

// What is put before a command that runs in the cell.
Git::Words wrapper_of(Os& os, const GitPlace& place, const Variables& variables) {
  Confinement c;
  c.bare = true;
  c.visible = place.cell->visible;
  for (const Path& path : {place.git_dir, place.work_tree, place.objects})
    if (!path.empty()) c.visible.push_back(path);
  if (!place.cell->target.empty()) c.writable.push_back(place.cell->target);
  c.sealed = place.cell->sealed;
  c.hidden = place.cell->hidden;
  if (!place.cell->scratch.empty()) c.bound.emplace_back(place.cell->scratch, place.cell->scratch);
  c.directory = directory_of(place);
  c.environment = variables;
  c.environment.emplace_back("PATH", os.env.get("PATH").value_or("/usr/local/bin:/usr/bin:/bin"));
  c.environment.emplace_back("HOME", "/");
  return bubblewrap(place.cell->bubblewrap, c);
}

// The words as they are to be run at this place, and the surroundings.
Command command_for(Os& os, const GitPlace& place, const Git::Words& words,
                    const GitOptions& options) {
  Variables variables = variables_of(place);
  Command command;
  for (const auto* name : kRemoved) command.environment.emplace_back(name, std::nullopt);
  for (const auto& [name, value] : options.environment) {
    std::erase_if(variables, [&](const auto& one) { return one.first == name; });
    if (value) variables.emplace_back(name, *value);
  }
  if (place.cell) {
    command.argv = wrapper_of(os, place, variables);
    command.directory = "/";
  } else {
    command.environment.insert(command.environment.end(), variables.begin(), variables.end());
    command.directory = directory_of(place);
  }
  command.argv.insert(command.argv.end(), words.begin(), words.end());
  command.input = options.input;
  command.output_limit = options.output_limit;
  command.timeout = kGitTimeout;
  return command;
}

Git::Words call_of(const Git::Words& words) {
  Git::Words call = {"git"};
  call.insert(call.end(), words.begin(), words.end());
  return call;
}

Git::Words shell_of(const std::string& script, const Git::Words& arguments) {
  Git::Words shell = {"/bin/sh", "-c", script, "sh"};
  shell.insert(shell.end(), arguments.begin(), arguments.end());
  return shell;
}

// The first line that git calls an error, which names the cause; else the last line it wrote.
std::string reason(const Finished& finished) {
  std::string_view last;
  for (const auto text : split(finished.err, '\n')) {
    const auto line = trim(text);
    if (line.starts_with("error: ") || line.starts_with("fatal: ")) return std::string(line);
    if (!line.empty()) last = line;
  }
  if (!last.empty()) return std::string(last);
  return fmt::format("git ended with code {}", finished.code);
}

}  // namespace

Result<Finished> Git::run(const Words& words, const GitOptions& options) const {
  return finish(words, command_for(os_, place_, call_of(words), options));
}

Result<Finished> Git::run_script(const std::string& script, const Words& arguments,
                                 const GitOptions& options) const {
  return finish({"in a script"}, command_for(os_, place_, shell_of(script, arguments), options));
}

Result<Finished> Git::run_fed(const Words& words, const Git& from, const std::string& script,
                              const Words& arguments) const {
  const Command feeding = command_for(os_, from.place_, shell_of(script, arguments), {});
  Command command = command_for(os_, place_, call_of(words), {});
  command.fed_by = &feeding;
  return finish(words, command);
}

Result<Finished> Git::finish(const Words& words, const Command& command) const {
  auto finished = os_.processes.run(command);
  if (!finished) {
    Error error = std::move(finished).error();
    if (error.fix.empty()) error.fix = "install git 2.39 or newer and see that it is on PATH";
    return std::unexpected(std::move(error));
  }
  if (finished->timed_out)
    return fail(Exit::machine, fmt::format("git {} did not end", words.empty() ? "" : words[0]),
                fmt::format("it was stopped after {}", human_duration(kGitTimeout)),
                "look for a filter or file system that hangs, then run the command again");
  return finished;
}

Result<std::string> Git::output(std::string_view doing, const Words& words,
                                const GitOptions& options) const {
  auto finished = TRY(run(words, options));
  if (!finished.ok()) return std::unexpected(git_error(doing, finished));
  if (finished.cut)
    return fail(Exit::machine, fmt::format("cannot {}", doing),
                fmt::format("git printed more than {} MB", options.output_limit >> 20));
  return std::move(finished.out);
}

Result<std::string> Git::line(std::string_view doing, const Words& words,
                              const GitOptions& options) const {
  auto text = TRY(output(doing, words, options));
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

Result<std::vector<std::string>> Git::pieces(std::string_view doing, const Words& words,
                                             const GitOptions& options) const {
  return split_nul(TRY(output(doing, words, options)));
}

Status Git::must(std::string_view doing, const Words& words, const GitOptions& options) const {
  TRY(output(doing, words, options));
  return {};
}

Result<std::map<std::string, std::string, std::less<>>> Git::refs(std::string_view doing,
                                                                  const Words& patterns) const {
  Words words = {"for-each-ref", "--format=%(objectname) %(refname)"};
  words.insert(words.end(), patterns.begin(), patterns.end());
  const std::string listed = TRY(output(doing, words));
  std::map<std::string, std::string, std::less<>> refs;
  for (const auto line : split(listed, '\n'))
    if (const auto space = line.find(' '); space != std::string_view::npos)
      refs.emplace(line.substr(space + 1), line.substr(0, space));
  return refs;
}

Result<std::optional<std::string>> Git::ref(const std::string& name) const {
  const auto refs = TRY(this->refs(fmt::format("read the ref {}", name), {name}));
  const auto found = refs.find(name);
  return found == refs.end() ? std::nullopt : std::optional(found->second);
}

Result<bool> Git::has(const std::string& object) const {
  TRY(check_object_id(object));
  return TRY(run({"cat-file", "-e", object})).ok();
}

Status Git::set_ref(const std::string& name, const std::string& object,
                    const std::optional<std::string>& expected) const {
  TRY(check_object_id(object));
  Words words = {"update-ref", "-m", "pairflow", "--no-deref", name, object};
  if (expected) words.push_back(expected->empty() ? std::string(object.size(), '0') : *expected);
  return must(fmt::format("set the ref {}", name), words);
}

Status Git::fetch(std::string_view doing, const Path& from, const std::string& object) const {
  return must(doing, {"-c", "protocol.allow=never", "-c", "protocol.file.allow=always", "fetch",
                      "-q", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance",
                      "--no-recurse-submodules", from, object});
}

Error git_error(std::string_view doing, const Finished& finished) {
  const std::string why = reason(finished);
  return Error{Exit::machine, fmt::format("cannot {}", doing), clip(printable(why), kReasonBytes),
               why.contains("external filter '")
                   ? "filters run without network and home, and keep files in lfs.storage alone "
                     "(docs/security.md); mend it, then run the same command again"
                   : "mend what git names, then run the same command again"};
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

bool is_object_id(std::string_view text) {
  if (text.size() != 40 && text.size() != 64) return false;
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Status check_object_id(std::string_view text) {
  if (is_object_id(text)) return {};
  return fail(Exit::usage, fmt::format("'{}' is not a git object id", printable(clip(text, 80))),
              "an id is 40 or 64 hex digits");
}

std::vector<std::string> split_nul(std::string_view text) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const auto end = text.find('\0');
    pieces.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return pieces;
}

}  // namespace pf
