#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "bubble/verbs/caller.h"
#include "channel/hook_event.h"
#include "plan/verbs/caller.h"
#include "role/verbs/caller.h"
#include "verbs/core/show.h"
#include "verbs/verbs.h"

namespace pf {
namespace {

bool speaks_for_agent(const Verb& verb) {
  return verb.who == Audience::agent || verb.who == Audience::either || verb.who == Audience::hook;
}

// An agent's loop is its own.
bool names_loop(const Verb& verb, std::string_view option) {
  return option == "id" || (option == "feature" && verb.group == "plan");
}

Ask ask_of(const Verb& verb, const Args& args, bool json) {
  Ask ask{std::string(verb.full_name), {}, json};
  for (const Param& param : verb.params)
    if (args.has(param.name) && !names_loop(verb, param.name))
      ask.options.push_back({std::string(param.name), args.all(param.name)});
  ask.options.push_back({"request", {args.text("request")}});
  return ask;
}

// The connection broke: the process that held it is gone, so the journal knows.
template <class Loop>
Result<Said> look_up_in(Loop loop, const Args& args) {
  const auto state = TRY(loop.load());
  if (state.requests.find(RequestId(args.text("request"))) == nullptr)
    return fail(Exit::machine, "the command was not carried out",
                "the connection to the supervisor broke before it was recorded",
                "run the same command again");
  Said said;
  said.text = "recorded; the connection to the supervisor broke on the way back\n";
  said.json = state_json(state);
  said.json["repeated"] = true;
  return said;
}

Result<Said> look_up(Caller& caller, const Args& args) {
  if (is_of_roles(caller))
    return look_up_in(RoleLoop(caller.os, TRY(roles_of(caller, args))), args);
  if (is_of_plan(caller)) return look_up_in(PlanLoop(caller.os, TRY(plan_of(caller, args))), args);
  return look_up_in(BubbleLoop(caller.os, TRY(bubble_of(caller, args))), args);
}

Result<Path> lease_of(Caller& caller, const Args& args) {
  if (is_of_roles(caller)) return TRY(roles_of(caller, args)).lease;
  if (is_of_plan(caller)) return TRY(plan_of(caller, args)).lease;
  return TRY(bubble_of(caller, args)).lease;
}

Error nobody_listens(Os& os, const Error& cause) {
  if (os.env.get("PAIRFLOW_LOOP") == "role")
    return {Exit::machine, "nobody drives the roles any more", cause.why,
            "end your run here; the user runs: pairflow role run"};
  if (const auto plan = os.env.get("PAIRFLOW_PLAN"))
    return {
        Exit::machine, "nobody drives the plan any more", cause.why,
        fmt::format("end your run here; the user runs: pairflow plan run {}", printable(*plan))};
  return {Exit::machine, "the bubble's supervisor does not answer", cause.why,
          fmt::format("run the same command again in a moment; if it stays so, the human runs: "
                      "pairflow bubble resume --id {}",
                      printable(os.env.get("PAIRFLOW_BUBBLE").value_or("<id>")))};
}

// An agent's commands are those of the kind of loop that launched it; hooks are every loop's.
Status require_own_kind(Caller& caller, const Verb& verb) {
  if (verb.who != Audience::agent && verb.who != Audience::either) return {};
  const auto own = TRY(origin_of(caller));
  if (!own) return {};
  const bool same = verb.group == "role"   ? own->loop == kRoles
                    : verb.group == "plan" ? own->loop.starts_with("plan ")
                                           : own->loop.starts_with("bubble ");
  if (same) return {};
  return fail(Exit::refused, fmt::format("this agent belongs to {}", printable(own->loop)),
              fmt::format("'{}' is for the agents of {}", verb.full_name,
                          verb.group == "role"   ? "the roles"
                          : verb.group == "plan" ? "a plan"
                                                 : "a bubble"),
              own->loop == kRoles              ? "see what you may do: pairflow role status"
              : own->loop.starts_with("plan ") ? "see what you may do: pairflow plan status"
                                               : "see what you may do: pairflow turn");
}

Result<Args> args_of(const Verb& verb, const Ask& ask) {
  Args args;
  for (const Option& option : ask.options) {
    const bool known = std::ranges::count(verb.params, option.name, &Param::name) > 0;
    if (option.name != "request" && (!known || names_loop(verb, option.name)))
      return fail(Exit::usage, fmt::format("there is no option '{}'", printable(option.name)));
    args.set(option.name, option.values);
  }
  TRY(check_values(verb, args));
  return args;
}

Result<Answered> answer(Caller& caller, const std::string& line) {
  const Ask ask = TRY(parse_ask(line));
  const Table table = verbs();
  const auto rows = each(table);
  const auto verb = std::ranges::find_if(
      rows, [&](const Verb& v) { return speaks_for_agent(v) && v.full_name == ask.verb; });
  if (verb == rows.end())
    return fail(Exit::refused, fmt::format("'{}' is no agent's command", printable(ask.verb)));
  if (const auto own = require_own_kind(caller, *verb); !own)
    return answered(own.error(), ask.json);
  auto args = args_of(*verb, ask);
  if (!args) return answered(args.error(), ask.json);
  Caller agent{caller.os, ask.json, TRY(agent_caller(caller)).name.str()};
  return answered(verb->run(agent, *args), ask.json);
}

// Whether this command has to be run by the supervisor outside: an agent's, given inside a sandbox.
bool is_forwarded(Os& os, const Verb& verb) {
  return speaks_for_agent(verb) && !verb.reads &&
         !os.env.get(kChannelVariable).value_or("").empty();
}

// Has it run there, and gives what it printed. When the connection breaks, the journal tells
// whether it was recorded.
Answered forward(Caller& caller, const Verb& verb, Args args) {
  Os& os = caller.os;
  if (!args.has("request")) args.set("request", {os.random.token(16)});
  const Path channel = *os.env.get(kChannelVariable);
  const Ask ask = ask_of(verb, args, caller.json);
  if (!is_of_roles(caller) && !is_of_plan(caller) && sign_of_life(ask)) {
    [[maybe_unused]] const auto sent = os.files.call(channel, line_of(ask), 0);  // at best
    return {};
  }
  const auto line = os.files.call(channel, line_of(ask), kMaxMessage);
  if (!line) return answered(nobody_listens(os, line.error()), caller.json);
  if (*line)
    if (auto all = parse_answered(**line)) return *std::move(all);
  return answered(look_up(caller, args), caller.json);
}

Result<Answered> carry_out(Caller& caller, const Verb& verb, Args& args) {
  TRY(check_values(verb, args));
  if (verb.who == Audience::human) TRY(require_human(caller, verb.group));
  TRY(require_own_kind(caller, verb));
  if (verb.prepare && !caller.literal) TRY(verb.prepare(caller, args));
  if (is_forwarded(caller.os, verb)) return forward(caller, verb, std::move(args));
  return answered(TRY(verb.run(caller, args)), caller.json);
}

}  // namespace

Answered dispatch(Caller& caller, const Verb& verb, Args args) {
  auto all = carry_out(caller, verb, args);
  if (verb.quiet && (!all || all->exit != 0)) return {};
  return all ? *std::move(all) : answered(all.error(), caller.json);
}

// An agent that asks by way of a driver's channel dies with the driver; a bubble's agent lives on.
Result<Said> run_relay(Caller& caller, const Args& args) {
  if (is_of_roles(caller) || is_of_plan(caller)) caller.os.processes.end_with_parent();
  TRY(require_supervisor(caller, TRY(lease_of(caller, args))));
  Caller served = caller;
  served.agent = caller.os.env.get("PAIRFLOW_AGENT").value_or("");
  const auto line = TRY(caller.os.env.read_all(kMaxMessage));
  const auto all = answer(served, line);
  Said said;
  said.text = line_of(all ? *all : answered(all.error(), false));
  return said;
}

}  // namespace pf
