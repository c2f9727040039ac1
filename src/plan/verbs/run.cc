#include <fmt/format.h>

#include "base/text.h"
#include "plan/console/make_watcher.h"
#include "plan/host/driver.h"
#include "plan/host/workspace.h"
#include "plan/verbs/verbs.h"
#include "verbs/core/rows.h"

namespace pf {
namespace {

constexpr Param kPlain{"plain", Type::flag, "one line for each thing that happens, no console"};
constexpr Param kNoWait{"no-wait", Type::flag, "leave as soon as it is your turn"};

Showing showing_of(const Caller& caller, const Args& args) {
  if (caller.json) return Showing::json;
  return args.has("plain") ? Showing::plain : Showing::best;
}

Status drive(Caller& caller, const Args& args, PlanLoop& loop, const Lock& lease) {
  const auto watcher = console::make_watcher(caller.os, showing_of(caller, args));
  return drive_plan(loop, lease, *watcher, !args.has("no-wait"));
}

// Where it was left, and how to go on; after the watcher has gone.
Result<Said> farewell(Caller& caller, PlanLoop& loop) {
  const plan::State state = TRY(loop.load());
  Said said;
  said.exit = state.phase == plan::Phase::error ? static_cast<int>(Exit::refused) : 0;
  if (caller.json) {
    said.json = state_json(state);
    said.json["type"] = "left";
    return said;
  }
  const std::string& feature = state.feature.str();
  if (state.phase == plan::Phase::done)
    said.text = fmt::format("plan {} is finished\n", feature);
  else if (state.halt)
    said.text = fmt::format("plan {} waits for you: pairflow plan status {}\n", feature, feature);
  else
    said.text = fmt::format("plan {} is kept as it is; go on with: pairflow plan run {}\n", feature,
                            feature);
  return said;
}

// What can be refused is, before anything is made.
Result<Lock> take_new_plan(Caller& caller, PlanLoop& loop, const plan::Policy& policy) {
  const PlanPaths& paths = loop.paths();
  const std::string file = (paths.documents / "plan.md").string();
  if (!TRY(caller.os.files.exists(paths.repository.top / file)))
    return fail(Exit::refused, fmt::format("there is no {}", file), "",
                fmt::format("begin with: pairflow plan init {}", paths.feature.str()));
  if (TRY(loop.document(plan::Workspace::repo, "plan.md")).text == plan_template(paths.feature))
    return fail(Exit::refused, fmt::format("{} is empty still", file),
                "it is what pairflow plan init wrote", "write the steps, then run this again");
  TRY(check_plan_agents(loop, policy));
  TRY(exclude_control_directory(caller.os, paths.repository));
  return take_plan(loop);
}

Status open_plan(Caller& caller, const Args& args, PlanLoop& loop, const plan::Policy& policy,
                 std::string restored) {
  TRY(prepare_plan_workspace(loop, policy.workspace));
  TRY(caller.os.files.make_directories(loop.paths().directory));
  TRY(loop.execute(request_of(caller, args, human_caller(caller), plan::State{}),
                   plan::Open{policy, std::move(restored)}));
  return {};
}

Result<Lock> take_opened(Caller& caller, const Args& args, PlanLoop& loop,
                         const plan::State& state) {
  if (state.phase == plan::Phase::none) {
    const plan::Policy policy = plan_policy(TRY(loop.settings()));
    Lock lease = TRY(take_new_plan(caller, loop, policy));
    TRY(open_plan(caller, args, loop, policy, ""));
    return lease;
  }
  Lock lease = TRY(take_plan(loop));
  TRY(prepare_plan_workspace(loop, state.policy.workspace));
  return lease;
}

Result<Said> run_plan(Caller& caller, const Args& args) {
  PlanLoop loop(caller.os, TRY(plan_of(caller, args)));
  const Lock lease = TRY(take_opened(caller, args, loop, TRY(loop.load_or_none())));
  TRY(drive(caller, args, loop, lease));
  return farewell(caller, loop);
}

// A damaged log is never passed over: it is shown, kept, and the frontmatter is what is left.
Result<Lock> restore(Caller& caller, const Args& args, PlanLoop& loop, const Error& damage) {
  if (!args.has("from-frontmatter")) {
    if (TRY(loop.in_doubt())) return std::unexpected(damage);  // nothing of it need be given up
    const std::string question = fmt::format(
        "{}\n  {}\nKeep the damaged log aside and go on from the active_step of plan.md?",
        damage.what, damage.why);
    if (!caller.os.env.is_terminal(Stream::in) || caller.json)
      return fail(Exit::damaged, damage.what, damage.why,
                  fmt::format("to keep it aside and go on from plan.md: pairflow plan resume {} "
                              "--from-frontmatter",
                              loop.paths().feature.str()));
    if (!confirmed(caller, question))
      return fail(Exit::refused, "not confirmed", "nothing was changed", "");
  }
  const plan::Policy policy = plan_policy(TRY(loop.settings()));
  Lock lease = TRY(take_new_plan(caller, loop, policy));
  const Path aside = TRY(loop.put_log_aside());
  TRY(open_plan(caller, args, loop, policy, aside.filename().string()));
  return lease;
}

Result<Said> resume_plan(Caller& caller, const Args& args) {
  PlanLoop loop(caller.os, TRY(plan_of(caller, args)));
  const auto state = loop.load_or_none();
  if (!state) {
    if (state.error().exit != Exit::damaged) return std::unexpected(state.error());
    const Lock lease = TRY(restore(caller, args, loop, state.error()));
    TRY(drive(caller, args, loop, lease));
    return farewell(caller, loop);
  }
  TRY(loop.load());  // or why there is none
  const auto lease = TRY(Lock::try_take(caller.os, loop.paths().lease));
  if (lease) TRY(prepare_plan_workspace(loop, state->policy.workspace));
  Request request = request_of(caller, args, human_caller(caller), *state);
  request.turn = Seq::none;  // to resume means the same wherever the plan is by then
  const auto answer = TRY(loop.execute(request, plan::Resume{args.has("take-edit")}));
  if (!lease) {
    Said said = said_of(answer);
    said.text += "it goes on where it is driven\n";
    return said;
  }
  TRY(drive(caller, args, loop, *lease));
  return farewell(caller, loop);
}

constexpr Row kDriverRows[] = {
    {"plan",
     "run",
     "Drive a plan, from its beginning or from where it was left; stays until it is done.",
     "pairflow plan run login",
     Audience::human,
     {kFeature, kPlain, kNoWait},
     run_plan},
    {"plan",
     "resume",
     "Go on after a pause, an error, a crash or a damaged log; finished runs are not repeated.",
     "pairflow plan resume login",
     Audience::human,
     {kFeature,
      kPlain,
      kNoWait,
      {"take-edit", Type::flag, "plan.md counts as it is: an edit that was doubted was yours"},
      {"from-frontmatter", Type::flag, "put a damaged log aside and go on from plan.md"}},
     resume_plan},
};

}  // namespace

Verbs plan_drivers() { return packed<kDriverRows>; }

}  // namespace pf
