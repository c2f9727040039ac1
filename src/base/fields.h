#pragma once
#include <array>
#include <string_view>
#include <utility>

// What of a struct goes into JSON, and by which names; see codec.h.
#define PF_FIELDS(...)                                                     \
  template <class V, class Self>                                           \
  static void fields([[maybe_unused]] V& v, [[maybe_unused]] Self& self) { \
    __VA_ARGS__;                                                           \
  }
// In PF_FIELDS, members by their own names: written even when empty, or left out then.
#define PF_ALWAYS(...) PF_EACH(PF_ALWAYS_ONE, __VA_ARGS__)
#define PF_IF_SET(...) PF_EACH(PF_IF_SET_ONE, __VA_ARGS__)
#define PF_ALWAYS_ONE(member) v.always(#member, self.member)
#define PF_IF_SET_ONE(member) v(#member, self.member)

// names_of for an enum, all of its values: called in JSON as they are in the program, or otherwise:
// PF_NAMES_AS(Phase, (done, "DONE"), …).
#define PF_NAMES(Enum, ...) PF_NAMES_BY(PF_OWN_NAME, Enum, __VA_ARGS__)
#define PF_NAMES_AS(Enum, ...) PF_NAMES_BY(PF_GIVEN_NAME, Enum, __VA_ARGS__)
#define PF_NAMES_BY(one, Enum, ...)                                                       \
  constexpr auto names_of(Enum) {                                                         \
    using enum Enum;                                                                      \
    return std::to_array<std::pair<Enum, std::string_view>>({PF_EACH(one, __VA_ARGS__)}); \
  }
#define PF_OWN_NAME(value) {value, #value}
#define PF_GIVEN_NAME(pair) PF_PAIR pair
#define PF_PAIR(value, name) {value, name}

// one(a), one(b), …: the preprocessor does not recurse, so what is left is scanned 85 times.
#define PF_EACH(one, ...) PF_SCAN(PF_STEP(one, __VA_ARGS__))
#define PF_STEP(one, first, ...) one(first) __VA_OPT__(, PF_AGAIN PF_PARENS(one, __VA_ARGS__))
#define PF_AGAIN() PF_STEP
#define PF_PARENS ()
#define PF_SCAN(...) PF_SCAN_16(PF_SCAN_16(PF_SCAN_16(PF_SCAN_16(__VA_ARGS__))))
#define PF_SCAN_16(...) PF_SCAN_4(PF_SCAN_4(PF_SCAN_4(PF_SCAN_4(__VA_ARGS__))))
#define PF_SCAN_4(...) PF_SCAN_1(PF_SCAN_1(PF_SCAN_1(PF_SCAN_1(__VA_ARGS__))))
#define PF_SCAN_1(...) __VA_ARGS__
