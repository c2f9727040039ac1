#include "loop/sandbox_trial.h"

#include <fmt/format.h>

#include <array>

#include "agents/kind.h"
#include "base/text.h"
#include "loop/agent_sandbox.h"
#include "loop/held_names.h"
#include "loop/hidden_places.h"
#include "loop/other_loops.h"

namespace pf {
namespace {

// Each is a command of a shell that ends well when the sandbox does not hold.
struct Attempt {
  std::string_view name, command;
};
constexpr auto kAttempts = std::to_array<Attempt>({
    {"write outside of its worktree", ": >>\"$PAIRFLOW_REPO/outside\" || : >>/etc/pairflow-trial"},
    {"write the repository's git directory", ": >>\"$PAIRFLOW_REPO/.git/config\""},
    {"change the kernel's settings", ": >>/proc/sys/kernel/core_pattern"},
    {"read the home directory", "cat \"$PAIRFLOW_REPO/../secret\""},
    {"reach tmux", "test -S \"$TRIAL_SOCKET\" || tmux -S \"$TRIAL_SOCKET\" list-sessions"},
    {"reach a tmux server elsewhere", "tmux -S \"$PAIRFLOW_REPO/tmux\" list-sessions"},
    // Where neither a variable nor a parent tells whose it is.
    {"run a human's command",
     "setsid -f env -i \"PATH=$PATH\" \"HOME=$HOME\" sh -c 'sleep 0.2; pairflow plan init trial "
     "--repo \"$0\"; echo $? >code' \"$PAIRFLOW_REPO\"; "
     "until test -s code; do sleep 0.02; done; grep -qx 0 code"},
});
constexpr std::string_view kAllTried = "THE END";

std::string script() {
  std::string text;
  for (const Attempt& attempt : kAttempts)
    text += fmt::format("if ({}) >/dev/null 2>&1 </dev/null; then echo {}; fi\n", attempt.command,
                        shell_quoted(attempt.name));
  return text + fmt::format("echo {}\n", shell_quoted(kAllTried));
}

// Gone with what it holds when the trial ends.
struct Scratch {
  Os& os;
  Path directory;
  ~Scratch() {
    [[maybe_unused]] const auto gone = os.files.remove_all(directory);
    [[maybe_unused]] const auto others = other_loops(os);  // forgets what is gone
  }
};

Status make_repository(Os& os, const Path& top) {
  for (const char* name : {".pairflow/locks", ".pairflow/runtime", "worktree"})
    TRY(os.files.make_directories(top / name));
  TRY(os.files.replace(top.parent_path() / "secret", "", Durable::no));
  Command command{{"git", "init", "-q", top.string()}};
  command.timeout = std::chrono::seconds(30);
  const auto made = TRY(os.processes.run(command));
  if (made.ok()) return {};
  return fail(Exit::machine, "git cannot make a repository", printable(trim(made.err)), "");
}

// A server of tmux where nobody would look for one; ends by itself if we are killed.
struct ElsewhereTmux {
  Os& os;
  Path socket;
  ElsewhereTmux(Os& given, Path at) : os(given), socket(std::move(at)) {
    tmux({"new-session", "-d", "sleep 60"});
  }
  ElsewhereTmux(const ElsewhereTmux&) = delete;
  ElsewhereTmux& operator=(const ElsewhereTmux&) = delete;
  ~ElsewhereTmux() { tmux({"kill-server"}); }
  void tmux(std::vector<std::string> words) const {
    Command command{{"tmux", "-S", socket.string(), "-f", "/dev/null"}};
    command.argv.insert(command.argv.end(), words.begin(), words.end());
    command.timeout = std::chrono::seconds(10);
    [[maybe_unused]] const auto ran = os.processes.run(command);
  }
};

Path socket_of(Os& os, const Settings& settings) {
  const Path socket = tmux_socket(os, settings);
  if (socket.is_absolute()) return socket;
  const std::string directory = os.env.get("TMUX_TMPDIR").value_or("");
  return Path(directory.empty() ? "/tmp" : directory) / fmt::format("tmux-{}", os.env.uid()) /
         socket;
}

Result<AgentSettings> shell_agent(const Settings& settings) {
  for (const KindSettings* kind : agent_kinds())
    if (kind->takes_templates) {
      AgentSettings agent = settings.agents.front();
      agent.kind = kind;
      agent.command = {"/bin/sh", "-c", script()};
      return agent;
    }
  return fail(Exit::machine, "no kind of agent takes any program");
}

}  // namespace

Result<std::vector<std::string>> try_sandbox(Os& os, const Settings& settings) {
  const Path state = TRY(state_directory(os));
  const Scratch scratch{os, state / fmt::format("trial-{}", os.random.token())};
  const Path top = scratch.directory / "repo";
  TRY(make_repository(os, top));
  const Repository repository{TRY(os.files.canonical(top)), TRY(os.files.canonical(top / ".git"))};
  const LoopPaths paths(repository, "trial", "trial", "events.ndjson");
  const ElsewhereTmux elsewhere(os, repository.top / "tmux");
  const AgentSettings agent = TRY(shell_agent(settings));
  AgentLaunching launching(os,
                           {paths, repository.top / "worktree", paths.channels / "trial" / "socket",
                            paths.runtime / "trial.home"},
                           settings, agent, true);
  launching.converse("");
  LaunchPlan plan = TRY(launching.plan()).plan;
  plan.set.push_back({"TRIAL_SOCKET", socket_of(os, settings).string()});
  Command command{TRY(entering(os, paths.runtime / "trial.launch", plan)), top};
  command.timeout = std::chrono::seconds(60);
  const auto ran = TRY(os.processes.run(command));
  std::vector<std::string> could;
  for (const std::string_view line : split(trim(ran.out), '\n')) could.emplace_back(line);
  if (could.back() != kAllTried)
    return fail(Exit::machine, "a program does not start in the sandbox",
                clip(printable(trim(ran.err)), 300),
                "look at what bubblewrap says; pairflow start is refused or fails the same way");
  could.pop_back();
  return could;
}

std::string tried_in_words() {
  std::vector<std::string> names;
  for (const Attempt& attempt : kAttempts) names.emplace_back(attempt.name);
  return join(names, ", ");
}

}  // namespace pf
