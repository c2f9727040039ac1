#include "document/yaml_mapping.h"

#include <fmt/format.h>
#include <yaml.h>

#include <algorithm>
#include <array>

#include "base/text.h"

// How it works. libyaml's events carry positions counted in characters; the text is UTF-8, so they
// are turned into bytes by a table of where each character begins.
namespace pf::document {
namespace {

constexpr int kDeepest = 32;
constexpr std::string_view kForm =
    "write it as `key: value` lines, for example `active_step: \"1\"`";

std::vector<std::size_t> character_starts(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) starts.push_back(i);
  starts.push_back(text.size());
  return starts;
}

Quotes quotes_of(yaml_scalar_style_t style) {
  switch (style) {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE: return Quotes::single_;
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE: return Quotes::double_;
    case YAML_LITERAL_SCALAR_STYLE:
    case YAML_FOLDED_SCALAR_STYLE: return Quotes::block;
    default: return Quotes::plain;
  }
}

class YamlReader {
 public:
  YamlReader(std::string_view text, std::size_t begin, int first_line)
      : text_(text), begin_(begin), first_line_(first_line), starts_(character_starts(text)) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  ~YamlReader() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }
  YamlReader(const YamlReader&) = delete;
  YamlReader& operator=(const YamlReader&) = delete;

  Read<YamlNode> mapping() {
    YamlNode root(YamlNode::Kind::mapping);
    TRY(next()), TRY(next());
    if (event_.type == YAML_STREAM_END_EVENT) return root;
    TRY(next());
    if (event_.type == YAML_SCALAR_EVENT && event_.data.scalar.length == 0) return root;
    if (event_.type != YAML_MAPPING_START_EVENT)
      return trouble(line(), "the frontmatter is no list of keys", std::string(kForm));
    root = TRY(node(0));
    TRY(next()), TRY(next());
    if (event_.type != YAML_STREAM_END_EVENT)
      return trouble(line(), "the frontmatter holds more than one document",
                     "keep one list of keys between the two --- lines");
    return root;
  }

 private:
  Read<void> next() {
    yaml_event_delete(&event_);
    if (yaml_parser_parse(&parser_, &event_) == 0) return broken();
    return {};
  }
  int line() const { return static_cast<int>(event_.start_mark.line) + first_line_; }
  std::size_t byte(const yaml_mark_t& mark) const {
    return begin_ + starts_[std::min(mark.index, starts_.size() - 1)];
  }

  std::unexpected<Problem> broken() const {
    const bool unreadable = parser_.error == YAML_READER_ERROR;
    const auto before = text_.substr(0, std::min(parser_.problem_offset, text_.size()));
    const auto at = unreadable ? static_cast<int>(std::ranges::count(before, '\n'))
                               : static_cast<int>(parser_.problem_mark.line);
    return trouble(at + first_line_,
                   fmt::format("malformed YAML: {}",
                               parser_.problem != nullptr ? parser_.problem : "not readable"),
                   std::string(kForm));
  }

  // The node whose first event has been read.
  Read<YamlNode> node(int depth) {
    if (depth > kDeepest) return trouble(line(), "nested too deeply", "keep the frontmatter flat");
    YamlNode result;
    result.span = {byte(event_.start_mark), byte(event_.end_mark)};
    switch (event_.type) {
      case YAML_ALIAS_EVENT: result.kind = YamlNode::Kind::alias; return result;
      case YAML_SCALAR_EVENT: {
        const auto& scalar = event_.data.scalar;
        result.value.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
        result.quotes = quotes_of(scalar.style);
        result.decorated = scalar.anchor != nullptr || scalar.tag != nullptr;
        return result;
      }
      case YAML_SEQUENCE_START_EVENT: return items(std::move(result), depth);
      default: return pairs(std::move(result), depth);
    }
  }

  Read<YamlNode> items(YamlNode result, int depth) {
    result.kind = YamlNode::Kind::sequence;
    for (;;) {
      TRY(next());
      if (event_.type == YAML_SEQUENCE_END_EVENT) return result;
      TRY(node(depth + 1));
    }
  }

  Read<YamlNode> pairs(YamlNode result, int depth) {
    result.kind = YamlNode::Kind::mapping;
    result.flow = event_.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
    for (;;) {
      TRY(next());
      if (event_.type == YAML_MAPPING_END_EVENT) break;
      const int key_line = line();
      YamlNode key = TRY(node(depth + 1));
      TRY(next());
      YamlNode value = TRY(node(depth + 1));
      result.pairs.push_back({std::move(key.value), key.span, key_line, std::move(value)});
    }
    if (result.flow) result.span.end = byte(event_.end_mark);
    return result;
  }

  std::string_view text_;
  std::size_t begin_;
  int first_line_;
  std::vector<std::size_t> starts_;
  yaml_parser_t parser_ = {};
  yaml_event_t event_ = {};
};

}  // namespace

YamlNode::YamlNode(Kind its_kind) : kind(its_kind) {}

const YamlPair* YamlNode::find(std::string_view key) const {
  const auto at = std::ranges::find(pairs, key, &YamlPair::key);
  return at == pairs.end() ? nullptr : &*at;
}

bool YamlNode::is_null() const {
  constexpr std::array<std::string_view, 5> kNulls = {"", "~", "null", "Null", "NULL"};
  return kind == Kind::scalar && quotes == Quotes::plain &&
         std::ranges::find(kNulls, value) != kNulls.end();
}

Read<YamlNode> read_mapping(std::string_view text, std::size_t begin, int first_line) {
  return YamlReader(text, begin, first_line).mapping();
}

bool is_word(const YamlNode& node) {
  return node.kind == YamlNode::Kind::scalar && !node.decorated && node.quotes != Quotes::block &&
         node.value.find_first_of("\r\n") == std::string::npos;
}

}  // namespace pf::document
