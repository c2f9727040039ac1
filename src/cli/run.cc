#include "cli/run.h"

#include <algorithm>

#include "agents/enter.h"
#include "agents/player.h"
#include "agents/run_player.h"
#include "agents/scenario.h"
#include "cli/parse.h"
#include "cli/watch.h"
#include "engine/evidence_run.h"
#include "engine/role_landing.h"
#include "sandbox/seccomp.h"
#include "supervisor/loop.h"
#include "verbs/answered.h"
#include "verbs/caller.h"
#include "verbs/dispatch.h"
#include "verbs/relay.h"
#include "verbs/values.h"

namespace pf {
namespace {

Result<Said> run_supervise(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  auto done = supervise(loop);
  // The starter waits for a word of ours whatever happens.
  if (!done) caller.os.processes.tell_ready(done.error().what + ": " + done.error().why);
  TRY(std::move(done));
  return Said{};
}

Result<Said> run_checks_now(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  TRY(require_supervisor(caller, loop.paths().lease));
  TRY(run_evidence(loop));
  return Said{};
}

Result<Said> run_role_checks_now(Caller& caller, const Args& args) {
  RoleLoop loop(caller.os, RolePaths(TRY(repository_of(caller, args))));
  TRY(require_supervisor(caller, loop.paths().lease));
  const role::State state = TRY(loop.load());
  const role::Landing* landing = state.landing(args.number("landing", 0));
  if (landing == nullptr || landing->stage != role::Stage::checks) return Said{};
  TRY(loop.report(TRY(run_landing_checks(loop, *landing))));
  return Said{};
}

Result<Said> run_agent_script(Caller& caller, const Args& args) {
  const Scenario scenario = TRY(load_scenario(caller.os, args.text("scenario")));
  Said said;
  if (args.has("headless")) {
    said.exit = play_run(caller.os, scenario, args.text("conversation"));
    return said;
  }
  PlayerContext context;
  context.executable = caller.os.env.executable();
  context.agent = TRY(agent_caller(caller)).name;
  said.exit = play(caller.os, scenario, context);
  return said;
}

// Becomes the agent: its plan is written by the supervisor, the rest is the pane's.
Result<Said> run_enter(Caller& caller, const Args& args) {
  Os& os = caller.os;
  const LaunchPlan plan = TRY(parse_launch_plan(TRY(os.files.read(args.text("plan")))));
  if (plan.ends_with_parent) os.processes.end_with_parent();
  return std::unexpected(os.processes.become({plan.argv}, variables_for(plan, os.env.all()),
                                             plan.confined ? no_typing_filter() : ""));
}

// Keeps the newest of what comes in: the file and the one before it, each of a bounded size.
Result<Said> run_tap(Caller& caller, const Args& args) {
  constexpr std::uint64_t kLargest = 4u << 20;
  Os& os = caller.os;
  const Path path = args.text("file");
  auto file = TRY(os.files.open(path, Open::create));
  std::uint64_t size = TRY(file->size());
  for (std::string some = os.env.read_some(); !some.empty(); some = os.env.read_some()) {
    if (size > kLargest) {
      TRY(os.files.rename(path, Path(path.string() + ".old")));
      file = TRY(os.files.open(path, Open::create));
      size = 0;
    }
    size += TRY(file->write_at(size, some));
  }
  return Said{};
}

// Commands that only our own processes start.
std::vector<Verb> internal_verbs() {
  return {
      {"", "supervise", "Supervise one bubble.", "", Audience::internal, {kId}, run_supervise},
      {"",
       "run-checks",
       "Run the checks of one bubble.",
       "",
       Audience::internal,
       {kId},
       run_checks_now},
      {"",
       "run-role-checks",
       "Run the checks of what was approved.",
       "",
       Audience::internal,
       {{"landing", Type::number, "which", true}},
       run_role_checks_now},
      {"",
       "enter",
       "Become an agent in its pane.",
       "",
       Audience::internal,
       {{"plan", Type::word, "its launch plan", true}},
       run_enter},
      {"",
       "tap",
       "Keep what a pane shows.",
       "",
       Audience::internal,
       {{"file", Type::word, "where", true}},
       run_tap},
      {"", "relay", "Run one command of an agent.", "", Audience::internal, {}, run_relay},
      {"",
       "agent-script",
       "Play a scenario as an agent.",
       "",
       Audience::internal,
       {{"scenario", Type::word, "scenario file, or demo", true},
        {"headless", Type::flag, "one run of a plan"},
        {"conversation", Type::word, "what it goes on with"}},
       run_agent_script},
  };
}

// Texts given as "-" come from standard input.
Status read_texts(Os& os, const Verb& verb, Args& args) {
  bool read = false;
  for (const Param& param : verb.params) {
    if (!args.has(param.name) || param.type != Type::text) continue;
    auto values = args.all(param.name);
    for (std::string& value : values) {
      if (value != "-") continue;
      if (read)
        return fail(Exit::usage, "standard input was asked for twice", "", "use - only once");
      read = true;
      value = TRY(os.env.read_all(param.limit));
      while (value.ends_with('\n')) value.pop_back();
    }
    args.set(std::string(param.name), std::move(values));
  }
  return {};
}

// Shows the status until it ends.
Status watch(Caller& caller, const Parsed& command) {
  TRY(check_values(*command.verb, command.args));
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, command.args)));
  return watch_status(loop);
}

Answered run_parsed(Os& os, Parsed& command) {
  Caller caller{os, command.json};
  if (auto texts = read_texts(os, *command.verb, command.args); !texts)
    return answered(texts.error(), command.json);
  if (!command.args.has("watch")) return dispatch(caller, *command.verb, std::move(command.args));
  const auto watched = watch(caller, command);
  return watched ? Answered{} : answered(watched.error(), command.json);
}

// Output that is lost fails a command that only shows something; what another one did stands, and
// its code says so. A reader who has enough is nobody's trouble.
int print(Os& os, const Answered& all, bool shows = true) {
  os.env.print(Stream::out, all.out);
  os.env.print(Stream::err, all.err);
  const std::errc lost = os.env.output_error();
  if (lost == std::errc{} || lost == std::errc::broken_pipe) return all.exit;
  const bool stands = !shows && all.exit == 0;
  const Error error{
      Exit::machine, "standard output could not be written",
      std::make_error_code(lost).message() + (stands ? "; the command is carried out" : ""),
      stands ? "" : "make room or print elsewhere, then run it again"};
  os.env.print(Stream::err, answered(error, false).err);
  return shows && all.exit == 0 ? static_cast<int>(error.exit) : all.exit;
}

// `orchestra pass …` is `pairflow pass …`: the agents' commands under an older name.
std::vector<Verb> table_for(const Path& invoked_as, std::vector<std::string>& words,
                            const std::vector<Verb>& others, std::string& program) {
  std::vector<Verb> table = verbs();
  const bool alias = invoked_as.filename() == "orchestra";
  if (alias || (!words.empty() && words.front() == "orchestra")) {
    program = alias ? "orchestra" : "pairflow orchestra";
    if (!alias) words.erase(words.begin());
    std::erase_if(table, [](const Verb& verb) { return verb.who != Audience::agent; });
    return table;
  }
  table.insert(table.end(), others.begin(), others.end());
  for (Verb& verb : internal_verbs()) table.push_back(std::move(verb));
  return table;
}

}  // namespace

int run_command_line(Os& os, const Path& invoked_as, std::vector<std::string> words,
                     const std::vector<Verb>& others) {
  std::string program = "pairflow";
  const std::vector<Verb> table = table_for(invoked_as, words, others, program);
  auto parsed = parse_command_line(table, words, program);
  if (const auto* printed = std::get_if<Printed>(&parsed)) {
    return print(os, {0, printed->text, ""});
  }
  if (const auto* wrong = std::get_if<Error>(&parsed))
    return print(os, answered(*wrong, std::ranges::count(words, "--json") > 0));
  auto& command = std::get<Parsed>(parsed);
  const Answered answer = run_parsed(os, command);
  return print(os, answer, command.verb->who == Audience::anyone || command.verb->reads);
}

}  // namespace pf
