#include "base/fields_check.h"

#include <doctest/doctest.h>

namespace pf::testing {
namespace {

struct Whole {
  bool flag = false;
  std::string text = {};
  std::optional<int> number = {};
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v("flag", self.flag), v.always("text", self.text), v("number", self.number);
  }
};
struct Forgetful {
  std::string text = {};
  bool flag = false, forgotten = false;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v("text", self.text), v("flag", self.flag);
  }
};
// Shows the parts of a member as its own.
struct Flat {
  Whole whole = {};
  int last = 0;
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    Whole::fields(v, self.whole);
    v("last", self.last);
  }
};
struct Deep {
  std::vector<std::optional<Forgetful>> all = {};
  template <class V, class Self>
  static void fields(V& v, Self& self) {
    v("all", self.all);
  }
};

TEST_CASE("a member that fields() leaves out is noticed, in whatever it is") {
  CHECK_NOTHROW(check_fields(Whole{}));
  CHECK_NOTHROW(check_fields(Flat{}));
  CHECK_THROWS_WITH(check_fields(Forgetful{}), doctest::Contains("leaves member 2 out"));
  CHECK_THROWS(check_fields(Deep{}));
}

}  // namespace
}  // namespace pf::testing
