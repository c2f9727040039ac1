#include "base/glyph.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>

#include "base/text.h"

namespace pf {
namespace {

std::string utf8(std::int32_t code) {
  std::string out;
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) {
    out += static_cast<char>(0xc0 | (code >> 6));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | (code >> 12));
    tail(6);
  } else {
    out += static_cast<char>(0xf0 | (code >> 18));
    tail(12), tail(6);
  }
  tail(0);
  return out;
}

constexpr std::int32_t kInvisible[] = {
    0x0000, 0x0008, 0x000d, 0x001b, 0x007f, 0x0085, 0x009b, 0x00a0, 0x00ad,  0x034f,  0x061c,
    0x115f, 0x1160, 0x17b4, 0x180b, 0x180e, 0x2000, 0x200a, 0x200b, 0x200c,  0x200d,  0x200e,
    0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x202f, 0x205f, 0x2060, 0x2064,  0x2066,  0x2069,
    0x206f, 0x2800, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xe0001, 0xe0041, 0xe0100};

// Letters of several alphabets, pictures and what hides between them.
rc::Gen<std::string> hostile_text() {
  const auto code = rc::gen::oneOf(
      rc::gen::elementOf(std::vector<std::int32_t>(std::begin(kInvisible), std::end(kInvisible))),
      rc::gen::elementOf(std::vector<std::int32_t>{'a', 'Z', '_', '7', ' ', '\n', '\t', 0x0430,
                                                   0x03bf, 0x00e9, 0x0301, 0x0628, 0x0915, 0x4e2d,
                                                   0x1f469, 0x1f4bb, 0x1f3fd, 0x26a0, 0x20e3}),
      rc::gen::inRange(0, 0xd7ff), rc::gen::inRange(0xe000, 0x10ffff));
  return rc::gen::map(rc::gen::container<std::vector<std::int32_t>>(code), [](const auto& codes) {
    std::string text;
    for (const auto c : codes) text += utf8(c);
    return text;
  });
}

bool may_be_invisible(std::int32_t code) {
  return code == 0x200c || code == 0x200d || code == 0xfe0e || code == 0xfe0f;
}

}  // namespace

TEST_CASE("what nobody sees is shown by its number") {
  CHECK(printable("is\u200bAdmin") == "is<U+200B>Admin");
  CHECK(printable("a\u202eb\u2066c") == "a<U+202E>b<U+2066>c");
  CHECK(printable("a\u200e\u200f\u061c\u2060\u00ad\U000e0041z") ==
        "a<U+200E><U+200F><U+061C><U+2060><U+00AD><U+E0041>z");
  CHECK(printable("a\u00a0b\u2003c d\u3164") == "a<U+00A0>b<U+2003>c d<U+3164>");
  for (const std::int32_t code : kInvisible) {
    CAPTURE(code);
    CHECK(printable("x" + utf8(code) + "y") == fmt::format("x<U+{:04X}>y", code));
  }
}

TEST_CASE("joiners and selectors stay where they shape something, and nowhere else") {
  for (const std::string_view kept : {"नक्\u200dष", "می\u200cخواهم", "👩\u200d💻", "👩🏽\u200d💻",
                                      "⚠\ufe0f", "❤\ufe0f\u200d🔥", "1\ufe0f\u20e3"})
    CHECK(printable(kept) == kept);
  CHECK(printable("is\u200dAdmin") == "is<U+200D>Admin");
  CHECK(printable("👩\u200dx") == "👩<U+200D>x");
  CHECK(printable("⚠\ufe0f\ufe0f") == "⚠\ufe0f<U+FE0F>");
  CHECK(printable("a\ufe0f") == "a<U+FE0F>");
}

TEST_CASE("a word of two alphabets shows its foreign letters by number") {
  CHECK(printable("is\u0410dmin") == "is<U+0410>dmin");
  CHECK(printable("if (\u0440assw\u043erd_2)") == "if (<U+0440>assw<U+043E>rd_2)");
  CHECK(printable("x_\u043e") == "x_<U+043E>");          // one identifier
  CHECK(printable("\u03a2a\xf4") == "<U+03A2>a<0xF4>");  // a letter that is none
  CHECK(printable("\u03bfmega") == "<U+03BF>mega");
  CHECK(printable("привет, world и λόγος") == "привет, world и λόγος");
  CHECK(printable("größe µs 漢字x") == "größe µs 漢字x");
}

TEST_CASE("a byte that is no text is shown by its number, so that two of them differ") {
  CHECK(printable("caf\xe9") == "caf<0xE9>");
  CHECK(printable("caf\xe8") == "caf<0xE8>");
  CHECK(printable("\xe2\x80\x2e") == "<0xE2><0x80>.");
  CHECK(printable("\xed\xa0\x80\xff\x80") == "<0xED><0xA0><0x80><0xFF><0x80>");
}

TEST_CASE("the unusual spelling of a character is shown by number") {
  CHECK(printable("caf\u00e9") == "caf\u00e9");
  CHECK(printable("cafe\u0301") == "cafe<U+0301>");
  CHECK(printable("\u00ea\u0301") == "\u00ea<U+0301>");    // ế
  CHECK(printable("\u1eb9\u0301") == "\u1eb9\u0301");      // there is no single one
  CHECK(printable("\u00e9\u0323").contains("<U+0323>"));   // the same as the last one
  CHECK(printable("x\u0301\u0323").contains("<U+0323>"));  // out of order
  CHECK(printable("x\u0323\u0301") == "x\u0323\u0301");    // in order
  CHECK(printable("a \u212b 5\u2126 x\u037e") == "a <U+212B> 5<U+2126> x<U+037E>");
  CHECK(printable("a =\u0338 b") == "a =<U+0338> b");
  CHECK(printable("\u1112\u1161\u11ab") == "\u1112<U+1161>\u11ab");  // 한
  CHECK(without_hidden("cafe\u0301") == "cafe\u0301");
}

TEST_CASE("text of other scripts stays readable") {
  for (const std::string_view kept :
       {"مُحَمَّدٌ آمن أحمد", "हिन्दी क़लम ज़रूर \u095b\u092c", "ภาษาไทย น้ำ", "שָׁלוֹם", "বাংলা কোন",
        "தமிழ் கொடு", "한국어", "Tiếng Việt", "ελληνικά ά", "русский й ё", "漢字 かが"})
    CHECK(printable(kept) == kept);
}

TEST_CASE("nothing invisible comes out, whatever came in") {
  CHECK(rc::check([] {
    const std::string text = *rc::gen::oneOf(hostile_text(), rc::gen::arbitrary<std::string>());
    const std::string shown = printable(text);
    RC_ASSERT(is_utf8(shown));
    RC_ASSERT(printable(shown) == shown);
    RC_ASSERT(hidden_glyphs(shown).empty());
    for (std::string_view rest = shown; !rest.empty();) {
      const Glyph glyph = first_glyph(rest);
      RC_ASSERT(glyph.code >= ' ');
      const bool hides = std::ranges::find(kInvisible, glyph.code) != std::end(kInvisible);
      RC_ASSERT(!hides || may_be_invisible(glyph.code));
      rest.remove_prefix(glyph.bytes);
    }
  }));
}

TEST_CASE("two spellings of one text never look the same") {
  using Pair = std::pair<std::string, std::string>;
  const std::vector<Pair> same = {{"\u00e9", "e\u0301"},
                                  {"\u1ebf", "\u00ea\u0301"},
                                  {"\u1ebf", "e\u0302\u0301"},
                                  {"\u1eb9\u0301", "\u00e9\u0323"},
                                  {"\u1eb9\u0301", "e\u0301\u0323"},
                                  {"x\u0323\u0301", "x\u0301\u0323"},
                                  {"\u00c5", "\u212b"},
                                  {"\u2260", "=\u0338"},
                                  {"\uac01", "\u1100\u1161\u11a8"},
                                  {"\uac01", "\uac00\u11a8"},
                                  {"\u03ac", "\u03b1\u0301"},
                                  {"\u0622", "\u0627\u0653"},
                                  {"\u0929", "\u0928\u093c"},
                                  {"\u09cb", "\u09c7\u09be"}};
  CHECK(rc::check([&] {
    const std::string before = *hostile_text(), after = *hostile_text();
    const auto [usual, other] = *rc::gen::elementOf(same);
    RC_ASSERT(printable(before + usual + after) != printable(before + other + after));
    const std::string shown = printable(before + other + after);
    RC_ASSERT(printable(shown) == shown);
  }));
}

TEST_CASE("two texts that differ by what is hidden never look the same") {
  CHECK(rc::check([] {
    const std::string before = *hostile_text(), after = *hostile_text();
    const auto code = *rc::gen::elementOf(
        std::vector<std::int32_t>(std::begin(kInvisible), std::end(kInvisible)));
    RC_ASSERT(printable(before + utf8(code) + after) != printable(before + after));
  }));
}

TEST_CASE("names of any alphabet are compared without case and composition") {
  CHECK(folded("GRÖSSE") == folded("Größe"));
  CHECK(folded("A\u0308") == "ä");
  CHECK(folded("\xff") == "\xff");
  CHECK(folded_plain("Größe Éa") == "grosse ea");
  for (const auto* letter : {"a", "7", "é", "表", "ш", "\u0308"})
    CHECK(is_of_name(first_glyph(letter)));
  for (const auto* other : {"_", "-", " ", "🚀", "«", "\u200b", "\u202e", "\xff"})
    CHECK_FALSE(is_of_name(first_glyph(other)));
}

}  // namespace pf
