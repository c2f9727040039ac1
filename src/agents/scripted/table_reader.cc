#include "agents/scripted/table_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace pf {
namespace {

constexpr std::string_view kSeeExamples = "docs/agents.md shows an example of every key";

std::string shown(std::string_view text) { return printable(clip(text, 60)); }

}  // namespace

TableReader::TableReader(const Path& file, const TomlValue& table, std::string name)
    : file_(file), table_(table), name_(std::move(name)) {
  if (table.kind != TomlKind::table)
    complain(table.line, fmt::format("{} must be a table, not {}", name_, kind_name(table)), "",
             std::string(kSeeExamples));
}

std::string TableReader::called(std::string_view key) const {
  return fmt::format("'{}' in {}", shown(key), name_);
}

void TableReader::complain(int line, std::string what, std::string why, std::string fix) {
  if (!first_)
    first_ = to_error({{std::move(what), std::move(why), std::move(fix), {file_, line}}});
}

const TomlValue* TableReader::value(std::string_view key, TomlKind kind) {
  known_.push_back(key);
  const TomlValue* found = table_.find(key);
  if (found == nullptr || found->kind == kind) return found;
  const bool single_brackets = kind == TomlKind::array && found->kind == TomlKind::table;
  complain(found->line,
           fmt::format("{} must be {}, not {}", called(key), kind_name(TomlValue{.kind = kind}),
                       kind_name(*found)),
           "", std::string(single_brackets ? "write its header in double brackets" : kSeeExamples));
  return nullptr;
}

void TableReader::obey(std::string_view key, const TomlValue& text, TextRule rule) {
  const std::string need = rule == nullptr ? "" : rule(text.text);
  if (need.empty()) return;
  complain(text.line, fmt::format("{} cannot be '{}'", called(key), shown(text.text)),
           fmt::format("it {}", need), "correct the line");
}

void TableReader::text(std::string_view key, std::string& into, TextRule rule) {
  const TomlValue* found = value(key, TomlKind::string);
  if (found == nullptr) return;
  obey(key, *found, rule);
  into = found->text;
}

void TableReader::flag(std::string_view key, bool& into) {
  if (const TomlValue* found = value(key, TomlKind::boolean)) into = found->boolean;
}

void TableReader::number(std::string_view key, int& into, int least, int most) {
  const TomlValue* found = value(key, TomlKind::integer);
  if (found == nullptr) return;
  if (found->integer < least || found->integer > most)
    return complain(found->line, fmt::format("{} cannot be {}", called(key), found->integer),
                    fmt::format("it is a number from {} to {}", least, most), "correct the line");
  into = static_cast<int>(found->integer);
}

void TableReader::texts(std::string_view key, std::vector<std::string>& into, TextRule rule) {
  const TomlValue* found = value(key, TomlKind::array);
  if (found == nullptr) return;
  for (const TomlValue& item : found->items) {
    if (item.kind != TomlKind::string)
      return complain(item.line,
                      fmt::format("{} holds {} among its strings", called(key), kind_name(item)),
                      "", fmt::format("write {} = [\"…\", \"…\"]", key));
    obey(key, item, rule);
    into.push_back(item.text);
  }
}

void TableReader::require(std::string_view key) {
  if (table_.find(key) == nullptr)
    complain(table_.line, fmt::format("{} is missing", called(key)), "",
             fmt::format("add {} = …", key));
}

Status TableReader::finish() {
  for (const TomlValue& member : table_.items) {
    if (std::ranges::find(known_, member.key) != known_.end()) continue;
    const auto near = nearest(member.key, known_);
    complain(member.line, fmt::format("unknown key {}", called(member.key)), "",
             near.empty() ? fmt::format("known here: {}", fmt::join(known_, ", "))
                          : fmt::format("did you mean '{}'?", near));
  }
  if (first_) return std::unexpected(*first_);
  return {};
}

}  // namespace pf
