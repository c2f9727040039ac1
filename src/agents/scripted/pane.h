#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/environment.h"
#include "os/processes.h"
#include "screen/style.h"

namespace pf {

// What a scripted agent shows in its pane: short lines, dimmed and coloured on a terminal only,
// with nothing in them that a terminal could obey.
class Pane {
 public:
  explicit Pane(Environment& env);

  void title(std::string_view text);
  void say(std::string_view text);      // keeps its lines
  void aside(std::string_view text);    // what happens beside the work
  void command(std::string_view text);  // behind a prompt
  // Both streams, cut when long, and the code unless it is 0.
  void output(const Finished& finished);
  void trouble(const Error& error);

 private:
  void line(screen::Style style, std::string_view text);

  Environment& env_;
  screen::Ink ink_;
};

}  // namespace pf
