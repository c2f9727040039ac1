#pragma once
#include <deque>

#include "plan/console/style.h"
#include "plan/host/watcher.h"

namespace pf::console {

// Of a prefix like "[coder:bash]".
Style speaker_style(std::string_view prefix);

// What was said, newest last, wrapped to a width; and how far one has scrolled up in it.
class Scrollback {
 public:
  static constexpr std::size_t kLines = 5000, kBytes = 4u << 20;  // older lines are dropped
  static constexpr std::size_t kLongestLine = 64u << 10;          // bytes; the rest is cut

  explicit Scrollback(std::size_t width) : width_(width) {}
  // Somebody who has scrolled up keeps what he sees.
  void say(const StreamLine& line);
  void resize(std::size_t width);
  // By rows, up when positive; `height`: rows that are seen.
  void scroll(long rows, std::size_t height);
  void to_newest() { hidden_ = 0; }
  void to_oldest(std::size_t height) { scroll(static_cast<long>(total_), height); }
  // Lines below the last one seen.
  std::size_t newer() const;
  // Exactly `height` rows of the width.
  std::vector<Row> window(std::size_t height) const;

 private:
  struct Entry {
    StreamLine line;
    bool apart = false;  // somebody else speaks
    std::vector<Row> rows = {};
  };
  void arrange(Entry& entry) const;
  void drop_oldest();

  std::deque<Entry> entries_;
  std::size_t width_;
  std::size_t total_ = 0;   // rows
  std::size_t bytes_ = 0;   // of text
  std::size_t hidden_ = 0;  // rows below the window
};

}  // namespace pf::console
