#include "git/git.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"

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

Command command_for(const GitPlace& place, const Git::Words& words, const GitOptions& options) {
  Command command;
  command.argv = {"git", "--no-pager", "--no-optional-locks", "--no-replace-objects"};
  for (const auto setting : kFixed) {
    command.argv.emplace_back("-c");
    command.argv.emplace_back(setting);
  }
  command.argv.insert(command.argv.end(), words.begin(), words.end());
  command.directory = place.work_tree.empty() ? place.git_dir : place.work_tree;
  if (command.directory.empty()) command.directory = "/";  // ours may be gone
  for (const auto* name : kRemoved) command.environment.emplace_back(name, std::nullopt);
  const auto set = [&](const char* name, std::string value) {
    command.environment.emplace_back(name, std::move(value));
  };
  set("GIT_LITERAL_PATHSPECS", "1");
  set("GIT_TERMINAL_PROMPT", "0");
  set("LC_ALL", "C");
  if (!place.git_dir.empty()) set("GIT_DIR", place.git_dir);
  if (!place.work_tree.empty()) set("GIT_WORK_TREE", place.work_tree);
  if (!place.index.empty()) set("GIT_INDEX_FILE", place.index);
  if (!place.objects.empty()) {
    set("GIT_OBJECT_DIRECTORY", place.objects);
    set("GIT_SHALLOW_FILE", place.objects.parent_path() / "shallow");
    set("GIT_CONFIG_GLOBAL", "/dev/null");
    set("GIT_CONFIG_NOSYSTEM", "1");
  }
  for (const auto& [name, value] : options.environment)
    command.environment.emplace_back(name, value);
  command.input = options.input;
  command.output_limit = options.output_limit;
  command.timeout = kGitTimeout;
  return command;
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
  auto finished = os_.processes.run(command_for(place_, words, options));
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
  return Error{Exit::machine, fmt::format("cannot {}", doing),
               clip(printable(reason(finished)), kReasonBytes),
               "mend what git names, then run the same command again"};
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
