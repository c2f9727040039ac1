#include "plan/console/scrollback.h"

#include <algorithm>

#include "base/text.h"
#include "screen/wrap.h"

namespace pf::console {
namespace {

constexpr std::size_t kGutter = 11;                   // "[reviewer] "
constexpr std::size_t kNarrow = 40;                   // columns below which a gutter is a waste
constexpr std::size_t kWide = 100, kWideGutter = 16;  // "[reviewer:bash] "
constexpr std::size_t kWord = 12;                     // columns that most words need

std::string_view speaker(std::string_view prefix) {
  if (prefix.starts_with('[')) prefix.remove_prefix(1);
  return prefix.substr(0, prefix.find_first_of(":]"));
}

Style text_style(const StreamLine& line) {
  if (line.type == "agent.ask_user") return kUser;
  if (line.type == "flow.parked" || line.type == "system.error" || line.type == "complaint")
    return kAlarm;
  if (line.type == "reviewer.approve" || line.type == "plan.finished") return Style::good;
  if (line.type == "run.tool" || line.type == "run.started" || line.type == "run.ended" ||
      line.type == "run.parked" || line.type.starts_with("plan."))
    return Style::dim;
  return Style::plain;
}

}  // namespace

Style speaker_style(std::string_view prefix) {
  const std::string_view who = speaker(prefix);
  if (who == "coder") return kCoder;
  if (who == "reviewer") return kReviewer;
  if (who == "user") return kUser;
  return kPairflow;
}

void Scrollback::arrange(Entry& entry) const {
  const std::string& prefix = entry.line.prefix;
  const std::size_t gutter = width_ >= kWide ? kWideGutter : width_ >= kNarrow ? kGutter : 2;
  const std::size_t lead = std::max(columns(prefix) + 1, gutter);
  const bool below = lead > gutter && lead + kWord > width_;  // hardly any room beside it
  entry.rows.clear();
  if (entry.apart) entry.rows.push_back(Row().fitted(width_));
  Row row(prefix, speaker_style(prefix));
  if (below) {
    entry.rows.push_back(row.fitted(width_));
    row = Row(std::string(gutter, ' '));
  } else {
    row.add(std::string(lead - columns(prefix), ' '));
  }
  for (const Row& wrapped :
       wrap(std::move(row), entry.line.text, text_style(entry.line), gutter, width_))
    entry.rows.push_back(wrapped.fitted(width_));
}

void Scrollback::say(const StreamLine& line) {
  Entry entry{line};
  entry.line.prefix = clip(printable(line.prefix), 64);
  entry.line.text = printable_lines(clip(line.text, kLongestLine));
  entry.apart =
      !entries_.empty() && speaker(entries_.back().line.prefix) != speaker(entry.line.prefix);
  arrange(entry);
  if (hidden_ > 0) hidden_ += entry.rows.size();
  total_ += entry.rows.size();
  bytes_ += entry.line.text.size();
  entries_.push_back(std::move(entry));
  while (entries_.size() > kLines || bytes_ > kBytes) drop_oldest();
}

void Scrollback::drop_oldest() {
  total_ -= entries_.front().rows.size();
  bytes_ -= entries_.front().line.text.size();
  entries_.pop_front();
}

void Scrollback::resize(std::size_t width) {
  if (width == width_) return;
  const std::size_t below = newer();
  width_ = width, total_ = 0;
  for (Entry& entry : entries_) {
    arrange(entry);
    total_ += entry.rows.size();
  }
  const bool at_newest = hidden_ == 0;
  hidden_ = 0;
  for (std::size_t i = 0; i < below; ++i) hidden_ += entries_[entries_.size() - 1 - i].rows.size();
  if (!at_newest) hidden_ = std::max<std::size_t>(hidden_, 1);
}

void Scrollback::scroll(long rows, std::size_t height) {
  const auto most = static_cast<long>(total_ > height ? total_ - height : 0);
  hidden_ = static_cast<std::size_t>(std::clamp(static_cast<long>(hidden_) + rows, 0L, most));
}

std::size_t Scrollback::newer() const {
  std::size_t rows = 0, count = 0;
  for (auto entry = entries_.rbegin(); entry != entries_.rend() && rows < hidden_; ++entry) {
    rows += entry->rows.size();
    count += rows <= hidden_ ? 1 : 0;
  }
  return count;
}

std::vector<Row> Scrollback::window(std::size_t height) const {
  std::size_t skip = std::min(hidden_, total_ > height ? total_ - height : 0);
  std::vector<Row> rows;
  for (auto entry = entries_.rbegin(); entry != entries_.rend() && rows.size() < height; ++entry)
    for (auto row = entry->rows.rbegin(); row != entry->rows.rend() && rows.size() < height; ++row)
      if (skip > 0)
        --skip;
      else
        rows.push_back(*row);
  while (rows.size() < height) rows.push_back(Row().fitted(width_));
  std::ranges::reverse(rows);
  return rows;
}

}  // namespace pf::console
