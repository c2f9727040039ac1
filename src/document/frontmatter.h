#pragma once
#include "document/lines.h"
#include "document/yaml_mapping.h"

namespace pf::document {

// The YAML between two `---` lines at the very beginning. Positions are those of the document.
struct Frontmatter {
  bool present = false;
  std::size_t inner = 0;  // where the YAML begins
  std::size_t body = 0;   // where the text behind it begins
  int body_line = 1;      // and on which line
  YamlNode keys{YamlNode::Kind::mapping};
};

// Without an opening line there is none, which is no error. Refuses a missing closing line,
// malformed YAML, a key that is there twice, and more than 64 KiB.
Read<Frontmatter> read_frontmatter(std::string_view document);

}  // namespace pf::document
