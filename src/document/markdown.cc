#include "document/markdown.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

// How it works. cmark-gfm says which block begins on which line. It gets a skeleton of the text:
// lines cut to a bounded length, without the marks of inline Markdown behind their first bytes.
// Those say nothing about blocks, and cmark needs quadratic time for some rows of them.
namespace pf::document {
namespace {

constexpr std::size_t kLineKept = 240;       // bytes of a line; longer ones are cut
constexpr std::size_t kFront = 24;           // bytes behind the markers that stay as they are
constexpr std::size_t kMostCells = 200'000;  // above, tables are paragraphs

// Where the text behind indentation and markers begins.
std::size_t behind_markers(std::string_view line) {
  const auto at = line.find_first_not_of(" \t>-+*#0123456789.)=_~|:");
  return std::min(at, line.size());
}

std::string skeleton_line(std::string_view line) {
  constexpr std::array<std::string_view, 7> kEnds = {
      "-->", "?>", "]]>", "</script>", "</style>", "</pre>", "</textarea>"};
  std::string out(line.substr(0, kLineKept));
  for (std::size_t i = std::min(behind_markers(out) + kFront, out.size()); i < out.size(); ++i)
    if (std::string_view("*_[]<&!\\`~").find(out[i]) != std::string_view::npos) out[i] = 'x';
  for (const std::string_view end : kEnds)
    if (line.find(end) != std::string_view::npos && out.find(end) == std::string::npos) out += end;
  return out;
}

struct Skeleton {
  std::string text;
  std::size_t cells = 0;
};
Skeleton skeleton_of(std::string_view text) {
  Skeleton skeleton;
  std::size_t lines = 0, most_bars = 0;
  for (const TextLine& line : lines_of(text)) {
    skeleton.text += skeleton_line(line.text) + "\n";
    ++lines;
    most_bars = std::max(most_bars, static_cast<std::size_t>(std::ranges::count(line.text, '|')));
  }
  skeleton.cells = lines * most_bars;
  return skeleton;
}

using Node = std::unique_ptr<cmark_node, decltype(&cmark_node_free)>;

Node parsed(const Skeleton& skeleton) {
  const std::unique_ptr<cmark_parser, decltype(&cmark_parser_free)> parser(
      cmark_parser_new(CMARK_OPT_DEFAULT), &cmark_parser_free);
  cmark_gfm_core_extensions_ensure_registered();
  if (skeleton.cells <= kMostCells)
    if (cmark_syntax_extension* table = cmark_find_syntax_extension("table"))
      cmark_parser_attach_syntax_extension(parser.get(), table);
  cmark_parser_feed(parser.get(), skeleton.text.data(), skeleton.text.size());
  return {cmark_parser_finish(parser.get()), &cmark_node_free};
}

Block::Kind kind_of(cmark_node_type type) {
  switch (type) {
    case CMARK_NODE_HEADING: return Block::Kind::heading;
    case CMARK_NODE_PARAGRAPH: return Block::Kind::paragraph;
    case CMARK_NODE_ITEM: return Block::Kind::item;
    case CMARK_NODE_CODE_BLOCK:
    case CMARK_NODE_HTML_BLOCK: return Block::Kind::hidden;
    default: return Block::Kind::other;
  }
}

bool is_bulleted(cmark_node* item) {
  return cmark_node_get_list_type(cmark_node_parent(item)) == CMARK_BULLET_LIST;
}

// What is open around the node that is looked at.
struct Around {
  int items = 0, bullets = 0, quotes = 0;
  void count(cmark_node* node, int by) {
    const auto type = cmark_node_get_type(node);
    if (type == CMARK_NODE_BLOCK_QUOTE) quotes += by;
    if (type != CMARK_NODE_ITEM) return;
    items += by;
    if (is_bulleted(node)) bullets += by;
  }
};

// Fences and comments that begin in a list and hold lines less indented than they are: by
// CommonMark the list ends there, but people mean what stands between the marks.
class Covers {
 public:
  explicit Covers(const std::vector<TextLine>& lines) : lines_(lines), ends_(lines.size() + 1) {
    for (std::size_t i = lines.size(); i-- > 0;) {
      ends_[i] = ends_[i + 1];
      const Fence fence = fence_at(lines[i].text);
      if (fence.mark != 0 && fence.info.empty())
        ends_[i].of(fence.mark) = std::max(ends_[i].of(fence.mark), fence.length);
      if (lines[i].text.find("-->") != std::string_view::npos) ends_[i].comment = true;
    }
  }
  // Whether the line is covered; `begins`: code or a comment begins on it.
  bool cover(std::size_t i, bool begins) {
    const std::string_view text = skip(lines_[i].text, " \t");
    const bool was_open = fence_.mark != 0 || comment_;
    if (fence_.mark != 0) {
      const Fence end = fence_at(text);
      if (end.mark == fence_.mark && end.length >= fence_.length && end.info.empty()) fence_ = {};
    } else if (comment_) {
      comment_ = text.find("-->") == std::string_view::npos;
    } else if (begins) {
      const Fence fence = fence_at(text);
      if (fence.mark != 0 && ends_[i + 1].of(fence.mark) >= fence.length) fence_ = fence;
      comment_ = text.starts_with("<!--") && text.find("-->", 4) == std::string_view::npos &&
                 ends_[i + 1].comment;
    }
    return was_open || (begins && (fence_.mark != 0 || comment_));
  }

 private:
  struct Ends {  // what can still be closed by the lines from here on
    std::size_t ticks = 0, tildes = 0;
    bool comment = false;
    std::size_t& of(char mark) { return mark == '~' ? tildes : ticks; }
  };
  const std::vector<TextLine>& lines_;
  std::vector<Ends> ends_;
  Fence fence_;
  bool comment_ = false;
};

}  // namespace

std::vector<Block> blocks_of(std::string_view text) {
  std::vector<Block> blocks;
  const Node root = parsed(skeleton_of(text));
  const std::unique_ptr<cmark_iter, decltype(&cmark_iter_free)> walk(cmark_iter_new(root.get()),
                                                                     &cmark_iter_free);
  Around around;
  for (auto event = cmark_iter_next(walk.get()); event != CMARK_EVENT_DONE;
       event = cmark_iter_next(walk.get())) {
    cmark_node* node = cmark_iter_get_node(walk.get());
    const auto type = cmark_node_get_type(node);
    if ((type & CMARK_NODE_TYPE_MASK) != CMARK_NODE_TYPE_BLOCK) continue;
    if (event == CMARK_EVENT_EXIT) {
      around.count(node, -1);
      continue;
    }
    around.count(node, 1);
    if (type == CMARK_NODE_DOCUMENT || type == CMARK_NODE_LIST) continue;
    Block block{kind_of(type), cmark_node_get_start_line(node)};
    if (block.kind == Block::Kind::heading) block.level = cmark_node_get_heading_level(node);
    block.depth = around.items;
    block.quoted = around.quotes > 0;
    block.in_bullet = around.bullets > (type == CMARK_NODE_ITEM && is_bulleted(node) ? 1 : 0);
    blocks.push_back(block);
  }
  return blocks;
}

std::vector<const Block*> blocks_by_line(const std::vector<TextLine>& lines,
                                         const std::vector<Block>& blocks) {
  std::vector<const Block*> by_line(lines.size(), nullptr);
  Covers covers(lines);
  const Block* open = nullptr;
  std::size_t next = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    bool begins = false, hides = false;
    // The first one that begins here is the outermost: an item, not its paragraph.
    for (; next < blocks.size() && blocks[next].line <= lines[i].number; ++next) {
      hides = hides || blocks[next].kind == Block::Kind::hidden;
      if (!begins) open = &blocks[next], begins = true;
    }
    const bool covered = covers.cover(i, hides);
    if (trim_right(lines[i].text).empty()) open = nullptr;
    if (!covered && open != nullptr && open->kind != Block::Kind::hidden) by_line[i] = open;
  }
  return by_line;
}

}  // namespace pf::document
