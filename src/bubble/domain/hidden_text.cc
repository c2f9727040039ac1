#include "bubble/domain/hidden_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/glyph.h"
#include "base/text.h"

namespace pf::bubble {
namespace {

constexpr std::size_t kMost = 200;   // places that are named
constexpr std::size_t kNumbers = 8;  // of one line

// A name as git writes it: in quotes, with octal bytes, when it is not plain.
std::string unquoted(std::string_view name) {
  if (!name.starts_with('"') || !name.ends_with('"') || name.size() < 2) return std::string(name);
  name = name.substr(1, name.size() - 2);
  std::string out;
  while (!name.empty()) {
    constexpr std::string_view kLetters = "abtnvfr", kBytes = "\a\b\t\n\v\f\r";
    std::size_t used = 1;
    if (name[0] != '\\' || name.size() < 2) {
      out += name[0];
    } else if (name[1] >= '0' && name[1] <= '3' && name.size() >= 4) {
      out += static_cast<char>((name[1] - '0') * 64 + (name[2] - '0') * 8 + (name[3] - '0'));
      used = 4;
    } else {
      const auto letter = kLetters.find(name[1]);
      out += letter == std::string_view::npos ? name[1] : kBytes[letter];
      used = 2;
    }
    name.remove_prefix(used);
  }
  return out;
}

std::string numbers_of(std::string_view text) {
  std::string out;
  std::size_t count = 0;
  for (const HiddenGlyph& hidden : hidden_glyphs(text)) {
    if (++count > kNumbers) return out + " …";
    out += (out.empty() ? "" : " ") + shown_by_number(hidden.glyph);
  }
  return out;
}

// Walks through a diff: headers tell the file, hunks the line.
class Walk {
 public:
  std::vector<HiddenText> found;

  void take(std::string_view line) {
    if (old_ > 0 || new_ > 0) return take_of_hunk(line);
    if (line.starts_with("diff --git ")) return name_file(line);
    if (line.starts_with("@@ ")) return begin_hunk(line);
    if (line.starts_with("+++ "))
      path_ = without_prefix(unquoted(without_tab(line.substr(4))), path_);
    if (line.starts_with("[cut at ")) add("", 0, "not all of the change was looked at");
  }

 private:
  void take_of_hunk(std::string_view line) {
    if (line.starts_with('\\')) return;  // no newline at the end
    if (!line.starts_with('+')) --old_;
    if (line.starts_with('-')) return;
    --new_;
    if (line.starts_with('+')) {
      line.remove_prefix(1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      add(path_, line_, numbers_of(line));
    }
    ++line_;
  }

  // Also a file without text of its own has a name.
  void name_file(std::string_view line) {
    const std::string_view names = line.substr(11);  // the same name twice: "a/x b/x"
    path_ = without_prefix(unquoted(names.substr(names.size() / 2 + 1)), "");
    add(path_, 0, numbers_of(path_));
  }

  // "@@ -1,2 +3,4 @@": how many lines follow of each side, and where the new ones begin.
  void begin_hunk(std::string_view line) {
    const auto words = split(line, ' ');
    if (words.size() < 4) return;
    old_ = count_of(words[1]);
    new_ = count_of(words[2]);
    line_ = parse_number<int>(words[2].substr(1, words[2].find(',') - 1)).value_or(0);
  }
  static int count_of(std::string_view range) {
    const auto comma = range.find(',');
    return comma == std::string_view::npos ? 1
                                           : parse_number<int>(range.substr(comma + 1)).value_or(0);
  }

  static std::string without_prefix(const std::string& name, std::string otherwise) {
    return name.starts_with("b/") ? name.substr(2) : std::move(otherwise);
  }
  static std::string_view without_tab(std::string_view name) {
    return name.substr(0, name.find('\t'));
  }

  void add(const std::string& path, int line, std::string what) {
    if (what.empty() || found.size() > kMost) return;
    if (found.size() == kMost)
      found.push_back({"", 0, "there is more of it"});
    else
      found.push_back({path, line, std::move(what)});
  }

  std::string path_;
  int old_ = 0, new_ = 0, line_ = 0;
};

}  // namespace

std::vector<HiddenText> hidden_text(std::string_view diff) {
  Walk walk;
  while (!diff.empty()) {
    const auto end = std::min(diff.find('\n'), diff.size());
    walk.take(diff.substr(0, end));
    diff.remove_prefix(std::min(end + 1, diff.size()));
  }
  return std::move(walk.found);
}

std::vector<std::string> in_words(const std::vector<HiddenText>& hidden) {
  std::vector<std::string> words;
  for (const HiddenText& text : hidden)
    words.push_back(text.path.empty() ? text.what
                    : text.line == 0
                        ? fmt::format("the name {}", printable(text.path))
                        : fmt::format("{}:{} {}", printable(text.path), text.line, text.what));
  return words;
}

std::string shown_diff(std::string_view diff) {
  constexpr std::size_t kNamed = 20;
  std::string out;
  for (std::string_view line : split(diff, '\n')) {
    const bool changed = line.starts_with('+') || line.starts_with('-');
    if (!changed && line.ends_with('\r')) line.remove_suffix(1);
    out += printable(line) + "\n";
  }
  if (!out.empty()) out.pop_back();  // the last line has its end
  const auto hidden = in_words(hidden_text(diff));
  if (hidden.empty()) return out;
  return fmt::format("Hidden characters: {}\n\n{}", name_some(hidden, kNamed), out);
}

}  // namespace pf::bubble
