// What a landing asks of programs that are not git: the checks, and the pull request.
#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>

#include "base/text.h"
#include "checks/slots.h"
#include "git/git.h"
#include "git/users_git.h"
#include "loop/checks_checkout.h"
#include "role/host/landing.h"

namespace pf {
namespace {

constexpr Duration kQueue = std::chrono::hours(24);  // behind the runs of bubbles
constexpr Duration kPullTimeout = std::chrono::minutes(10);

std::string filled(std::string text,
                   const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [name, value] : values)
    boost::replace_all(text, "{{" + name + "}}", shell_quoted(value));
  return text;
}

// The last line that is an address, else nothing.
std::string address_in(std::string_view text) {
  std::string found;
  for (const std::string_view line : split(text, '\n'))
    if (trim(line).starts_with("http")) found = std::string(trim(line));
  return found;
}

// The last lines of the first check that failed.
std::vector<std::string> end_of(const std::vector<CheckDone>& done, std::size_t most) {
  constexpr std::size_t kLine = 160;
  const auto failed = std::ranges::find_if(done, [](const CheckDone& c) { return !c.ok(); });
  std::vector<std::string> lines;
  if (failed == done.end()) return lines;
  for (const std::string_view line : split(failed->output, '\n'))
    if (!trim(line).empty() && !line.starts_with("## "))
      keep_last(lines, most, clip(printable(line), kLine));
  return lines;
}

}  // namespace

Result<role::Command> run_landing_checks(RoleLoop& loop, const role::RunChecks& effect) {
  Os& os = loop.os();
  const RolePaths& paths = loop.paths();
  const Settings settings = TRY(loop.settings());
  const Lock slot = TRY(take_slot(os, slot_directory(os), settings.checks_slots, kQueue));
  std::vector<CheckToRun> wanted;
  for (const NamedCommand& command : settings.commands)
    wanted.push_back({command.name, command.command});
  const Git git(os, {.git_dir = paths.repository.common});
  const auto named = [&](const char* what) {
    return git.line("look at what is to be checked", {"rev-parse", effect.commit.str() + what});
  };
  const ChecksCheckout checkout{{.repository = paths.repository,
                                 .directory = paths.checking,
                                 .index = paths.index,
                                 .base = CommitId(TRY(named("^1")))},
                                paths.checking_kept};
  const auto ran = check_tree(os, paths, kRoleLoop, settings, checkout,
                              TreeId(TRY(named("^{tree}"))), wanted, Begin::empty);
  TRY(os.files.remove_all(paths.checking));
  TRY(os.files.remove(paths.checking_kept));
  if (!ran) return std::unexpected(ran.error());
  const Path log =
      paths.checks / fmt::format("{:04}{}.txt", effect.landing, effect.of_merge ? "-merge" : "");
  TRY(os.files.make_directories(paths.checks));
  TRY(os.files.replace(log, log_text(ran->done), Durable::no));
  role::ReportChecks filed{effect.landing, effect.commit};
  filed.what = failed_checks(ran->done);
  filed.passed = filed.what.empty() && !settings.commands.empty();
  if (settings.commands.empty()) filed.what = "there are none any more";
  if (!filed.passed) {
    const auto few = end_of(ran->done, 4);
    if (!few.empty()) filed.what += "; its log ends: " + join(few, " | ");
    filed.log_end = join(end_of(ran->done, 30), "\n");
  }
  if (filed.passed) filed.what = flaky_checks(ran->done);
  filed.artifacts = {log.lexically_relative(paths.repository.top).string()};
  return filed;
}

// It runs in a directory that agents cannot write, so that a relative path, of the command or of
// git's configuration (an ssh command, a credential helper), leads to nothing of theirs.
Result<role::Command> open_pull_request(RoleLoop& loop, const role::OpenPull& effect) {
  Os& os = loop.os();
  const Settings settings = TRY(loop.settings());
  role::ReportPull filed{effect.landing};
  if (const auto within = TRY(settings_in_checkout(os, loop.paths().repository)); !within.empty()) {
    filed.error = fmt::format("git's configuration is also read from {}, which agents can write",
                              printable(name_some(within, 5)));
    return filed;
  }
  const std::string script = filled(settings.role_pr_command, {{"branch", effect.branch},
                                                               {"base", effect.base},
                                                               {"title", effect.title},
                                                               {"body", effect.body}});
  Command command{{"/bin/sh", "-c", script}, loop.paths().control};
  command.environment = {{"GIT_TERMINAL_PROMPT", "0"}, {"GH_PROMPT_DISABLED", "1"}};
  for (auto& variable : without_own_programs(os))
    command.environment.push_back(std::move(variable));
  command.timeout = kPullTimeout;
  const auto ran = os.processes.run(command);
  if (!ran)
    filed.error = ran.error().what;
  else if (!ran->ok())
    filed.error =
        fmt::format("exit {}: {}", ran->code, trim(ran->err.empty() ? ran->out : ran->err));
  else
    filed.url = address_in(ran->out);
  return filed;
}

}  // namespace pf
