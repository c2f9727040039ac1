#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace pf::screen {

struct Key {
  enum class Kind {
    text,  // of a typed character, or of a paste
    enter,
    newline,
    backspace,
    remove,
    remove_word,
    remove_to_start,
    remove_to_end,
    left,
    right,
    word_left,
    word_right,
    up,
    down,
    home,
    end,
    page_up,
    page_down,
    tab,
    escape,
    palette,
    interrupt,
    redraw,
  };
  Kind kind = Kind::text;
  std::string text = {};
  friend bool operator==(const Key&, const Key&) = default;
};

// Makes keys of a terminal's bytes; a sequence may come in pieces, an escape is a key when nothing
// follows it at once, an interrupt by itself ends whatever was begun. What it does not know is
// dropped.
class KeyReader {
 public:
  std::vector<Key> read(std::string_view bytes);

 private:
  // Each gives the bytes that were used up; 0 when more are needed.
  std::size_t paste(std::string_view bytes, std::vector<Key>& keys);
  std::size_t sequence(std::string_view bytes, std::vector<Key>& keys);
  std::size_t one(std::string_view bytes, std::vector<Key>& keys);

  std::string unread_;
  bool pasting_ = false;
};

}  // namespace pf::screen
