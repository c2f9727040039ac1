#include <algorithm>

#include "base/text.h"
#include "document/lines.h"
#include "document/plan/steps.h"

namespace pf::document {
namespace {

constexpr std::size_t kLongestStepNumber = 20;

bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

// Length of the number at the front: digits, groups behind dots, one letter.
std::size_t number_length(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t from = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - from;
  };
  if (digits() == 0) return 0;
  while (at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1])) ++at, digits();
  if (at < text.size() && is_letter(text[at])) ++at;
  const bool ends = at == text.size() ||
                    !(is_letter(text[at]) || is_digit(text[at]) || is_beyond_ascii(text[at]));
  // "2—title": a dash beyond ASCII ends it as well.
  return ends || text.substr(at).starts_with("–") || text.substr(at).starts_with("—") ? at : 0;
}

constexpr std::string_view kSeparators = " \t:.)-_*";

std::string without_emphasis(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text.substr(i, 2) == "**" || text.substr(i, 2) == "__")
      ++i;
    else
      out += text[i];
  return std::string(trim(out));
}

}  // namespace

std::string step_number(std::string_view text) {
  text = trim(text);
  if (text.size() > kLongestStepNumber || number_length(text) != text.size() || text.empty())
    return {};
  const auto from = std::min(text.find_first_not_of('0'), text.size() - 1);
  const bool zero = !is_digit(text[from]);
  std::string number(text.substr(zero ? from - 1 : from));
  std::ranges::transform(number, number.begin(), lower_letter);
  return number;
}

StepLabel step_label(std::string_view text) {
  text = skip(trim(text), "*_");
  if (!take_word(text, "step")) return {};
  const std::string_view rest = skip(text, " \t-_#");
  const std::size_t digits = number_length(rest);
  if (digits > 0) {
    std::string number = step_number(rest.substr(0, digits));
    if (number.empty()) return {};
    return {true, std::move(number),
            without_emphasis(skip_separators(rest.substr(digits), kSeparators))};
  }
  std::string title = without_emphasis(skip_separators(text, kSeparators));
  if (!trim(text).starts_with(':') || title.empty()) return {};
  return {true, {}, std::move(title)};
}

}  // namespace pf::document
