#include "checks/runner.h"

#include <fmt/format.h>

#include <algorithm>

namespace pf {
namespace {

// Both streams in the order they were written.
constexpr const char* kOneStream = "exec /bin/sh -c \"$1\" 2>&1";

std::string ending(const CheckDone& check) {
  if (check.timed_out) return "killed: out of time";
  if (check.no_room) return "killed: the disk is nearly full";
  if (check.code > 128) return fmt::format("ended by signal {}", check.code - 128);
  return fmt::format("exit {}", check.code);
}

constexpr int kNotExecutable = 126, kNotFound = 127,
              kKilled = 128 + 9;  // by the shell's convention

}  // namespace

std::string CheckDone::unable() const {
  if (timed_out) return "out of time";
  if (no_room) return "stopped: the disk is nearly full";
  if (code == kNotExecutable) return "cannot be executed: exit 126";
  if (code == kNotFound) return "not found: exit 127";
  if (code == kKilled) return "killed, most likely for its memory";
  if (name == kSetup && code != 0) return fmt::format("failed: exit {}", code);
  return "";
}

Result<std::vector<CheckDone>> run_checks(
    Os& os, const std::vector<CheckToRun>& checks, const Path& directory,
    const std::vector<std::string>& wrapper,
    const std::vector<std::pair<std::string, std::optional<std::string>>>& environment,
    const RunLimits& limits) {
  const MonoTime deadline = os.clock.mono() + limits.timeout;
  const auto try_once = [&](const CheckToRun& check) -> Result<CheckDone> {
    Command command{wrapper};
    for (const char* word : {"/bin/sh", "-c", kOneStream, "check"}) command.argv.emplace_back(word);
    command.argv.push_back(check.command);
    command.directory = directory;
    command.environment = environment;
    command.timeout = std::max(deadline - os.clock.mono(), Duration(std::chrono::seconds(1)));
    command.output_limit = limits.head;
    command.output_tail = limits.tail;
    command.keep_free = limits.keep_free;
    command.ends_with_us = true;
    command.given = limits.filter;
    const MonoTime began = os.clock.mono();
    const Finished finished = TRY(os.processes.run(command));
    return CheckDone{
        check.name,         check.command,    finished.code, os.clock.mono() - began,
        finished.timed_out, finished.no_room, false,         finished.out + finished.err};
  };
  std::vector<CheckDone> done;
  for (const CheckToRun& check : checks) {
    CheckDone now = TRY(try_once(check));
    for (int i = 0; i < limits.retries && !now.ok() && now.unable().empty(); ++i) {
      CheckDone again = TRY(try_once(check));
      again.flaky = again.ok();
      again.took += now.took;
      again.output =
          fmt::format("{}\n## {}; tried again\n\n{}", now.output, ending(now), again.output);
      now = std::move(again);
    }
    done.push_back(std::move(now));
    if (check.name == kSetup && !done.back().ok()) break;
  }
  return done;
}

std::string log_text(const std::vector<CheckDone>& checks) {
  std::string out;
  for (const CheckDone& check : checks) {
    out += fmt::format("## {}: {}\n## {}{} after {:.1f} s\n\n", check.name, check.command,
                       ending(check), check.flaky ? " (flaky)" : "",
                       std::chrono::duration<double>(check.took).count());
    out += check.output;
    if (!check.output.empty() && !check.output.ends_with('\n')) out += '\n';
    out += '\n';
  }
  return out;
}

}  // namespace pf
