#pragma once
#include "base/request.h"
#include "git/repository.h"
#include "verbs/core/verb.h"

// Who asks, about which repository, and whether they mean it.
namespace pf {

// The repository from --repo, PAIRFLOW_REPO or the current directory, in this order.
Result<Repository> repository_of(Caller& caller, const Args& args);

// The loop that launched an agent, which is the one it may act in.
struct Origin {
  std::string loop;      // "bubble login", "plan login", kRoles
  Path repository = {};  // "": not told
  std::string run = {};  // of a plan's or the roles' agent; "": none
};
inline constexpr std::string_view kRoles = "the roles";

// By the channel's own environment, else by the caller's and its ancestors', which must agree.
// Nothing for an agent that a person started.
Result<std::optional<Origin>> origin_of(Caller& caller);
// Refuses an agent that another loop has launched, by that loop's name.
Status require_origin(Caller& caller, const Origin& wanted);

// The agent that PAIRFLOW_AGENT names, else an error that says how to become one.
Result<Principal> agent_caller(Caller& caller);
// The same, as an agent of that loop.
Result<Principal> agent_of(Caller& caller, const Origin& loop);
// The human, unless the caller runs below an agent, a check or the supervisor.
Principal human_caller(Caller& caller);
// Refuses all but the human: what an operator's command does first must not happen either.
Status require_human(Caller& caller, std::string_view group = "bubble");
// Refuses all but children of the lease holder: a bubble's supervisor, a
// plan's driver.
Status require_supervisor(Caller& caller, const Path& lease);
// --request makes a retry recognisable; random otherwise.
RequestId request_id(Caller& caller, const Args& args);
// A request of `who` on the turn of `state`, which is of any loop.
template <class State>
Request request_of(Caller& caller, const Args& args, Principal who, const State& state) {
  return {request_id(caller, args), std::move(who), state.turn};
}

// Whether there is somebody at a terminal.
bool can_ask(Caller& caller);
// Asks on the terminal; anything but y or yes is a no.
bool confirmed(Caller& caller, std::string_view question);
// For decisions that --yes (or the --tree that is meant) makes beforehand: a usage error where
// nobody can be asked, a refusal when the answer is no.
Status need_confirmation(Caller& caller, const Args& args, std::string_view question,
                         std::string beforehand = "add --yes");

}  // namespace pf
