#include "bubble/view/status_shape.h"

#include "base/text.h"
#include "screen/wrap.h"

namespace pf::status {
namespace {

constexpr std::size_t kLongestText = 8u << 10;  // bytes of a paragraph

}  // namespace

std::size_t lines_of_item(const Shape& shape) {
  return shape.room == Room::shell ? kLinesInShell : 1;
}

std::vector<Row> paragraph(Row lead, std::string_view text, Style style, std::size_t indent,
                           std::size_t width, std::size_t most) {
  return wrap(std::move(lead), trim(printable(clip(text, kLongestText))), style, indent, width,
              most);
}

}  // namespace pf::status
