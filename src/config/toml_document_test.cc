#include "config/toml_document.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "config/settings.h"

namespace pf {
namespace {

std::string repeat(std::string_view part, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

Problem problem_of(std::string_view text) {
  const auto root = parse_toml(text);
  REQUIRE(!root);
  return root.error();
}

}  // namespace

TEST_CASE("members keep the order and the lines of the text") {
  const auto root = parse_toml("z = 1\na = \"s\"\n[t.x]\nb = [\n1,\ntrue]\n[t]\nc = 1.5\n");
  REQUIRE(root);
  REQUIRE(root->items.size() == 3);
  CHECK(root->items[0].key == "z");
  CHECK(root->items[1].text == "s");
  CHECK(root->items[1].line == 2);
  const TomlValue& t = root->items[2];
  CHECK(t.items[0].key == "x");
  CHECK(t.items[1].line == 8);
  CHECK(kind_name(*t.find("c")) == "a fraction");
  const TomlValue& list = *t.find("x")->find("b");
  CHECK(list.items[1].line == 6);
  CHECK(list.items[1].boolean);
  CHECK(t.find("nothing") == nullptr);
}

TEST_CASE("what is no TOML text is refused with its line") {
  CHECK(problem_of(repeat("# comment\n", 30'000)).what == "the file is too large");
  CHECK(problem_of(std::string_view("a = 1\n\0", 7)).place.line == 2);
  CHECK(problem_of("a = 1\nb = \"\xff\"\n").what == "the text is not UTF-8");
  CHECK(problem_of("a = 1\nb = \"\xff\"\n").place.line == 2);
  CHECK(problem_of("a = 1\n\nb = \n").place.line == 3);
  CHECK(problem_of("a = 1\na = 2\n").place.line == 2);
  CHECK(problem_of("a = \"x").place.line == 1);
  for (const char* text : {"[#", "[", "[[", "[}", "[a.#", "[\n:0]", "{", "=", "\xef\xbb\x9f"})
    CHECK_FALSE(parse_toml(text));
  CHECK(problem_of("<<<<<<< HEAD\nid = \"abc\"\n=======\n").place.line == 1);
}

TEST_CASE("endless nesting cannot exhaust the stack") {
  CHECK(problem_of("x = 1\n" + repeat("a.", 130'000) + "a = 1").place.line == 2);
  CHECK(problem_of(repeat("\"a\".", 60'000) + "a = 1").what == "a key with too many dots");
  CHECK(problem_of("s = \"\"\"x\"\"\"\"\"\n[" + repeat("a.", 120'000) + "a]").place.line == 2);
  CHECK(problem_of("s = '\n" + repeat("a.", 120'000) + "a = 1").place.line == 2);
  CHECK_FALSE(parse_toml("x = " + repeat("[", 200'000)));
  CHECK_FALSE(parse_toml("x = " + repeat("[", 200) + repeat("]", 200)));
  CHECK_FALSE(parse_toml(repeat("x = {a.b.c.d = ", 17'000)));
}

TEST_CASE("what is not ASCII stands in strings, even behind a folded line") {
  CHECK(parse_toml("x = \"\"\"a \\\n ä🦀\"\"\"\n")->items[0].text == "a ä🦀");
  CHECK(problem_of("ä = 1").place.line == 1);
  CHECK(problem_of("x = “abc”").place.line == 1);
  CHECK(problem_of("x ä = 1").place.line == 1);
}

TEST_CASE("dots in strings and comments are no nesting") {
  const std::string dots = repeat("a.", 1000);
  CHECK(parse_toml("x = \"" + dots + "\" # " + dots + "\ny = '" + dots + "'\nz = \"\"\"\n" + dots +
                   "\\\"\"\"\"\"\"\n"));
}

TEST_CASE("any text survives quoting") {
  CHECK(toml_quote("a\"b\\c\n\t\x1b\x7f\xc2\x9b") == "\"a\\\"b\\\\c\\n\\t\\u001B\\u007F\\u009B\"");
  CHECK(rc::check("quote and parse", [] {
    const auto codes = *rc::gen::container<std::vector<char32_t>>(rc::gen::oneOf(
        rc::gen::inRange<char32_t>(1, 0x100), rc::gen::inRange<char32_t>(0x100, 0xd800),
        rc::gen::inRange<char32_t>(0xe000, 0x110000)));
    std::string text;
    for (const char32_t code : codes) {
      const auto byte = [&](char32_t value) { text += static_cast<char>(value); };
      if (code < 0x80) {
        byte(code);
      } else if (code < 0x800) {
        byte(0xc0 | code >> 6), byte(0x80 | (code & 63));
      } else if (code < 0x10000) {
        byte(0xe0 | code >> 12), byte(0x80 | (code >> 6 & 63)), byte(0x80 | (code & 63));
      } else {
        byte(0xf0 | code >> 18), byte(0x80 | (code >> 12 & 63)), byte(0x80 | (code >> 6 & 63));
        byte(0x80 | (code & 63));
      }
    }
    const auto root = parse_toml("x = " + toml_quote(text));
    RC_ASSERT(root.has_value());
    RC_ASSERT(root->items[0].text == text);
  }));
}

TEST_CASE("arbitrary bytes are parsed or refused, never worse") {
  CHECK(rc::check("bytes", [](const std::string& text) { (void)parse_toml(text); }));
  CHECK(rc::check("likely bytes", [] {
    const auto text = *rc::gen::container<std::string>(
        rc::gen::elementOf(std::string("ab=.[]{}\"'\\\n#,1: \t-u0")));
    (void)parse_toml(text);
  }));
}

}  // namespace pf
