#include "engine/agent_sandbox.h"

namespace pf {
namespace {

// "~/x" and "x" are below the home directory.
Path below_home(const std::string& named, const Path& home) {
  if (named.starts_with('/')) return named;
  return home / (named.starts_with("~/") ? named.substr(2) : named);
}

}  // namespace

Enforcement enforcement_for_agents(Os& os, const Settings& settings) {
  if (settings.sandbox_mode == "off") return {std::nullopt, "[sandbox] mode is off"};
  return find_enforcement(os);
}

Confinement confinement_of_agent(const BubblePaths& paths, const bubble::State& state,
                                 const Settings& settings, const AgentLaunch& launch,
                                 const LaunchContext& context, bubble::Role role,
                                 const AgentName& agent, const Path& home) {
  const Path worktree = state.place.worktree;
  const bool edits = role == bubble::Role::implementer || settings.sandbox_reviewer_writable;
  Confinement c;
  c.home = home;
  c.terminal = true;
  c.directory = worktree;
  c.visible = {paths.repository.top, paths.repository.common, context.executable};
  for (const std::string& name : settings.checks_home) c.visible.push_back(home / name);
  for (const std::string& name : launch.home_visible) c.visible.push_back(home / name);
  if (!edits) c.visible.push_back(worktree);
  if (edits) c.writable.push_back(worktree);
  for (const std::string& name : launch.home_writable) c.writable.push_back(home / name);
  for (const std::string& name : launch.home_sealed) c.sealed.push_back(home / name);
  for (const std::string& name : settings.sandbox_allow)
    c.writable.push_back(below_home(name, home));
  if (settings.sandbox_git == "writable")
    c.writable.push_back(paths.repository.common);
  else if (edits)
    c.sealed.push_back(worktree / ".git");
  c.hidden = {paths.runtime, paths.control / "locks"};
  c.bound = {{paths.channel(agent).parent_path(), Path(kChannelInside).parent_path()}};
  return c;
}

}  // namespace pf
