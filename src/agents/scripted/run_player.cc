#include <fmt/format.h>

#include <charconv>

#include "agents/launch_parts.h"
#include "agents/scripted/player.h"
#include "agents/stream_lines.h"
#include "base/error_text.h"
#include "base/text.h"

namespace pf {
namespace {

constexpr std::string_view kConversation = "script";
constexpr Duration kHang = std::chrono::hours(24);  // a test that waits for it has given up before

// "script.0.2": the entries that are not played again.
std::set<std::size_t> passed_over_in(std::string_view conversation) {
  std::set<std::size_t> places;
  for (const std::string_view part : split(conversation, '.')) {
    std::size_t place = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), place);
    if (error == std::errc{} && end == part.data() + part.size()) places.insert(place);
  }
  return places;
}

std::string text_of_passed(const std::set<std::size_t>& places) {
  std::string text(kConversation);
  for (const std::size_t place : places) text += fmt::format(".{}", place);
  return text;
}

// Texts that name what they are about: {plan}, {step}, {round}, {role}.
ScenarioTurn with_names(ScenarioTurn turn, const Fillings& names) {
  const auto fill = [&](std::string& text) { text = filled_in(text, names); };
  fill(turn.say);
  for (FileToWrite& file : turn.write) fill(file.path), fill(file.text);
  for (std::string& name : turn.remove) fill(name);
  for (std::string& word : turn.run) fill(word);
  return turn;
}

class RunPlayer {
 public:
  RunPlayer(Os& os, const Scenario& scenario, const std::string& conversation)
      : os_(os), scenario_(scenario), passed_over_(passed_over_in(conversation)) {
    key_ = {variable("AGENT"), variable("ROLE"), 1, variable("STEP")};
    const std::string round = variable("ROUND");
    std::from_chars(round.data(), round.data() + round.size(), key_.round);
    names_ = {{"plan", variable("PLAN")},
              {"step", key_.step},
              {"round", std::to_string(key_.round)},
              {"role", key_.role}};
  }

  int play() {
    tell_conversation();
    for (;;) {
      const auto at = find_turn(scenario_.runs, key_, passed_over_);
      if (!at) {
        tell(said(fmt::format("The scenario has nothing for {} as {} on step {} in round {}.",
                              key_.agent, key_.role, key_.step, key_.round)));
        return 0;
      }
      work(with_names(scenario_.runs[*at], names_));
      if (const auto code = end(*at)) return *code;
    }
  }

 private:
  std::string variable(std::string_view name) {
    return os_.env.get(fmt::format("PAIRFLOW_{}", name)).value_or("");
  }
  void tell(const StreamItem& item) { os_.env.print(Stream::out, line_of(item)); }
  void tell_conversation() {
    tell({.kind = ItemKind::conversation, .text = text_of_passed(passed_over_)});
  }

  // Trouble is told, and the work goes on: so does an agent.
  void work(const ScenarioTurn& turn) {
    const Path here = os_.env.current_directory();
    if (!turn.say.empty()) tell(said(trim(turn.say)));
    if (turn.think_ms > 0) os_.clock.sleep(std::chrono::milliseconds(turn.think_ms));
    for (const auto& file : turn.write)
      tell({.kind = ItemKind::tool, .tool = "write", .text = in_short(file.path)});
    for (const auto& name : turn.remove)
      tell({.kind = ItemKind::tool, .tool = "delete", .text = in_short(name)});
    if (const auto edited = make_edits(os_, here, turn); !edited)
      tell(failed_call({.tool = "write"}, in_short(edited.error())));
    if (turn.run.empty()) return;
    call({.kind = ItemKind::tool, .tool = "bash", .text = shown_command(turn.run)},
         {.argv = turn.run, .directory = here});
  }

  // Tells of the command, runs it, and tells when it failed; its output when it did not.
  std::optional<std::string> call(const StreamItem& item, const Command& command) {
    tell(item);
    const auto ran = os_.processes.run(command);
    if (ran && ran->ok()) return ran->out;
    tell(failed_call(item, ran ? fmt::format("exit {}\n{}{}", ran->code, ran->out, ran->err)
                               : ran.error().what));
    return std::nullopt;
  }

  // The code to end with; none when the next entry is to be played.
  std::optional<int> end(std::size_t at) {
    const Ending& ending = scenario_.runs[at].ending;
    std::vector<std::string> words = ending.command;
    const bool asks = ending.key == "ask_user";
    if (asks || words.empty()) {
      passed_over_.insert(at);
      tell_conversation();
    }
    if (ending.key == "hang") os_.clock.sleep(kHang);
    if (words.empty()) return ending.code;
    for (std::string& word : words) word = filled_in(word, names_);
    const StreamItem item = tool_of_server("pairflow", words[1]);
    words.insert(words.begin(), os_.env.executable().string());
    const auto answer = call(item, {.argv = std::move(words)});
    if (!asks || !answer) return 0;
    tell(said(fmt::format("The answer is: {}", trim(*answer))));
    return std::nullopt;
  }

  Os& os_;
  const Scenario& scenario_;
  std::set<std::size_t> passed_over_;
  TurnKey key_ = {};
  Fillings names_ = {};
};

}  // namespace

int play_run(Os& os, const Scenario& scenario, const std::string& conversation) {
  return RunPlayer(os, scenario, conversation).play();
}

}  // namespace pf
