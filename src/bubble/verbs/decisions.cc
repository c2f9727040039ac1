#include <fmt/format.h>

#include "base/text.h"
#include "bubble/verbs/verbs.h"

namespace pf {
namespace {

// A reply that was killed behind its append and is given again, without its --request, is done: the
// answer to say so. Nothing when it answers nothing that was asked before.
Result<std::optional<BubbleEngine::Answer>> answered_already(BubbleLoop& loop,
                                                             const bubble::Reply& reply) {
  BubbleEngine::Answer answer;
  answer.state = TRY(loop.load());
  if (bubble::is_final(answer.state.phase)) return std::nullopt;
  if (reply.question.empty() && !answer.state.questions.empty()) return std::nullopt;
  const bubble::Replied* last = nullptr;
  const auto events = TRY(loop.events());
  for (const bubble::Event& event : events)
    if (const auto* replied = std::get_if<bubble::Replied>(&event.body))
      if (reply.question.empty() || replied->question == reply.question) last = replied;
  if (last == nullptr || last->resumed || last->superseded || last->message != reply.message ||
      last->decision != reply.decision)
    return std::nullopt;
  answer.repeated = true;
  keep_supervised(loop, answer.state, answer.warnings);
  return answer;
}

}  // namespace

Result<Said> run_reply(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  bubble::Reply reply;
  reply.message = args.text("message");
  reply.question = MessageId(args.text("question"));
  reply.rounds = args.number("rounds", 2);
  const std::string decision = args.text("decision");
  if (decision == "accept")
    reply.decision = bubble::ReplyDecision::accept;
  else if (decision == "continue")
    reply.decision = bubble::ReplyDecision::go_on;
  else if (!decision.empty())
    return fail(Exit::usage, fmt::format("'{}' is no decision", clip(printable(decision), 40)), "",
                "use --decision accept or --decision continue");
  if (reply.message.empty() && decision.empty())
    return fail(Exit::usage, "what is the answer?", "neither --message nor --decision was given",
                "add --message \"…\"");
  if (reply.rounds < 1 || reply.rounds > 100)
    return fail(Exit::usage, "--rounds is out of range", "1 to 100", "choose another number");
  auto answer = decide_as_human(caller, args, loop, reply);
  if (answer || answer.error().exit != Exit::refused || !require_human(caller))
    return said_of(TRY(std::move(answer)));
  const auto again = TRY(answered_already(loop, reply));
  if (!again) return std::unexpected(answer.error());
  Said said = said_of(*again);
  said.text = "it is answered already, in these words\n";
  return said;
}

Result<Said> run_replan(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const std::string task = TRY(task_text(caller, args.text("task")));
  return said_of(TRY(decide_as_human(caller, args, loop, bubble::Replan{task})));
}

Result<Said> run_waive(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  return said_of(TRY(decide_as_human(
      caller, args, loop, bubble::Waive{FindingId(args.text("finding")), args.text("reason")})));
}

Result<Said> run_rework(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  bubble::Rework rework;
  rework.message = args.text("message");
  rework.reject = args.has("reject");
  for (const std::string& text : args.all("finding")) {
    rework.findings.push_back(TRY(bubble::parse_reported(text)));
    if (!rework.findings.back().repeat.empty())
      return fail(Exit::usage, "a rework's finding has a severity and a title",
                  fmt::format("'{}' is an id", text), "write --finding \"P1:Title\"");
  }
  return said_of(TRY(decide_as_human(caller, args, loop, rework)));
}

}  // namespace pf
