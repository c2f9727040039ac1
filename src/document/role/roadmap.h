#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "document/role/work_status.h"

// docs/ROADMAP.md: the features F### of a repository and how far each is.
namespace pf::document {

struct Feature {
  std::string id;  // F001
  std::string title;
  WorkStatus status = WorkStatus::planned;
  int line = 1;
};

struct Roadmap {
  std::vector<Feature> features;  // in document order
  const Feature* find(std::string_view id) const;
};

inline constexpr std::size_t kMaxFeatures = 2000;

// One family of lines counts, the first that is there at all:
//   1. rows of a table with a column "Status": `| F001 | Login | planned |`;
//   2. headings `## F001: Login`, with a line `Status: planned` below;
//   3. list items `- [ ] F001: Login`, or `- F001: Login (planned)`.
// A feature without a status is planned. Code blocks and comments are not read. Refuses, with a
// line: no features, an id twice, an id of fewer than three digits, a status that is no word of
// ours, what is no UTF-8, more than 1 MiB.
std::expected<Roadmap, std::vector<Problem>> read_roadmap(std::string_view text);

// The same text with this status and every other byte as it was: the word is replaced, the box
// ticked; where there is no status, one is added. Refuses what read_roadmap refuses, and an id
// that is not there.
Read<std::string> set_feature_status(std::string_view text, std::string_view id, WorkStatus status);

}  // namespace pf::document
