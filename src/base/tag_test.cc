#include "base/tag.h"

#include <doctest/doctest.h>

namespace pf {
namespace {

struct Born {
  static constexpr EventTag kTag{kLifecycle, "born"};
};
struct Told {
  static constexpr EventTag kTag{"TOLD"};
};
struct Nameless {};
struct Slugless {
  static constexpr EventTag kTag{kLifecycle};
};
struct Mute {
  static constexpr CommandTag kTag{"", By::human};
};
struct Life : std::variant<Born, Told> {
  using variant::variant;
};

template <class T>
constexpr bool has_tags = requires { TagsOf<T>::kTags; };

TEST_CASE("an alternative without a name does not compile") {
  CHECK(has_tags<std::variant<Born, Told>>);
  CHECK_FALSE(has_tags<std::variant<Born, Nameless>>);
  CHECK_FALSE(has_tags<std::variant<Born, Slugless>>);
  CHECK_FALSE(Tagged<Mute>);
}

TEST_CASE("names follow the alternative, whatever its place") {
  CHECK(tag_of(Life(Told{})) == Told::kTag);
  CHECK(tag_of(Life(Born{})).slug == "born");
}

TEST_CASE("two names that would be taken for each other are noticed") {
  CHECK(are_distinct(std::array{Born::kTag, Told::kTag, EventTag{kLifecycle, "gone"}}));
  CHECK_FALSE(are_distinct(std::array{Told::kTag, Born::kTag, EventTag{"TOLD", "again"}}));
  CHECK_FALSE(are_distinct(std::array{Born::kTag, EventTag{kLifecycle, "born"}}));
}

}  // namespace
}  // namespace pf
