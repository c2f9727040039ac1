#include "loop/confined_command.h"

#include "loop/hidden_places.h"

namespace pf {
namespace {

// The usual variables, and nothing that could hold a secret.
std::vector<std::string> variables_of_check(const Settings& settings) {
  std::vector<std::string> names = {"PATH",   "USER", "LOGNAME", "LANG",
                                    "LC_ALL", "TZ",   "SHELL",   "TERM"};
  names.insert(names.end(), settings.checks_env.begin(), settings.checks_env.end());
  return names;
}

// Without its variables.
Result<Confinement> mounts_of_check(Os& os, const LoopPaths& loop, const Settings& settings,
                                    const Path& directory) {
  Confinement c;
  c.home = TRY(home_directory(os));
  c.filtered = true;
  c.visible = {loop.repository.top, loop.repository.common};
  for (const std::string& kept : settings.checks_home) c.visible.push_back(c.home / kept);
  c.writable = {directory};
  c.sealed = {directory / ".git"};
  c.hidden = {loop.control};
  c.directory = directory;
  return c;
}

// Where the sockets are that it may call.
std::vector<Path> open_to_check(const Settings& settings, const Confinement& c) {
  std::vector<Path> open = c.writable;
  for (const std::string& name : settings.checks_home) open.push_back(c.home / name);
  return open;
}

}  // namespace

Result<Confinement> confinement_of_check(Os& os, const LoopPaths& loop, const std::string& name,
                                         const Settings& settings, const Path& directory) {
  Confinement c = TRY(mounts_of_check(os, loop, settings, directory));
  for (const std::string& variable : variables_of_check(settings))
    if (const auto value = os.env.get(variable)) c.environment.emplace_back(variable, *value);
  c.environment.emplace_back("PAIRFLOW_CHECK", name);
  c.environment.emplace_back("CI", "1");
  c.environment.emplace_back("HOME", c.home.string());
  TRY(hide_places(os, settings, open_to_check(settings, c), c));
  return c;
}

Result<LaunchPlan> plan_like_a_check(Os& os, const LoopPaths& loop, const std::string& name,
                                     const Settings& settings, const ConfinedCommand& command) {
  const Enforcement enforcement = find_enforcement(os);
  LaunchPlan plan;
  plan.keep = variables_of_check(settings);
  plan.set = {{"PAIRFLOW_CHECK", name}, {"CI", "1"}};
  plan.set.insert(plan.set.end(), command.variables.begin(), command.variables.end());
  plan.confined = enforcement.program.has_value();
  plan.ends_with_parent = true;
  plan.enforcement = plan.confined ? "sandbox" : "advisory: " + enforcement.why_not;
  if (plan.confined) {
    Confinement c = TRY(mounts_of_check(os, loop, settings, command.directory));
    c.visible.insert(c.visible.end(), command.visible.begin(), command.visible.end());
    c.sealed.insert(c.sealed.end(), command.sealed.begin(), command.sealed.end());
    c.shown = command.shown;
    c.bound = command.bound;
    TRY(hide_places(os, settings, open_to_check(settings, c), c));
    c.inherits = true;
    c.terminal = command.terminal;
    plan.set.push_back({"HOME", c.home.string()});
    plan.argv = bubblewrap(*enforcement.program, c);
  } else {
    plan.keep.emplace_back("HOME");
  }
  plan.argv.insert(plan.argv.end(), command.argv.begin(), command.argv.end());
  return plan;
}

}  // namespace pf
