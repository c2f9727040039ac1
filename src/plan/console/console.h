#pragma once
#include "base/time.h"
#include "plan/console/palette.h"
#include "plan/console/scrollback.h"
#include "plan/host/watcher.h"
#include "screen/input_line.h"
#include "screen/key.h"

namespace pf::console {

// The screen of a plan that is driven: header, stream, panel, question, input line, palette. Pure:
// what happens goes in, wishes and a picture come out.
class Console {
 public:
  Console(std::size_t columns, std::size_t rows);

  void show(PlanView view);
  void say(const StreamLine& line);
  void complain(const std::string& text);  // a refused reply is there again, to be changed
  void tick(WallTime now);                 // for the time that has passed
  void resize(std::size_t columns, std::size_t rows);
  std::vector<PlanWish> key(const Key& key);
  // Exactly as many rows and columns as there are, the cursor on them.
  Picture screen() const;

 private:
  // The rows of the screen, from top to bottom.
  struct Layout {
    std::size_t summary = 0, rules = 0, main = 0, question = 0, input = 1, hint = 0;
    std::size_t panel = 0;  // columns, with its border
  };
  Layout layout() const;
  std::size_t stream_width() const;
  std::vector<Row> main_rows(const Layout& layout) const;
  std::vector<Row> stream_rows(std::size_t height) const;
  Row line_across(const Layout& layout, std::string_view crossing) const;
  Row lower_rule(const Layout& layout) const;
  Row hint() const;
  Row prompt() const;
  const InputLine& typing() const { return palette_ ? palette_->typed() : input_; }

  std::vector<PlanWish> key_in_palette(const Key& key);
  std::vector<PlanWish> key_in_line(const Key& key);
  std::vector<PlanWish> carry_out(const PaletteCommand& command, std::string argument);
  std::vector<PlanWish> send();
  std::vector<PlanWish> leave();
  bool scroll(const Key& key);
  void notice(std::string text, Style style);

  std::size_t columns_, rows_;
  PlanView view_;
  Scrollback stream_;
  InputLine input_;
  std::optional<Palette> palette_;
  const PaletteCommand* unsure_ = nullptr;  // asked back
  bool help_ = false;
  Row notice_;
  std::string sent_;           // the last reply
  bool typed_before_ = false;  // what is in the line is older than the question
  WallTime now_;
};

}  // namespace pf::console
