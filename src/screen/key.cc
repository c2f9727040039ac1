#include "screen/key.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace pf::screen {
namespace {

using Kind = Key::Kind;

constexpr std::string_view kPasteBegins = "\x1b[200~", kPasteEnds = "\x1b[201~";
constexpr std::size_t kLongestSequence = 32;  // bytes; longer ones are noise

template <std::size_t N, class Code>
std::optional<Kind> found_in(const std::array<std::pair<Code, Kind>, N>& table, Code code) {
  for (const auto& [known, kind] : table)
    if (known == code) return kind;
  return std::nullopt;
}

constexpr std::array<std::pair<char, Kind>, 18> kControls = {{
    {'\r', Kind::enter},
    {'\n', Kind::newline},
    {'\t', Kind::tab},
    {'\x7f', Kind::backspace},
    {'\b', Kind::backspace},
    {'\x01', Kind::home},
    {'\x02', Kind::left},
    {'\x03', Kind::interrupt},
    {'\x04', Kind::remove},
    {'\x05', Kind::end},
    {'\x06', Kind::right},
    {'\x0b', Kind::remove_to_end},
    {'\x0c', Kind::redraw},
    {'\x0e', Kind::down},
    {'\x10', Kind::palette},
    {'\x15', Kind::remove_to_start},
    {'\x17', Kind::remove_word},
    {'\x1b', Kind::escape},
}};

// Behind ESC [ or ESC O.
constexpr std::array<std::pair<std::string_view, Kind>, 22> kCodes = {{
    {"A", Kind::up},           {"B", Kind::down},
    {"C", Kind::right},        {"D", Kind::left},
    {"H", Kind::home},         {"F", Kind::end},
    {"1~", Kind::home},        {"7~", Kind::home},
    {"4~", Kind::end},         {"8~", Kind::end},
    {"3~", Kind::remove},      {"5~", Kind::page_up},
    {"6~", Kind::page_down},   {"1;5C", Kind::word_right},
    {"1;5D", Kind::word_left}, {"1;3C", Kind::word_right},
    {"1;3D", Kind::word_left}, {"M", Kind::enter},
    {"13;2u", Kind::newline},  {"27;2;13~", Kind::newline},
    {"1;5H", Kind::home},      {"1;5F", Kind::end},
}};

constexpr std::array<std::pair<char, Kind>, 6> kAlt = {{
    {'\r', Kind::newline},
    {'\n', Kind::newline},
    {'b', Kind::word_left},
    {'f', Kind::word_right},
    {'\x7f', Kind::remove_word},
    {'\b', Kind::remove_word},
}};

std::size_t utf8_length(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

void add(std::vector<Key>& keys, std::optional<Kind> kind) {
  if (kind) keys.push_back({*kind});
}

// Pasted lines end with what Enter sends.
void add_paste(std::vector<Key>& keys, std::string text) {
  for (auto at = text.find("\r\n"); at != std::string::npos; at = text.find("\r\n", at))
    text.erase(at, 1);
  std::ranges::replace(text, '\r', '\n');
  if (!text.empty()) keys.push_back({Kind::text, std::move(text)});
}

}  // namespace

std::size_t KeyReader::paste(std::string_view bytes, std::vector<Key>& keys) {
  const auto end = bytes.find(kPasteEnds);
  if (end != std::string::npos) {
    add_paste(keys, std::string(bytes.substr(0, end)));
    pasting_ = false;
    return end + kPasteEnds.size();
  }
  // The end's beginning may be there.
  const auto tail = bytes.size() - std::min(bytes.size(), kPasteEnds.size());
  const auto escape = std::min(bytes.find('\x1b', tail), bytes.size());
  const bool split = escape > 0 && escape == bytes.size() && bytes.back() == '\r';
  const std::size_t sure = split ? escape - 1 : escape;
  add_paste(keys, std::string(bytes.substr(0, sure)));
  return sure;
}

std::size_t KeyReader::sequence(std::string_view bytes, std::vector<Key>& keys) {
  if (bytes.size() == 1) return add(keys, Kind::escape), 1;
  if (bytes[1] != '[' && bytes[1] != 'O') {
    if (const auto kind = found_in(kAlt, bytes[1])) return add(keys, kind), 2;
    return add(keys, Kind::escape), 1;
  }
  if (bytes.starts_with(kPasteBegins)) return pasting_ = true, kPasteBegins.size();
  for (std::size_t at = 2; at < bytes.size() && at < kLongestSequence; ++at) {
    const char c = bytes[at];
    if (c >= '@' && c <= '~') return add(keys, found_in(kCodes, bytes.substr(2, at - 1))), at + 1;
    if (c < ' ' || c > '~') return at;
  }
  return bytes.size() < kLongestSequence ? 0 : kLongestSequence;
}

std::size_t KeyReader::one(std::string_view bytes, std::vector<Key>& keys) {
  if (pasting_) return paste(bytes, keys);
  const char c = bytes.front();
  if (c == '\x1b') return sequence(bytes, keys);
  const auto byte = static_cast<unsigned char>(c);
  if (byte < 0x20 || byte == 0x7f) return add(keys, found_in(kControls, c)), 1;
  const std::size_t length = utf8_length(c);
  if (length > bytes.size()) return 0;
  keys.push_back({Kind::text, std::string(bytes.substr(0, length))});
  return length;
}

std::vector<Key> KeyReader::read(std::string_view bytes) {
  if (bytes == "\x03") {
    unread_.clear(), pasting_ = false;
    return {{Kind::interrupt}};
  }
  unread_ += bytes;
  std::vector<Key> keys;
  std::string_view left = unread_;
  while (!left.empty()) {
    const std::size_t used = one(left, keys);
    if (used == 0) break;
    left.remove_prefix(used);
  }
  unread_ = std::string(left);
  return keys;
}

}  // namespace pf::screen
