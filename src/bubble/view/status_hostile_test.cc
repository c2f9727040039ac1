// Whatever agents write, the view keeps its shape and lets nothing of theirs through.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "base/text.h"
#include "bubble/view/status_testing.h"

namespace pf {
namespace {

using namespace status::testing;
using namespace std::chrono_literals;

// The text without our colours.
std::string plain(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto end = text.starts_with("\x1b[") ? text.find_first_not_of("0123456789;", 2) : 0;
    if (end != 0 && end != std::string_view::npos && text[end] == 'm') {
      text.remove_prefix(end + 1);
      continue;
    }
    out += text.front();
    text.remove_prefix(1);
  }
  return out;
}

// Without spaces at line ends: a colour may end after them.
std::string without_ends(std::string_view text) {
  std::string out;
  for (const std::string_view line : split(text, '\n'))
    out += std::string(line.substr(0, line.find_last_not_of(' ') + 1)) + "\n";
  return out;
}

std::string joined(const std::vector<screen::Row>& rows, screen::Ink ink = screen::Ink::none) {
  std::string text;
  for (const screen::Row& row : rows) text += row.painted(ink) + "\n";
  return text;
}

void check_shape(const StatusModel& model, std::size_t width, std::size_t height) {
  using bubble::testing::must;
  const auto rows = render_status(model, width, height);
  must(rows.size() <= height, "too many lines");
  must(height == 0 || !rows.empty(), "nothing to see");
  for (const screen::Row& row : rows) {
    const std::string line = row.text();
    must(columns(line) == width, fmt::format("{} columns: {}", columns(line), line));
    must(printable(line) == line, "something unprintable: " + line);
  }
  must(plain(joined(rows, screen::Ink::colours)) == joined(rows), "colours change the text");
  const std::string text = status_text(model, width, false);
  must(printable_lines(text) == text, "something unprintable in the text");
  must(without_ends(plain(status_text(model, width, true))) == without_ends(text),
       "colours change the shell's text");
}

std::vector<std::string> fragments() {
  return {
      "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x1b[2J\x1b[H", "\r\n", "\t", std::string(1, '\0'),
      "\u202eevil\u202c",   "\u2066x\u2069",    "\u009b31m",     "漢字", "🙂", "e\u0301\u0301",
      "\xff\xfe",           "\xe6\xbc",         "#(touch x)",    " ",    "…",  "word "};
}

std::string hostile_text() {
  const int shape = *rc::gen::inRange(0, 4);
  if (shape == 0) return *rc::gen::arbitrary<std::string>();
  if (shape == 1) return std::string(5000, 'x');
  std::string text;
  for (int i = *rc::gen::inRange(0, 40); i > 0; --i) text += *rc::gen::elementOf(fragments());
  return text;
}

template <class E>
E any_of() {
  const auto all = names_of(E{});
  return all[*rc::gen::inRange<std::size_t>(0, all.size())].first;
}

StatusModel hostile_model() {
  StatusModel model = *rc::gen::elementOf(
      std::vector<StatusModel>{created(), running(), reviewed(), waiting(), ready(), troubled()});
  bubble::State& state = model.state;
  state.phase = any_of<bubble::Phase>();
  state.round = *rc::gen::inRange(0, 1000);
  state.id = BubbleId(hostile_text());
  state.task = hostile_text();
  state.trouble = hostile_text();
  state.active_agent = AgentName(hostile_text());
  state.active_role = any_of<bubble::Role>();
  state.place.bubble_branch = hostile_text();
  state.committed = CommitId(hostile_text());
  state.active_since = *rc::gen::element<std::string>("", "2026-02-21T11:00:00Z", "no time");
  for (int i = *rc::gen::inRange(0, 5); i > 0; --i) {
    state.findings.push_back({FindingId(hostile_text()), any_of<bubble::Severity>(), hostile_text(),
                              hostile_text(), i, "", any_of<bubble::FindingStatus>(), 1, "",
                              false});
    state.questions.push_back({MessageId(hostile_text()),
                               Seq::none,
                               any_of<bubble::QuestionKind>(),
                               hostile_text(),
                               hostile_text(),
                               "2026-02-21T12:00:00Z",
                               {}});
    state.actions.push_back({Seq::none, "2026-02-21T12:00:00Z", hostile_text()});
    state.out_of_scope.push_back(hostile_text());
    if (model.runtime) model.runtime->troubles.push_back(hostile_text());
  }
  model.supervised = *rc::gen::arbitrary<bool>();
  model.now.mono_ms += *rc::gen::inRange(0, 400'000);
  return model;
}

void pass_time(StatusModel& model, Duration time) {
  const auto ms = std::chrono::floor<std::chrono::milliseconds>(time).count();
  model.now.mono_ms += ms;
  model.wall.ms += ms;
}

}  // namespace

TEST_CASE("every line is exactly as wide as asked for, whatever the text and the size") {
  CHECK(rc::check([] {
    const StatusModel model = hostile_model();
    check_shape(model, *rc::gen::inRange<std::size_t>(0, 240),
                *rc::gen::inRange<std::size_t>(0, 40));
  }));
}

TEST_CASE("hostile text, to look at") {
  StatusModel model = reviewed();
  model.state.task = "\x1b]0;owned\x07\x1b[2JTask\u202e!";
  model.state.findings[0].title = "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字";
  model.state.findings[1].title = std::string(5000, 'x');
  model.state.findings[2].title = "one\r\ntwo\x1b[31m";
  const std::string text = joined(render_status(model, 100, 14));
  CHECK(text.contains("b_search_01  <U+001B>]0;owned<U+0007><U+001B>[2JTask<U+202E>!"));
  CHECK(text.contains(
      "claimed   漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢…  src/search/query.ts:120 \n"));
  CHECK(text.contains("disputed  " + std::string(54, 'x') + "…  src/page.ts \n"));
  CHECK(text.contains("open      one two<U+001B>[31m  "));
}

TEST_CASE("nothing changes before stays_for has passed") {
  CHECK(rc::check([] {
    StatusModel model = hostile_model();
    const auto before = render_status(model, 200, 40);
    pass_time(model, stays_for(model).value_or(24h * 365) - 1ms);
    RC_ASSERT(render_status(model, 200, 40) == before);
  }));
}

TEST_CASE("stays_for: the turn's age, the watchdog, a restart, nothing") {
  StatusModel model = running();
  model.wall.ms += 20'000;      // 1m 21s
  model.now.mono_ms += 15'000;  // 3m 45s left
  CHECK(stays_for(model) == 39s);
  model.now.mono_ms += 10'000;
  CHECK(stays_for(model) == 35s);
  model.now.mono_ms = model.state.last_activity.mono_ms + 270'500;
  CHECK(stays_for(model) == 500ms);
  model = waiting();
  CHECK(stays_for(model) == 60s);
  model.restart =
      StatusModel::Restart{MonoTime{std::chrono::milliseconds(model.now.mono_ms) + 2300ms}};
  CHECK(stays_for(model) == 300ms);
  model = waiting();
  model.wall.ms += std::int64_t{86'400} * 1000 * 3 + 600'000;
  CHECK(stays_for(model) == 20min);
  CHECK(stays_for(created()) == std::nullopt);
  CHECK(stays_for(done()) == std::nullopt);
}

TEST_CASE("what stays_for says is when it changes") {
  for (StatusModel model : {running(), reviewed(), waiting(), ready(), troubled()}) {
    for (int i = 0; i < 20; ++i) {
      const auto before = joined(render_status(model, 200, 30));
      const auto stays = stays_for(model);
      REQUIRE(stays);
      pass_time(model, *stays);
      CHECK(joined(render_status(model, 200, 30)) != before);
    }
  }
}

}  // namespace pf
