#include "base/text.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

namespace pf {

TEST_CASE("printable drops what could steer a terminal") {
  CHECK(printable("a\x1b[31mb\x07") == "a[31mb");
  CHECK(printable("one\ntwo\tthree\rfour") == "one two threefour");
  CHECK(printable_lines("one\ntwo\x1b]0;x\x07") == "one\ntwo]0;x");
  CHECK(printable("\xc2\x9b"
                  "31m") == "31m");  // C1 CSI
  CHECK(printable("a\xe2\x80\xae"
                  "b") == "ab");  // right-to-left override
  CHECK(printable("\xff\xfe") == "\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(printable("größe 漢字 ✓") == "größe 漢字 ✓");
  CHECK(printable("a\u200e\u200f\u061c\u2060\u00ad\U000e0041z") == "az");
  CHECK(printable("नक्\u200dष 👩\u200d💻") == "नक्\u200dष 👩\u200d💻");
}

TEST_CASE("printable text is UTF-8 without controls, whatever came in") {
  CHECK(rc::check([](const std::string& bytes) {
    const std::string shown = printable(bytes);
    RC_ASSERT(is_utf8(shown));
    for (const char c : shown) RC_ASSERT((static_cast<unsigned char>(c) >= 0x20 && c != 0x7f));
  }));
}

TEST_CASE("clip and fit keep whole characters") {
  CHECK(clip("short", 10) == "short");
  CHECK(clip("ééééé", 7) == "éé…");
  CHECK(fit("漢字", 3) == "漢…");
  CHECK(fit("ab", 4) == "ab  ");
  CHECK(fit("abcdef", 4) == "abc…");
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
