// Draws by ECMA-48 sequences that every terminal of today knows: a static program's ncurses shows
// wide characters only where it finds a UTF-8 locale and terminfo files, and keeps global state.
#include "screen/terminal.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace pf::screen {
namespace {

constexpr std::string_view kHide = "\x1b[?25l", kShow = "\x1b[?25h";
constexpr std::string_view kDontWrap = "\x1b[?7l", kWrap = "\x1b[?7h";
// A screen of its own, where pasted text is marked.
constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?2004h\x1b[?7l\x1b[2J";
constexpr std::string_view kLeave = "\x1b[0m\x1b[?7h\x1b[?2004l\x1b[?25h\x1b[?1049l";
// The terminal shows what is between them at once, if it can.
constexpr std::string_view kBegin = "\x1b[?2026h", kEnd = "\x1b[?2026l";

bool wants_colours(Environment& env) { return env.get("NO_COLOR").value_or("").empty(); }

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string at(std::size_t row, std::size_t column) {
  return fmt::format("\x1b[{};{}H", row + 1, column + 1);
}

}  // namespace

Result<std::unique_ptr<Terminal>> Terminal::open(Environment& env) {
  const std::string name = env.get("TERM").value_or("");
  const bool able = env.is_terminal(Stream::in) && env.is_terminal(Stream::out);
  if (!able || name.empty() || name == "dumb" || name == "unknown")
    return fail(Exit::machine, "there is no terminal to draw on",
                able ? fmt::format("TERM is \"{}\"", printable(name)) : "", "use --plain");
  return std::make_unique<Terminal>(env, TRY(env.take_keys()));
}

Terminal::Terminal(Environment& env)
    : env_(env), ink_(wants_colours(env) ? Ink::colours : Ink::none) {
  env_.print(Stream::out, fmt::format("{}{}", kHide, kDontWrap));
}

Terminal::Terminal(Environment& env, std::unique_ptr<Keys> keys)
    : env_(env), keys_(std::move(keys)), ink_(wants_colours(env) ? Ink::colours : Ink::weights) {
  env_.print(Stream::out, kEnter);
}

Terminal::~Terminal() {
  env_.print(Stream::out, keys_ ? std::string(kLeave)
                                : fmt::format("{}{}{}\r\n", at(used_ - 1, 0), kWrap, kShow));
}

std::string Terminal::painted(const Row& row) const {
  std::string out;
  std::size_t column = 0;
  bool sure = true;
  for (const Span& span : row.spans()) {
    // By column, so that a terminal that counts a character differently shifts one piece only.
    if (!sure) out += fmt::format("\x1b[{}G", column + 1);
    out += screen::painted(span.text, span.style, ink_);
    column += columns(span.text);
    sure = is_ascii(span.text);
  }
  return out;
}

void Terminal::draw(Picture picture) {
  if (drawn_ == picture) return;
  const auto& rows = picture.rows;
  std::string out = fmt::format("{}{}", kBegin, kHide);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!drawn_ || i >= drawn_->rows.size() || rows[i] != drawn_->rows[i])
      out += fmt::format("{}\x1b[2K{}", at(i, 0), painted(rows[i]));
  if (rows.size() < (drawn_ ? drawn_->rows.size() : env_.terminal_rows()))
    out += at(rows.size(), 0) + "\x1b[J";
  if (picture.cursor)
    out += fmt::format("{}{}", at(picture.cursor->row, picture.cursor->column), kShow);
  env_.print(Stream::out, out.append(kEnd));
  used_ = std::max<std::size_t>(rows.size(), 1);
  drawn_ = std::move(picture);
}

void Terminal::wake_after(Duration time) {
  if (keys_) keys_->wake_after(time);
}

std::vector<Key> Terminal::keys() {
  if (!keys_ || gone_) return {};
  const auto bytes = keys_->take();
  if (bytes) return reader_.read(*bytes);
  gone_ = true;
  return {{Key::Kind::interrupt}};
}

}  // namespace pf::screen
