#pragma once
#include "bubble/host/loop.h"
#include "verbs/core/caller.h"

// What the commands about bubbles share: which one, and how an answer is said.
namespace pf {

inline constexpr Param kId{"id", Type::word,
                           "the bubble's id (default: the one whose worktree you are in)"};

// The bubble from --id, PAIRFLOW_BUBBLE (agents) or the worktree the caller is in.
Result<BubblePaths> bubble_of(Caller& caller, const Args& args);

// The bubble, as its agents' environment names it.
Origin origin_of(const BubblePaths& paths);

// Refuses when the repository is not where it was when the bubble was created: its worktree, and
// what git knows of it, are still there.
Status require_unmoved(const BubblePaths& paths, const bubble::State& state);

// Runs a human's command: adopts an edited bubble.toml first, then decides, and keeps the
// supervisor going. The error of a refusal, or the answer's events.
Result<BubbleEngine::Answer> decide_as_human(Caller& caller, const Args& args, BubbleLoop& loop,
                                             const bubble::Command& command);
// The same, under a request id of its own when this one was answered before and what it began has
// `failed` since: then the same command tries it once more.
Result<BubbleEngine::Answer> decide_or_retry(Caller& caller, const Args& args, BubbleLoop& loop,
                                             const bubble::Command& command,
                                             bool (*failed)(const bubble::State&));
// Starts the supervisor if the bubble wants one and none runs; trouble is a warning.
void keep_supervised(BubbleLoop& loop, const bubble::State& state,
                     std::vector<std::string>& warnings);

// Why a command that looks into the worktree cannot.
std::unexpected<Error> no_worktree(const bubble::State& state);

// Text and JSON of a command that changed something: what happened, where the bubble stands.
Said said_of(const BubbleEngine::Answer& answer);
JsonObject state_json(const bubble::State& state);
}  // namespace pf
