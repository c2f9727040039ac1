#include <rapidcheck.h>

#include "base/text.h"
#include "bubble/domain/testing.h"

namespace pf::bubble {
namespace {

std::string shown(std::string_view text) {
  const auto r = parse_reported(text);
  if (!r) return "error " + std::to_string(static_cast<int>(r.error().exit));
  if (!r->repeat.empty()) return "repeat " + r->repeat.str();
  return fmt::format("{}|{}|{}|{}", name_of(r->severity), r->title, r->path, r->line);
}

TEST_CASE("--finding: the forms") {
  CHECK(shown("P1:Title") == "P1|Title||0");
  CHECK(shown(" P0 :  A title: with a colon ") == "P0|A title: with a colon||0");
  CHECK(shown("P2:Title @src/a.cc:12") == "P2|Title|src/a.cc|12");
  CHECK(shown("P3:Title @src/a.cc") == "P3|Title|src/a.cc|0");
  CHECK(shown("F1.2") == "repeat F1.2");
  CHECK(shown(" F12.345 ") == "repeat F12.345");
}

TEST_CASE("--finding: what looks like a place and is none") {
  CHECK(shown("P1:mail me @home please") == "P1|mail me @home please||0");
  CHECK(shown("P1:a@b.c") == "P1|a@b.c||0");
  CHECK(shown("P1:x @:12") == "P1|x @:12||0");
  CHECK(shown("P1:x @p:0") == "P1|x|p:0|0");
  CHECK(shown("P1:x @p:-4") == "P1|x|p:-4|0");
  CHECK(shown("P1:x @p:12x") == "P1|x|p:12x|0");
  CHECK(shown("P1:x @p:99999999999999") == "P1|x|p:99999999999999|0");
  CHECK(shown("P1: @p:1") == "P1|@p:1||0");
}

TEST_CASE("--finding: hostile and empty input is a usage error or harmless") {
  for (const auto* bad : {"", ":", "P1", "P1:", "P1:   ", "P4:x", "p1:x", "F1", "F1.", "F.1",
                          "F1.x", "F1.2.3", "F1234567.1", "--no-findings", "P1:\x1b\x07"})
    CHECK(shown(bad) == "error 2");
  CHECK(shown("P1:a\x1b[31mb\nc\td") == "P1|a<U+001B>[31mb c d||0");
  CHECK(shown("P1:a\xe2\x80\xae"
              "b") == "P1|a<U+202E>b||0");
  CHECK(shown("P1:a\xff"
              "b") == "P1|a<0xFF>b||0");
  CHECK(shown("P1:" + std::string(301, 'x')) == "error 2");
  CHECK(shown("P1:" + std::string(300, 'x')).size() > 300);
  CHECK(shown(std::string(10'000'000, 'P')) == "error 2");
}

TEST_CASE("--disputed: an id and a reason") {
  const auto good = parse_dispute("F1.3: it is: needed\n\x1b[2J");
  REQUIRE(good);
  CHECK(good->finding == FindingId("F1.3"));
  CHECK(good->reason == "it is: needed <U+001B>[2J");
  for (const auto* bad : {"", "F1.3", "F1.3:", "F1.3:  ", "F1.3:\x1b", "P1: x", ": x", "F1: x"})
    CHECK(parse_dispute(bad).error().exit == Exit::usage);
}

TEST_CASE("whatever bytes come, titles are one printable line of UTF-8") {
  CHECK(rc::check([](const std::string& noise) {
    if (const auto r = parse_reported("P1:" + noise)) {
      RC_ASSERT(printable(r->title) == r->title);
      RC_ASSERT(printable(r->path) == r->path);
      RC_ASSERT(!r->title.empty());
    }
    if (const auto d = parse_dispute("F1.1:" + noise)) RC_ASSERT(printable(d->reason) == d->reason);
  }));
}

std::string text_or_reason(const Reported& reported) {
  const auto text = write_reported(reported);
  return text ? *text : text.error().why;
}

TEST_CASE("a finding as text: what cannot be written exactly is refused with the reason") {
  CHECK(text_or_reason({{}, Severity::p1, "Title", "", 0}) == "P1:Title");
  CHECK(text_or_reason({{}, Severity::p0, "A: b @c", "src/a.cc", 12}) == "P0:A: b @c @src/a.cc:12");
  CHECK(text_or_reason({{}, Severity::p2, "tell @all of it", "", 0}) == "P2:tell @all of it");
  CHECK(text_or_reason({FindingId("F1.2"), Severity::p1, "", "", 0}) == "F1.2");
  CHECK(text_or_reason({{}, Severity::p1, "tell @all", "", 0}) ==
        "the title's end reads as a place: @all");
  CHECK(text_or_reason({{}, Severity::p1, "Title", "", 3}) == "a line needs a path");
  CHECK(text_or_reason({{}, Severity::p1, "two\nlines", "", 0}).starts_with("the title has to be"));
  CHECK(text_or_reason({{}, Severity::p1, "Title ", "a", 0}).starts_with("the title has to be"));
  CHECK(text_or_reason({{}, Severity::p1, "T", "my file.cc", 3}).starts_with("its place would be"));
  CHECK(text_or_reason({{}, Severity::p1, "T", "a:7", 0}).starts_with("its place would be"));
  CHECK(text_or_reason({FindingId("P1:x"), Severity::p1, "", "", 0}) == "this is no finding's id");
  CHECK(text_or_reason({{}, Severity::p1, "", "a", 1}) == "the title is empty");
}

TEST_CASE("whatever a finding says, its text is read back as exactly that or there is none") {
  const auto words = rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("ab  @@::.12FP\n\t/\\\"\xc3\xa4")));
  CHECK(rc::check([&] {
    Reported wanted{{},
                    *rc::gen::element(Severity::p0, Severity::p3),
                    *words,
                    *words,
                    *rc::gen::element(0, 0, 1, 12, -1)};
    if (*rc::gen::inRange(0, 4) == 0) wanted.path.clear();
    if (*rc::gen::inRange(0, 4) == 0) wanted.repeat = FindingId(*words);
    if (const auto text = write_reported(wanted))
      RC_ASSERT(parse_reported(*text).value() == wanted);
  }));
}

}  // namespace
}  // namespace pf::bubble
