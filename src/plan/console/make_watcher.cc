#include "plan/console/make_watcher.h"

#include <fmt/format.h>

#include "base/codec.h"
#include "base/text.h"
#include "plan/console/console.h"
#include "screen/terminal.h"

namespace pf::console {
namespace {

using namespace std::chrono_literals;

constexpr Duration kFrame = 30ms;  // the shortest time between two pictures
constexpr Duration kSecond = 1s;   // the time that has passed is shown in seconds

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

// One line of text for each line of the stream; a question as a block with the command that answers
// it. Hears nothing.
class PlainWatcher : public PlanWatcher {
 public:
  explicit PlainWatcher(Os& os) : os_(os) {}

  void show(const PlanView& view) override {
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

  void say(const StreamLine& line) override {
    WallTime time = parse_iso8601(line.ts);
    if (time.ms == 0) time = os_.clock.wall();
    std::string text = printable_lines(line.text);
    const auto lines = split(trim(text), '\n');
    std::string out = fmt::format("{} {} {}\n", clock_text(time, os_.clock.utc_offset()),
                                  printable(line.prefix), lines.front());
    for (std::size_t i = 1; i < lines.size(); ++i) out += fmt::format("         {}\n", lines[i]);
    os_.env.print(Stream::out, out);
  }

  void complain(const std::string& text) override {
    os_.env.print(Stream::err, fmt::format("pairflow: {}\n", printable_lines(text)));
  }

 private:
  Os& os_;
  std::string asked_;  // id of the question that was printed
  std::string turn_;   // as it was printed
};

// One JSON object for each line of the stream, each state and each complaint; see docs/plan.md.
// Hears nothing.
class JsonWatcher : public PlanWatcher {
 public:
  explicit JsonWatcher(Os& os) : os_(os) {}

  void show(const PlanView& view) override {
    JsonObject object = {{"type", "state"}};
    codec::encode_fields(view, object);
    if (object != shown_) print(object);
    shown_ = std::move(object);
  }

  void say(const StreamLine& line) override {
    JsonObject object = {
        {"type", line.type}, {"ts", line.ts}, {"prefix", line.prefix}, {"text", line.text}};
    if (line.seq != Seq::none) object["seq"] = number(line.seq);
    print(object);
  }

  void complain(const std::string& text) override {
    print({{"type", "complaint"}, {"ts", iso8601(os_.clock.wall())}, {"text", text}});
  }

 private:
  void print(const JsonObject& object) { os_.env.print(Stream::out, dump(object) + "\n"); }

  Os& os_;
  JsonObject shown_;
};

// The console on a terminal.
class ConsoleWatcher : public PlanWatcher {
 public:
  ConsoleWatcher(Os& os, std::unique_ptr<Terminal> terminal)
      : os_(os),
        terminal_(std::move(terminal)),
        console_(os.env.terminal_columns(), os.env.terminal_rows()) {}

  void show(const PlanView& view) override {
    console_.show(view);
    draw_soon();
  }

  void say(const StreamLine& line) override {
    console_.say(line);
    draw_soon();
  }

  void complain(const std::string& text) override {
    console_.complain(text);
    draw();
  }

  int input() const override { return terminal_->input(); }

  std::vector<PlanWish> heard() override {
    std::vector<PlanWish> wishes;
    for (const Key& key : terminal_->keys()) {
      if (key.kind == Key::Kind::redraw) terminal_->forget();
      for (PlanWish& wish : console_.key(key)) wishes.push_back(std::move(wish));
    }
    draw();
    return wishes;
  }

  void resized() override {
    terminal_->forget();
    draw();
  }

 private:
  void draw() {
    console_.resize(os_.env.terminal_columns(), os_.env.terminal_rows());
    console_.tick(os_.clock.wall());
    terminal_->draw(console_.screen());
    terminal_->wake_after(kSecond);
    drawn_ = os_.clock.mono();
  }

  // A flood of lines is not drawn one by one.
  void draw_soon() {
    const Duration passed = drawn_ ? os_.clock.mono() - *drawn_ : kFrame;
    if (passed >= kFrame)
      draw();
    else
      terminal_->wake_after(kFrame - passed);
  }

  Os& os_;
  std::unique_ptr<Terminal> terminal_;
  Console console_;
  std::optional<MonoTime> drawn_;
};

}  // namespace

std::unique_ptr<PlanWatcher> make_watcher(Os& os, Showing showing) {
  if (showing == Showing::json) return std::make_unique<JsonWatcher>(os);
  const bool both = os.env.is_terminal(Stream::in) && os.env.is_terminal(Stream::out);
  if (showing == Showing::plain || !both) return std::make_unique<PlainWatcher>(os);
  auto terminal = Terminal::open(os.env);
  if (terminal) return std::make_unique<ConsoleWatcher>(os, std::move(*terminal));
  os.env.print(Stream::err, fmt::format("pairflow: {} ({}); plain lines instead\n",
                                        terminal.error().what, terminal.error().why));
  return std::make_unique<PlainWatcher>(os);
}

}  // namespace pf::console
