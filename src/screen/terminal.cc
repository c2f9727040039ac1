// Draws by ECMA-48 sequences that every terminal of today knows: a static program's ncurses shows
// wide characters only where it finds a UTF-8 locale and terminfo files, and keeps global state.
#include "screen/terminal.h"

#include <fmt/format.h>

#include "base/text.h"

namespace pf::tui {
namespace {

constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?2004h\x1b[?7l\x1b[2J";
constexpr std::string_view kLeave = "\x1b[0m\x1b[?7h\x1b[?2004l\x1b[?25h\x1b[?1049l";
// The terminal shows what is between them at once, if it can.
constexpr std::string_view kBegin = "\x1b[?2026h\x1b[?25l", kEnd = "\x1b[?25h\x1b[?2026l";

std::string_view colour_of(Style style) {
  switch (style) {
    case Style::plain: return "";
    case Style::dim: return "2";
    case Style::bold: return "1";
    case Style::coder: return "1;36";
    case Style::reviewer: return "1;35";
    case Style::user: return "1;33";
    case Style::pairflow: return "94";
    case Style::alarm: return "1;31";
    case Style::good: return "32";
    case Style::title: return "1";
    case Style::selected: return "7";
  }
  return "";
}

std::string_view weight_of(Style style) {
  switch (style) {
    case Style::plain:
    case Style::good:
    case Style::pairflow: return "";
    case Style::dim: return "2";
    case Style::selected: return "7";
    default: return "1";
  }
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

Terminal::Terminal(Environment& env, std::unique_ptr<Keys> keys)
    : env_(env), keys_(std::move(keys)), colour_(env.get("NO_COLOR").value_or("").empty()) {
  env_.print(Stream::out, kEnter);
}

Terminal::~Terminal() { env_.print(Stream::out, kLeave); }

std::string Terminal::painted(const Row& row) const {
  std::string out;
  std::size_t column = 1;
  for (const Span& span : row.spans()) {
    std::string code(colour_ ? colour_of(span.style) : weight_of(span.style));
    if (span.chip) code += code.empty() ? "7" : ";7";
    // By column, so that a terminal that counts a character differently shifts one piece only.
    if (column > 1) out += fmt::format("\x1b[{}G", column);
    out += code.empty() ? span.text : fmt::format("\x1b[{}m{}\x1b[0m", code, span.text);
    column += columns(span.text);
  }
  return out;
}

void Terminal::draw(const Picture& picture) {
  std::string out;
  if (drawn_.size() != picture.rows.size()) {
    out += "\x1b[2J";
    drawn_.assign(picture.rows.size(), Row());
  }
  for (std::size_t i = 0; i < picture.rows.size(); ++i) {
    if (picture.rows[i] == drawn_[i]) continue;
    out += fmt::format("\x1b[{};1H{}", i + 1, painted(picture.rows[i]));
  }
  drawn_ = picture.rows;
  const std::string cursor =
      fmt::format("\x1b[{};{}H", picture.cursor_row + 1, picture.cursor_column + 1);
  env_.print(Stream::out, fmt::format("{}{}{}{}", kBegin, out, cursor, kEnd));
}

std::vector<Key> Terminal::keys() {
  if (gone_) return {};
  const auto bytes = keys_->take();
  if (bytes) return reader_.read(*bytes);
  gone_ = true;
  return {{Key::Kind::interrupt}};
}

}  // namespace pf::tui
