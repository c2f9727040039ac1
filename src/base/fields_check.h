#pragma once
// For tests: fields() of a struct names every member, so that none is left out of a journal or a
// snapshot. Looks into the members' types as well.
#include <fmt/format.h>

#include <boost/core/demangle.hpp>
#include <boost/pfr.hpp>
#include <map>

#include "base/codec.h"
#include "base/decided_loop.h"
#include "base/due_write.h"

namespace pf::testing {

template <class T>
void check_fields(const T& value);

// What fields() shows: where it is, and how large.
class Shown {
 public:
  template <class T>
  void operator()(std::string_view, const T& member) {
    sizes_[&member] = sizeof member;
    check_type(member);
  }
  template <class T>
  void always(std::string_view key, const T& member) {
    (*this)(key, member);
  }

  // Itself or, when fields() shows its parts instead, all of them.
  template <class T>
  bool has(const T& member) const {
    const auto at = sizes_.find(&member);
    if (at != sizes_.end() && at->second == sizeof member) return true;
    bool all = std::is_class_v<T> && std::is_aggregate_v<T>;
    if constexpr (std::is_class_v<T> && std::is_aggregate_v<T>)
      boost::pfr::for_each_field(member, [&](const auto& part) { all = all && has(part); });
    return all;
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const auto& [at, size] : sizes_) sum += size;
    return sum;
  }

 private:
  template <class T>
  static void check_type(const T& member) {
    if constexpr (codec::is_optional<T>::value || codec::is_vector<T>::value)
      check_type(typename T::value_type{});
    else if constexpr (std::is_aggregate_v<T> &&
                       requires(Shown& shown) { T::fields(shown, member); })
      check_fields(member);
  }

  std::map<const void*, std::size_t> sizes_;
};

template <class T>
void check_fields(const T& value) {
  Shown shown;
  T::fields(shown, value);
  const std::string name = boost::core::demangle(typeid(T).name());
  if constexpr (std::is_base_of_v<DueWrite, T>) {  // which is no plain aggregate, and has no gaps
    must(shown.bytes() == sizeof(T), name + ": fields() leaves a member out");
  } else if constexpr (!std::is_empty_v<T>) {
    int place = 0;
    boost::pfr::for_each_field(value, [&](const auto& member) {
      must(shown.has(member), fmt::format("{}: fields() leaves member {} out", name, place));
      ++place;
    });
  }
}

}  // namespace pf::testing
