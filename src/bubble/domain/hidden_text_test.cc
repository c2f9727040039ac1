#include "bubble/domain/hidden_text.h"

#include <doctest/doctest.h>

#include "base/text.h"
#include "bubble/domain/package_page.h"
#include "bubble/domain/testing.h"
#include "bubble/domain/views.h"

namespace pf::bubble {
namespace {

const std::string kDiff =
    "diff --git a/src/a.js b/src/a.js\n"
    "index 1..2 100644\n"
    "--- a/src/a.js\n"
    "+++ b/src/a.js\n"
    "@@ -1,3 +1,4 @@ head\u200b\n"
    " let x = 1;\n"
    "-if (is\u200bUser) {\n"
    "+if (is\u200bAdmin) {\n"
    "+++ count\u202e;\n"
    " rest\u200b\n"
    "@@ -9 +10 @@\n"
    "-a\n"
    "+\u0430dmin\r\n"
    "\\ No newline at end of file\n"
    "diff --git \"a/b b/\\342\\200\\213x\" \"b/b b/\\342\\200\\213x\"\n"
    "--- /dev/null\n"
    "+++ \"b/b b/\\342\\200\\213x\"\n"
    "@@ -0,0 +1 @@\n"
    "+\xff plain\r\n";

}  // namespace

TEST_CASE("hidden text of a diff: added lines and names, by file and line") {
  const std::vector<HiddenText> expected = {{"src/a.js", 2, "<U+200B>"},
                                            {"src/a.js", 3, "<U+202E>"},
                                            {"src/a.js", 10, "<U+0430>"},
                                            {"b b/\u200bx", 0, "<U+200B>"},
                                            {"b b/\u200bx", 1, "<0xFF>"}};
  CHECK(hidden_text(kDiff) == expected);
  CHECK(in_words(expected) == std::vector<std::string>{"src/a.js:2 <U+200B>", "src/a.js:3 <U+202E>",
                                                       "src/a.js:10 <U+0430>",
                                                       "the name b b/<U+200B>x",
                                                       "b b/<U+200B>x:1 <0xFF>"});
  CHECK(hidden_text("").empty());
}

TEST_CASE("hidden text: a cut diff says so, a line with many is short, a long list ends") {
  const auto cut = hidden_text("[cut at 10 bytes: 1 of 1 files are missing or incomplete]\n");
  REQUIRE(cut.size() == 1);
  CHECK(in_words(cut).front() == "not all of the change was looked at");
  std::string many = "diff --git a/x b/x\n+++ b/x\n@@ -0,0 +1,500 @@\n+";
  for (int i = 0; i < 20; ++i) many += "\u200b";
  for (int i = 0; i < 499; ++i) many += "\n+\u200b";
  const auto found = hidden_text(many);
  CHECK(found.size() == 201);
  CHECK(found.back() == HiddenText{"", 0, "there is more of it"});
  CHECK(found[0].what.ends_with("<U+200B> …"));
  CHECK(found[1] == HiddenText{"x", 2, "<U+200B>"});
}

TEST_CASE("what is hidden in the agreed change is kept, and told where it is approved") {
  using namespace testing;
  Bubble b = Bubble::running();
  b.worktree.hidden = {{"a.js", 3, "<U+200B>"}};
  b.converge_on(1);
  CHECK(inbox_of(b.state)[0].text.ends_with("It holds hidden characters: a.js:3 <U+200B>."));
  PackageModel model;
  model.state = b.state;
  model.hidden = b.state.hidden;
  const std::string page = package_page(model);
  CHECK(page.find("takes for others: a.js:3 <U+200B>") < page.find("## What changed"));
  CHECK(page.contains("## Hidden characters\n\n- a.js:3 <U+200B>\n"));

  b.human(Rework{"take it out", false, {}});
  CHECK(b.state.hidden.empty());
  b.worktree.hidden.clear();
  b.converge_on(2);
  CHECK(!inbox_of(b.state)[0].text.contains("hidden"));
}

}  // namespace pf::bubble
