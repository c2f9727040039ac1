#include "plan/console/plain_watcher.h"

#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"

namespace pf::console {
namespace {

// "12:34:56" of a time as people here have it.
std::string clock_text(WallTime time, Duration utc_offset) {
  time.ms += std::chrono::duration_cast<std::chrono::milliseconds>(utc_offset).count();
  return iso8601(time).substr(11, 8);
}

std::string indented(const std::string& text, std::string_view by) {
  std::string out;
  for (const std::string_view line : split(trim(text), '\n'))
    out += fmt::format("{}{}{}", out.empty() ? "" : "\n", by, line);
  return out;
}

}  // namespace

void PlainWatcher::show(const PlanView& view) {
  const std::string turn = fmt::format("{} · {} · {}", view.turn, view.step, view.guard);
  if (turn != turn_) say({"state", iso8601(os_.clock.wall()), "[pairflow]", turn});
  turn_ = turn;
  const std::string id = view.question ? view.question->id : "";
  if (id != asked_ && view.question) {
    const std::string who = view.question->kind == plan::HaltKind::asked
                                ? fmt::format("the {} asks", view.question->who)
                                : std::string(name_of(view.question->kind));
    os_.env.print(Stream::out, fmt::format("\n  ┌ {}\n{}\n  └ answer: {}\n\n", who,
                                           indented(printable_lines(view.question->text), "  │ "),
                                           view.question->answer));
  }
  asked_ = id;
}

void PlainWatcher::say(const StreamLine& line) {
  WallTime time = parse_iso8601(line.ts);
  if (time.ms == 0) time = os_.clock.wall();
  std::string text = printable_lines(line.text);
  const auto lines = split(trim(text), '\n');
  std::string out = fmt::format("{} {} {}\n", clock_text(time, os_.clock.utc_offset()),
                                printable(line.prefix), lines.front());
  for (std::size_t i = 1; i < lines.size(); ++i) out += fmt::format("         {}\n", lines[i]);
  os_.env.print(Stream::out, out);
}

void PlainWatcher::complain(const std::string& text) {
  os_.env.print(Stream::err, fmt::format("pairflow: {}\n", printable_lines(text)));
}

}  // namespace pf::console
