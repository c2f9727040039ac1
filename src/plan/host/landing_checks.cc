#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "checks/slots.h"
#include "loop/confined_checks.h"
#include "plan/host/landing.h"

namespace pf {
namespace {

constexpr Duration kQueue = std::chrono::hours(24);  // behind the runs of other loops

// The end of the first one that failed.
std::string end_of_log(const std::vector<CheckDone>& done) {
  constexpr std::size_t kEnd = 2000;
  const auto failed = std::ranges::find_if(done, [](const CheckDone& c) { return !c.ok(); });
  if (failed == done.end()) return "";
  const std::string_view text = failed->output;
  return printable_lines(text.substr(text.size() - std::min(text.size(), kEnd)));
}

}  // namespace

Result<std::string> check_landing(PlanLoop& loop, const TreeId& tree) {
  Os& os = loop.os();
  const PlanPaths& paths = loop.paths();
  const Settings settings = TRY(loop.settings());
  const std::string name = "plan." + paths.feature.str();
  const Path directory = paths.beside(name + ".checks");
  const Lock slot = TRY(take_slot(os, slot_directory(os), settings.checks_slots, kQueue));
  std::vector<CheckToRun> wanted;
  if (!settings.setup.empty()) wanted.push_back({std::string(kSetup), settings.setup});
  for (const NamedCommand& command : settings.commands)
    wanted.push_back({command.name, command.command});
  TRY(loop.workspace({}).check_out(tree, directory));
  const auto ran = run_confined_checks(os, paths, name, settings, directory, wanted);
  TRY(os.files.remove_all(directory));
  if (!ran) return std::unexpected(ran.error());
  const std::string failed = failed_checks(ran->done);
  return failed.empty() ? "" : fmt::format("{}\n{}", failed, end_of_log(ran->done));
}

}  // namespace pf
