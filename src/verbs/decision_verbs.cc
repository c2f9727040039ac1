#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"
#include "engine/supervision.h"
#include "verbs/human_verbs.h"

namespace pf {
namespace {

std::string default_message(const bubble::State& state) {
  const std::string task = printable_lines(state.task);
  const std::string_view first = trim(split(task, '\n').front());
  return fmt::format("{}\n\nBubble: {}\nReviewed-by: {}\nReviewed-by: {}\n",
                     clip(first.empty() ? state.id.str() : first, 72), state.id.str(),
                     state.policy.roles.implementer.str(), state.policy.roles.reviewer.str());
}

// What there is to approve, in a few lines.
std::string summary_of(const bubble::State& state, const Path& artifacts) {
  std::string out = fmt::format("bubble {}  tree {}\n", state.id.str(),
                                state.converged_tree ? state.converged_tree->str() : "");
  if (state.changes)
    out += fmt::format("{} file{} changed, +{} −{}\n", state.changes->files,
                       state.changes->files == 1 ? "" : "s", state.changes->added,
                       state.changes->removed);
  for (const std::string& path : state.out_of_scope)
    out += fmt::format("out of scope: {}\n", printable(path));
  return out + fmt::format("diff: {}/round-{:03}.diff\n", artifacts.string(), state.round);
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
  return said_of(TRY(decide_as_human(caller, args, loop, reply)));
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

Result<Said> run_approve(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State state = TRY(loop.load());
  bubble::Approve approve;
  if (args.has("tree")) approve.tree = TreeId(args.text("tree"));
  if (state.phase == bubble::Phase::ready && human_caller(caller).kind == PrincipalKind::human) {
    if (!args.has("yes") && !args.has("tree") && caller.os.env.is_terminal(Stream::in))
      caller.os.env.print(Stream::err, summary_of(state, loop.paths().artifacts));
    TRY(need_confirmation(caller, args, "Approve exactly this tree?"));
  }
  // The decision is about the turn that was shown.
  const Request request = request_of(caller, args, human_caller(caller), state);
  auto answer = TRY(loop.execute(request, approve));
  keep_supervised(loop, answer.state, answer.warnings);
  Said said = said_of(answer);
  said.text += fmt::format("Next: pairflow bubble commit --id {}\n", state.id.str());
  return said;
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

Result<Said> run_commit(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State before = TRY(loop.load());
  bubble::Commit commit;
  commit.message = args.text("message", default_message(before));
  commit.squash = args.has("squash");
  commit.override_scope = args.text("override-scope");
  auto answer = TRY(decide_as_human(caller, args, loop, commit));
  Said said = said_of(answer);
  TRY(settle_now(loop, [](const bubble::State& state) {
    return state.phase == bubble::Phase::done || !state.commit;
  }));
  const bubble::State state = TRY(loop.load());
  if (state.phase != bubble::Phase::done)
    return fail(Exit::refused, "the commit was abandoned",
                fmt::format("{} was moved meanwhile", state.place.bubble_branch),
                "look at the branch, then commit again (--squash keeps what was committed there)");
  keep_supervised(loop, state, said.warnings);
  said.json = state_json(state);
  said.json["commit"] = state.committed.str();
  said.json["tree"] = codec::encode(state.approved_tree);
  said.json["branch"] = state.place.bubble_branch;
  said.text +=
      fmt::format("{}  {}  on {}\nTake it over: git merge {}\n", name_of(state.phase),
                  state.committed.str(), state.place.bubble_branch, state.place.bubble_branch);
  return said;
}

}  // namespace pf
