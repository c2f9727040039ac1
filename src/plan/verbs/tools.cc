#include <fmt/format.h>

#include "base/text.h"
#include "channel/hook_event.h"
#include "plan/domain/reading.h"
#include "plan/verbs/verbs.h"

namespace pf {
namespace {

// The run the caller was started as.
Result<int> run_of(Caller& caller) {
  const std::string run = caller.os.env.get("PAIRFLOW_RUN").value_or("");
  if (!run.empty() && run.size() < 9 && run.find_first_not_of("0123456789") == std::string::npos)
    return std::stoi(run);
  return fail(Exit::refused, "this is a tool of a plan's agents", "PAIRFLOW_RUN is not set",
              "it is called by the agents that `pairflow plan run` starts");
}

Result<PlanEngine::Answer> call_tool(Caller& caller, const Args& args, PlanLoop& loop,
                                     const plan::Command& command) {
  const PlanPaths& paths = loop.paths();
  const Principal who =
      TRY(agent_of(caller, {"plan " + paths.feature.str(), paths.repository.top}));
  const plan::State state = TRY(loop.load());
  // No turn: the run says which one is meant.
  Request request = request_of(caller, args, who, state);
  request.turn = Seq::none;
  return loop.execute(request, command);
}

// A tool that ends the run: what it says is in the option `text`.
template <class Tool>
Result<Said> hand_over(Caller& caller, const Args& args, std::string_view text) {
  PlanLoop loop(caller.os, TRY(plan_of(caller, args)));
  const Tool tool{TRY(run_of(caller)), args.text(text)};
  Said said = said_of(TRY(call_tool(caller, args, loop, tool)));
  said.text += "Recorded. End your run here.\n";
  return said;
}

// What the user said to the run that asked, once he has; nothing when it is to end instead.
Result<std::optional<std::string>> await_answer(PlanLoop& loop, int run, const MessageId& question,
                                                Duration wait) {
  Os& os = loop.os();
  auto bell = TRY(os.files.listen(loop.paths().bells));
  const MonoTime deadline = os.clock.mono() + wait;
  for (;;) {
    bell->silence();
    const plan::State state = TRY(loop.load());
    const bool asked = state.halt && state.halt->id == question;
    if (!asked) {
      const bool ours = plan::is_active(state.phase) && state.run == run;
      return ours ? std::optional(state.answer) : std::nullopt;
    }
    const Duration left = deadline - os.clock.mono();
    if (left <= Duration::zero()) return std::nullopt;
    bell->wait(left);
  }
}

}  // namespace

Result<Said> run_request_review(Caller& caller, const Args& args) {
  return hand_over<plan::RequestReview>(caller, args, "note");
}

Result<Said> run_request_changes(Caller& caller, const Args& args) {
  return hand_over<plan::RequestChanges>(caller, args, "text");
}

Result<Said> run_plan_approve(Caller& caller, const Args& args) {
  return hand_over<plan::Approve>(caller, args, "note");
}

Result<Said> run_ask_user(Caller& caller, const Args& args) {
  PlanLoop loop(caller.os, TRY(plan_of(caller, args)));
  const int run = TRY(run_of(caller));
  const auto wait = std::chrono::seconds(TRY(loop.settings()).plan_answer_wait_seconds);
  const auto answer = TRY(call_tool(caller, args, loop, plan::AskUser{run, args.text("message")}));
  const MessageId question = answer.events.front().id;
  Said said = said_of(answer);
  if (const auto said_by_user = TRY(await_answer(loop, run, question, wait))) {
    said.json["answer"] = *said_by_user;
    said.text = fmt::format("The user answers:\n{}\n", *said_by_user);
    return said;
  }
  TRY(loop.report(plan::ReportRunParked{run, question}));
  said.json["answer"] = nullptr;
  said.exit = static_cast<int>(Exit::refused);
  said.text =
      "The user has not answered yet. End your run here: you are called again with the answer.\n";
  return said;
}

// Every run is told once, also when another saw it first.
Result<Said> run_plan_hook(Caller& caller, const Args& args) {
  if (hook_event(args.text("event"), "", "").kind != HookEvent::Kind::tool) return Said{};
  PlanLoop loop(caller.os, TRY(plan_of(caller, args)));
  const plan::State state = TRY(loop.report(plan::CheckDocuments{})).state;
  const plan::Run* run = state.run_of(TRY(run_of(caller)));
  Said said;
  if (run == nullptr) return said;
  const Path file = loop.paths().run_file(*run, "told");
  std::string told = TRY(caller.os.files.read_if_there(file)).value_or("");
  std::vector<std::string> problems;
  for (const plan::FileProblems& found : state.problems) {
    const bool users = found.file == plan::kSpecFile && found.hash == state.first_spec;
    const std::string line = fmt::format("{} {}\n", found.file, found.hash.str());
    if (users || told.find(line) != std::string::npos) continue;
    told += line;
    for (const std::string& words : in_words(found.file, found.problems)) problems.push_back(words);
  }
  if (problems.empty()) return said;
  TRY(caller.os.files.replace(file, told, Durable::no));
  said.text = sent_back("Mend this first: " + join(problems, "; "));
  return said;
}

}  // namespace pf
