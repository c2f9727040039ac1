#include "document/frontmatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace pf::document {
namespace {

constexpr std::size_t kMaxFrontmatter = std::size_t{64} << 10;

bool closes(const TextLine& line) {
  const auto text = trim_right(line.text);
  return text == "---" || text == "...";
}

}  // namespace

Read<Frontmatter> read_frontmatter(std::string_view document) {
  const auto lines = lines_of(document);
  Frontmatter front;
  if (!lines.empty()) front.inner = front.body = lines.front().begin;
  if (lines.empty() || trim_right(lines.front().text) != "---") return front;
  const auto closing = std::ranges::find_if(lines.begin() + 1, lines.end(), closes);
  if (closing == lines.end())
    return trouble(1, "the frontmatter that begins here is not closed",
                   "add a line `---` behind its last key");
  front.present = true;
  front.inner = lines.front().next;
  front.body = closing->next;
  front.body_line = closing->number + 1;
  const auto yaml = document.substr(front.inner, closing->begin - front.inner);
  if (yaml.size() > kMaxFrontmatter)
    return trouble(1, "the frontmatter is too long",
                   fmt::format("keep it below {} KiB", kMaxFrontmatter / 1024));
  front.keys = TRY(read_mapping(yaml, front.inner, 2));
  std::set<std::string_view> seen;
  for (const YamlPair& pair : front.keys.pairs)
    if (!pair.key.empty() && !seen.insert(pair.key).second)
      return trouble(pair.line,
                     fmt::format("the key `{}` is there twice", clip(printable(pair.key), 60)),
                     "keep one of them");
  return front;
}

}  // namespace pf::document
