#include "tmux/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/text.h"
#include "tmux/panes.h"

namespace pf {
namespace {

// Leaves as it came: with nobody else at the door.
class ControlClient : public HeldChild {
 public:
  ControlClient(TmuxServer server, std::unique_ptr<HeldChild> client)
      : server_(std::move(server)), client_(std::move(client)) {}
  ControlClient(const ControlClient&) = delete;
  ControlClient& operator=(const ControlClient&) = delete;
  ~ControlClient() override {
    const auto unshared = server_.alone();
    client_.reset();
  }
  int output() const override { return client_->output(); }
  std::optional<std::string> read_some() override { return client_->read_some(); }

 private:
  TmuxServer server_;
  std::unique_ptr<HeldChild> client_;
};

bool is_variable(std::string_view name) {
  return !name.empty() && !ascii::is_digit(name[0]) &&
         std::ranges::all_of(name, [](char c) { return ascii::is_alnum(c) || c == '_'; });
}

Status check_launch(const LaunchSpec& launch) {
  const auto refuse = [&](std::string why) {
    return fail(Exit::usage, fmt::format("agent '{}' cannot be launched", printable(launch.holder)),
                std::move(why), "correct the agent's settings");
  };
  const auto has_nul = [](const std::string& text) { return text.contains('\0'); };
  if (!is_word(launch.role) || !is_key(launch.key))
    return refuse("its role or key is no plain word");
  if (launch.argv.empty() || launch.argv[0].empty()) return refuse("its command is empty");
  if (std::ranges::any_of(launch.argv, has_nul)) return refuse("its command contains a NUL");
  for (const auto& [name, value] : launch.environment)
    if (!is_variable(name) || has_nul(value))
      return refuse(fmt::format("'{}' cannot be set in an environment", printable(name)));
  return {};
}

// tmux expands formats and times in the command and hands it to a shell.
TmuxCommand tap_command(const std::string& pane, const std::vector<std::string>& argv) {
  std::string command = "exec";
  for (const std::string& word : argv) command += " " + shell_quoted(word);
  std::string plain;
  for (const char c : command) {
    if (c == '#' || c == '%') plain += c;
    plain += c;
  }
  return {"pipe-pane", "-O", "-t", pane, plain};
}

}  // namespace

TmuxSession::TmuxSession(Os& os, SessionSpec spec)
    : os_(os), spec_(std::move(spec)), name_("pf-" + spec_.bubble), server_(os, spec_.socket) {}

std::string TmuxSession::session() const { return "=" + name_ + ":"; }

// A session says itself whose it is; nothing when there is none of this name.
Result<std::optional<std::string>> TmuxSession::owner_of(const std::string& name) {
  name_ = name;
  auto owner = TRY(server_.ask(
      {{"has-session", "-t", session()}, {"show-options", "-qv", "-t", session(), "@pf_owner"}}));
  if (owner) owner = std::string(trim(*owner));
  return owner;
}

Status TmuxSession::find_name() {
  constexpr std::size_t kShortOwner = 8;
  const std::string plain = "pf-" + spec_.bubble;
  const std::string other = plain + "-" + spec_.owner.substr(0, kShortOwner);
  const auto first = TRY(owner_of(plain));
  if (first == spec_.owner) return {};
  const auto second = TRY(owner_of(other));
  if (second != spec_.owner && !first) name_ = plain;
  return {};
}

Status TmuxSession::check() const {
  if (spec_.socket.empty()) return fail(Exit::usage, "the tmux socket has no name");
  if (spec_.status_command.empty()) return fail(Exit::usage, "the status view has no command");
  TRY(parse_bubble_id(spec_.bubble));
  for (const auto& agent : spec_.agents) {
    TRY(parse_agent_name(agent));
    if (agent == kStatusHolder || std::ranges::count(spec_.agents, agent) > 1)
      return fail(Exit::usage, fmt::format("'{}' cannot name a pane", agent),
                  "every pane has a name of its own, and 'status' is the first pane's",
                  "give the agent another name");
  }
  const auto info = TRY(os_.files.info(spec_.directory));
  if (!info || info->kind != FileKind::directory)
    return fail(Exit::machine, fmt::format("no directory {}", spec_.directory.string()),
                "the panes of the session start there", "restore it, then run the command again");
  return {};
}

// sh makes sure of the directory: tmux would take the home directory when it is missing, and
// expands formats in the path. It also is why a command of one word is not split by a shell.
std::vector<std::string> TmuxSession::in_directory(const std::vector<std::string>& argv) const {
  std::vector<std::string> words = {"/bin/sh", "-c", "cd -- \"$0\" && exec \"$@\"",
                                    spec_.directory.string()};
  words.insert(words.end(), argv.begin(), argv.end());
  return words;
}

Result<std::vector<PaneSeen>> TmuxSession::observe() {
  TRY(parse_bubble_id(spec_.bubble));
  const auto look = [&] {
    return server_.ask({{"show-options", "-qv", "-t", session(), "@pf_owner"},
                        {"list-panes", "-s", "-t", session(), "-F", pane_format()}});
  };
  auto lines = TRY(look());
  const auto ours = [&] {
    return lines && (spec_.owner.empty() || lines->starts_with(spec_.owner + "\n"));
  };
  if (!ours()) {
    const std::string before = name_;
    TRY(find_name());
    if (name_ != before) lines = TRY(look());
  }
  if (!ours()) return std::vector<PaneSeen>{};
  return parse_panes(*lines, spec_.bubble);
}

Result<std::string> TmuxSession::launch(const LaunchSpec& launch) {
  TRY(check());
  TRY(check_launch(launch));
  auto panes = TRY(observe());
  if (find_holder(panes, launch.holder) == nullptr) {
    TRY(ensure_session());
    panes = TRY(observe());
  }
  const PaneSeen* held = find_holder(panes, launch.holder);
  if (held != nullptr && !held->key.empty()) {
    TRY(renew_pane(*held));
    panes = TRY(observe());
    held = find_holder(panes, launch.holder);
  }
  if (held == nullptr || launch.holder == kStatusHolder)
    return fail(Exit::usage, fmt::format("no pane for '{}'", printable(launch.holder)),
                "the session holds panes for its own agents only");
  std::string pane = held->pane;
  TmuxCommand respawn = {"respawn-pane", "-k", "-t", pane};
  std::optional<std::string> path;
  for (const auto& [name, value] : launch.environment) {
    respawn.insert(respawn.end(), {"-e", fmt::format("{}={}", name, value)});
    if (name == "PATH") path = value;  // tmux lets the caller's PATH win over -e
  }
  respawn.emplace_back("--");
  std::ranges::copy(in_directory(launch.argv), std::back_inserter(respawn));
  const auto submitted = std::to_string(number(launch.submitted));
  std::vector<TmuxCommand> commands = {
      respawn,
      set_pane_option(pane, "@pf_key", launch.key),
      set_pane_option(pane, "@pf_role", launch.role),
      set_pane_option(pane, "@pf_launch", std::to_string(number(launch.cause))),
      set_pane_option(pane, "@pf_pasted", submitted),
      set_pane_option(pane, "@pf_submitted", submitted)};
  if (!launch.tap.empty()) commands.push_back(tap_command(pane, launch.tap));
  const auto done = TRY(server_.ask(commands, path));
  if (done) return pane;
  return fail(Exit::machine, fmt::format("the pane of '{}' was closed", launch.holder),
              "it went away while the agent was being launched", "run the same command again");
}

Result<std::string> TmuxSession::screen(const PaneSeen& pane) {
  return TRY(server_.ask({{"capture-pane", "-p", "-t", pane.pane}})).value_or("");
}

Status TmuxSession::close_session() {
  TRY(parse_bubble_id(spec_.bubble));
  TRY(find_name());
  if (TRY(owner_of(name_)) != spec_.owner) return {};
  const auto unshared = server_.alone();
  TRY(server_.ask({{"kill-session", "-t", session()}}));
  return {};
}

Command TmuxSession::attach_command() const {
  if (!server_.contains_us()) return server_.command({"attach-session", "-t", session()});
  Command command = server_.command({"switch-client", "-t", session()});
  command.environment.clear();  // tmux finds the client to switch by TMUX
  return command;
}

Result<std::unique_ptr<HeldChild>> TmuxSession::listen() {
  const auto unshared = server_.alone();
  return std::make_unique<ControlClient>(
      server_, TRY(os_.processes.hold(server_.command(
                   {"-C", "attach-session", "-f", "ignore-size,read-only", "-t", session()}))));
}

}  // namespace pf
