// The middle of the console: the stream with the panel beside it, the palette or the help over it.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "plan/console/console.h"
#include "plan/console/parts.h"

namespace pf::console {
namespace {

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

}  // namespace

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

}  // namespace pf::console
