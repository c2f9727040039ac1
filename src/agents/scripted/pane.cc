#include "agents/scripted/pane.h"

#include <fmt/format.h>

#include "base/text.h"

namespace pf {
namespace {

using screen::Ink, screen::Style;

constexpr std::size_t kShownOutput = 8 << 10;  // bytes of each stream; more would scroll away

}  // namespace

Pane::Pane(Environment& env)
    : env_(env), ink_(env.is_terminal(Stream::out) ? Ink::colours : Ink::none) {}

void Pane::line(Style style, std::string_view text) {
  env_.print(Stream::out, screen::painted(printable(text), style, ink_) + "\n");
}

void Pane::title(std::string_view text) { line(Style::bold, text); }
void Pane::say(std::string_view text) {
  for (const auto part : split(trim(text), '\n')) line(Style::plain, part);
}

void Pane::aside(std::string_view text) { line(Style::dim, text); }
void Pane::command(std::string_view text) { line(Style::dim, fmt::format("$ {}", text)); }

void Pane::output(const Finished& finished) {
  for (const std::string* stream : {&finished.out, &finished.err}) {
    const std::string text = clip(trim(*stream), kShownOutput);
    if (text.empty()) continue;
    for (const auto part : split(text, '\n')) line(Style::plain, fmt::format("  {}", part));
  }
  if (finished.code != 0) line(Style::bad, fmt::format("  exit {}", finished.code));
}

void Pane::trouble(const Error& error) {
  line(Style::bad, error.what);
  if (!error.why.empty()) line(Style::plain, fmt::format("  {}", error.why));
  if (!error.fix.empty()) line(Style::plain, fmt::format("  {}", error.fix));
}

}  // namespace pf
