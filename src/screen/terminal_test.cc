#include "screen/terminal.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "os/fake/environment.h"
#include "screen/testing.h"

namespace pf::screen {
namespace {

using testing::FakeTerminal;

Picture picture(std::initializer_list<std::string_view> texts) {
  Picture picture;
  for (const std::string_view text : texts) picture.rows.push_back(Row(text).fitted(20));
  return picture;
}

// Rows of text that agents may write, in all looks.
Picture any_picture(std::size_t columns, std::size_t most) {
  Picture picture;
  for (auto rows = *rc::gen::inRange<std::size_t>(0, most + 1); rows > 0; --rows) {
    Row row;
    for (int i = *rc::gen::inRange(0, 5); i > 0; --i)
      row.add(*rc::gen::element<std::string>("a", "word ", "漢字", "e\u0301", "\x1b[2J", "\u202e",
                                             "\xff", "\r\n",
                                             "\x9b"
                                             "31m"),
              *rc::gen::element(Style::plain, Style::dim, Style::bad, Style::bold.inverted()));
    picture.rows.push_back(row.fitted(columns));
  }
  if (!picture.rows.empty() && *rc::gen::arbitrary<bool>())
    picture.cursor = {*rc::gen::inRange<std::size_t>(0, picture.rows.size()),
                      *rc::gen::inRange<std::size_t>(0, columns)};
  return picture;
}

struct World {
  explicit World(std::size_t columns = 20, std::size_t rows = 4) {
    env.columns = columns, env.rows = rows;
  }
  std::string taken() { return std::exchange(env.out, {}); }
  FakeEnvironment env;
};

void shows(const FakeTerminal& fake, const Picture& picture, std::size_t height) {
  std::vector<std::string> expected;
  for (const Row& row : picture.rows)
    expected.push_back(row.text().substr(0, row.text().find_last_not_of(' ') + 1));
  expected.resize(height);
  RC_ASSERT(fake.rows() == expected);
  RC_ASSERT(!fake.spilled());
  RC_ASSERT(fake.shows_cursor() == picture.cursor.has_value());
  if (picture.cursor) RC_ASSERT((Cursor{fake.row(), fake.column()} == *picture.cursor));
}

}  // namespace

TEST_CASE("after any drawings it shows the last one") {
  CHECK(rc::check([] {
    constexpr std::size_t kColumns = 12, kRows = 5;
    World world(kColumns, kRows);
    auto keys = world.env.take_keys().value();
    auto terminal = *rc::gen::arbitrary<bool>()
                        ? std::make_unique<Terminal>(world.env)
                        : std::make_unique<Terminal>(world.env, std::move(keys));
    FakeTerminal fake(kColumns, kRows);
    fake.print("a shell left");
    for (int i = *rc::gen::inRange(1, 6); i > 0; --i) {
      const Picture picture = any_picture(kColumns, kRows);
      terminal->draw(picture);
      shows(fake.print(world.taken()), picture, kRows);
      if (*rc::gen::inRange(0, 3) == 0) terminal->forget(), fake.print("\x1b[1;1Hnoise");
    }
    terminal.reset();
    RC_ASSERT(fake.print(world.taken()).shows_cursor());
  }));
}

TEST_CASE("only rows that have changed are written") {
  World world;
  Terminal terminal(world.env);
  terminal.draw(picture({"one", "two", "three"}));
  CHECK(world.taken().contains("two"));
  terminal.draw(picture({"one", "two", "three"}));
  CHECK(world.taken().empty());
  terminal.draw(picture({"one", "2", "three"}));
  CHECK(world.taken() == "\x1b[?2026h\x1b[?25l\x1b[2;1H\x1b[2K2                   \x1b[?2026l");
  terminal.forget();
  terminal.draw(picture({"one", "2", "three"}));
  CHECK(world.taken().contains("three"));
}

TEST_CASE("drawn on only: no screen of its own, and the shell goes on below") {
  World world;
  {
    Terminal terminal(world.env);
    terminal.draw(picture({"one", "two"}));
    CHECK(terminal.input() == -1);
    CHECK(terminal.keys().empty());
  }
  CHECK(!world.env.out.contains("1049"));
  CHECK(world.env.out.ends_with("\x1b[2;1H\x1b[?7h\x1b[?25h\r\n"));
}

TEST_CASE("a piece behind characters that terminals count differently is placed by its column") {
  World world;
  Terminal terminal(world.env);
  terminal.draw({{Row("漢字").add("plain", Style::bold).add("more")}});
  CHECK(world.env.out.contains("漢字\x1b[5G\x1b[1mplain\x1b[0mmore"));
}

}  // namespace pf::screen
