#include <fmt/format.h>

#include "base/codec.h"
#include "bubble/domain/views.h"
#include "bubble/host/supervision.h"
#include "bubble/verbs/caller.h"
#include "verbs/demo_stage.h"

namespace pf {
namespace {

constexpr const char* kTask =
    "Write greet.sh: greet the person whose name is given, and refuse an empty name.\n\n"
    "Acceptance: test.sh passes.\n";

// Tells the story as it is written, until the bubble is where it should be.
Status follow(DemoStage& stage, BubbleLoop& loop, bubble::Phase until) {
  Os& os = stage.os();
  const MonoTime deadline = os.clock.mono() + kDemoLimit;
  auto bell = TRY(os.files.listen(loop.paths().bells));
  Mark told;
  Seq last = Seq::none;
  for (;;) {
    bell->silence();
    for (const bubble::Event& event : TRY(loop.events(told))) {
      if (event.seq <= last) continue;
      last = event.seq;
      const std::string text = bubble::describe(event);
      if (!text.empty()) stage.say(fmt::format("  {:>2}  {}\n", number(event.seq), text));
    }
    const bubble::State state = TRY(loop.load());
    told = state.mark;
    if (state.phase == until && last >= state.last_seq) return {};
    if (bubble::is_final(state.phase) || state.phase == bubble::Phase::waiting ||
        os.clock.mono() > deadline)
      return fail(Exit::machine, "the demo went astray",
                  fmt::format("the bubble is {}", name_of(state.phase)),
                  fmt::format("look at {}", loop.paths().directory.string()));
    bell->wait(std::chrono::seconds(1));
  }
}

// Until the session is closed and the supervisor has gone: nothing runs in the directory any more.
Status wait_for_end(BubbleLoop& loop) {
  TRY(settle_now(loop, [](const bubble::State& state) { return state.closed; }));
  TRY(Lock::take(loop.os(), loop.paths().lease, kDemoLimit));
  return {};
}

}  // namespace

Result<Said> demo_bubble(Caller& caller, DemoStage& stage) {
  TRY(stage.prepare({{"README.md", "# Greetings\n"},
                     {"task.md", kTask},
                     {"test.sh", "#!/bin/sh\n# Nobody is invited yet.\n"}},
                    "demo"));
  TRY(stage.pairflow({"bubble", "create", "--id", "greet", "--base", "main", "--task", "task.md",
                      "--test", "sh ./test.sh"}));
  TRY(stage.pairflow({"bubble", "start", "--id", "greet"}));
  BubbleLoop loop(caller.os,
                  BubblePaths(TRY(find_repository(caller.os, stage.repo())), BubbleId("greet")));
  stage.say("\n");
  TRY(follow(stage, loop, bubble::Phase::ready));
  TRY(stage.pairflow({"bubble", "findings", "--id", "greet"}));
  TRY(stage.pairflow({"bubble", "approve", "--id", "greet", "--yes"}));
  TRY(stage.pairflow({"bubble", "commit", "--id", "greet"}));
  TRY(stage.pairflow({"bubble", "verify", "--id", "greet"}));
  TRY(wait_for_end(loop));
  const bubble::State state = TRY(loop.load());
  TRY(stage.git({"show", "--stat", "--format=%h %s%n%nTree %T%n", "bubble/greet"},
                "git show --stat bubble/greet"));
  Said said;
  said.json = state_json(state);
  said.json["commit"] = state.committed.str();
  said.json["tree"] = codec::encode(state.approved_tree);
  said.text = fmt::format("\n{}: commit {} holds exactly the approved tree {}\n",
                          name_of(state.phase), state.committed.str(), state.approved_tree->str());
  return said;
}

}  // namespace pf
