#include "screen/row.h"

#include <doctest/doctest.h>

#include "screen/wrap.h"

namespace pf::screen {
namespace {

std::vector<std::string> texts(const std::vector<Row>& rows) {
  std::vector<std::string> texts;
  for (const Row& row : rows) texts.push_back(row.text());
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("styles in colours, in weights only, and not at all") {
  constexpr Style kLoud{Colour::yellow, Weight::bold, true};
  CHECK(painted("x", kLoud, Ink::colours) == "\x1b[1;33;7mx\x1b[0m");
  CHECK(painted("x", kLoud, Ink::weights) == "\x1b[1;7mx\x1b[0m");
  CHECK(painted("x", kLoud, Ink::none) == "x");
  CHECK(painted("x", Style::good, Ink::weights) == "x");
  CHECK(painted("", kLoud, Ink::colours).empty());
}

TEST_CASE("only our own sequences get out of a row") {
  const Row row = Row("\x1b]0;owned\x07", Style::bad)
                      .add(
                          "\x9b"
                          "2J\r\n\u202e!");
  CHECK(row.text() == "<U+001B>]0;owned<U+0007><0x9B>2J <U+202E>!");
  CHECK(row.painted(Ink::colours) == "\x1b[31m<U+001B>]0;owned<U+0007>\x1b[0m<0x9B>2J <U+202E>!");
  CHECK(Row(std::string(1u << 20, 'x')).columns() < 10'000);
}

TEST_CASE("a row cut and padded") {
  const Row row = Row("one", Style::bold).add(" two");
  CHECK(row.fitted(9).text() == "one two  ");
  CHECK(row.fitted(7) == row);
  CHECK(row.fitted(6).text() == "one t…");
  CHECK(row.fitted(3).text() == "on…");
  CHECK(row.fitted(0).text().empty());
  CHECK(row.with_right(Row("9s"), 8).text() == "one t…9s");
  CHECK(row.with_right(Row("9s"), 2).text() == "9s");
}

TEST_CASE("what a joiner joins is not wrapped apart, nor cut with its joiner left") {
  CHECK(glyph_bytes("👩\u200d💻x", 0) == std::string("👩\u200d💻").size());
  for (const Row& row : wrap({}, "👩\u200d💻👩\u200d💻", {}, 0, 5, 9))
    CHECK(!row.text().contains("U+"));
}

TEST_CASE("text wrapped between words, at newlines, and within a word that is too long") {
  const auto wrapped = [](std::string_view text, std::size_t most = kNoLimit) {
    return texts(wrap(Row("- "), text, Style::plain, 2, 10, most));
  };
  CHECK(wrapped("one two three") == Texts{"- one two", "  three"});
  CHECK(wrapped("one\n  indented\n\nend\n ") ==
        Texts{"- one", "    indent", "  ed", "  ", "  end"});
  CHECK(wrapped("漢字漢字漢字 x\u0301") == Texts{"- 漢字漢字", "  漢字 x\u0301"});
  CHECK(wrapped("a \nb\x1b[2J") == Texts{"- a", "  b<U+001B", "  >[2J"});
  CHECK(wrapped("") == Texts{"- "});
  CHECK(wrapped("one two three four", 2) == Texts{"- one two", "  three four"});
}

}  // namespace pf::screen
