#include "screen/section.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text.h"

namespace pf::screen {
namespace {

// How many rows each section gets.
std::vector<std::size_t> shares(const std::vector<Section>& sections, std::size_t height) {
  std::vector<std::size_t> order(sections.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return sections[i].rank; });
  std::vector<std::size_t> share(sections.size());
  const auto grant = [&](std::size_t i, std::size_t wanted) {
    const std::size_t more = std::min(wanted - share[i], height);
    share[i] += more;
    height -= more;
  };
  for (const std::size_t i : order) grant(i, std::min(sections[i].least, sections[i].rows.size()));
  for (const std::size_t i : order) grant(i, sections[i].rows.size());
  return share;
}

std::vector<Row> cut_to(const Section& section, std::size_t share) {
  const auto& rows = section.rows;
  const auto count = static_cast<std::ptrdiff_t>(share);
  if (section.newest_last) return {rows.end() - count, rows.end()};
  std::vector<Row> kept(rows.begin(), rows.begin() + count);
  if (share < rows.size() && share > 1 && !section.more.empty())
    kept.back() = Row(fmt::format("… {} {}", rows.size() - share + 1, section.more), Style::dim);
  return kept;
}

}  // namespace

std::vector<Row> stack(const std::vector<Section>& sections, std::size_t gutter,
                       std::size_t height) {
  // Blank rows are worth more than old news, and less than anything else.
  std::size_t needed = 0, blanks = 0;
  for (const Section& section : sections) {
    const std::size_t all = section.rows.size();
    needed += section.newest_last ? std::min(section.least, all) : all;
    if (section.apart && all > 0) ++blanks;
  }
  const auto share = shares(sections, needed + blanks <= height ? height - blanks : height);
  std::size_t free = height - std::accumulate(share.begin(), share.end(), std::size_t{0});
  std::vector<Row> rows;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (share[i] == 0) continue;
    if (sections[i].apart && !rows.empty() && free > 0) {
      rows.emplace_back();
      --free;
    }
    std::string label = sections[i].label;
    for (const Row& row : cut_to(sections[i], share[i])) {
      Row whole;
      if (gutter > 0) whole.add(fit(label, gutter), sections[i].label_style);
      rows.push_back(whole.add(row));
      label.clear();
    }
  }
  return rows;
}

}  // namespace pf::screen
