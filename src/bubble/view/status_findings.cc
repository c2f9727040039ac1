#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "bubble/view/status_parts.h"

namespace pf::status {
namespace {

constexpr std::size_t kShortestTitle = 24;  // beside a path

Style style_of(bubble::Severity severity) {
  return bubble::is_serious(severity)       ? Style::bad
         : severity == bubble::Severity::p2 ? Style::warn
                                            : Style::plain;
}

// "P1 1 open, 2 resolved · P3 1 waived"
Row findings_counted(const bubble::State& state) {
  Row row;
  for (const auto& [severity, name] : names_of(bubble::Severity{})) {
    std::string counts;
    bool unsettled = false;
    for (const auto& [status, word] : names_of(bubble::FindingStatus{})) {
      const auto count = std::ranges::count_if(state.findings, [&](const bubble::Finding& f) {
        return f.severity == severity && f.status == status;
      });
      if (count == 0) continue;
      counts += fmt::format("{} {} {}", counts.empty() ? "" : ",", count, word);
      unsettled |= !bubble::is_settled(status);
    }
    if (counts.empty()) continue;
    if (row.columns() > 0) row.add(" · ", Style::dim);
    row.add(name, unsettled ? style_of(severity) : Style::dim);
    row.add(counts, unsettled ? Style::plain : Style::dim);
  }
  return row;
}

// The title and then the path, which a long title leaves room for when it can.
std::vector<Row> with_place(Row lead, std::string_view title, const std::string& path,
                            const Shape& shape) {
  const std::size_t indent = lead.columns();
  const std::size_t aside = path.empty() ? 0 : columns(printable(path)) + 2;
  if (shape.room != Room::shell) {
    const bool both = indent + kShortestTitle + aside <= shape.width;
    const std::size_t room = shape.width - std::min(shape.width, indent + (both ? aside : 0));
    lead.add(trim(fit(printable(title), room)));
    return {both && !path.empty() ? lead.add("  " + path, Style::dim) : lead};
  }
  auto rows = paragraph(std::move(lead), title, Style::plain, indent, shape.width, kLinesInShell);
  if (path.empty()) return rows;
  if (rows.back().columns() + aside > shape.width)
    rows.emplace_back(std::string(indent, ' '));
  else
    rows.back().add("  ");
  rows.back().add(path, Style::dim);
  return rows;
}

}  // namespace

std::vector<Row> finding_rows(const bubble::State& state, const Shape& shape) {
  if (state.findings.empty())
    return shape.room == Room::little ? std::vector<Row>{} : std::vector{Row("none", Style::dim)};
  std::vector<Row> rows = {findings_counted(state)};
  std::vector<const bubble::Finding*> unsettled;
  std::size_t id_width = 0, status_width = 0;
  for (const bubble::Finding& finding : state.findings)
    if (finding.unsettled()) {
      unsettled.push_back(&finding);
      id_width = std::max(id_width, columns(printable(finding.id.str())));
      status_width = std::max(status_width, name_of(finding.status).size());
    }
  std::ranges::stable_sort(unsettled, {}, &bubble::Finding::severity);
  for (const bubble::Finding* finding : unsettled) {
    Row lead(std::string(name_of(finding->severity)) + "  ", style_of(finding->severity));
    lead.add(fit(printable(finding->id.str()), id_width) + "  ");
    lead.add(fit(name_of(finding->status), status_width) + "  ", Style::dim);
    std::string path = finding->path;
    if (finding->line > 0) path += fmt::format(":{}", finding->line);
    append(rows, with_place(std::move(lead), finding->title, path, shape));
  }
  return rows;
}

}  // namespace pf::status
