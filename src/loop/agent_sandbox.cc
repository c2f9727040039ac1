#include "loop/agent_sandbox.h"

#include <fmt/format.h>

namespace pf {
namespace {

// "~/x" and "x" are below the home directory.
Path below_home(const std::string& named, const Path& home) {
  if (named.starts_with('/')) return named;
  return home / (named.starts_with("~/") ? named.substr(2) : named);
}

// The agent's copies of the user's files, and where they lie for it.
Result<std::vector<std::pair<Path, Path>>> make_copies(Files& files, const Path& directory,
                                                       const AgentLaunch& launch,
                                                       const LaunchContext& context) {
  std::vector<std::pair<Path, Path>> bound;
  for (const PrivateCopy& copy : launch.copies) {
    const auto text = TRY(files.read_if_there(copy.file));
    if (!text) continue;  // the program was never used: it has questions of its own
    auto changed = copy.changed(*text, context);
    if (!changed) continue;  // damaged: the program says so itself
    const Path kept = directory / copy.file.filename();
    TRY(files.make_directories(kept.parent_path()));
    TRY(files.replace(kept, *changed, Durable::no));
    bound.emplace_back(kept, copy.file);
  }
  return bound;
}

}  // namespace

Enforcement enforcement_for_agents(Os& os, const Settings& settings) {
  if (settings.sandbox_mode == "off") return {std::nullopt, "[sandbox] mode is off"};
  return find_enforcement(os);
}

Confinement confinement_of_agent(const AgentPlace& place, const Settings& settings,
                                 const AgentLaunch& launch, const LaunchContext& context) {
  const Path& home = context.home;
  const bool edits = context.edits || settings.sandbox_reviewer_writable;
  Confinement c;
  c.home = home;
  c.terminal = true;
  c.directory = place.worktree;
  c.visible = {place.repository.top, place.repository.common, context.executable};
  for (const std::string& name : settings.checks_home) c.visible.push_back(home / name);
  for (const std::string& name : launch.home_visible) c.visible.push_back(home / name);
  const Path& editable = place.editable.empty() ? place.worktree : place.editable;
  if (!edits || editable != place.worktree) c.visible.push_back(place.worktree);
  if (edits) c.writable.push_back(editable);
  for (const std::string& name : launch.home_writable) c.writable.push_back(home / name);
  for (const std::string& name : launch.home_sealed) c.sealed.push_back(home / name);
  for (const std::string& name : settings.sandbox_allow)
    c.writable.push_back(below_home(name, home));
  if (settings.sandbox_git == "writable")
    c.writable.push_back(place.repository.common);
  else if (edits)
    c.sealed.push_back(place.worktree / ".git");
  c.sealed.push_back(place.control);  // it lies in a worktree that is the repository's own
  c.hidden = {place.control / "runtime", place.control / "locks"};
  c.bound = {{place.channel.parent_path(), Path(kChannelInside).parent_path()}};
  return c;
}

LaunchContext launch_context(Os& os, const AgentPlace& place, const Settings& settings,
                             const AgentSettings& agent, bool edits,
                             const Enforcement& enforcement) {
  LaunchContext context;
  context.repo = place.repository.top;
  context.edits = edits;
  context.worktree = place.worktree;
  context.executable = os.env.executable();
  context.path = os.env.get("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
  context.home = os.env.get("HOME").value_or("");
  context.environment = os.env.all();
  const std::string& for_role = edits ? agent.implementer_model : agent.reviewer_model;
  context.model = for_role.empty() ? agent.model : for_role;
  for (const NamedCommand& command : settings.commands) context.checks.push_back(command.command);
  context.confined = enforcement.program.has_value();
  context.channel = context.confined ? std::string(kChannelInside) : place.channel.string();
  return context;
}

Result<LaunchPlan> plan_process(Os& os, const AgentPlace& place, const Settings& settings,
                                const AgentLaunch& launch, const LaunchContext& context,
                                const Enforcement& enforcement) {
  LaunchPlan plan;
  plan.keep = launch.keep;
  for (const auto& [name, value] : launch.environment)
    if (!context.confined || name != "PAIRFLOW_TMUX_SOCKET") plan.set.push_back({name, value});
  plan.confined = context.confined;
  plan.enforcement = context.confined ? "sandbox" : "advisory: " + enforcement.why_not;
  plan.conversation = launch.conversation;
  plan.confirms = launch.confirms;
  if (context.confined) {
    TRY(os.files.make_directories(place.channel.parent_path()));
    Confinement confinement = confinement_of_agent(place, settings, launch, context);
    for (auto& copy : TRY(make_copies(os.files, place.copies, launch, context)))
      confinement.bound.push_back(std::move(copy));
    plan.argv = bubblewrap(*enforcement.program, confinement);
  }
  plan.argv.insert(plan.argv.end(), launch.argv.begin(), launch.argv.end());
  return plan;
}

std::string new_uuid(Random& random) {
  std::string hex = random.token(16);
  hex[12] = '4';
  hex[16] = '8';
  return fmt::format("{}-{}-{}-{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4),
                     hex.substr(16, 4), hex.substr(20, 12));
}

}  // namespace pf
