#include "role/verbs/caller.h"

#include <fmt/format.h>

#include "base/codec.h"
#include "base/error_text.h"
#include "base/text.h"
#include "role/domain/views.h"
#include "role/host/launch.h"
#include "role/host/performer.h"
#include "verbs/core/show.h"

namespace pf {
namespace {

// What is to be done next, as far as it can be said.
std::string next_step(const role::State& state, bool driven) {
  const auto items = role::inbox_of(state);
  if (!items.empty() && items.front().kind != "resting")
    return fmt::format("Waits for you: {}\n", items.front().command);
  return driven ? "" : "The agents go on with: pairflow role run\n";
}

// What an agent reads: who started is told what to do, and who gave the role away that it ends.
std::string told_agent(RoleLoop& loop, const role::State& now, const role::Command& command,
                       bool launched) {
  const bool begins = std::holds_alternative<role::Init>(command);
  if (begins || std::holds_alternative<role::Start>(command))
    return role::to_do(now, now.reg.current_role, !begins, around(loop, now));
  if (launched) return "Recorded. Your part is over: end your run here.\n";
  return fmt::format("Recorded. Your part is over: it is {}'s turn now.\n", now.reg.current_role);
}

// These are about what is under way, and come before it goes on.
bool stops_things(const role::Command& command) {
  return std::holds_alternative<role::SetAutopilot>(command) ||
         std::holds_alternative<role::StopAutomation>(command) ||
         std::holds_alternative<role::Decline>(command) ||
         std::holds_alternative<role::Rework>(command);
}

// What is left of a run that is over speaks for nobody. One that has just begun may be first here.
Status require_live_run(Caller& caller, const role::State& state) {
  const auto origin = TRY(origin_of(caller));
  const auto run = origin ? parse_number<int>(origin->run) : std::nullopt;
  if (!run || *run > state.last_run || (state.run && state.run->number == *run)) return {};
  return fail(
      Exit::refused, fmt::format("run {} is over", *run),
      state.run ? fmt::format("run {} is at work now", state.run->number) : "no run is at work now",
      "end here; an agent acts in the run that it was launched for");
}

}  // namespace

bool is_of_roles(Caller& caller) { return caller.os.env.get("PAIRFLOW_LOOP") == "role"; }

Result<RolePaths> roles_of(Caller& caller, const Args& args) {
  return RolePaths(TRY(repository_of(caller, args)));
}

Result<Principal> role_caller(Caller& caller, const RolePaths& paths) {
  const bool named = !caller.os.env.get("PAIRFLOW_AGENT").value_or("").empty();
  Principal who = !caller.agent.empty() || named ? TRY(agent_caller(caller)) : human_caller(caller);
  if (who.kind == PrincipalKind::agent)
    TRY(require_origin(caller, {std::string(kRoles), paths.repository.top}));
  return who;
}

Status adopt_policy(RoleLoop& loop, const role::State& state) {
  const role::Policy policy = TRY(role_policy(loop, TRY(loop.settings()), state));
  if (state.begun && policy != state.policy) TRY(loop.report(role::Configure{policy}));
  return {};
}

Result<Said> ask_role(Caller& caller, const Args& args, RoleLoop& loop,
                      const role::Command& command) {
  const Principal who = TRY(role_caller(caller, loop.paths()));
  role::State state = TRY(loop.load_or_none());
  if (who.kind == PrincipalKind::agent) TRY(require_live_run(caller, state));
  const Mark before = state.mark;
  if (state.begun && !stops_things(command)) {
    TRY(settle_roles(loop));  // what somebody who was killed has left
    state = TRY(loop.load());
  }
  if (who.kind == PrincipalKind::human && state.begun) {
    TRY(adopt_policy(loop, state));
    state = TRY(loop.load());
  }
  const auto answer = TRY(loop.execute(request_of(caller, args, who, state), command));
  Said said;
  said.warnings = answer.all_warnings();
  const auto settled = settle_roles(loop);
  if (!settled)
    said.warnings.push_back(
        fmt::format("recorded, but what follows from it is not done yet: {}; once that is mended, "
                    "any command or pairflow role run goes on",
                    in_words(settled.error())));
  const bool driven = settled && !*settled;
  const role::State now = TRY(loop.load());
  said.json = state_json(now);
  const auto events = TRY(loop.events(before));
  for (const role::Event& event : events)
    if (!std::holds_alternative<role::FileWritten>(event.body))
      said.text += role::describe(event) + "\n";
  said.json["events"] = events_json(events);
  said.json["driven"] = driven;
  if (answer.repeated) said.json["repeated"] = true;
  if (answer.events.empty() && said.text.empty()) said.text = "nothing had to be changed\n";
  if (who.kind == PrincipalKind::human)
    said.text += next_step(now, driven);
  else
    said.text += told_agent(loop, now, command, is_of_roles(caller));
  return said;
}

JsonObject state_json(const role::State& state) {
  const std::string task = state.work ? state.work->task : "";
  return {{"plan_slug", codec::encode(state.reg.plan_slug)},
          {"current_role", name_of(state.reg.current_role)},
          {"state", name_of(state.reg.state)},
          {"branch", codec::encode(state.reg.branch)},
          {"msg", state.reg.msg},
          {"autopilot", name_of(state.autopilot())},
          {"taken", codec::encode(state.taken)},
          {"feature", state.work ? Json(state.work->feature) : Json(nullptr)},
          {"task", task.empty() ? Json(nullptr) : Json(task)},
          {"tasks_done", state.work ? codec::encode(state.work->done) : Json(JsonArray{})},
          {"last_seq", number(state.last_seq)},
          {"turn", number(state.turn)}};
}

}  // namespace pf
