#include "plan/console/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "plan/console/parts.h"

namespace pf::console {
namespace {

constexpr std::size_t kMostColumns = 1000, kMostRows = 500;
constexpr std::size_t kPanelFrom = 100;  // columns
constexpr std::size_t kRulesFrom = 12;   // rows
constexpr std::size_t kPanelLeast = 34, kPanelMost = 56, kBorder = 2;

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kHelp = {{
    {"Enter", "sends the answer when somebody asks"},
    {"Alt-Enter", "a new line in it; pasted lines stay lines"},
    {":  Ctrl-P", "commands, on an empty line"},
    {"↑ ↓", "one row up or down in the stream"},
    {"PgUp PgDn", "a page"},
    {"Home End", "the oldest and the newest, on an empty line"},
    {"Esc", "back to the newest"},
    {"Ctrl-L", "draws everything again"},
    {"Ctrl-C", "leaves: the plan goes on without you"},
}};

std::vector<Row> help_rows(std::size_t width) {
  std::vector<Row> rows = {Row(" Keys", Style::bold)};
  for (const auto& [keys, what] : kHelp)
    rows.push_back(Row(fmt::format("   {:<12}", keys), Style::bold).add(what));
  rows.emplace_back();
  rows.emplace_back(" Any key goes back.", Style::dim);
  for (Row& row : rows) row = row.fitted(width);
  return rows;
}

// Whether a reply is an answer to it; a failure is left by a command.
bool takes_reply(const PlanView& view) {
  return view.question && view.phase == plan::Phase::awaiting_user_input;
}

}  // namespace

Console::Console(std::size_t columns, std::size_t rows)
    : columns_(std::clamp<std::size_t>(columns, 1, kMostColumns)),
      rows_(std::clamp<std::size_t>(rows, 1, kMostRows)),
      stream_(stream_width()) {}

void Console::show(PlanView view) {
  const auto asked = [](const PlanView& of) { return of.question ? of.question->id : ""; };
  const bool other = asked(view) != asked(view_);
  if (other) sent_.clear(), notice_ = Row();
  typed_before_ = view.question && !input_.empty() && (other || typed_before_);
  if (other && typed_before_)
    notice(fmt::format("{} is asked now: is this the answer to it? Enter twice sends it",
                       view_.question ? "something else" : "something"),
           kAlarm);
  if (unsure_ != nullptr && view.opened != view_.opened)
    notice(fmt::format("the plan has moved on: no {}", std::exchange(unsure_, nullptr)->name),
           kAlarm);
  view_ = std::move(view);
}

void Console::say(const StreamLine& line) { stream_.say(line); }

void Console::complain(const std::string& text) {
  notice(text, kAlarm);
  stream_.say({"complaint", "", "[pairflow]", text});
  if (input_.empty()) input_.set(std::exchange(sent_, {}));
}

void Console::tick(WallTime now) { now_ = now; }

void Console::resize(std::size_t columns, std::size_t rows) {
  columns_ = std::clamp<std::size_t>(columns, 1, kMostColumns);
  rows_ = std::clamp<std::size_t>(rows, 1, kMostRows);
  stream_.resize(stream_width());
}

void Console::notice(std::string text, Style style) { notice_ = Row(" ").add(text, style); }

std::vector<PlanWish> Console::key(const Key& key) {
  if (key.kind == Key::Kind::interrupt) return leave();
  if (help_) return help_ = false, std::vector<PlanWish>{};
  if (unsure_ != nullptr) {
    const PaletteCommand& command = *std::exchange(unsure_, nullptr);
    notice_ = Row();
    if (key.text == "y" || key.text == "Y") return {{*command.wish, "", view_.opened}};
    notice(fmt::format("no {}", command.name), Style::dim);
    return {};
  }
  notice_ = Row();
  return palette_ ? key_in_palette(key) : key_in_line(key);
}

std::vector<PlanWish> Console::leave() {
  notice(
      fmt::format("leaving: the plan goes on; pairflow plan run {} shows it again", view_.feature),
      Style::bold);
  palette_.reset();
  return {{PlanWish::Kind::leave}};
}

std::vector<PlanWish> Console::key_in_palette(const Key& key) {
  if (key.kind == Key::Kind::escape) return palette_.reset(), std::vector<PlanWish>{};
  if (key.kind == Key::Kind::backspace && palette_->typed().empty())
    return palette_.reset(), std::vector<PlanWish>{};
  if (key.kind != Key::Kind::enter) {
    if (!palette_->key(key)) scroll(key);
    return {};
  }
  const PaletteCommand* command = palette_->chosen();
  if (command == nullptr) return {};
  const std::string argument = palette_->argument();
  palette_.reset();
  return carry_out(*command, argument);
}

std::vector<PlanWish> Console::carry_out(const PaletteCommand& command, std::string argument) {
  if (!command.wish) return help_ = true, std::vector<PlanWish>{};
  if (*command.wish == PlanWish::Kind::leave) return leave();
  if (!command.warning.empty()) {
    unsure_ = &command;
    notice(std::string(command.warning), kAlarm);
    return {};
  }
  return {{*command.wish, std::move(argument), view_.opened}};
}

std::vector<PlanWish> Console::key_in_line(const Key& key) {
  const bool opens = key.kind == Key::Kind::palette || (key.text == ":" && input_.empty());
  if (opens) {
    palette_.emplace();
    return {};
  }
  if (key.kind == Key::Kind::enter) return send();
  const bool moves = key.kind == Key::Kind::home || key.kind == Key::Kind::end;
  if (moves && input_.empty()) return scroll(key), std::vector<PlanWish>{};
  if (input_.key(key)) return typed_before_ = false, std::vector<PlanWish>{};
  if (scroll(key)) return {};
  if (key.kind == Key::Kind::text && !key.text.empty())
    notice(fmt::format("an answer has at most {} KiB", InputLine::kLimit / 1024), kAlarm);
  return {};
}

std::vector<PlanWish> Console::send() {
  const bool blank = trim(input_.text()).empty();
  if (!takes_reply(view_)) {
    notice(view_.question ? "a failure is left by a command: type : and choose resume or reset"
                          : "nobody asks now; : has the commands, force coder among them",
           kUser);
    return {};
  }
  if (blank) return notice("type an answer first", kUser), std::vector<PlanWish>{};
  if (std::exchange(typed_before_, false)) {
    notice("this was typed before the question came: Enter sends it all the same", kAlarm);
    return {};
  }
  sent_ = trim(input_.text());
  input_.set("");
  stream_.to_newest();
  return {{PlanWish::Kind::reply, sent_, Seq::none, view_.question->id}};
}

bool Console::scroll(const Key& key) {
  const std::size_t height = layout().main;
  const long page = std::max<long>(static_cast<long>(height) - 2, 1);
  switch (key.kind) {
    case Key::Kind::up: stream_.scroll(1, height); return true;
    case Key::Kind::down: stream_.scroll(-1, height); return true;
    case Key::Kind::page_up: stream_.scroll(page, height); return true;
    case Key::Kind::page_down: stream_.scroll(-page, height); return true;
    case Key::Kind::home: stream_.to_oldest(height); return true;
    case Key::Kind::end:
    case Key::Kind::escape: stream_.to_newest(); return true;
    default: return false;
  }
}

std::size_t Console::stream_width() const {
  if (columns_ < kPanelFrom) return columns_;
  return columns_ - std::clamp(columns_ / 3, kPanelLeast, kPanelMost) - kBorder;
}

Console::Layout Console::layout() const {
  Layout layout;
  const std::size_t width = columns_ > prompt().columns() ? columns_ - prompt().columns() : 1;
  layout.input = std::clamp<std::size_t>(typing().layout(width).rows.size(), 1,
                                         std::max<std::size_t>(rows_ / 5, 1));
  layout.panel = columns_ - stream_width();
  std::size_t left = rows_ - layout.input;
  const auto take = [&](std::size_t wanted) {
    const std::size_t given = std::min(wanted, left);
    left -= given;
    return given;
  };
  take(1);  // the title
  const bool roomy = rows_ >= kRulesFrom;
  if (roomy || (notice_.columns() > 0 && left > 1)) layout.hint = take(1);
  layout.question =
      take(question_block(view_, columns_, std::max<std::size_t>(left / 3, 1)).size());
  if (roomy) layout.rules = take(2);
  if (roomy && layout.panel == 0) layout.summary = take(summary(view_, columns_, rows_ / 6).size());
  layout.main = left;
  return layout;
}

Picture Console::screen() const {
  const Layout layout = this->layout();
  Picture picture;
  std::vector<Row>& rows = picture.rows;
  if (rows_ > layout.input) rows.push_back(title_row(view_, now_, layout.panel > 0, columns_));
  if (layout.summary > 0) append(rows, summary(view_, columns_, layout.summary));
  if (layout.rules > 0) rows.push_back(line_across(layout, "┬"));
  append(rows, main_rows(layout));
  if (layout.rules > 1) rows.push_back(lower_rule(layout));
  append(rows, question_block(view_, columns_, layout.question));

  const Row lead = prompt();
  const std::size_t width = columns_ > lead.columns() ? columns_ - lead.columns() : 1;
  const auto typed = typing().layout(width);
  const std::size_t first = typed.row < layout.input ? 0 : typed.row + 1 - layout.input;
  picture.cursor = {rows.size() + typed.row - first,
                    std::min(lead.columns() + typed.column, columns_ - 1)};
  for (std::size_t i = first; i < first + layout.input; ++i) {
    Row row = i == 0 ? lead : Row(std::string(lead.columns(), ' '));
    rows.push_back(row.add(i < typed.rows.size() ? typed.rows[i] : "").fitted(columns_));
  }
  if (layout.hint > 0) rows.push_back(hint().fitted(columns_));
  return picture;
}

std::vector<Row> Console::stream_rows(std::size_t height) const {
  const std::size_t width = stream_width();
  if (help_) {
    auto rows = help_rows(width);
    rows.resize(height, Row().fitted(width));
    return rows;
  }
  if (!palette_) return stream_.window(height);
  const auto commands = palette_->rows(width, height);
  const bool lined = commands.size() < height;
  auto rows = stream_.window(height - commands.size() - (lined ? 1 : 0));
  if (lined) rows.push_back(rule(width));
  append(rows, commands);
  return rows;
}

std::vector<Row> Console::main_rows(const Layout& layout) const {
  auto rows = stream_rows(layout.main);
  if (layout.panel == 0) return rows;
  const auto beside = panel(view_, layout.panel - 2, layout.main);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].add(" │", Style::dim).add(beside[i]);
  return rows;
}

Row Console::prompt() const {
  if (columns_ < 12) return Row(palette_ ? ":" : ">", Style::bold);
  if (palette_) return Row(" : ", Style::bold);
  return Row(" ❯ ", takes_reply(view_) ? kUser : Style::dim);
}

Row Console::hint() const {
  if (notice_.columns() > 0) return notice_;
  if (palette_) return Row(" Enter does it · Tab completes · Esc closes", Style::dim);
  if (takes_reply(view_))
    return Row(" Enter sends · Alt-Enter new line · : commands · PgUp PgDn scroll · Ctrl-C leave",
               Style::dim);
  return Row(" : commands · ↑ ↓ PgUp PgDn scroll · Ctrl-C leave", Style::dim);
}

Row Console::line_across(const Layout& layout, std::string_view crossing) const {
  if (layout.panel == 0) return rule(columns_);
  return rule(stream_width() + 1).add(crossing, Style::dim).add(rule(layout.panel - kBorder));
}

Row Console::lower_rule(const Layout& layout) const {
  const std::size_t newer = stream_.newer();
  if (newer == 0) return line_across(layout, "┴");
  const Row mark = Row(fmt::format(" ↓ {} newer ", newer), kUser.inverted()).add("──", Style::dim);
  return rule(columns_ > mark.columns() ? columns_ - mark.columns() : 0).with_right(mark, columns_);
}

}  // namespace pf::console
