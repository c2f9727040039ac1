#include "agents/enter.h"
#include "agents/scripted/player.h"
#include "base/error_text.h"
#include "bubble/verbs/verbs.h"
#include "loop/held_names.h"
#include "plan/verbs/verbs.h"
#include "role/verbs/caller.h"
#include "role/verbs/verbs.h"
#include "sandbox/bubblewrap.h"
#include "sandbox/seccomp.h"
#include "verbs/core/caller.h"
#include "verbs/verbs.h"

namespace pf {
namespace {

Result<Said> run_agent_script(Caller& caller, const Args& args) {
  const Scenario scenario = TRY(load_scenario(caller.os, args.text("scenario")));
  Said said;
  said.exit = args.has("headless") ? play_run(caller.os, scenario, args.text("conversation"))
                                   : play(caller.os, scenario, TRY(agent_caller(caller)).name);
  return said;
}

// Becomes the agent: its plan is written by the supervisor, the rest is the pane's.
Result<Said> run_enter(Caller& caller, const Args& args) {
  Os& os = caller.os;
  const LaunchPlan plan = TRY(parse_launch_plan(TRY(os.files.read(args.text("plan")))));
  if (plan.held) TRY(hold_names(os, *plan.held));
  if (plan.ends_with_parent) os.processes.end_with_parent();
  if (plan.confined) os.processes.leave_abstract_sockets(plan.argv.front());
  const auto argv = plan.confined ? on_what_is_there(os, plan.argv) : plan.argv;
  return std::unexpected(os.processes.become({argv}, variables_for(plan, os.env.all()),
                                             plan.confined ? confined_filter() : ""));
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

// What the roles delegate is begun by the human's standing order, `role run`; the driver that
// holds their lease carries it out.
Result<Said> as_ordered(Caller& caller, const Args& args, VerbFunction* run) {
  TRY(require_supervisor(caller, TRY(roles_of(caller, args)).lease));
  Caller ordered = caller;
  ordered.ordered = true;
  return run(ordered, args);
}
Result<Said> run_ordered_create(Caller& caller, const Args& args) {
  return as_ordered(caller, args, run_create);
}
Result<Said> run_ordered_start(Caller& caller, const Args& args) {
  return as_ordered(caller, args, run_start);
}

// The process that drives a plan or the roles.
Result<Said> run_drive(Caller& caller, const Args& args) {
  auto done = args.has("roles") ? drive_roles_now(caller, args) : drive_plan_now(caller, args);
  // The starter waits for a word of ours whatever happens.
  if (!done) caller.os.processes.tell_ready(in_short(done.error()));
  TRY(std::move(done));
  return Said{};
}

constexpr Verb kInternalRows[] = {
    Verb("supervise", Audience::internal, run_supervise, "Supervise one bubble.", "", {kId}),
    Verb("run-checks", Audience::internal, run_checks_now, "Run the checks of one bubble.", "",
         {kId}),
    Verb("run-role-checks", Audience::internal, run_role_checks,
         "Run the checks of what was approved.", "", {{"landing", Type::number, "which", true}}),
    Verb("enter", Audience::internal, run_enter, "Become an agent in its pane.", "",
         {{"plan", Type::word, "its launch plan", true}}),
    Verb("tap", Audience::internal, run_tap, "Keep what a pane shows.", "",
         {{"file", Type::word, "where", true}}),
    Verb("drive", Audience::internal, run_drive, "Drive a plan or the roles.", "",
         {{"plan", Type::word, "which"}, {"roles", Type::flag, "the roles"}}),
    Verb("ordered-create", Audience::internal, run_ordered_create, "Create what is delegated.", "",
         {{"id", Type::word, "the bubble's", true},
          {"base", Type::word, "its base branch", true},
          {"task", Type::text, "a file", true, false, kMaxTask}}),
    Verb("ordered-start", Audience::internal, run_ordered_start, "Start what is delegated.", "",
         {kId}),
    Verb("relay", Audience::internal, run_relay, "Run one command of an agent.", ""),
    Verb("agent-script", Audience::internal, run_agent_script, "Play a scenario as an agent.", "",
         {{"scenario", Type::word, "scenario file, or demo", true},
          {"headless", Type::flag, "one run of a plan"},
          {"conversation", Type::word, "what it goes on with"}}),
};

}  // namespace

Verbs internal_verbs() { return kInternalRows; }

}  // namespace pf
