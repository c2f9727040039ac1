#include "verbs/core/caller.h"

#include <fmt/format.h>

#include "base/deciding.h"
#include "base/text.h"
#include "journal/lock.h"

namespace pf {
namespace {

std::optional<std::string> value_in(const std::vector<std::string>& environment,
                                    std::string_view name) {
  for (const std::string& entry : environment)
    if (entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=')
      return entry.substr(name.size() + 1);
  return std::nullopt;
}

std::optional<Origin> origin_in(const std::vector<std::string>& environment) {
  const auto value = [&](std::string_view name) {
    return value_in(environment, name).value_or("");
  };
  if (value("PAIRFLOW_AGENT").empty()) return std::nullopt;
  Origin origin{"", value("PAIRFLOW_REPO"), value("PAIRFLOW_RUN")};
  if (value("PAIRFLOW_LOOP") == "role")
    origin.loop = kRoles;
  else if (const std::string plan = value("PAIRFLOW_PLAN"); !plan.empty())
    origin.loop = "plan " + plan;
  else if (const std::string bubble = value("PAIRFLOW_BUBBLE"); !bubble.empty())
    origin.loop = "bubble " + bubble;
  else
    return std::nullopt;
  return origin;
}

bool is_other_place(Os& os, const Path& a, const Path& b) {
  if (a.empty() || b.empty() || a == b) return false;
  const auto first = os.files.canonical(a), second = os.files.canonical(b);
  return !first || !second || *first != *second;
}

std::unexpected<Error> foreign(const Origin& own, std::string why) {
  return fail(Exit::refused, fmt::format("this agent belongs to {}", printable(own.loop)),
              std::move(why), "an agent acts in the loop that launched it, and nowhere else");
}

}  // namespace

Result<std::optional<Origin>> origin_of(Caller& caller) {
  if (!caller.agent.empty()) return origin_in(caller.os.env.all());
  std::optional<Origin> own = origin_in(caller.os.env.all());
  for (const Ancestor& ancestor : caller.os.processes.ancestry()) {
    auto theirs = origin_in(ancestor.environment);
    if (!theirs) continue;
    if (!own) own = theirs;
    if (own->loop != theirs->loop || own->run != theirs->run ||
        is_other_place(caller.os, own->repository, theirs->repository))
      return foreign(*theirs, fmt::format("its environment says {}{}", printable(own->loop),
                                          own->run.empty() ? "" : ", run " + printable(own->run)));
  }
  return own;
}

Status require_origin(Caller& caller, const Origin& wanted) {
  const auto own = TRY(origin_of(caller));
  if (!own) return {};
  if (own->loop != wanted.loop)
    return foreign(*own, fmt::format("this command is about {}", printable(wanted.loop)));
  if (is_other_place(caller.os, own->repository, wanted.repository))
    return foreign(
        *own, fmt::format("of {}; this command is about {}", printable(own->repository.string()),
                          printable(wanted.repository.string())));
  return {};
}

Result<Principal> agent_of(Caller& caller, const Origin& loop) {
  Principal who = TRY(agent_caller(caller));
  TRY(require_origin(caller, loop));
  return who;
}

Result<Repository> repository_of(Caller& caller, const Args& args) {
  if (args.has("repo")) return find_repository(caller.os, args.text("repo"));
  if (const auto named = caller.os.env.get("PAIRFLOW_REPO"); named && !named->empty())
    return find_repository(caller.os, *named);
  return find_repository(caller.os, caller.os.env.current_directory());
}

Result<Principal> agent_caller(Caller& caller) {
  if (!caller.agent.empty()) return Principal{PrincipalKind::agent, AgentName(caller.agent)};
  const auto name = caller.os.env.get("PAIRFLOW_AGENT");
  if (!name || name->empty())
    return fail(Exit::refused, "this is an agent's command", "PAIRFLOW_AGENT is not set",
                "run it in an agent's pane, or set PAIRFLOW_REPO, PAIRFLOW_BUBBLE and "
                "PAIRFLOW_AGENT");
  for (const Ancestor& ancestor : caller.os.processes.ancestry()) {
    const auto other = value_in(ancestor.environment, "PAIRFLOW_AGENT");
    if (other && *other != *name)
      return fail(Exit::refused, fmt::format("this process belongs to {}", printable(*other)),
                  fmt::format("PAIRFLOW_AGENT says {}", printable(*name)),
                  "each agent runs its own commands");
  }
  return Principal{PrincipalKind::agent, TRY(parse_agent_name(*name))};
}

Status require_supervisor(Caller& caller, const Path& lease) {
  const auto ancestry = caller.os.processes.ancestry();
  const int holder = TRY(Lock::last_holder(caller.os, lease));
  if (ancestry.size() > 1 && ancestry[1].pid == holder && TRY(Lock::is_held(caller.os, lease)))
    return {};
  return fail(Exit::refused, "this command is the supervisor's own",
              "it was not started by whoever supervises this loop", "");
}

Principal human_caller(Caller& caller) {
  if (caller.ordered) return {PrincipalKind::human};
  for (const Ancestor& ancestor : caller.os.processes.ancestry()) {
    if (const auto agent = value_in(ancestor.environment, "PAIRFLOW_AGENT");
        agent && !agent->empty())
      return {PrincipalKind::agent, AgentName(printable(*agent))};
    if (value_in(ancestor.environment, "PAIRFLOW_CHECK") ||
        value_in(ancestor.environment, "PAIRFLOW_SUPERVISOR"))
      return {PrincipalKind::orchestrator};
  }
  return {PrincipalKind::human};
}

Status require_human(Caller& caller, std::string_view group) {
  const Principal who = human_caller(caller);
  if (who.kind == PrincipalKind::human) return {};
  if (who.kind == PrincipalKind::orchestrator)
    return fail(Exit::refused, "this decision is the human's", std::string(kDecidesNothing),
                std::string(kDecideElsewhere));
  return fail(Exit::refused, "this decision is the human's",
              fmt::format("it was asked for by {}", who.party()),
              caller.os.env.get("PAIRFLOW_PLAN")
                  ? "ask for it: pairflow plan ask-user --message \"…\""
              : group == "role" || caller.os.env.get("PAIRFLOW_LOOP") == "role"
                  ? "ask for it: pairflow role block --by PLANNER --message \"…?\""
                  : "ask for it: pairflow ask-human --question \"…\"");
}

RequestId request_id(Caller& caller, const Args& args) {
  const std::string id = args.text("request");
  return RequestId(id.empty() ? caller.os.random.token(16) : id);
}

bool can_ask(Caller& caller) { return caller.os.env.is_terminal(Stream::in) && !caller.json; }

bool confirmed(Caller& caller, std::string_view question) {
  caller.os.env.print(Stream::err, fmt::format("{} [y/N] ", question));
  const auto line = caller.os.env.read_line();
  return line && (*line == "y" || *line == "Y" || *line == "yes");
}

Status need_confirmation(Caller& caller, const Args& args, std::string_view question,
                         std::string beforehand) {
  if (args.has("yes") || args.has("tree")) return {};
  if (!can_ask(caller))
    return fail(Exit::usage, "this decision needs a confirmation", "there is no terminal to ask on",
                std::move(beforehand));
  if (confirmed(caller, question)) return {};
  return fail(Exit::refused, "not confirmed", "nothing was changed", "");
}

}  // namespace pf
