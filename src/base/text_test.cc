#include "base/text.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

namespace pf {

TEST_CASE("printable shows what could steer a terminal by its number") {
  CHECK(printable("a\x1b[31mb\x07") == "a<U+001B>[31mb<U+0007>");
  CHECK(printable("one\ntwo\tthree\rfour") == "one two three<U+000D>four");
  CHECK(printable("one\r\ntwo\r") == "one two<U+000D>");
  CHECK(printable_lines("one\ntwo\x1b]0;x\x07") == "one\ntwo<U+001B>]0;x<U+0007>");
  CHECK(printable_lines("one\r\ntwo\rthree\r") == "one\ntwo<U+000D>three");
  CHECK(printable("\u009b31m") == "<U+009B>31m");  // C1 CSI
  CHECK(printable("\xff\xfe") == "<0xFF><0xFE>");
  CHECK(printable("größe 漢字 ✓") == "größe 漢字 ✓");
}

TEST_CASE("without_hidden keeps what is read and nothing else") {
  CHECK(without_hidden("is\u200bAdmin\x1b[2J\r\nΔt\t\u00e9") == "isAdmin[2J\nΔt \u00e9");
  CHECK(trim(without_hidden(" \u200b\u00a0\x07")).empty());
}

TEST_CASE("clip and fit keep whole characters") {
  CHECK(clip("short", 10) == "short");
  CHECK(clip("ééééé", 7) == "éé…");
  CHECK(fit("漢字", 3) == "漢…");
  CHECK(fit("ab", 4) == "ab  ");
  CHECK(fit("abcdef", 4) == "abc…");
  CHECK(fit("👩\u200d💻x", 4) == "👩… ");
  CHECK(clip("👩\u200d💻x", 10) == "👩…");
  CHECK(rc::check([](const std::string& text, std::uint8_t width) {
    RC_ASSERT(columns(fit(printable(text), width)) == width);
    RC_ASSERT(is_utf8(clip(printable(text), width)));
  }));
}

TEST_CASE("globs match like gitignore patterns") {
  CHECK(glob_match("*.sql", "db/schema.sql"));
  CHECK(glob_match("**/auth/**", "src/auth/login.cc"));
  CHECK(glob_match("**/auth/**", "auth/login.cc"));
  CHECK_FALSE(glob_match("**/auth/**", "src/author.cc"));
  CHECK(glob_match("src/", "src/a/b.cc"));
  CHECK(glob_match("/src/*.cc", "src/a.cc"));
  CHECK_FALSE(glob_match("/src/*.cc", "src/a/b.cc"));
  CHECK_FALSE(glob_match("/src/?.cc", "src/ab.cc"));
  CHECK(glob_match("docs/**", "docs/a/b.md"));
  CHECK_FALSE(glob_match("docs/**", "other/docs.md"));
  CHECK_FALSE(glob_match("", "a"));
}

TEST_CASE("nearest finds a misspelled word and nothing far away") {
  CHECK(nearest("max_round", {"max_rounds", "id"}) == "max_rounds");
  CHECK(nearest("zzz", {"max_rounds", "id"}) == "");
}

TEST_CASE("split, join, trim") {
  CHECK(split("a,,b", ',') == std::vector<std::string_view>{"a", "", "b"});
  CHECK(split("", ',') == std::vector<std::string_view>{""});
  CHECK(join({"a", "b"}, ", ") == "a, b");
  CHECK(trim(" \t x y \r\n") == "x y");
  CHECK(trim("  ") == "");
}

}  // namespace pf
