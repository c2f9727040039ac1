#include "bubble/view/status_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "bubble/view/status_parts.h"

namespace pf {
namespace {

using namespace status;

constexpr std::size_t kTwoColumns = 120;  // wide enough for two
constexpr std::size_t kWidestText = 110;  // in a shell; longer lines are hard to read
constexpr std::size_t kNoEnd = 1u << 20;  // rows
constexpr std::size_t kRoomForLabels = 60;
constexpr std::size_t kGutter = 10;
constexpr std::size_t kRoomForMargin = 30;
constexpr std::size_t kRowsForRule = 6;
constexpr std::size_t kShortestId = 8;  // of an id that is cut
constexpr std::size_t kShortestTask = 20;

// Where things stand in a given width.
struct Frame {
  std::size_t margin, gutter, left, right;  // right: 0 when there is one column

  static Frame one_column(std::size_t width) {
    return {width >= kRoomForMargin ? 1u : 0u, width >= kRoomForLabels ? kGutter : 0, width, 0};
  }
  static Frame of(std::size_t width) {
    Frame frame = one_column(width);
    if (width < kTwoColumns) return frame;
    frame.left = width * 45 / 100;
    frame.right = width - frame.left - 1;
    return frame;
  }
  // What margins and labels leave of a column.
  std::size_t room(std::size_t column) const {
    return column - std::min(column, 2 * margin + gutter);
  }
};

// One row of a column, with its margins.
std::string paint_row(const Row& row, const Frame& frame, std::size_t column, const Ink& ink) {
  const std::string margin(frame.margin, ' ');
  return margin + row.paint(column - std::min(column, 2 * frame.margin), ink) + margin;
}

std::string first_line(std::string_view text) {
  return std::string(trim(trim(text).substr(0, trim(text).find('\n'))));
}

// The badge, what the bubble is, and the round at the right end, as much of it as there is room
// for.
std::string header(const bubble::State& state, std::size_t width, const Ink& ink) {
  std::string name(name_of(state.phase));
  if (width < kRoomForMargin) name = name.substr(0, name.find('_'));
  Row left(" " + name + " ", Style::badge);
  Row right;
  if (state.round > 0) {
    std::string round = fmt::format("{}/{}", state.round, state.limit);
    const std::size_t margin = width >= kRoomForMargin ? 1 : 0;
    const std::size_t free = width - std::min(width, left.columns() + 2 + margin);
    if (free >= round.size() + 6) round = "round " + round;
    if (free >= round.size()) right.add(round + std::string(margin, ' '));
  }
  const std::string& id = state.id.str();
  const std::size_t used = left.columns() + 2 + right.columns() + 2;
  if (used + std::min(columns(printable(id)), kShortestId) <= width) {
    left.add("  ").add(id, Style::strong);
    if (used + columns(printable(id)) + kShortestTask <= width)
      left.add("  ").add(first_line(state.task), Style::dim);
  }
  const std::size_t at_right = std::min(right.columns(), width);
  const std::size_t gap = at_right > 0 ? std::min<std::size_t>(2, width - at_right) : 0;
  return left.paint(width - at_right - gap, ink) + std::string(gap, ' ') +
         right.paint(at_right, ink);
}

std::string rule(const Frame& frame, const Ink& ink) {
  std::string line;
  for (std::size_t i = 0; i < frame.left; ++i) line += "─";
  if (frame.right > 0) line += "┬";
  for (std::size_t i = 0; i < frame.right; ++i) line += "─";
  const std::size_t whole = frame.left + frame.right + (frame.right > 0 ? 1 : 0);
  return Row(line, Style::dim).paint(whole, ink);
}

// All parts for one column, what concerns the human before the findings.
std::vector<Section> all_parts(const StatusModel& model, const Shape& shape) {
  std::vector<Section> parts = work_parts(model, shape);
  std::vector<Section> talk = talk_parts(model, shape);
  const auto findings = std::ranges::find(parts, "Findings", &Section::label);
  talk.front().apart = true;
  parts.insert(findings, talk.front());
  parts.push_back(talk.back());
  return parts;
}

std::vector<std::string> one_column(const StatusModel& model, const Frame& frame,
                                    std::size_t height, const Ink& ink) {
  const Shape shape{frame.room(frame.left), frame.gutter > 0 ? Room::view : Room::little};
  std::vector<std::string> lines;
  for (const Row& row : stack(all_parts(model, shape), frame.gutter, height))
    lines.push_back(paint_row(row, frame, frame.left, ink));
  return lines;
}

std::vector<std::string> two_columns(const StatusModel& model, const Frame& frame,
                                     std::size_t height, const Ink& ink) {
  const auto left = stack(work_parts(model, {frame.room(frame.left)}), frame.gutter, height);
  auto talk = talk_parts(model, {frame.room(frame.right)});
  talk.front().least = std::max<std::size_t>(1, talk.front().least);  // an empty inbox stays put
  const auto right = stack(talk, frame.gutter, height);
  const std::string bar = Row("│", Style::dim).paint(1, ink);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < height; ++i)
    lines.push_back(paint_row(i < left.size() ? left[i] : Row(), frame, frame.left, ink) + bar +
                    paint_row(i < right.size() ? right[i] : Row(), frame, frame.right, ink));
  return lines;
}

void shorten(std::optional<Duration>& stays, const std::optional<Duration>& other) {
  if (other && (!stays || *other < *stays)) stays = other;
}

bool shows_turn_time(bubble::Phase phase) {
  return phase != bubble::Phase::none && phase != bubble::Phase::created &&
         !bubble::is_final(phase);
}

}  // namespace

std::vector<std::string> render_status(const StatusModel& model, std::size_t width,
                                       std::size_t height, bool colour) {
  if (height == 0) return {};
  const Ink ink{colour, accent_of(model.state.phase)};
  const Frame frame = Frame::of(width);
  std::vector<std::string> lines = {header(model.state, width, ink)};
  if (height >= kRowsForRule) lines.push_back(rule(frame, ink));
  const std::size_t rest = height - lines.size();
  const auto body =
      frame.right > 0 ? two_columns(model, frame, rest, ink) : one_column(model, frame, rest, ink);
  lines.insert(lines.end(), body.begin(), body.end());
  return lines;
}

std::optional<Duration> stays_for(const StatusModel& model) {
  std::optional<Duration> stays;
  if (shows_turn_time(model.state.phase)) {
    shorten(stays, turn_age(model).stays);
    shorten(stays, turn_since(model).stays);
  }
  for (const bubble::InboxItem& item : inbox_of(model.state))
    shorten(stays, clock_time(parse_iso8601(item.since), model.wall, model.utc_offset).stays);
  if (const auto left = watchdog_left(model)) shorten(stays, left->stays);
  if (const auto left = restart_left(model)) shorten(stays, left->stays);
  return stays;
}

std::string status_text(const StatusModel& model, std::size_t width, bool colour) {
  width = std::min(width, kWidestText);
  const Ink ink{colour, accent_of(model.state.phase)};
  const Frame frame = Frame::one_column(width);
  std::vector<std::string> lines = {header(model.state, width, ink), ""};
  const Shape shape{frame.room(width), Room::shell};
  for (const Row& row : stack(all_parts(model, shape), frame.gutter, kNoEnd))
    lines.push_back(std::string(frame.margin, ' ') + row.paint(row.columns(), ink));
  std::string text;
  for (std::string& line : lines) {
    line.resize(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace pf
