#pragma once
#include <string>
#include <string_view>
#include <vector>

// Text in rows and sections, cut and painted to a size. Knows nothing of bubbles.
namespace pf::status {

enum class Style { plain, dim, strong, accent, badge, good, warn, bad };

// What styles look like: an SGR colour for accent and badge, or no colours at all.
struct Ink {
  bool colour = false;
  int accent = 36;
};

// Pieces of one line. Whatever is added is made printable, so that only our own sequences get out.
class Row {
 public:
  Row() = default;
  explicit Row(std::string_view text, Style style = Style::plain) { add(text, style); }
  Row& add(std::string_view text, Style style = Style::plain);
  Row& add(const Row& other);
  bool empty() const { return spans_.empty(); }
  std::size_t columns() const;
  // Cut (with "…") or padded to exactly `width` columns.
  std::string paint(std::size_t width, const Ink& ink) const;

 private:
  struct Span {
    std::string text;
    Style style;
  };
  std::vector<Span> spans_;
};

// `text` broken between words into at most `most` rows, the first after `lead`, the others after
// `indent` spaces. What is left over stays on the last row, to be cut.
std::vector<Row> wrap(Row lead, std::string_view text, Style style, std::size_t indent,
                      std::size_t width, std::size_t most);

struct Section {
  std::string label;
  std::vector<Row> rows;
  int rank = 0;              // 0 is the last to lose rows
  std::size_t least = 1;     // rows it gets before any other gets more than its own least
  bool newest_last = false;  // loses rows at the front
  bool apart = false;        // a blank row before it when there is room
  Style label_style = Style::dim;
  std::string more = {};  // "more: see …", after the number of rows that were cut off the end
};

// The sections one below the other in at most `height` rows; labels in a column of `gutter`.
std::vector<Row> stack(const std::vector<Section>& sections, std::size_t gutter,
                       std::size_t height);

}  // namespace pf::status
