#include "tmux/panes.h"

#include <doctest/doctest.h>

namespace pf {
namespace {

TEST_CASE("panes: a live agent, an empty pane, one that ended by a signal") {
  const auto panes = parse_panes(
      "%0|%0|abc|status||||| 12|0|0||\n"
      "%1|%1|abc|codex|00ff|7|9|8|4711|0|1||\n"
      "%2|%2|abc|claude|||||0|1|0||\n"
      "%3|%3|abc|third|ab|3|0|0|99|1|0||9\n",
      "abc");
  REQUIRE(panes.size() == 3);  // the first has a pid that is no number
  CHECK(panes[0].pane == "%1");
  CHECK(panes[0].key == "00ff");
  CHECK(panes[0].launch == Seq{7});
  CHECK(panes[0].pasted == Seq{9});
  CHECK(panes[0].submitted == Seq{8});
  CHECK(panes[0].pid == 4711);
  CHECK(panes[0].in_mode);
  CHECK_FALSE(panes[0].dead);
  CHECK(panes[1].dead);
  CHECK(panes[1].key.empty());
  CHECK(panes[1].exit_code == -1);
  CHECK(panes[2].exit_code == 137);
  CHECK(panes[2].pid == 0);
  CHECK(find_holder(panes, "claude") == &panes[1]);
  CHECK(find_holder(panes, "nobody") == nullptr);
}

TEST_CASE("panes: a person's pane, a copied tag, another bubble and hostile values are left out") {
  for (const auto* line :
       {"", "%1||||||||12|0|0||", "%4|%1|abc|codex|00ff|7|9|8|1|0|0||",
        "%1|%1|abcd|codex|||||1|0|0||", "%1|%1|abc|co#(id)|||||1|0|0||",
        "%1|%1|abc|codex|ZZ||||1|0|0||", "%1|%1|abc|codex||x|||1|0|0||",
        "%1|%1|abc|codex||-1|||1|0|0||", "%1|%1|abc|a|b|||||1|0|0||", "%|%|abc|codex|||||1|0|0||",
        "%99999999999|%99999999999|abc|codex|||||1|0|0||"})
    CHECK(parse_panes(line, "abc").empty());
}

}  // namespace
}  // namespace pf
