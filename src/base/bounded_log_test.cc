#include "base/bounded_log.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

namespace pf {
namespace {

TEST_CASE("a short text is kept as it is, a long one by its ends") {
  BoundedLog log(4, 3);
  log.append("abc");
  CHECK(log.text() == "abc");
  log.append("defg");
  CHECK(log.text() == "abcdefg");
  CHECK_FALSE(log.cut());
  log.append("h");
  CHECK(log.cut());
  CHECK(log.text() == "abcd\n[… 1 bytes left out …]\nfgh");
  BoundedLog head(4, 0);
  head.append("abcdef");
  CHECK(head.text() == "abcd");
  CHECK(head.cut());
}

TEST_CASE("property: however it is cut into pieces, the same ends are kept") {
  CHECK(rc::check([](const std::string& text) {
    const auto head = *rc::gen::inRange<std::size_t>(0, 20);
    const auto tail = *rc::gen::inRange<std::size_t>(1, 20);
    BoundedLog whole(head, tail);
    whole.append(text);
    BoundedLog pieces(head, tail);
    for (std::size_t at = 0; at < text.size();) {
      const auto size = *rc::gen::inRange<std::size_t>(1, 30);
      pieces.append(std::string_view(text).substr(at, size));
      at += size;
    }
    RC_ASSERT(whole.text() == pieces.text());
    RC_ASSERT(whole.cut() == (text.size() > head + tail));
    if (!whole.cut()) RC_ASSERT(whole.text() == text);
  }));
}

}  // namespace
}  // namespace pf
