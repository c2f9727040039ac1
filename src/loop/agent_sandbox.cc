#include "loop/agent_sandbox.h"

#include <fmt/format.h>

#include <algorithm>

#include "agents/kind.h"
#include "loop/git_in_reach.h"
#include "loop/held_names.h"
#include "loop/hidden_places.h"
#include "loop/other_loops.h"
#include "loop/own_directory.h"

namespace pf {
namespace {

// Where the agent's channel is inside.
constexpr const char* kChannelInside = "/run/pairflow/socket";

// An id for a new conversation.
std::string new_uuid(Random& random) {
  std::string hex = random.token(16);
  hex[12] = '4';
  hex[16] = '8';
  return fmt::format("{}-{}-{}-{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4),
                     hex.substr(16, 4), hex.substr(20, 12));
}

}  // namespace

Enforcement enforcement_for_agents(Os& os, const Settings& settings) {
  if (settings.sandbox_mode == "off") return {std::nullopt, "[sandbox] mode is off"};
  return find_enforcement(os);
}

std::string build_place(Os& os, const Settings& settings) {
  const bool has =
      enforcement_for_agents(os, settings).program && !settings.sandbox_reviewer_writable;
  return has ? kBuildInside : "";
}

Status check_confinement(Os& os, const Settings& settings, const Repository& repository) {
  if (!enforcement_for_agents(os, settings).program) return {};
  const Path home = TRY(home_directory(os));
  TRY(refuse_home_inside(home, repository.top));
  return refuse_home_inside(home, repository.common);
}

AgentLaunching::AgentLaunching(Os& os, AgentPlace place, const Settings& settings,
                               const AgentSettings& agent, bool edits)
    : os_(os),
      place_(std::move(place)),
      settings_(settings),
      agent_(agent),
      enforcement_(enforcement_for_agents(os, settings)),
      home_(home_directory(os)) {
  context.repo = place_.loop.repository.top;
  context.edits = edits;
  context.worktree = place_.worktree;
  context.executable = os.env.executable();
  context.path = os.env.get("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
  context.home = home_ ? *home_ : Path(os.env.get("HOME").value_or(""));
  context.environment = os.env.all();
  const std::string& for_role = edits ? agent.implementer_model : agent.reviewer_model;
  context.model = for_role.empty() ? agent.model : for_role;
  for (const NamedCommand& command : settings.commands) context.checks.push_back(command.command);
  context.confined = enforcement_.program.has_value();
  context.channel = context.confined ? std::string(kChannelInside) : place_.channel.string();
}

bool AgentLaunching::is_apart() const {
  return !place_.shown.empty() && context.confined && !context.edits &&
         !settings_.sandbox_reviewer_writable;
}

void AgentLaunching::converse(const std::string& conversation) {
  context.continues = !conversation.empty();
  context.conversation = context.continues ? conversation : new_uuid(os_.random);
}

// The file system read-only, its worktree writable for an agent that may edit, our papers but
// neither locks nor runtime, its own channel, and of the home directory only what it needs.
Result<Confinement> AgentLaunching::confinement(const AgentLaunch& launch) const {
  const Path& home = context.home;
  const Path& worktree = place_.worktree;
  const LoopPaths& loop = place_.loop;
  const bool edits = context.edits || settings_.sandbox_reviewer_writable;
  Confinement c;
  c.home = home;
  c.terminal = true;
  c.directory = worktree;
  c.visible = {loop.repository.top, loop.repository.common, context.executable};
  for (const std::string& name : settings_.checks_home) c.visible.push_back(home / name);
  for (const std::string& name : launch.home_visible) c.visible.push_back(home / name);
  if (is_apart())
    c.shown.emplace_back(place_.shown, worktree);
  else if (!edits || editable() != worktree)
    c.visible.push_back(worktree);
  if (!edits && !place_.build.empty()) c.bound.emplace_back(place_.build, kBuildInside);
  if (edits) c.writable.push_back(editable());
  for (const std::string& name : launch.home_writable) c.writable.push_back(home / name);
  for (const std::string& name : launch.home_sealed) c.sealed.push_back(home / name);
  for (const std::string& name : settings_.sandbox_allow)
    c.writable.push_back(below_home(name, home));
  TRY(seal_own(launch, c));
  if (settings_.sandbox_git == "writable")
    c.writable.push_back(loop.repository.common);
  else if (edits)
    TRY(seal_git(c));
  c.sealed.push_back(loop.control);  // it lies in a worktree that is the repository's own
  c.hidden.push_back(loop.runtime);
  c.hidden.push_back(loop.control / "locks");
  // Our own records, where [sandbox] allow or `home` shows what holds them.
  const Path state = TRY(state_directory(os_));
  const bool is_shown =
      std::ranges::any_of(c.writable, [&](const Path& path) { return lies_in(state, path); });
  if (is_shown) {
    TRY(os_.files.make_directories(state));
    c.hidden.push_back(state);
  }
  c.shown.emplace_back(place_.channel.parent_path(), Path(kChannelInside).parent_path());
  const Path socket = tmux_socket(os_, settings_);
  TRY(note_loops(os_, {loop.control, socket.is_absolute() ? socket : Path()}));
  std::vector<Path> open;  // to be called there
  if (edits) open.push_back(editable());
  for (const std::string& name : agent_.home) open.push_back(home / name);
  TRY(hide_places(os_, settings_, std::move(open), c));
  return c;
}

// What of its program's own directory the program does not write; and what it runs from there is
// the agent's own.
Status AgentLaunching::seal_own(const AgentLaunch& launch, Confinement& c) const {
  if (launch.own_directory.empty()) return {};
  const OwnFiles& own = kind_of(agent_).own;
  std::vector<Path> allowed;
  for (const std::string& name : settings_.sandbox_allow)
    allowed.push_back(below_home(name, context.home));
  const auto sealed = TRY(sealed_of_own(os_, launch.own_directory, own, allowed));
  c.sealed.insert(c.sealed.end(), sealed.begin(), sealed.end());
  c.pinned = directories_between(launch.own_directory, sealed);
  for (const std::string_view name : own.apart) c.hidden.push_back(launch.own_directory / name);
  return {};
}

// The worktree's own .git, and whatever else git obeys in what the agent may write.
Status AgentLaunching::seal_git(Confinement& c) const {
  c.sealed.push_back(place_.worktree / ".git");
  const GitInReach inside = TRY(git_in_reach(os_, place_.worktree, editable()));
  c.pinned.insert(c.pinned.end(), inside.pinned.begin(), inside.pinned.end());
  c.sealed.insert(c.sealed.end(), inside.sealed.begin(), inside.sealed.end());
  return {};
}

// The agent's copies of the user's files, and where they lie for it.
Result<std::vector<std::pair<Path, Path>>> AgentLaunching::make_copies(
    const AgentLaunch& launch) const {
  std::vector<std::pair<Path, Path>> bound;
  for (const PrivateCopy& copy : launch.copies) {
    const auto text = TRY(os_.files.read_if_there(copy.file));
    if (!text) continue;  // the program was never used: it has questions of its own
    auto changed = copy.changed(*text, context);
    if (!changed) continue;  // damaged: the program says so itself
    const Path kept = place_.copies / copy.file.filename();
    TRY(os_.files.make_directories(kept.parent_path()));
    TRY(os_.files.replace(kept, *changed, Durable::no));
    bound.emplace_back(kept, copy.file);
  }
  return bound;
}

Result<AgentLaunching::Planned> AgentLaunching::plan() const {
  Planned planned{TRY(plan_launch(agent_, context)), {}};
  auto& [launch, plan] = planned;
  plan.keep = launch.keep;
  for (const auto& [name, value] : launch.environment)
    if (!context.confined || name != "PAIRFLOW_TMUX_SOCKET") plan.set.push_back({name, value});
  plan.confined = context.confined;
  plan.enforcement = context.confined ? "sandbox" : "advisory: " + enforcement_.why_not;
  plan.conversation = launch.conversation;
  plan.confirms = launch.confirms;
  plan.apart = is_apart();
  if (context.confined) {
    plan.set.push_back({"HOME", TRY(Result<Path>(home_)).string()});
    TRY(os_.files.make_directories(place_.channel.parent_path()));
    Confinement confined = TRY(confinement(launch));
    for (auto& copy : TRY(make_copies(launch))) confined.bound.push_back(std::move(copy));
    plan.held = TRY(names_to_hold(os_, launch, kind_of(agent_).own, place_.loop.lease.string()));
    plan.argv = bubblewrap(*enforcement_.program, confined);
  }
  plan.argv.insert(plan.argv.end(), launch.argv.begin(), launch.argv.end());
  return planned;
}

Result<std::vector<std::string>> entering(Os& os, const Path& file, const LaunchPlan& plan) {
  TRY(os.files.make_directories(file.parent_path()));
  TRY(os.files.replace(file, text_of(plan), Durable::no));
  return std::vector<std::string>{os.env.executable().string(), "enter", "--plan", file.string()};
}

}  // namespace pf
