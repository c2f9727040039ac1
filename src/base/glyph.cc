#include "base/glyph.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <memory>

#include "base/text.h"

namespace pf {
namespace {

struct Range {
  std::int32_t first, last;
};
constexpr bool is_in(const auto& ranges, std::int32_t code) {
  return std::ranges::any_of(
      ranges, [&](const Range& range) { return range.first <= code && code <= range.last; });
}

// Nothing is drawn for these, whatever their category says: fillers, selectors, the blank Braille
// pattern (Unicode's Default_Ignorable_Code_Point and what looks like it).
constexpr Range kBlank[] = {
    {0x034f, 0x034f}, {0x115f, 0x1160},   {0x17b4, 0x17b5},  {0x180b, 0x180f}, {0x2065, 0x2065},
    {0x2800, 0x2800}, {0x3164, 0x3164},   {0xfe00, 0xfe0f},  {0xfeff, 0xfeff}, {0xffa0, 0xffa0},
    {0xfff0, 0xfff8}, {0x1d159, 0x1d159}, {0xe0000, 0xe0fff}};
constexpr Range kLatin[] = {{'A', 'Z'},       {'a', 'z'},       {0xaa, 0xaa},     {0xba, 0xba},
                            {0xc0, 0xd6},     {0xd8, 0xf6},     {0xf8, 0x2af},    {0x1d00, 0x1d25},
                            {0x1e00, 0x1eff}, {0x2c60, 0x2c7f}, {0xa720, 0xa7ff}, {0xab30, 0xab5a},
                            {0xfb00, 0xfb06}, {0xff21, 0xff3a}, {0xff41, 0xff5a}};
constexpr Range kCyrillicOrGreek[] = {
    {0x370, 0x373},   {0x376, 0x377},   {0x37b, 0x37d},  {0x37f, 0x37f},   {0x386, 0x386},
    {0x388, 0x3ff},   {0x400, 0x481},   {0x48a, 0x52f},  {0x1c80, 0x1c8f}, {0x1d26, 0x1d2b},
    {0x1f00, 0x1fff}, {0xa640, 0xa66e}, {0xa680, 0xa69d}};
constexpr Range kJoining[] = {{0x620, 0x6ff}, {0x750, 0x77f}, {0x8a0, 0xdff}};  // Arabic to Sinhala
constexpr Range kHangulParts[] = {{0x1161, 0x11ff}};  // vowels and final consonants
constexpr Range kSkinTone[] = {{0x1f3fb, 0x1f3ff}};

constexpr std::int32_t kNonJoiner = 0x200c, kJoiner = 0x200d, kAsText = 0xfe0e, kAsEmoji = 0xfe0f,
                       kKeycap = 0x20e3, kWideSpace = 0x3000, kStroke = 0x0338;

bool is_picture(std::int32_t code) {
  return code > 0 &&
         utf8proc_get_property(code)->boundclass == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC;
}

// `base` is the last character before it that is neither a selector nor a skin tone.
bool shapes_its_neighbours(std::int32_t code, std::int32_t before, std::int32_t base,
                           std::int32_t after) {
  if (code == kAsText || code == kAsEmoji)
    return is_picture(before) || (before >= 0 && before < 0x80 && after == kKeycap);
  if (code == kJoiner && is_picture(base) && is_picture(after)) return true;
  return (code == kJoiner || code == kNonJoiner) && is_in(kJoining, before) &&
         is_in(kJoining, after);
}

bool is_invisible(std::int32_t code) {
  if (code == '\t' || code == '\n') return false;
  switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return true;
    case UTF8PROC_CATEGORY_ZS: return code != ' ' && code != kWideSpace;
    default: return is_in(kBlank, code);
  }
}

int order_of(std::int32_t code) { return utf8proc_get_property(code)->combining_class; }

// The usual spelling (NFC) of a few characters.
std::vector<std::int32_t> usual_spelling(std::initializer_list<std::int32_t> codes) {
  constexpr auto kCanonical = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE);
  std::vector<std::int32_t> parts;
  for (const std::int32_t code : codes) {
    std::int32_t some[8];
    int boundary = 0;
    const auto count = utf8proc_decompose_char(code, some, std::ssize(some), kCanonical, &boundary);
    parts.insert(parts.end(), some, some + std::clamp<std::ptrdiff_t>(count, 0, std::ssize(some)));
  }
  for (auto begin = parts.begin(); begin != parts.end();) {  // marks in their order
    begin = std::find_if(begin, parts.end(), order_of);
    const auto end = std::find_if_not(begin, parts.end(), order_of);
    std::ranges::stable_sort(begin, end, {}, order_of);
    begin = end;
  }
  const auto left = utf8proc_normalize_utf32(
      parts.data(), static_cast<utf8proc_ssize_t>(parts.size()), kCanonical);
  parts.resize(static_cast<std::size_t>(std::max<utf8proc_ssize_t>(left, 0)));
  return parts;
}

// Another single character is the same.
bool stands_for_another(std::int32_t code) {
  if (utf8proc_get_property(code)->decomp_seqindex == UINT16_MAX) return false;
  const auto usual = usual_spelling({code});
  return usual.size() == 1 && usual[0] != code;
}

bool may_compose(std::int32_t code) {
  const auto category = utf8proc_category(code);
  return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC ||
         is_in(kHangulParts, code);
}

bool is_of_word(std::int32_t code) {
  switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_PC: return true;
    default: return false;
  }
}

bool is_plain(char c) { return c >= ' ' && c <= '~'; }
bool is_plain_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string mapped(std::string_view text, int options) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::ranges::all_of(text, is_ascii)) return lower(text);
  utf8proc_uint8_t* out = nullptr;
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                 static_cast<utf8proc_ssize_t>(text.size()), &out,
                                 static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> kept(out, &std::free);
  if (size < 0) return std::string(text);
  return {reinterpret_cast<const char*>(out), static_cast<std::size_t>(size)};
}

// Collects what is hidden; the letters of two alphabets are known at a word's end.
class Search {
 public:
  explicit Search(std::string_view text) : text_(text) {}

  std::vector<HiddenGlyph> run() && {
    while (at_ < text_.size()) step();
    end_word();
    return std::move(found_);
  }

 private:
  void step() {
    if (is_plain(text_[at_])) return take_plain(text_[at_]);
    const Glyph glyph = first_glyph(text_.substr(at_));
    const auto rest = text_.substr(at_ + glyph.bytes);
    const std::int32_t after = rest.empty() ? -1 : first_glyph(rest).code;
    const bool other_spelling =
        glyph.code >= 0 && (stands_for_another(glyph.code) || is_misplaced_mark(glyph.code));
    const bool hidden =
        glyph.code < 0 || other_spelling ||
        (is_invisible(glyph.code) && !shapes_its_neighbours(glyph.code, before_, base_, after));
    if (hidden || !is_of_word(glyph.code)) end_word();
    if (hidden) found_.push_back({at_, glyph, other_spelling});
    follow_marks(hidden ? kNumberEnd : glyph.code);
    if (is_in(kLatin, glyph.code)) latin_ = true;
    if (!hidden && is_in(kCyrillicOrGreek, glyph.code)) foreign_.push_back({at_, glyph, true});
    before_ = hidden ? -1 : glyph.code;
    const bool added =
        glyph.code == kAsText || glyph.code == kAsEmoji || is_in(kSkinTone, glyph.code);
    if (hidden || !added) base_ = before_;
    at_ += glyph.bytes;
  }

  void take_plain(char c) {
    if (!is_plain_word(c))
      end_word();
    else if (c != '_' && (c < '0' || c > '9'))
      latin_ = true;
    before_ = base_ = static_cast<unsigned char>(c);
    follow_marks(before_);
    ++at_;
  }

  // With what it stands on it is usually spelled in another way.
  bool is_misplaced_mark(std::int32_t code) const {
    if (code == kStroke) return true;  // strikes out what is shown before it, also our own ">"
    if (marked_ < 0 || !may_compose(code)) return false;
    const int order = order_of(code);
    if (order_ > 0 && order <= order_) return order > 0 && order < order_;
    std::vector<std::int32_t> apart = usual_spelling({marked_});
    apart.push_back(code);
    return usual_spelling({marked_, code}) != apart;
  }
  void follow_marks(std::int32_t code) {
    order_ = order_of(code);
    if (order_ == 0) marked_ = code;
  }

  void end_word() {
    if (latin_) found_.insert(found_.end(), foreign_.begin(), foreign_.end());
    latin_ = false;
    foreign_.clear();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  static constexpr std::int32_t kNumberEnd = '>';  // of what is shown by its number
  std::int32_t before_ = -1, base_ = -1;
  std::int32_t marked_ = -1;  // what marks stand on
  int order_ = 0;             // of the last of them
  bool latin_ = false;
  std::vector<HiddenGlyph> foreign_, found_;
};

}  // namespace

Glyph first_glyph(std::string_view text) {
  utf8proc_int32_t code = -1;
  const auto used = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                     static_cast<utf8proc_ssize_t>(text.size()), &code);
  if (used <= 0) return {text.empty() ? -1 : -static_cast<unsigned char>(text[0]), 1};
  return {code, static_cast<std::size_t>(used)};
}

std::size_t columns_of(Glyph glyph) {
  return glyph.code < 0 ? 1 : static_cast<std::size_t>(std::max(0, utf8proc_charwidth(glyph.code)));
}

bool is_of_name(Glyph glyph) {
  return glyph.code >= 0 && is_of_word(glyph.code) &&
         utf8proc_category(glyph.code) != UTF8PROC_CATEGORY_PC && !is_invisible(glyph.code);
}

std::string folded(std::string_view text) {
  return mapped(text, UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD | UTF8PROC_STABLE);
}

std::string folded_plain(std::string_view text) {
  return mapped(text, UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE | UTF8PROC_CASEFOLD |
                          UTF8PROC_STRIPMARK | UTF8PROC_STABLE);
}

std::vector<HiddenGlyph> hidden_glyphs(std::string_view text) { return Search(text).run(); }

std::string shown_by_number(Glyph glyph) {
  return glyph.code < 0 ? fmt::format("<0x{:02X}>", static_cast<std::uint32_t>(-glyph.code))
                        : fmt::format("<U+{:04X}>", static_cast<std::uint32_t>(glyph.code));
}

}  // namespace pf
