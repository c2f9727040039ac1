#include "agents/scripted/pane.h"

#include <fmt/format.h>

#include "base/text.h"

namespace pf {
namespace {

constexpr std::size_t kShownOutput = 8 << 10;  // bytes of each stream; more would scroll away

constexpr std::string_view kPlain;
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kRed = "\x1b[31m";
constexpr std::string_view kReset = "\x1b[0m";

}  // namespace

Pane::Pane(Environment& env) : env_(env), coloured_(env.is_terminal(Stream::out)) {}

void Pane::line(std::string_view style, std::string_view text) {
  const bool styled = coloured_ && !style.empty();
  env_.print(Stream::out,
             fmt::format("{}{}{}\n", styled ? style : "", printable(text), styled ? kReset : ""));
}

void Pane::title(std::string_view text) { line(kBold, text); }
void Pane::say(std::string_view text) {
  for (const auto part : split(trim(text), '\n')) line(kPlain, part);
}

void Pane::aside(std::string_view text) { line(kDim, text); }
void Pane::command(std::string_view text) { line(kDim, fmt::format("$ {}", text)); }

void Pane::output(const Finished& finished) {
  for (const std::string* stream : {&finished.out, &finished.err}) {
    const std::string text = clip(trim(*stream), kShownOutput);
    if (text.empty()) continue;
    for (const auto part : split(text, '\n')) line(kPlain, fmt::format("  {}", part));
  }
  if (finished.code != 0) line(kRed, fmt::format("  exit {}", finished.code));
}

void Pane::trouble(const Error& error) {
  line(kRed, error.what);
  if (!error.why.empty()) line(kPlain, fmt::format("  {}", error.why));
  if (!error.fix.empty()) line(kPlain, fmt::format("  {}", error.fix));
}

}  // namespace pf
