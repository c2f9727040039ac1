#pragma once
#include "engine/bubble_loop.h"
#include "verbs/verb.h"

// What verbs share: which bubble, who asks, how an answer is said.
namespace pf {

inline constexpr Param kId{"id", Type::word,
                           "the bubble's id (default: the one whose worktree you are in)"};

// The repository from --repo, PAIRFLOW_REPO or the current directory, in this order.
Result<Repository> repository_of(Caller& caller, const Args& args);
// The bubble from --id, PAIRFLOW_BUBBLE (agents) or the worktree the caller is in.
Result<BubblePaths> bubble_of(Caller& caller, const Args& args);

// The agent that PAIRFLOW_AGENT names, else an error that says how to become one.
Result<Principal> agent_caller(Caller& caller);
// The human, unless the caller runs below an agent, a check or the supervisor.
Principal human_caller(Caller& caller);
// Refuses whoever is not the human: what an operator's command does first must not happen either.
Status require_human(Caller& caller, std::string_view group = "bubble");
// Refuses whoever is not a child of the process that holds the lease: a bubble's supervisor, a
// plan's driver.
Status require_supervisor(Caller& caller, const Path& lease);
// A request of `who` on the turn of `state`; --request makes a retry recognisable.
Request request_of(Caller& caller, const Args& args, Principal who, const bubble::State& state);

// Runs a human's command: adopts an edited bubble.toml first, then decides, and keeps the
// supervisor going. The error of a refusal, or the answer's events.
Result<BubbleEngine::Answer> decide_as_human(Caller& caller, const Args& args, BubbleLoop& loop,
                                             const bubble::Command& command);
// Starts the supervisor if the bubble wants one and none runs; trouble is a warning.
void keep_supervised(BubbleLoop& loop, const bubble::State& state,
                     std::vector<std::string>& warnings);

// Why a command that looks into the worktree cannot.
std::unexpected<Error> no_worktree(const bubble::State& state);

// Text and JSON of a command that changed something: what happened, where the bubble stands.
Said said_of(const BubbleEngine::Answer& answer);
JsonObject state_json(const bubble::State& state);
// Asks on the terminal; anything but y or yes is a no.
bool confirmed(Caller& caller, std::string_view question);
// For decisions that --yes (or the --tree that is meant) makes beforehand: a usage error where
// nobody can be asked, a refusal when the answer is no.
Status need_confirmation(Caller& caller, const Args& args, std::string_view question,
                         std::string beforehand = "add --yes");

}  // namespace pf
