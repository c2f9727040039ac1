#include <fmt/format.h>

#include "base/text.h"
#include "base/time.h"
#include "plan/console/make_watcher.h"
#include "plan/host/driver.h"
#include "plan/host/open.h"
#include "plan/host/viewer.h"
#include "plan/verbs/steps_text.h"
#include "plan/verbs/verbs.h"

namespace pf {
namespace {

Showing showing_of(const Caller& caller, const Args& args) {
  if (caller.json) return Showing::json;
  return args.has("plain") ? Showing::plain : Showing::best;
}

// Where it stands, and how to go on; after the watcher has gone.
Result<Said> farewell(Caller& caller, PlanLoop& loop, Left left) {
  const plan::State state = TRY(loop.load());
  Said said;
  said.exit = state.phase == plan::Phase::error ? static_cast<int>(Exit::refused) : 0;
  if (caller.json) {
    said.json = state_json(state);
    said.json["type"] = "left";
    said.json["goes_on"] = goes_on(state);
    return said;
  }
  const std::string& feature = state.feature.str();
  if (state.phase == plan::Phase::done)
    said.text = fmt::format("plan {} is finished\n{}", feature,
                            plan::can_land(state)
                                ? fmt::format("Bring it home: pairflow plan land {}\n", feature)
                                : "") +
                TRY(added_steps_text(loop, state));
  else if (left == Left::by_user && goes_on(state))
    said.text = fmt::format(
        "plan {0} goes on without you; look again: pairflow plan run {0}; stop it: pairflow plan "
        "pause {0}\n",
        feature);
  else if (state.halt)
    said.text = fmt::format("plan {} waits for you: pairflow plan status {}\n", feature, feature);
  else
    said.text = fmt::format("plan {} is kept as it is; go on with: pairflow plan run {}\n", feature,
                            feature);
  return said;
}

// What the agents will work through, told once.
void tell_steps(PlanWatcher& watcher, const std::vector<document::Step>& steps, Clock& clock) {
  for (const document::Step& step : steps)
    watcher.say(
        {"plan.step", iso8601(clock.wall()), "[pairflow]", std::string(trim(steps_text({step})))});
}

Result<Said> view(Caller& caller, const Args& args, PlanLoop& loop, bool first = false) {
  const auto view = [&]() -> Result<Left> {
    const auto watcher = console::make_watcher(caller.os, showing_of(caller, args));
    if (first) tell_steps(*watcher, TRY(loop.steps(TRY(loop.load()))), caller.os.clock);
    return view_plan(loop, *watcher, !args.has("no-wait"));
  };
  const Left left = TRY(view());
  return farewell(caller, loop, left);
}

Status check_new_plan(PlanLoop& loop, const Args& args) {
  const PlanPaths& paths = loop.paths();
  const std::string file = (paths.documents / "plan.md").string();
  if (!TRY(loop.os().files.exists(paths.repository.top / file)))
    return fail(Exit::refused, fmt::format("there is no {}", file), "",
                fmt::format("begin with: pairflow plan init {}", paths.feature.str()));
  if (TRY(loop.document(plan::Workspace::repo, "plan.md")).text == plan_template(paths.feature))
    return fail(Exit::refused, fmt::format("{} is empty still", file),
                "it is what pairflow plan init wrote", "write the steps, then run this again");
  return check_steps(loop, args.text("steps"));
}

// A damaged log is never passed over: it is shown, kept, and the frontmatter is what is left.
Status restore(Caller& caller, const Args& args, PlanLoop& loop, const Error& damage) {
  if (!args.has("from-frontmatter")) {
    if (TRY(loop.in_doubt())) return std::unexpected(damage);  // nothing of it need be given up
    const std::string question = fmt::format(
        "{}\n  {}\nKeep the damaged log aside and go on from the active_step of plan.md?",
        damage.what, damage.why);
    if (!can_ask(caller))
      return fail(Exit::damaged, damage.what, damage.why,
                  fmt::format("to keep it aside and go on from plan.md: pairflow plan resume {} "
                              "--from-frontmatter",
                              loop.paths().feature.str()));
    TRY(need_confirmation(caller, args, question));
  }
  TRY(check_new_plan(loop, args));
  return open_plan(loop, request_of(caller, args, human_caller(caller), plan::State{}),
                   {.steps = args.text("steps"), .restores = true});
}

}  // namespace

Result<Said> run_plan(Caller& caller, const Args& args) {
  PlanLoop loop(caller.os, TRY(plan_of(caller, args)));
  const plan::State state = TRY(loop.load_or_none());
  const bool first = state.phase == plan::Phase::none;
  if (first) {
    TRY(check_new_plan(loop, args));
    TRY(open_plan(loop, request_of(caller, args, human_caller(caller), state),
                  {.steps = args.text("steps"), .worktree = args.has("worktree")}));
  } else {
    TRY(require_human(caller, "plan"));
    TRY(check_steps(state, args.text("steps")));
    if (args.has("worktree") && state.policy.workspace == plan::Workspace::repo)
      return fail(Exit::refused,
                  fmt::format("the plan '{}' was begun in your checkout", state.feature.str()), "",
                  "it goes on there: leave --worktree out");
  }
  return view(caller, args, loop, first);
}

Result<Said> run_plan_resume(Caller& caller, const Args& args) {
  PlanLoop loop(caller.os, TRY(plan_of(caller, args)));
  const auto state = loop.load_or_none();
  if (!state) {
    if (state.error().exit != Exit::damaged) return std::unexpected(state.error());
    TRY(restore(caller, args, loop, state.error()));
    return view(caller, args, loop);
  }
  TRY(loop.load());  // or why there is none
  TRY(check_steps(*state, args.text("steps")));
  Request request = request_of(caller, args, human_caller(caller), *state);
  request.turn = Seq::none;  // to resume means the same wherever the plan is by then
  TRY(loop.execute(request, plan::Resume{args.has("take-edit")}));
  return view(caller, args, loop);
}

Status drive_plan_now(Caller& caller, const Args& args) {
  PlanLoop loop(caller.os, PlanPaths(TRY(repository_of(caller, args)),
                                     TRY(plan::parse_feature_id(args.text("plan")))));
  return drive_plan(loop);
}

}  // namespace pf
