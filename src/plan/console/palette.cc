#include "plan/console/palette.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace pf::console {
namespace {

// "force coder" of "force coder look at the tests", when it is typed whole.
bool is_named(const PaletteCommand& command, std::string_view typed) {
  return !command.argument.empty() && typed.starts_with(command.name) &&
         typed.size() > command.name.size() && typed[command.name.size()] == ' ';
}

std::string without_newlines(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

bool Palette::key(const Key& key) {
  const std::size_t count = matches().size();
  switch (key.kind) {
    case Key::Kind::up:
    case Key::Kind::palette: selected_ -= selected_ > 0 ? 1 : 0; return true;
    case Key::Kind::down: selected_ += selected_ + 1 < count ? 1 : 0; return true;
    case Key::Kind::tab: return complete(), true;
    case Key::Kind::newline: return false;
    default: break;
  }
  if (!typed_.key({key.kind, without_newlines(key.text)})) return false;
  selected_ = 0;
  return true;
}

void Palette::complete() {
  const PaletteCommand* command = chosen();
  if (command == nullptr || is_named(*command, typed_.text())) return;
  typed_.set(std::string(command->name) + (command->argument.empty() ? "" : " "));
  selected_ = 0;
}

std::vector<const PaletteCommand*> Palette::matches() const {
  const std::string_view typed = trim(typed_.text());
  std::vector<const PaletteCommand*> named, found, others;
  for (const PaletteCommand& command : kPaletteCommands) {
    if (is_named(command, typed_.text()))
      named.push_back(&command);
    else if (command.name.starts_with(typed))
      found.insert(command.name == typed ? found.begin() : found.end(), &command);
    else if (command.name.contains(typed))
      others.push_back(&command);
  }
  if (!named.empty()) return named;
  found.insert(found.end(), others.begin(), others.end());
  return found;
}

const PaletteCommand* Palette::chosen() const {
  const auto all = matches();
  return all.empty() ? nullptr : all[std::min(selected_, all.size() - 1)];
}

std::string Palette::argument() const {
  const PaletteCommand* command = chosen();
  if (command == nullptr || !is_named(*command, typed_.text())) return {};
  return std::string(trim(std::string_view(typed_.text()).substr(command->name.size())));
}

std::vector<Row> Palette::rows(std::size_t width, std::size_t height) const {
  constexpr std::size_t kNames = 27;
  const auto all = matches();
  std::vector<Row> rows;
  if (all.empty()) rows.push_back(Row(" no such command", kAlarm).fitted(width));
  const PaletteCommand* mark = chosen();
  const std::size_t shown = std::min(all.size(), height);
  const auto at = static_cast<std::size_t>(std::ranges::find(all, mark) - all.begin());
  const std::size_t first = at < shown ? 0 : at + 1 - shown;
  for (std::size_t i = first; i < first + shown; ++i) {
    const bool selected = all[i] == mark;
    Row row(selected ? " ▸ " : "   ");
    const std::string name = fmt::format("{} {}", all[i]->name, all[i]->argument);
    row.add(width < kNames * 2 ? name + " " : fit(name, kNames), Style::bold);
    row.add(all[i]->help, Style::dim);
    rows.push_back(selected ? Row(fit(row.text(), width), Style::plain.inverted())
                            : row.fitted(width));
  }
  if (rows.size() > height) rows.resize(height);
  return rows;
}

}  // namespace pf::console
