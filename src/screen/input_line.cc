#include "screen/input_line.h"

#include <algorithm>

#include "base/text.h"
#include "screen/wrap.h"

namespace pf::screen {

void InputLine::set(std::string_view text) {
  text_.clear(), at_ = 0;
  insert(text);
}

bool InputLine::insert(std::string_view text) {
  const std::string clean = without_hidden(text);
  if (clean.empty() || text_.size() + clean.size() > kLimit) return false;
  text_.insert(at_, clean);
  at_ += clean.size();
  return true;
}

std::size_t InputLine::before(std::size_t at) const {
  std::size_t start = 0;
  for (std::size_t i = 0; i < at; i += glyph_bytes(text_, i)) start = i;
  return start;
}

std::size_t InputLine::word_before(std::size_t at) const {
  while (at > 0 && (text_[at - 1] == ' ' || text_[at - 1] == '\n')) --at;
  while (at > 0 && text_[at - 1] != ' ' && text_[at - 1] != '\n') --at;
  return at;
}

std::size_t InputLine::word_after(std::size_t at) const {
  const auto word = text_.find_first_not_of(" \n", at);
  return word == std::string::npos ? text_.size()
                                   : std::min(text_.find_first_of(" \n", word), text_.size());
}

void InputLine::remove(std::size_t from, std::size_t to) {
  text_.erase(from, to - from);
  at_ = from;
}

bool InputLine::key(const Key& key) {
  const auto line_start = [&] { return at_ == 0 ? 0 : text_.rfind('\n', at_ - 1) + 1; };
  const auto line_end = [&] { return std::min(text_.find('\n', at_), text_.size()); };
  const auto after = [&] { return at_ == text_.size() ? at_ : at_ + glyph_bytes(text_, at_); };
  switch (key.kind) {
    case Key::Kind::text: return insert(key.text);
    case Key::Kind::newline: return insert("\n");
    case Key::Kind::backspace: return remove(before(at_), at_), true;
    case Key::Kind::remove: return remove(at_, after()), true;
    case Key::Kind::remove_word: return remove(word_before(at_), at_), true;
    case Key::Kind::remove_to_start: return remove(line_start(), at_), true;
    case Key::Kind::remove_to_end: return remove(at_, line_end()), true;
    case Key::Kind::left: return at_ = before(at_), true;
    case Key::Kind::right: return at_ = after(), true;
    case Key::Kind::word_left: return at_ = word_before(at_), true;
    case Key::Kind::word_right: return at_ = word_after(at_), true;
    case Key::Kind::home: return at_ = line_start(), true;
    case Key::Kind::end: return at_ = line_end(), true;
    default: return false;
  }
}

InputLine::Layout InputLine::layout(std::size_t width) const {
  width = std::max<std::size_t>(width, 1);
  Layout layout{{""}};
  std::size_t column = 0;
  const auto new_row = [&] { layout.rows.emplace_back(), column = 0; };
  const auto mark = [&] {
    if (column == width) new_row();
    layout.row = layout.rows.size() - 1, layout.column = column;
  };
  for (std::size_t i = 0; i < text_.size();) {
    if (text_[i] == '\n') {
      if (i == at_) mark();
      new_row(), ++i;
      continue;
    }
    const std::size_t size = glyph_bytes(text_, i);
    const std::string_view glyph = std::string_view(text_).substr(i, size);
    const std::size_t needed = std::min(columns(glyph), width);
    if (column + needed > width) new_row();
    if (i <= at_ && at_ < i + size) mark();
    layout.rows.back() += glyph, column += needed, i += size;
  }
  if (at_ == text_.size()) mark();
  return layout;
}

}  // namespace pf::screen
