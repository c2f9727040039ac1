#pragma once
#include <algorithm>
#include <functional>

namespace pf {

// The first element that is `value`, or whose member is; null when there is none.
template <class Range, class Value, class Member = std::identity>
auto find_in(Range& range, const Value& value, Member member = {}) -> decltype(&*range.begin()) {
  const auto at = std::ranges::find(range, value, member);
  return at == range.end() ? nullptr : &*at;
}
template <class Range, class Matches>
auto find_where(Range& range, Matches matches) -> decltype(&*range.begin()) {
  const auto at = std::ranges::find_if(range, matches);
  return at == range.end() ? nullptr : &*at;
}
template <class Range, class Value, class Member = std::identity>
bool contains(const Range& range, const Value& value, Member member = {}) {
  return std::ranges::find(range, value, member) != range.end();
}

}  // namespace pf
