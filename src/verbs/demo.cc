#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"
#include "bubble/domain/views.h"
#include "bubble/host/supervision.h"
#include "bubble/verbs/caller.h"
#include "sandbox/bubblewrap.h"
#include "verbs/verbs.h"

namespace pf {
namespace {

constexpr Duration kDemoLimit = std::chrono::minutes(3);  // it takes seconds; a guard, not a pace

constexpr std::string_view kTask =
    "Write greet.sh: greet the person whose name is given, and refuse an empty name.\n\n"
    "Acceptance: test.sh passes.\n";

// Runs every step as the real command, the way a person would type it.
class Demo {
 public:
  Demo(Caller& caller, Path repo) : caller_(caller), repo_(std::move(repo)) {}

  Status prepare() {
    TRY(caller_.os.files.make_directories(repo_ / ".pairflow"));
    TRY(git({"init", "-q", "-b", "main"}));
    TRY(git({"config", "user.name", "Demo"}));
    TRY(git({"config", "user.email", "demo@example.invalid"}));
    TRY(caller_.os.files.replace(repo_ / "README.md", "# Greetings\n", Durable::no));
    TRY(caller_.os.files.replace(repo_ / "task.md", kTask, Durable::no));
    TRY(caller_.os.files.replace(repo_ / "test.sh", "#!/bin/sh\n# Nobody is invited yet.\n",
                                 Durable::no));
    TRY(git({"add", "README.md", "task.md", "test.sh"}));
    TRY(git({"commit", "-q", "-m", "Begin"}));
    return caller_.os.files.replace(
        repo_ / ".pairflow" / "config.toml",
        fmt::format("[agents.codex]\nkind = \"scripted\"\nscenario = \"demo\"\n"
                    "[agents.claude]\nkind = \"scripted\"\nscenario = \"demo\"\n"
                    "[tmux]\nsocket = \"{}\"\n",
                    socket()),
        Durable::no);
  }

  Status pairflow(std::vector<std::string> words) {
    std::string shown = "pairflow";
    for (const std::string& word : words)
      shown += word.find(' ') == std::string::npos ? " " + word : fmt::format(" \"{}\"", word);
    say(fmt::format("\n$ {}\n", shown));
    words.insert(words.begin(), caller_.os.env.executable().string());
    return run(std::move(words), true);
  }

  // Tells the story as it is written, until the bubble is where it should be.
  Status follow(BubbleLoop& loop, bubble::Phase until) {
    const MonoTime deadline = caller_.os.clock.mono() + kDemoLimit;
    auto bell = TRY(caller_.os.files.listen(loop.paths().bells));
    for (;;) {
      bell->silence();
      for (const bubble::Event& event : TRY(loop.events(told_))) {
        if (event.seq <= last_) continue;
        last_ = event.seq;
        const std::string text = bubble::describe(event);
        if (!text.empty()) say(fmt::format("  {:>2}  {}\n", number(event.seq), text));
      }
      const bubble::State state = TRY(loop.load());
      told_ = state.mark;
      if (state.phase == until && last_ >= state.last_seq) return {};
      if (bubble::is_final(state.phase) || state.phase == bubble::Phase::waiting ||
          caller_.os.clock.mono() > deadline)
        return fail(Exit::machine, "the demo went astray",
                    fmt::format("the bubble is {}", name_of(state.phase)),
                    fmt::format("look at {}", loop.paths().directory.string()));
      bell->wait(std::chrono::seconds(1));
    }
  }

  Status git(std::vector<std::string> words, bool show = false) {
    words.insert(words.begin(), "git");
    return run(std::move(words), show);
  }
  void say(std::string_view text) {
    if (!caller_.json) caller_.os.env.print(Stream::out, text);
  }

 private:
  // Beside the repository, to go with it: tmux leaves the file of a socket behind.
  std::string socket() const {
    constexpr std::size_t kLongestSocket = 100;
    const std::string path = (repo_.parent_path() / "tmux.sock").string();
    const bool plain = path.find_first_of("\"\\") == std::string::npos;
    return plain && path.size() <= kLongestSocket ? path : "pf-demo-" + caller_.os.random.token(4);
  }

  Status run(std::vector<std::string> words, bool show) {
    Command command{std::move(words), repo_};
    command.environment = {{"PAIRFLOW_REPO", std::nullopt},
                           {"PAIRFLOW_BUBBLE", std::nullopt},
                           {"PAIRFLOW_TMUX_SOCKET", std::nullopt}};
    const Finished finished = TRY(caller_.os.processes.run(command));
    if (show) say(printable_lines(finished.out + finished.err));
    if (finished.ok()) return {};
    return fail(Exit::machine, fmt::format("'{}' failed", command.argv[0]),
                std::string(trim(printable_lines(finished.err))), "");
  }

  Caller& caller_;
  Path repo_;
  Mark told_;
  Seq last_ = Seq::none;
};

// Until the session is closed and the supervisor has gone: nothing runs in the directory any more.
Status wait_for_end(BubbleLoop& loop) {
  TRY(settle_now(loop, [](const bubble::State& state) { return state.closed; }));
  TRY(Lock::take(loop.os(), loop.paths().lease, kDemoLimit));
  return {};
}

Result<Said> play_demo(Caller& caller, const Path& repo) {
  Demo demo(caller, repo);
  TRY(demo.prepare());
  demo.say(
      fmt::format("A scratch repository in {}, two scripted agents, one bubble.\n", repo.string()));
  if (const Enforcement enforcement = find_enforcement(caller.os); !enforcement.program)
    demo.say(
        fmt::format("No sandbox here, so what agents and checks must not do is advisory: {}.\n",
                    enforcement.why_not));
  TRY(demo.pairflow({"bubble", "create", "--id", "greet", "--base", "main", "--task", "task.md",
                     "--test", "sh ./test.sh"}));
  TRY(demo.pairflow({"bubble", "start", "--id", "greet"}));
  BubbleLoop loop(caller.os, BubblePaths(TRY(find_repository(caller.os, repo)), BubbleId("greet")));
  demo.say("\n");
  TRY(demo.follow(loop, bubble::Phase::ready));
  TRY(demo.pairflow({"bubble", "findings", "--id", "greet"}));
  TRY(demo.pairflow({"bubble", "approve", "--id", "greet", "--yes"}));
  TRY(demo.pairflow({"bubble", "commit", "--id", "greet"}));
  TRY(demo.pairflow({"bubble", "verify", "--id", "greet"}));
  TRY(wait_for_end(loop));
  const bubble::State state = TRY(loop.load());
  demo.say("\n$ git show --stat bubble/greet\n");
  TRY(demo.git({"show", "--stat", "--format=%h %s%n%nTree %T%n", "bubble/greet"}, true));
  Said said;
  said.json = state_json(state);
  said.json["commit"] = state.committed.str();
  said.json["tree"] = codec::encode(state.approved_tree);
  said.text = fmt::format("\n{}: commit {} holds exactly the approved tree {}\n",
                          name_of(state.phase), state.committed.str(), state.approved_tree->str());
  return said;
}

}  // namespace

Result<Said> run_demo(Caller& caller, const Args& args) {
  Os& os = caller.os;
  const bool keep = args.has("keep");
  const Path root =
      keep ? Path(args.text("keep"))
           : Path(os.env.get("TMPDIR").value_or("/tmp")) / ("pairflow-demo-" + os.random.token(4));
  if (keep && TRY(os.files.exists(root)))
    return fail(Exit::usage, fmt::format("'{}' exists", printable(root.string())), "",
                "name a new directory");
  TRY(os.files.make_directories(root / "greetings"));
  const Path absolute = TRY(os.files.canonical(root));
  auto said = play_demo(caller, absolute / "greetings");
  if (!keep && said) (void)os.files.remove_all(absolute);
  return said;
}

}  // namespace pf
