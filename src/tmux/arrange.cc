// How it works. tmux keeps the layout; we only name what must be there: the status pane, then one
// pane per agent. A missing one is split off its predecessor, so that it gets its old place in the
// order, and then tmux's own layout puts the first pane on top of the others. A pane is made, and
// tagged as ours, in one command list: split-window and its kin make the new pane the one that the
// following commands mean.
#include <fmt/format.h>

#include <array>

#include "tmux/panes.h"
#include "tmux/session.h"

namespace pf {
namespace {

constexpr int kSessionColumns = 200;  // until somebody attaches
constexpr int kSessionRows = 50;
constexpr int kStatusRows = 14;         // and one for the title above them
constexpr int kRowsForFullStatus = 30;  // a lower window gives it a part of its rows
constexpr const char* kShareOfLowWindow = "35%";

// Titles and window names that an agent sets are shown nowhere.
constexpr std::array<std::array<const char*, 2>, 17> kServerOptions = {{
    {"default-terminal", "tmux-256color"},
    {"escape-time", "10"},
    {"history-limit", "50000"},
    {"mouse", "on"},
    {"set-titles", "off"},
    {"allow-rename", "off"},
    {"automatic-rename", "off"},
    {"remain-on-exit", "on"},
    {"remain-on-exit-format",
     "ended#{?pane_dead_status, with code #{pane_dead_status},}"
     "#{?pane_dead_signal, by signal #{pane_dead_signal},}"},
    {"status", "on"},
    {"status-style", "reverse"},
    {"status-left", " #{session_name}  "},
    {"status-left-length", "60"},
    {"status-right", " #{prefix} d: leave · #{prefix} o: next pane · #{prefix} z: zoom "},
    {"status-right-length", "80"},
    {"pane-border-status", "top"},
    {"pane-border-format", "#{?@pf_holder, #{@pf_holder}#{?@pf_role, (#{@pf_role}),} ,}"},
}};

// Tags the pane made just before in the same list: what `target` names, or tmux's own idea of it.
void tag_new_pane(std::vector<TmuxCommand>& commands, const TmuxCommand& target,
                  const std::string& bubble, const std::string& holder) {
  const auto set = [&](TmuxCommand command, std::initializer_list<std::string> words) {
    command.insert(command.end(), target.begin(), target.end());
    command.insert(command.end(), words);
    commands.push_back(std::move(command));
  };
  set({"set-option", "-p"}, {"@pf_bubble", bubble});
  set({"set-option", "-p"}, {"@pf_holder", holder});
  set({"set-option", "-p", "-F"}, {"@pf_pane", "#{pane_id}"});
}

template <class Words>
TmuxCommand with_words(TmuxCommand command, const Words& words) {
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

}  // namespace

// A session that a person keeps open with windows of their own gets a window, else a new session.
Status TmuxSession::open_window() {
  TRY(find_name());
  const auto program = in_directory(spec_.status_command);
  const auto found = TRY(server_.ask({{"has-session", "-t", session()}}));
  const bool there = found.has_value();
  std::vector<TmuxCommand> commands;
  if (there) {
    commands = {with_words({"new-window", "-t", session(), "-n", "pairflow", "--"}, program)};
  } else {
    for (const auto& [name, value] : kServerOptions)
      commands.push_back({"set-option", "-g", name, value});
    commands.push_back({"set-option", "-g", "main-pane-height", std::to_string(kStatusRows + 1)});
    commands.push_back(
        with_words({"new-session", "-d", "-s", name_, "-n", "pairflow", "-x",
                    std::to_string(kSessionColumns), "-y", std::to_string(kSessionRows), "--"},
                   program));
    if (!spec_.owner.empty())
      commands.push_back({"set-option", "-t", session(), "@pf_owner", spec_.owner});
  }
  tag_new_pane(commands, {"-t", session()}, spec_.bubble, std::string(kStatusHolder));
  if (there) commands.push_back({"last-window", "-t", session()});
  return server_.start(spec_.directory, commands);
}

Status TmuxSession::add_pane(std::size_t index, const std::vector<PaneSeen>& panes) {
  std::vector<TmuxCommand> commands;
  std::string holder(kStatusHolder);
  std::string neighbour = panes.front().pane;
  if (index == 0) {
    commands.push_back(with_words({"split-window", "-v", "-b", "-t", neighbour, "--"},
                                  in_directory(spec_.status_command)));
  } else {
    holder = spec_.agents[index - 1];
    const auto before = index == 1 ? std::string(kStatusHolder) : spec_.agents[index - 2];
    if (const auto* pane = find_holder(panes, before)) neighbour = pane->pane;
    commands.push_back({"split-window", index == 1 ? "-v" : "-h", "-t", neighbour, ""});
  }
  tag_new_pane(commands, {}, spec_.bubble, holder);
  commands.push_back({"last-pane", "-t", neighbour});
  TRY(server_.ask(commands));
  return {};
}

Status TmuxSession::arrange(const PaneSeen& status) {
  const auto resize = fmt::format(
      "if-shell -F '#{{e|>=:#{{window_height}},{}}}' 'resize-pane -t {} -y {}' "
      "'resize-pane -t {} -y {}'",
      kRowsForFullStatus, status.pane, kStatusRows, status.pane, kShareOfLowWindow);
  TRY(server_.ask({{"select-layout", "-t", status.pane, "main-horizontal"},
                   {"set-hook", "-w", "-t", status.pane, "window-resized", resize}}));
  return {};
}

// tmux (before mid-2026) crashes with all its sessions when a pane is respawned while a control
// client is behind on what it printed: nothing is respawned where something ran.
Status TmuxSession::renew_pane(const PaneSeen& used) {
  const auto unshared = server_.alone();
  const std::string fresh = session() + "{end}";
  std::vector<TmuxCommand> commands = {with_words(
      {"new-window", "-d", "-a", "-t", fresh, "-n", "pairflow", "--"}, in_directory({"true"}))};
  tag_new_pane(commands, {"-t", fresh}, spec_.bubble, used.holder);
  commands.push_back({"swap-pane", "-d", "-Z", "-s", fresh, "-t", used.pane});
  commands.push_back({"kill-pane", "-t", used.pane});
  TRY(server_.ask(commands));
  return {};
}

Status TmuxSession::ensure_session() {
  TRY(check());
  auto panes = TRY(observe());
  bool changed = panes.empty();
  const auto unshared = panes.size() <= spec_.agents.size() ? server_.alone() : nullptr;
  if (changed) {
    TRY(open_window());
    panes = TRY(observe());
  }
  for (std::size_t index = 0; index <= spec_.agents.size() && !panes.empty(); ++index) {
    const auto holder = index == 0 ? std::string(kStatusHolder) : spec_.agents[index - 1];
    if (find_holder(panes, holder) != nullptr) continue;
    TRY(add_pane(index, panes));
    panes = TRY(observe());
    changed = true;
  }
  const PaneSeen* status = find_holder(panes, kStatusHolder);
  const bool ended = status != nullptr && status->dead;
  if (ended) {
    TRY(renew_pane(*status));
    panes = TRY(observe());
    status = find_holder(panes, kStatusHolder);
  }
  if (status == nullptr)
    return fail(Exit::machine, fmt::format("the tmux session {} was closed", name_),
                "it went away while it was being restored", "run the same command again");
  if (ended)
    TRY(server_.ask({with_words({"respawn-pane", "-k", "-t", status->pane, "--"},
                                in_directory(spec_.status_command))}));
  return changed ? arrange(*status) : Status{};
}

}  // namespace pf
