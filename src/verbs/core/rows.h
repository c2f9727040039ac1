#pragma once
#include <algorithm>
#include <array>
#include <initializer_list>

#include "verbs/core/verb.h"

// How rows are written: `constexpr Row kRows[] = {…}`, and `packed<kRows>` is their table.
namespace pf {

inline constexpr std::size_t kMaxParams = 16;  // one more does not compile

// The options of a row that is being written.
struct ParamList {
  constexpr ParamList(std::initializer_list<Param> params) : size(params.size()) {
    std::ranges::copy(params, all.begin());
  }
  std::array<Param, kMaxParams> all{};
  std::size_t size;
};
using Row = BasicVerb<ParamList>;

template <const auto& rows>
struct Packed {
  static constexpr auto params = [] {
    constexpr std::size_t kCount = [] {
      std::size_t count = 0;
      for (const Row& row : rows) count += row.params.size;
      return count;
    }();
    std::array<Param, kCount> all{};
    auto at = all.begin();
    for (const Row& row : rows) at = std::copy_n(row.params.all.begin(), row.params.size, at);
    return all;
  }();
  static constexpr auto verbs = [] {
    std::array<Verb, std::size(rows)> all{};
    std::size_t at = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto& [group, name, help, example, who, own, run, prepare, reads, quiet, role] =
          rows[i];
      all[i] = {group, name,    help,  example, who, std::span(params).subspan(at, own.size),
                run,   prepare, reads, quiet,   role};
      at += own.size;
    }
    return all;
  }();
};

// Without initialisation at start, and no larger than the rows: only what a row needs is kept.
template <const auto& rows>
inline constexpr Verbs packed = Packed<rows>::verbs;

}  // namespace pf
