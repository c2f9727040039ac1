#include "journal/head.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "base/hash.h"
#include "base/text.h"

namespace pf {
namespace {

constexpr std::size_t kFields = 5;

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string head_text(const Mark& mark) {
  const auto text =
      fmt::format("{} {} {} {}", number(mark.seq), mark.begin, mark.end, mark.hash.str());
  return fmt::format("{} {}", text, hash_of(text).str().substr(0, 8));
}

std::optional<Mark> head_of(std::string_view text) {
  const auto fields = split(text, ' ');
  if (fields.size() != kFields) return std::nullopt;
  const auto seq = number_in(fields[0]);
  const auto begin = number_in(fields[1]);
  const auto end = number_in(fields[2]);
  if (!seq || !begin || !end) return std::nullopt;
  const Mark mark{Seq{*seq}, *begin, *end, Hash(std::string(fields[3]))};
  if (head_text(mark) != text) return std::nullopt;
  return mark;
}

}  // namespace pf
