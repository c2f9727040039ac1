#include "bubble/view/status_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/codec.h"
#include "base/text.h"
#include "bubble/domain/evidence.h"
#include "bubble/domain/hidden_text.h"
#include "bubble/domain/watchdog.h"
#include "bubble/view/status_shape.h"

namespace pf::status {
namespace {

using bubble::Phase;

// Who loses rows last; two that are never there together may share a rank.
enum Rank {
  kInboxWaits,
  kTurn,
  kTrouble,
  kWatchdog,
  kAgents,
  kFindings,
  kLast,
  kChange,
  kBase,
  kHidden,
  kScope,
  kMeter,
  kNothing
};

constexpr std::size_t kLinesInView = 2;     // of one question or trouble
constexpr std::size_t kTiny = 30;           // columns that are too few for a sentence
constexpr std::size_t kLinesOfCommand = 4;  // in a view

Duration to_duration(std::int64_t ms) { return std::chrono::milliseconds(ms); }

std::string spaced(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::string short_id(const std::string& id) { return id.substr(0, 10); }

std::size_t lines(const Shape& shape) {
  if (shape.room == Room::shell) return kLinesInShell;
  return shape.width < kTiny ? 1 : kLinesInView;
}

std::vector<Row> command_rows(const std::string& command, Phase phase, const Shape& shape) {
  return paragraph(Row("→ ", Style::dim), command, accent_of(phase), 2, shape.width,
                   shape.room == Room::shell ? 1 : kLinesOfCommand);
}

Row holder_of_turn(const bubble::State& state, const Shape& shape) {
  if (!state.active_agent || !state.active_role) return Row("nobody");
  return Row(state.active_agent->str(), Style::bold)
      .add(fmt::format("{}{}", shape.width < kTiny ? " " : " as ", name_of(*state.active_role)))
      .add(state.phase == Phase::waiting && shape.width >= kTiny ? ", paused" : "");
}

Row with_time(const StatusModel& model, const Shape& shape, Row row) {
  if (shape.room != Room::little)
    row.add(fmt::format(" · since {}", turn_since(model).text), Style::dim);
  return row.add((shape.width < kTiny ? " " : " · ") + turn_age(model).text, Style::dim);
}

Row with_end(const StatusModel& model, Row row) {
  const WallTime end = parse_iso8601(model.state.active_since);
  return row.add(" · " + full_time(end, model.utc_offset), Style::dim);
}

std::string turn_label(Phase phase) {
  return phase == Phase::created ? "Next" : bubble::is_final(phase) ? "End" : "Turn";
}

std::vector<Row> turn_rows(const StatusModel& model, const Shape& shape) {
  const bubble::State& state = model.state;
  switch (state.phase) {
    case Phase::none: return {};
    case Phase::created:
      return command_rows("pairflow bubble start --id " + state.id.str(), state.phase, shape);
    case Phase::preparing: return {with_time(model, shape, Row("preparing the workspace"))};
    case Phase::running: return {with_time(model, shape, holder_of_turn(state, shape))};
    case Phase::waiting: return {with_time(model, shape, holder_of_turn(state, shape))};
    case Phase::ready:
    case Phase::approved: return {with_time(model, shape, Row("yours", Style::bold))};
    case Phase::committed: return {with_time(model, shape, Row("finishing the commit"))};
    case Phase::done:
      return {with_end(
          model, Row("commit ")
                     .add(short_id(state.committed.str()), Style::bold)
                     .add(" on " + state.place.bubble_branch)
                     .add(state.merged.empty() ? "" : ", merged into " + state.place.base_branch))};
    case Phase::failed: return {with_end(model, Row("failed", Style::bad))};
    case Phase::cancelled:
      return {with_end(model, Row("stopped; " + state.place.bubble_branch + " is kept"))};
  }
  return {};
}

std::vector<Row> trouble_rows(const StatusModel& model, const Shape& shape) {
  std::vector<Row> rows;
  const auto say = [&](std::string_view text) {
    append(rows, paragraph(Row(), text, Style::bad, 2, shape.width, lines(shape)));
  };
  if (model.moved) {
    say(model.moved->in_words());
  } else if (wants_supervisor(model.state) && !model.supervised) {
    const auto next = restart_left(model);
    say(!next ? "no supervisor; start it: pairflow bubble resume --id " + model.state.id.str()
        : next->stays ? "no supervisor; next start in " + next->text
                      : "no supervisor; starting one");
    if (model.restart && !model.restart->why.empty()) say(model.restart->why);
  }
  if (model.state.phase == Phase::failed) say(model.state.trouble);
  if (model.runtime)
    for (const std::string& trouble : model.runtime->troubles) say(trouble);
  return rows;
}

std::vector<Row> watchdog_rows(const StatusModel& model, const Shape& shape) {
  const auto left = watchdog_left(model);
  if (!left) return {};
  const bool soon = !left->text.ends_with('m');
  Row row(shape.room == Room::little ? "watchdog " : "asks you ");
  row.add(left->stays ? "in " + left->text : left->text, soon ? Style::warn : Style::bold);
  if (model.state.active_agent && shape.room != Room::little)
    row.add(" if " + model.state.active_agent->str() + " stays silent", Style::dim);
  return {row};
}

// "claude    reviewer     using Bash · 12:03"
std::vector<Row> agent_rows(const StatusModel& model, const Shape& shape) {
  if (shape.room == Room::little) return {};
  std::size_t widest = 0;
  for (const AgentSeen& agent : model.agents) widest = std::max(widest, columns(agent.name.str()));
  std::vector<Row> rows;
  for (const AgentSeen& agent : model.agents) {
    Row lead(fit(agent.name.str(), widest + 2), Style::bold);
    lead.add(fit(agent.role, 13), Style::dim);
    const auto time_of = [&](const std::string& ts) {
      return clock_time(parse_iso8601(ts), model.wall, model.utc_offset).text;
    };
    std::string known = agent.where;
    if (!agent.until.empty()) known += " until " + time_of(agent.until);
    known +=
        fmt::format(" ({}{})", agent.how, agent.since.empty() ? "" : " " + time_of(agent.since));
    if (!agent.enforcement.empty() && agent.enforcement != "sandbox")
      known += " · " + agent.enforcement;
    if (agent.program.starts_with("advisory")) known += " · " + agent.program;
    append(rows,
           paragraph(std::move(lead), known, Style::plain, 2, shape.width, lines_of_item(shape)));
  }
  return rows;
}

std::vector<Row> change_rows(const bubble::State& state) {
  if (!state.changes) return {};
  const bubble::ChangeStats& changes = *state.changes;
  Row row(fmt::format("{} file{}  ", changes.files, changes.files == 1 ? "" : "s"));
  row.add(fmt::format("+{}", changes.added), Style::good)
      .add(" ")
      .add(fmt::format("−{}", changes.removed), Style::bad);
  if (!state.policy.profile.checks.empty()) {
    const auto standing = bubble::evidence_standing(state);
    row.add(" · checks ", Style::dim)
        .add(std::string(name_of(standing)), standing == bubble::EvidenceStanding::green
                                                 ? Style::good
                                             : standing == bubble::EvidenceStanding::awaited ||
                                                     standing == bubble::EvidenceStanding::later
                                                 ? Style::plain
                                                 : Style::bad);
    if (const auto flaky = bubble::flaky_checks(state); !flaky.empty())
      row.add(fmt::format(" (flaky: {})", join(flaky, ", ")), Style::warn);
    if (state.policy.checks_at.value_or(bubble::ChecksAt::worktree) == bubble::ChecksAt::worktree)
      row.add(" (advisory: in the worktree)", Style::warn);
  }
  return {row};
}

// Where the base branch has moved on since the bubble began.
std::vector<Row> base_rows(const StatusModel& model, const Shape& shape) {
  if (!model.base || model.base->commits == 0) return {};
  const bubble::State& state = model.state;
  const int commits = model.base->commits;
  std::vector<Row> rows = {
      Row(state.place.base_branch, Style::bold)
          .add(fmt::format(" has moved on by {} commit{}", commits, commits == 1 ? "" : "s"))};
  const char* verb = state.phase == Phase::done ? "merge" : "sync";
  if (shape.room != Room::little && state.phase != Phase::committed)
    append(rows, command_rows(fmt::format("pairflow bubble {} --id {}", verb, state.id.str()),
                              state.phase, shape));
  return rows;
}

// In the change that is to be approved.
std::vector<Row> hidden_rows(const bubble::State& state, const Shape& shape) {
  if (state.hidden.empty()) return {};
  return paragraph(Row("hidden characters: ", Style::warn),
                   join(bubble::in_words(state.hidden), ", "), Style::plain, 2, shape.width,
                   lines(shape));
}

std::vector<Row> scope_rows(const bubble::State& state, const Shape& shape) {
  if (state.out_of_scope.empty()) return {};
  return paragraph(Row(fmt::format("{} outside: ", state.out_of_scope.size()), Style::warn),
                   join(state.out_of_scope, ", "), Style::plain, 2, shape.width,
                   lines_of_item(shape));
}

// One row a reviewed round, the newest last.
std::vector<Row> meter_rows(const bubble::State& state, const Shape& shape) {
  std::vector<Row> rows;
  if (shape.room == Room::little) return rows;
  for (const bubble::RoundProgress& round : state.meter)
    if (round.review)
      rows.push_back(
          Row(fmt::format("{:>2}  ", round.round), Style::dim).add(bubble::in_words(round)));
  return rows;
}

Row asker(const bubble::InboxItem& item, const StatusModel& model, const Shape& shape) {
  const bool ours = item.from == "orchestrator";
  if (shape.room == Room::little)
    return Row((ours ? spaced(item.kind) : item.from) + ": ", Style::bold);
  const WallTime since = parse_iso8601(item.since);
  return Row(ours ? spaced(item.kind) : item.from + " asks", Style::bold)
      .add(fmt::format(" · {}  ", clock_time(since, model.wall, model.utc_offset).text),
           Style::dim);
}

std::vector<Row> inbox_rows(const StatusModel& model, const Shape& shape) {
  std::vector<Row> rows;
  for (const bubble::InboxItem& item : inbox_of(model.state)) {
    append(rows, paragraph(asker(item, model, shape), item.text, Style::plain, 2, shape.width,
                           lines(shape)));
    append(rows, command_rows(item.command, model.state.phase, shape));
  }
  if (rows.empty() && shape.room != Room::little)
    rows.emplace_back("nothing waits for you", Style::dim);
  return rows;
}

std::vector<Row> action_rows(const StatusModel& model, const Shape& shape) {
  std::vector<Row> rows;
  const auto& actions = model.state.actions;
  for (const Action& action : actions) {
    const std::string time =
        short_time(parse_iso8601(action.ts), parse_iso8601(actions.back().ts), model.utc_offset);
    append(rows, paragraph(Row(time + " ", Style::dim), action.text, Style::plain, 7, shape.width,
                           lines_of_item(shape)));
  }
  return rows;
}

}  // namespace

Style accent_of(Phase phase) {
  switch (phase) {
    case Phase::preparing: return {Colour::bright_blue};
    case Phase::running: return {Colour::cyan};
    case Phase::waiting: return {Colour::yellow};
    case Phase::ready: return {Colour::magenta};
    case Phase::approved:
    case Phase::committed:
    case Phase::done: return {Colour::green};
    case Phase::failed: return {Colour::red};
    case Phase::none:
    case Phase::created:
    case Phase::cancelled: break;
  }
  return {Colour::white};
}

std::vector<Section> work_parts(const StatusModel& model, const Shape& shape) {
  const bubble::State& state = model.state;
  const bool some = !state.findings.empty();
  return {
      {"Trouble", trouble_rows(model, shape), kTrouble, 2, false, false, Style::bad},
      {turn_label(state.phase), turn_rows(model, shape), kTurn},
      {"Watchdog", watchdog_rows(model, shape), kWatchdog},
      {"Agents", agent_rows(model, shape), kAgents, 0},
      {"Change", change_rows(state), kChange},
      {"Base", base_rows(model, shape), kBase},
      {"Hidden", hidden_rows(state, shape), kHidden, 1, false, false, Style::warn},
      {"Scope", scope_rows(state, shape), kScope, 1, false, false, Style::warn},
      {"Findings", finding_rows(state, shape), some ? kFindings : kNothing, some ? 2u : 0u, false,
       true, Style::dim, "more: pairflow bubble findings --id " + state.id.str()},
      {"Rounds", meter_rows(state, shape), kMeter, 0, true, true},
  };
}

std::vector<Section> talk_parts(const StatusModel& model, const Shape& shape) {
  const bool waits = !inbox_of(model.state).empty();
  return {
      {"Inbox", inbox_rows(model, shape), waits ? kInboxWaits : kNothing, waits ? 1u : 0u, false,
       false, waits ? accent_of(model.state.phase) : Style::dim,
       "more lines: pairflow bubble inbox --id " + model.state.id.str()},
      {"Last", action_rows(model, shape), kLast, shape.room == Room::little ? 1u : 2u, true, true},
  };
}

Passing turn_age(const StatusModel& model) {
  return age(to_duration(model.wall.ms - parse_iso8601(model.state.active_since).ms));
}

Passing turn_since(const StatusModel& model) {
  return clock_time(parse_iso8601(model.state.active_since), model.wall, model.utc_offset);
}

std::optional<Passing> watchdog_left(const StatusModel& model) {
  const bubble::State& state = model.state;
  if (!bubble::is_watched(state)) return std::nullopt;
  const Duration deadline =
      to_duration(bubble::watchdog_deadline_ms(state, model.sign, model.now, model.wall));
  return countdown(deadline - to_duration(model.now.mono_ms));
}

std::optional<Passing> restart_left(const StatusModel& model) {
  if (!model.restart) return std::nullopt;
  return countdown(model.restart->at.since_boot - to_duration(model.now.mono_ms));
}

}  // namespace pf::status
