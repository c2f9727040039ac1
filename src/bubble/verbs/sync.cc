#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"
#include "bubble/host/supervision.h"
#include "bubble/verbs/verbs.h"

namespace pf {
namespace {

// The base that the command is about; "" when it went on with one that was begun before.
CommitId base_wanted(const BubbleEngine::Answer& answer) {
  for (const bubble::Event& event : answer.events)
    if (const auto* prepared = std::get_if<bubble::SyncPrepared>(&event.body))
      return prepared->move.onto;
  return answer.state.sync ? answer.state.sync->onto : CommitId();
}

Result<BubbleEngine::Answer> decide_sync(Caller& caller, const Args& args, BubbleLoop& loop) {
  auto answer = TRY(decide_as_human(caller, args, loop, bubble::Sync{}));
  const bool abandoned = answer.repeated && !answer.state.sync &&
                         answer.state.place.base_commit != base_wanted(answer);
  if (!abandoned) return answer;
  Args anew = args;
  anew.set("request", {caller.os.random.token(16)});
  return decide_as_human(caller, anew, loop, bubble::Sync{});
}

}  // namespace

Result<Said> run_sync(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const auto answer = TRY(decide_sync(caller, args, loop));
  const CommitId onto = base_wanted(answer);
  TRY(settle_now(loop, [](const bubble::State& state) { return !state.sync; }));
  const bubble::State state = TRY(loop.load());
  if (state.place.base_commit != onto)
    return fail(Exit::refused, "the base was not brought in", state.actions.back().text,
                "mend what it names, then run the same command again");
  Said said = said_of(answer);
  keep_supervised(loop, state, said.warnings);
  const Json messages = said.json.at("messages");
  said.json = state_json(state);
  said.json["messages"] = messages;
  said.json["base_commit"] = state.place.base_commit.str();
  said.json["conflicts"] = codec::encode(state.conflicts);
  if (!state.conflicts.empty())
    said.text +=
        fmt::format("conflicts in {}: {} resolves them\n",
                    printable(name_some(state.conflicts, 20)), state.roles.implementer.str());
  if (state.active_agent && state.active_role)
    said.text += fmt::format("round {}: {} is on turn as {}\n", state.round,
                             state.active_agent->str(), name_of(*state.active_role));
  return said;
}

}  // namespace pf
