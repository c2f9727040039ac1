#include "bubble/view/status_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "bubble/host/presence.h"
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
Row in_column(const Row& row, const Frame& frame, std::size_t column) {
  const std::string margin(frame.margin, ' ');
  return Row(margin).add(row.fitted(column - std::min(column, 2 * frame.margin))).add(margin);
}

std::string first_line(std::string_view text) {
  return std::string(trim(trim(text).substr(0, trim(text).find('\n'))));
}

// The badge, what the bubble is, and the round at the right end, as much of it as there is room
// for.
Row header(const bubble::State& state, std::size_t width) {
  std::string name(name_of(state.phase));
  if (width < kRoomForMargin) name = name.substr(0, name.find('_'));
  Row left(" " + name + " ", Style{accent_of(state.phase).colour, Weight::bold, true});
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
    left.add("  ").add(id, Style::bold);
    if (used + columns(printable(id)) + kShortestTask <= width)
      left.add("  ").add(first_line(state.task), Style::dim);
  }
  return left.with_right(Row(right.columns() > 0 ? "  " : "").add(right), width);
}

Row rule_below(const Frame& frame) {
  if (frame.right == 0) return rule(frame.left);
  return rule(frame.left).add("┬", Style::dim).add(rule(frame.right));
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

std::vector<Row> one_column(const StatusModel& model, const Frame& frame, std::size_t height) {
  const Shape shape{frame.room(frame.left), frame.gutter > 0 ? Room::view : Room::little};
  auto rows = stack(all_parts(model, shape), frame.gutter, height);
  for (Row& row : rows) row = in_column(row, frame, frame.left);
  return rows;
}

std::vector<Row> two_columns(const StatusModel& model, const Frame& frame, std::size_t height) {
  const auto left = stack(work_parts(model, {frame.room(frame.left)}), frame.gutter, height);
  auto talk = talk_parts(model, {frame.room(frame.right)});
  talk.front().least = std::max<std::size_t>(1, talk.front().least);  // an empty inbox stays put
  const auto right = stack(talk, frame.gutter, height);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < height; ++i)
    rows.push_back(in_column(i < left.size() ? left[i] : Row(), frame, frame.left)
                       .add("│", Style::dim)
                       .add(in_column(i < right.size() ? right[i] : Row(), frame, frame.right)));
  return rows;
}

void shorten(std::optional<Duration>& stays, const std::optional<Duration>& other) {
  if (other && (!stays || *other < *stays)) stays = other;
}

bool shows_turn_time(bubble::Phase phase) {
  return phase != bubble::Phase::none && phase != bubble::Phase::created &&
         !bubble::is_final(phase);
}

bool is_alive(const std::optional<Runtime>& runtime, const bubble::Agent& agent) {
  if (runtime)
    for (const Runtime::Pane& pane : runtime->panes)
      if (pane.agent == agent.name.str()) return !pane.dead;
  return agent.launched != Seq::none && !agent.exited;
}

}  // namespace

StatusModel read_status(BubbleLoop& loop, bubble::State state,
                        const std::optional<Distance>& base) {
  Os& os = loop.os();
  StatusModel model;
  model.state = std::move(state);
  model.runtime = read_runtime(os, loop.paths());
  model.moved = moved_repository(loop.paths(), model.state);
  model.now = os.clock.moment();
  model.wall = os.clock.wall();
  model.utc_offset = os.clock.utc_offset();
  const bool unmerged = model.state.phase == bubble::Phase::done && model.state.merged.empty();
  if (unmerged || bubble::has_session(model.state.phase))
    model.base = loop.base_distance(model.state, base);
  if (!bubble::has_session(model.state.phase)) return model;
  for (const bubble::Agent& agent : model.state.agents) {
    const auto presence = read_presence(os, loop.paths(), agent.name);
    const Whereabouts where = whereabouts(agent, is_alive(model.runtime, agent), presence);
    AgentSeen seen{agent.name, std::string(name_of(model.state.role_of(agent.name))), where.what,
                   where.how};
    if (where.how == "hook" && presence) seen.since = presence->at;
    seen.until = where.until;
    seen.program = agent.program;
    seen.enforcement = agent.enforcement;
    seen.conversation = agent.conversation;
    model.agents.push_back(std::move(seen));
    if (presence && model.state.active_agent == agent.name) model.sign = presence->moment;
  }
  return model;
}

std::vector<Row> render_status(const StatusModel& model, std::size_t width, std::size_t height) {
  if (height == 0) return {};
  const Frame frame = Frame::of(width);
  std::vector<Row> rows = {header(model.state, width)};
  if (height >= kRowsForRule) rows.push_back(rule_below(frame));
  const std::size_t rest = height - rows.size();
  append(rows, frame.right > 0 ? two_columns(model, frame, rest) : one_column(model, frame, rest));
  return rows;
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
  const Frame frame = Frame::one_column(width);
  std::vector<Row> rows = {header(model.state, width), Row()};
  const Shape shape{frame.room(width), Room::shell};
  for (const Row& row : stack(all_parts(model, shape), frame.gutter, kNoEnd))
    rows.push_back(Row(std::string(frame.margin, ' ')).add(row));
  std::string text;
  for (const Row& row : rows) {
    const std::string line = row.painted(colour ? Ink::colours : Ink::none);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace pf
