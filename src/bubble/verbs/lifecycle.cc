#include <fmt/format.h>

#include "base/codec.h"
#include "base/error_text.h"
#include "base/text.h"
#include "bubble/host/performer.h"
#include "bubble/host/preconditions.h"
#include "bubble/host/supervision.h"
#include "bubble/verbs/verbs.h"

namespace pf {
namespace {

constexpr Duration kLookAgain = std::chrono::milliseconds(200);  // for the setup's output

// Shows what the setup command has printed since `shown`.
void show_setup(Caller& caller, BubbleLoop& loop, std::size_t& shown) {
  if (caller.json) return;
  const auto log = caller.os.files.read_if_there(loop.paths().setup_log);
  if (!log || !*log || (*log)->size() <= shown) return;
  caller.os.env.print(Stream::err, printable_lines(std::string_view(**log).substr(shown)));
  shown = (*log)->size();
}

// Waits until the workspace is ready or could not be made.
Result<bubble::State> wait_for_workspace(Caller& caller, BubbleLoop& loop) {
  auto bell = TRY(caller.os.files.listen(loop.paths().bells));
  std::size_t shown = 0;
  for (;;) {
    bell->silence();
    const bubble::State state = TRY(loop.load());
    show_setup(caller, loop, shown);
    if (state.phase != bubble::Phase::preparing || !state.trouble.empty()) return state;
    if (!TRY(is_driven(caller.os, loop.paths())))
      TRY(ensure_running(caller.os, supervisor_of(loop.paths())));
    bell->wait(kLookAgain);
  }
}

}  // namespace

Result<Said> run_start(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  TRY(loop.load());
  // Held until the workspace is ready: a second start is no retry of this one.
  const auto starting = TRY(Lock::try_take(caller.os, loop.paths().starting));
  const bubble::State before = TRY(loop.load());
  if (!starting || (before.phase == bubble::Phase::preparing && before.trouble.empty() &&
                    TRY(is_driven(caller.os, loop.paths()))))
    return fail(Exit::refused, fmt::format("bubble {} is being started", before.id.str()),
                "its workspace is being prepared",
                "wait, then: pairflow bubble status --id " + before.id.str());
  if (before.phase == bubble::Phase::created || before.phase == bubble::Phase::preparing) {
    TRY(check_agents(loop, before));
    TRY(check_filters(loop, before));
  }
  if (!caller.json && before.phase == bubble::Phase::created)
    caller.os.env.print(Stream::err, "preparing the workspace …\n");
  const auto answer =
      TRY(decide_or_retry(caller, args, loop, bubble::Start{}, [](const bubble::State& state) {
        return !state.trouble.empty();  // the setup's
      }));
  const bubble::State state = TRY(wait_for_workspace(caller, loop));
  if (state.phase == bubble::Phase::preparing)
    return fail(Exit::machine, "the setup failed", state.trouble,
                "mend it, then run the same command again");
  if (state.phase == bubble::Phase::failed)
    return fail(Exit::refused, "the workspace could not be made", state.trouble,
                "create a new bubble once that is mended");
  if (state.phase == bubble::Phase::cancelled)
    return fail(Exit::refused, fmt::format("bubble {} was stopped meanwhile", state.id.str()),
                "its start was not finished", "create a new one with another --id");
  Said said;
  said.warnings = answer.warnings;
  said.json = state_json(state);
  said.json["messages"] = said_of(answer).json.at("messages");
  said.json["worktree"] = state.place.worktree;
  said.text = fmt::format(
      "bubble {} is {}: {} implements, {} reviews\nworktree {}\nwatch it: pairflow bubble attach "
      "--id {}\n",
      state.id.str(), name_of(state.phase), state.roles.implementer.str(),
      state.roles.reviewer.str(), state.place.worktree, state.id.str());
  if (state.phase == bubble::Phase::waiting)
    said.text += fmt::format("it waits for you: pairflow bubble inbox --id {}\n", state.id.str());
  return said;
}

Result<Said> run_stop(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State before = TRY(loop.load());
  if (!bubble::is_final(before.phase))
    TRY(need_confirmation(caller, args, fmt::format("Stop bubble {} for good?", before.id.str())));
  Said said;
  said.json = state_json(before);
  // One that was stopped and could not be closed is closed now.
  if (before.phase != bubble::Phase::cancelled || before.closed)
    said = said_of(TRY(loop.execute(request_of(caller, args, human_caller(caller), before),
                                    bubble::Stop{args.text("reason")})));
  if (auto settled = settle_now(loop, [](const bubble::State& s) { return s.closed; }); !settled)
    said.warnings.push_back(in_short(settled.error()));
  if (const auto state = loop.load(); state && state->closed)
    said.text += state->actions.back().text + "\n";
  if (before.phase != bubble::Phase::created)
    said.text +=
        fmt::format("The worktree and the branch {} are kept.\n", before.place.bubble_branch);
  return said;
}

Result<Said> run_resume(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State before = TRY(loop.load());
  TRY(require_unmoved(loop.paths(), before));
  Workspace workspace = loop.workspace(before);
  if (bubble::has_session(before.phase) && !TRY(workspace.exists())) {
    // The agents in it are still in the directory that was removed.
    TmuxSession terminal = TRY(loop.terminal(before));
    TRY(terminal.close_session());
    TRY(prepare_workspace(loop, workspace));
  }
  Said said = said_of(TRY(decide_as_human(caller, args, loop, bubble::Resume{})));
  said.text += fmt::format("watch it: pairflow bubble attach --id {}\n", before.id.str());
  return said;
}

Result<Said> run_attach(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State state = TRY(loop.load());
  TmuxSession terminal = TRY(loop.terminal(state));
  if (TRY(terminal.observe()).empty())
    return fail(Exit::refused, fmt::format("bubble {} has no session", state.id.str()),
                std::string(name_of(state.phase)),
                bubble::has_session(state.phase)
                    ? fmt::format("pairflow bubble resume --id {}", state.id.str())
                    : fmt::format("pairflow bubble status --id {}", state.id.str()));
  if (!caller.os.env.is_terminal(Stream::in))
    return fail(Exit::usage, "attach needs a terminal", "", "run it in one");
  Said said;
  said.exit = TRY(caller.os.processes.run_in_foreground(terminal.attach_command()));
  return said;
}

Result<Said> run_watchdog(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  const bubble::State before = TRY(loop.load());
  const auto answer = TRY(loop.report(bubble::CheckIdle{}, before.turn));
  Said said = said_of(answer);
  said.json["escalated"] = !answer.events.empty();
  if (before.phase != bubble::Phase::running)
    said.text = fmt::format("nothing to watch: the bubble is {}\n", name_of(before.phase));
  else if (answer.events.empty())
    said.text = fmt::format("{} is within its {} minutes\n", before.active_agent->str(),
                            before.policy.watchdog_minutes);
  return said;
}

Result<Said> run_supervise(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  auto done = supervise(loop);
  // The starter waits for a word of ours whatever happens.
  if (!done) caller.os.processes.tell_ready(in_short(done.error()));
  TRY(std::move(done));
  return Said{};
}

Result<Said> run_checks_now(Caller& caller, const Args& args) {
  BubbleLoop loop(caller.os, TRY(bubble_of(caller, args)));
  TRY(require_supervisor(caller, loop.paths().lease));
  TRY(run_evidence(loop));
  return Said{};
}

}  // namespace pf
