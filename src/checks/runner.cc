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

bool is_red(const CheckDone& check) { return !check.ok() && check.unable().empty(); }

// How many come before the last red one, and it itself. None where one was unable to run: all of
// them say nothing then.
std::size_t count_to_last_red(const std::vector<CheckDone>& done) {
  if (!std::ranges::all_of(done, [](const CheckDone& c) { return c.unable().empty(); })) return 0;
  std::size_t count = done.size();
  while (count > 0 && !is_red(done[count - 1])) --count;
  return count;
}

// The later try is what counts, also where the first one was green.
void take_again(CheckDone& first, CheckDone again) {
  if (first.ok() && again.ok()) return;
  again.flaky = again.ok();
  again.took += first.took;
  again.output =
      fmt::format("{}\n## {}; tried again\n\n{}", first.output, ending(first), again.output);
  first = std::move(again);
}

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
    const std::function<std::vector<std::string>()>& wrapper,
    const std::vector<std::pair<std::string, std::optional<std::string>>>& environment,
    const RunLimits& limits) {
  const MonoTime deadline = os.clock.mono() + limits.timeout;
  const auto try_once = [&](const CheckToRun& check) -> Result<CheckDone> {
    Command command{wrapper ? wrapper() : std::vector<std::string>()};
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
    command.mark = limits.mark;
    const MonoTime began = os.clock.mono();
    const Finished finished = TRY(os.processes.run(command));
    return CheckDone{
        check.name,         check.command,    finished.code, os.clock.mono() - began,
        finished.timed_out, finished.no_room, false,         finished.out + finished.err};
  };
  const auto try_first = [&](std::size_t count) -> Result<std::vector<CheckDone>> {
    std::vector<CheckDone> done;
    for (std::size_t i = 0; i < count; ++i) {
      done.push_back(TRY(try_once(checks[i])));
      if (checks[i].name == kSetup && !done.back().ok()) break;
    }
    return done;
  };
  auto done = TRY(try_first(checks.size()));
  for (int i = 0; i < limits.retries && count_to_last_red(done) > 0; ++i) {
    if (limits.restore) TRY(limits.restore());
    auto again = TRY(try_first(count_to_last_red(done)));
    for (std::size_t at = 0; at < again.size(); ++at) take_again(done[at], std::move(again[at]));
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
