#include "agents/scripted/player.h"

#include <fmt/format.h>

#include "base/json.h"
#include "base/text.h"
#include "screen/row.h"

namespace pf {
namespace {

using screen::Ink, screen::Style;

constexpr std::string_view kFromPairflow = "[pairflow #";
constexpr std::size_t kShownOutput = 8 << 10;  // bytes of each stream; more would scroll away

// What is shown: short lines, dimmed and coloured on a terminal only, with nothing in them that a
// terminal could obey.
class Pane {
 public:
  explicit Pane(Environment& env)
      : env_(env), ink_(env.is_terminal(Stream::out) ? Ink::colours : Ink::none) {}

  void line(Style style, std::string_view text) {
    env_.print(Stream::out, screen::painted(printable(text), style, ink_) + "\n");
  }
  void lines(std::string_view text, std::string_view indent = "") {
    for (const auto part : split(text, '\n')) line(Style::plain, fmt::format("{}{}", indent, part));
  }
  void aside(std::string_view text) { line(Style::dim, text); }  // what happens beside the work
  void command(std::string_view text) { line(Style::dim, fmt::format("$ {}", text)); }
  // Both streams, cut when long, and the code unless it is 0.
  void output(const Finished& finished) {
    for (const std::string* stream : {&finished.out, &finished.err})
      if (!trim(*stream).empty()) lines(clip(trim(*stream), kShownOutput), "  ");
    if (finished.code != 0) line(Style::bad, fmt::format("  exit {}", finished.code));
  }
  void trouble(const Error& error) {
    line(Style::bad, error.what);
    for (const std::string& more : {error.why, error.fix})
      if (!more.empty()) line(Style::plain, fmt::format("  {}", more));
  }

 private:
  Environment& env_;
  Ink ink_;
};

// What `turn --json` says.
struct TurnSeen {
  bool ours = false;
  std::int64_t number = 0;  // grows with every turn
  TurnKey key;
  Path worktree;
};

Result<TurnSeen> parse_turn(const std::string& text) {
  const auto bad = [](std::string why) {
    return fail(Exit::damaged, "pairflow turn --json gave no usable answer", std::move(why),
                "run it by hand in this worktree to see what is wrong");
  };
  const auto json = parse_json(text);
  if (!json) return bad(json.error().what);
  const JsonObject* object = json->if_object();
  const Json* ours = object == nullptr ? nullptr : object->if_contains("your_turn");
  if (ours == nullptr || !ours->is_bool()) return bad("\"your_turn\" is missing");
  TurnSeen seen;
  seen.ours = ours->get_bool();
  seen.number = number_of(*object, "turn");
  seen.key = {text_of(*object, "agent"), text_of(*object, "role"),
              static_cast<int>(number_of(*object, "round"))};
  seen.worktree = text_of(*object, "worktree");
  if (seen.ours && (seen.number <= 0 || !seen.worktree.is_absolute()))
    return bad("\"turn\" or \"worktree\" is missing");
  return seen;
}

class Player {
 public:
  Player(Os& os, const Scenario& scenario) : os_(os), scenario_(scenario), pane_(os.env) {}

  int play(const AgentName& agent) {
    pane_.line(Style::bold, agent.str());
    pane_.aside(fmt::format("a scripted agent, playing '{}'", scenario_.name));
    while (const auto line = os_.env.read_line()) {
      if (line->contains(kFromPairflow))
        look();
      else if (!trim(*line).empty())
        pane_.aside("I follow a script and only listen to pairflow.");
      if (exit_code_) return *exit_code_;
    }
    return 0;
  }

 private:
  void look() {
    const auto seen = ask();
    if (!seen) return pane_.trouble(seen.error());
    if (!seen->ours) return pane_.aside("Not my turn; I wait.");
    if (seen->number == played_) return pane_.aside("I have played this turn already.");
    const auto entry = find_turn(scenario_.turns, seen->key, passed_over_);
    if (!entry)
      return pane_.aside(fmt::format("The scenario has nothing for {} as {} in round {}; I wait.",
                                     seen->key.agent, seen->key.role, seen->key.round));
    played_ = seen->number;
    const auto done = play_entry(*entry, seen->worktree);
    if (!done) pane_.trouble(done.error());
  }

  Command own_command(std::vector<std::string> words) {
    words.insert(words.begin(), os_.env.executable().string());
    return {.argv = std::move(words)};
  }

  Result<TurnSeen> ask() {
    const auto answer = TRY(os_.processes.run(own_command({"turn", "--json"})));
    if (!answer.ok())
      return fail(Exit::machine, fmt::format("pairflow turn ended with {}", answer.code),
                  std::string(trim(answer.err)));
    return parse_turn(answer.out);
  }

  Status play_entry(std::size_t at, const Path& worktree) {
    const ScenarioTurn& turn = scenario_.turns[at];
    if (!turn.say.empty()) pane_.lines(trim(turn.say));
    if (turn.think_ms > 0) {
      pane_.aside("…");
      os_.clock.sleep(std::chrono::milliseconds(turn.think_ms));
    }
    TRY(make_edits(os_, worktree, turn));
    for (const auto& file : turn.write) pane_.aside(fmt::format("wrote {}", file.path));
    for (const auto& name : turn.remove) pane_.aside(fmt::format("deleted {}", name));
    if (!turn.run.empty()) {
      pane_.command(shown_command(turn.run));
      pane_.output(TRY(os_.processes.run({.argv = turn.run, .directory = worktree})));
    }
    return end(at);
  }

  // An entry that gave the turn away without an answer is not played again by this process: what
  // the human's reply brings is another one.
  Status end(std::size_t at) {
    const Ending& ending = scenario_.turns[at].ending;
    if (ending.key == "exit") exit_code_ = ending.code;
    if (ending.key == "nothing") passed_over_.insert(at);
    if (ending.command.empty()) return {};
    pane_.command("pairflow " + shown_command(ending.command));
    const auto finished = TRY(os_.processes.run(own_command(ending.command)));
    pane_.output(finished);
    if (finished.ok() && ending.key == "ask_human") passed_over_.insert(at);
    // What convergence lacked may be what the next line brings: the result of the checks.
    if (!finished.ok() && ending.key == "converged") played_ = 0;
    return {};
  }

  Os& os_;
  const Scenario& scenario_;
  Pane pane_;
  std::int64_t played_ = 0;                 // the last turn played
  std::set<std::size_t> passed_over_ = {};  // entries, see end()
  std::optional<int> exit_code_ = {};
};

}  // namespace

int play(Os& os, const Scenario& scenario, const AgentName& agent) {
  return Player(os, scenario).play(agent);
}

}  // namespace pf
