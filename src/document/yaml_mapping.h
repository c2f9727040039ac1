#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "document/problem.h"

// YAML as far as frontmatter needs it: what is there, and at which bytes.
namespace pf::document {

struct Span {
  std::size_t begin = 0, end = 0;
};

enum class Quotes { plain, single_, double_, block };

struct YamlPair;
struct YamlNode {
  enum class Kind { scalar, mapping, sequence, alias };
  Kind kind = Kind::scalar;
  std::string value;  // of a scalar
  Span span;          // of a scalar; of a flow mapping with its braces
  Quotes quotes = Quotes::plain;
  bool decorated = false;  // carries an anchor or a tag
  bool flow = false;       // of a mapping: written in braces
  std::vector<YamlPair> pairs;

  explicit YamlNode(Kind its_kind = Kind::scalar);
  const YamlPair* find(std::string_view key) const;
  // A scalar without a value: nothing, `~` or `null`.
  bool is_null() const;
};
struct YamlPair {
  std::string key;  // "" when it is no scalar
  Span key_span;
  int line = 1;  // of the key, from 1
  YamlNode value;
};

// The mapping that `text` is, or an empty one when it holds nothing; the text begins at that byte
// and line of its document. Refuses whatever is no YAML, no mapping, or nested more than 32 deep;
// aliases are not followed.
Read<YamlNode> read_mapping(std::string_view text, std::size_t begin, int first_line);

// A scalar on one line and nothing else, so that it can be replaced.
bool is_word(const YamlNode& node);

}  // namespace pf::document
