#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What a reader of a text would not see, or would take for another letter. Whatever is shown to
// people or agents goes by this one judgement.
namespace pf {

// One code point at the front of a text: its value and length. A byte that is no UTF-8 has its
// number, negative.
struct Glyph {
  std::int32_t code;
  std::size_t bytes;
};
Glyph first_glyph(std::string_view text);
// Columns a terminal uses for it.
std::size_t columns_of(Glyph glyph);

// A character that is shown by its number.
struct HiddenGlyph {
  std::size_t at;
  Glyph glyph;
  bool letter = false;  // it is seen, but taken for another character
};
// In their order: controls (not tab and newline), zero-width, bidirectional and other invisible
// characters, blanks that are no space, unassigned ones, the Cyrillic or Greek letters of a word
// that has Latin ones too, and what is another spelling of one character: a mark that composes with
// the letter before it, marks out of order, signs like U+212B that stand for a letter. Joiners and
// emoji selectors stay where they shape what stands beside them. Bytes that are no UTF-8 count too.
std::vector<HiddenGlyph> hidden_glyphs(std::string_view text);
// Letters, digits and their marks, of any alphabet: what a name is made of.
bool is_of_name(Glyph glyph);
// The text composed and in small letters, as names are compared; as it is when it is no UTF-8.
std::string folded(std::string_view text);
// The same without accents, so that more of it is ASCII: "Größe" → "grosse".
std::string folded_plain(std::string_view text);
// "<U+200B>"; "<0xE9>" for a byte that is no UTF-8.
std::string shown_by_number(Glyph glyph);

}  // namespace pf
