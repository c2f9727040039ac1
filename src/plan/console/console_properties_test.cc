// Whatever is typed, said and shown at whatever size: the screen is exactly full.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "base/text.h"
#include "plan/console/testing.h"

namespace pf::console {
namespace {

using namespace testing;

// Pieces that have broken screens before.
std::string scrap() {
  return *rc::gen::element<std::string>("a", "word ", " ", "\n", "漢字", "e\u0301",
                                        "👩\u200d👩\u200d👧", "\u202e", "\x1b[2J", "\xff\xfe", "\t",
                                        std::string(10'000, 'x'), std::string(300, ' '), "\u200b",
                                        "é", ":", "\r", "\x7f");
}
std::string scraps() {
  std::string text;
  for (int i = *rc::gen::inRange(0, 8); i > 0; --i) text += scrap();
  return text;
}

std::string keys() {
  return *rc::gen::element<std::string>(
      ":", "\r", "\x1b", "\x1b\r", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[5~", "\x1b[6~",
      "\x1b[H", "\x1b[F", "\x7f", "\x03", "\x10", "\x17", "\x15", "\x0b", "\t", "y", "reset",
      "help", "\x1b[3~", "\x1b[1;5D", "\x1b[200~", "\x1b[201~", "\x1b[9999999", "\xe6\xbc", "\xa2");
}

PlanView any_view() {
  PlanView view = *rc::gen::element(working(), reviewing(), asking(), parked(), PlanView{});
  if (*rc::gen::inRange(0, 4) == 0) {
    const int count = *rc::gen::element(0, 1, 500);
    view.steps.assign(static_cast<std::size_t>(count), {scraps(), scraps()});
    if (count > 0) view.steps[static_cast<std::size_t>(*rc::gen::inRange(0, count))].active = true;
  }
  if (!view.steps.empty() && *rc::gen::inRange(0, 3) == 0)
    view.steps[0].acceptance = {scraps(), scraps()}, view.steps[0].active = true;
  if (view.question && *rc::gen::inRange(0, 3) == 0)
    view.question->text = scraps(),
    view.question->kind = *rc::gen::element(plan::HaltKind::guard, plan::HaltKind::failed);
  if (*rc::gen::inRange(0, 3) == 0) view.problems = {scraps(), scraps(), scraps()};
  if (*rc::gen::inRange(0, 4) == 0) view.feature = scraps(), view.step = scraps();
  return view;
}

void is_full(const Console& console, std::size_t columns, std::size_t rows) {
  const Picture picture = console.screen();
  RC_ASSERT(picture.rows.size() == rows);
  for (const Row& row : picture.rows) {
    RC_ASSERT(pf::columns(row.text()) == columns);
    RC_ASSERT(row.text() == printable(row.text()));
  }
  RC_ASSERT(picture.cursor.has_value());
  RC_ASSERT(picture.cursor->row < rows);
  RC_ASSERT(picture.cursor->column < columns);
}

}  // namespace

TEST_CASE("any keys, lines and sizes leave a full screen with the cursor on it") {
  CHECK(rc::check([] {
    auto columns = *rc::gen::element<std::size_t>(1, 2, 5, 20, 39, 40, 80, 99, 100, 200);
    auto rows = *rc::gen::element<std::size_t>(1, 2, 3, 5, 11, 12, 24, 60);
    Console console(columns, rows);
    KeyReader reader;
    is_full(console, columns, rows);
    for (int i = *rc::gen::inRange(0, 25); i > 0; --i) {
      switch (*rc::gen::inRange(0, 7)) {
        case 0: console.show(any_view()); break;
        case 1:
          console.say({scrap(), "",
                       *rc::gen::element<std::string>("[coder]", "[reviewer:bash]", scraps()),
                       scraps()});
          break;
        case 2: console.complain(scraps()); break;
        case 3:
          columns = *rc::gen::element<std::size_t>(1, 3, 20, 80, 100, 130);
          rows = *rc::gen::element<std::size_t>(1, 4, 5, 24, 40);
          console.resize(columns, rows);
          break;
        case 4:
          for (const Key& key : reader.read(scraps())) console.key(key);
          break;
        default:
          for (const Key& key : reader.read(keys())) console.key(key);
      }
      is_full(console, columns, rows);
    }
  }));
}

TEST_CASE("twenty columns and five rows show what fits") {
  CHECK(text_of(console(20, 5, asking())) == R"(
 login  YOUR TURN  …
  started (claude)
  on step 2
▌ the coder asks  —…
 ❯
)");
}

TEST_CASE("500 steps and none") {
  PlanView view = working();
  view.steps.assign(500, {"", "a step"});
  for (std::size_t i = 0; i < 500; ++i) view.steps[i].id = std::to_string(i + 1);
  view.steps[249].active = true;
  const std::string many = text_of(console(120, 40, view));
  CHECK(many.contains("● 250 a step"));
  CHECK(many.contains(" before"));
  CHECK(many.contains(" more"));
  view.steps.clear();
  CHECK(text_of(console(120, 40, view)).contains("no steps"));
}

}  // namespace pf::console
