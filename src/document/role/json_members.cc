#include "document/role/json_members.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "document/lines.h"

// How it works. Boost.JSON says whether the text is JSON, but not where its members are. So a text
// that it has accepted is walked once more: brackets are counted, strings are skipped.
namespace pf::document {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{64} << 10;
constexpr std::string_view kBlank = " \t\r\n";

int line_at(std::string_view text, std::size_t at) {
  return 1 + static_cast<int>(std::ranges::count(text.substr(0, at), '\n'));
}

// Of an object that is known to be sound JSON.
class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) { at_ = text.find('{') + 1; }

  bool next(JsonMember& member) {
    skip_blank();
    if (text_[at_] == ',') ++at_, skip_blank();
    if (text_[at_] == '}') return false;
    member.line = line_at(text_, at_);
    member.key = std::string(parse_json(value())->get_string());
    skip_blank();
    ++at_;  // the colon
    skip_blank();
    member.text = std::string(value());
    member.value = *parse_json(member.text);
    return true;
  }

 private:
  void skip_blank() { at_ = text_.find_first_not_of(kBlank, at_); }

  std::size_t string_end(std::size_t from) const {
    for (std::size_t i = from + 1;; ++i) {
      if (text_[i] == '\\')
        ++i;
      else if (text_[i] == '"')
        return i + 1;
    }
  }
  std::string_view value() {
    const std::size_t from = at_;
    if (text_[at_] == '"') {
      at_ = string_end(at_);
    } else if (text_[at_] == '{' || text_[at_] == '[') {
      int depth = 0;
      do {
        if (text_[at_] == '"') {
          at_ = string_end(at_);
          continue;
        }
        depth += text_[at_] == '{' || text_[at_] == '[';
        depth -= text_[at_] == '}' || text_[at_] == ']';
        ++at_;
      } while (depth > 0);
    } else {
      at_ = text_.find_first_of(",} \t\r\n", at_);
    }
    return text_.substr(from, at_ - from);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Read<std::vector<JsonMember>> read_members(std::string_view text) {
  if (text.starts_with(kBom)) text.remove_prefix(kBom.size());
  if (text.size() > kMaxBytes)
    return trouble(1, "the file is too large",
                   fmt::format("keep it below {} KiB", kMaxBytes / 1024));
  const auto parsed = parse_json(text);
  if (!parsed) {
    const int line = line_at(text, std::min(json_stops_at(text), text.size()));
    const bool empty = trim(text).empty();
    return trouble(line, empty ? "the file is empty" : "not valid JSON: " + parsed.error().why,
                   "write one object of \"key\": value pairs, with a comma between them");
  }
  if (!parsed->is_object())
    return trouble(1, "the file is no JSON object", "put the keys between { and }");
  std::vector<JsonMember> members;
  std::map<std::string, int> lines;
  Walk walk(text);
  for (JsonMember member; walk.next(member);) {
    const auto [first, is_new] = lines.emplace(member.key, member.line);
    if (!is_new)
      return trouble(member.line,
                     fmt::format("the key `{}` is there twice, first on line {}",
                                 clip(printable(member.key), 60), first->second),
                     "keep one of them");
    members.push_back(member);
  }
  return members;
}

}  // namespace pf::document
