#include "bubble/domain/package.h"

#include "bubble/domain/testing.h"
#include "bubble/domain/views.h"

namespace pf::bubble {
namespace {

using namespace testing;

std::string parts_of(std::string_view text) {
  const auto parts = parse_package(text);
  if (!parts) return "refused: " + parts.error().what;
  std::string out;
  for (const auto& [part, body] : *parts)
    out += fmt::format("{}[{}={}]", out.empty() ? "" : " ", name_of(part), body);
  return out;
}

}  // namespace

TEST_CASE("a package has its parts under headings, in any order and case") {
  CHECK(parts_of("# What changed\na\n\n# Why\n b \n") == "[what changed=a] [why=b]");
  CHECK(parts_of("intro\n## WHY:\r\nb\r\n## what changed ##\na") == "[why=b] [what changed=a]");
  CHECK(parts_of("# Tradeoffs & residual risks\nx\n# Test plan\ny\n# Commit message\nz") ==
        "[tradeoffs and residual risks=x] [manual test plan=y] [suggested commit message=z]");
  CHECK(parts_of("# Why\n# What changed\n") == "[why=] [what changed=]");
}

TEST_CASE("headings of its own and code stay in a part") {
  CHECK(parts_of("# Why\n## Details\ntext\n### More") == "[why=## Details\ntext\n### More]");
  CHECK(parts_of("# Why\n```sh\n# Why not\n```\n") == "[why=```sh\n# Why not\n```]");
  CHECK(parts_of("# Commit message\n```\nFix it\n\nBody\n```\n") ==
        "[suggested commit message=Fix it\n\nBody]");
}

TEST_CASE("what is no package is refused") {
  CHECK(parts_of("") == "refused: the package has none of its parts");
  CHECK(parts_of("#Why\nno space") == "refused: the package has none of its parts");
  CHECK(parts_of("# Why\na\n## why\nb") == "refused: the package has 'why' twice");
  CHECK(parts_of("# Evidence\ngreen") == "refused: the package has no part 'evidence'");
  const auto typo = parse_package("# Manual test plam\nx");
  CHECK(typo.error().fix == "write # manual test plan");
}

TEST_CASE("a part that says nothing is none") {
  for (const char* text :
       {"", "…", "-", "...", "```\n```", "<!-- a word -->", "\xe2\x80\x8b", "\n"})
    CHECK_MESSAGE(!says_something(text), text);
  for (const char* text : {"No.", "日本", "für", "<!-- x --> none", "42"})
    CHECK_MESSAGE(says_something(text), text);
}

TEST_CASE("a part keeps its newest text, whoever wrote it and on whichever tree") {
  Bubble b = Bubble::running();
  b.worktree.tree = tree(1);
  b.implementer(Pass{"done", {}, {}, {}, {}, PackageBrought{Hash("one"), {Part::why, Part::plan}}});
  CHECK(missing_parts(b.state.package) == std::vector{Part::changed, Part::risks, Part::message});
  b.reviewer(Pass{"no",
                  {},
                  {{{{}, Severity::p1, "bad", {}, 0}}, false, {}},
                  {},
                  {},
                  PackageBrought{Hash("two"), {Part::plan}}});
  REQUIRE(b.state.package.size() == 2);
  CHECK(b.state.package[1].blob == Hash("two"));
  CHECK(b.state.package[1].by == "claude");
  CHECK(b.state.package[0].tree == tree(1));
}

TEST_CASE("row 14: convergence needs the whole package, its own part counts") {
  Bubble b = Bubble::running();
  b.implement(1);
  b.pass_clean();
  const Done bare = b.reviewer(Converge{"x"});
  REQUIRE(bare.rejection->unmet.size() == 1);
  CHECK(bare.rejection->unmet[0].find("what changed, why, tradeoffs and residual risks, manual "
                                      "test plan, suggested commit message") != std::string::npos);
  CHECK(turn_text(b.state, kCodex, {}).find("# Manual test plan") != std::string::npos);
  PackageBrought most = all_parts();
  most.parts.pop_back();
  CHECK(b.reviewer(Converge{"x", most}).exit() == 1);
  CHECK(b.state.package.empty());  // a refusal keeps nothing
  CHECK(b.reviewer(agreed("x")).ok());
  CHECK(missing_parts(b.state.package).empty());
}

TEST_CASE("manual checks: one a line, without what marks the list") {
  CHECK(manual_items("# Look\nAll of it:\n- [ ] one\n* two\n1. three\n12) four\n[x] five\n") ==
        std::vector<std::string>{"one", "two", "three", "four", "five"});
  CHECK(manual_items("# Look\n\none\ntwo\n") == std::vector<std::string>{"one", "two"});
  CHECK(manual_items("").empty());
}

TEST_CASE("row 31: every manual check is confirmed, and recorded") {
  Policy policy = test_policy();
  policy.profile = {{}, "", "- look\n- listen\n"};
  Bubble b = Bubble::running(policy);
  b.converge_on(1);
  CHECK(b.human(Approve{}).rejection->error.what.find("1. look\n2. listen") != std::string::npos);
  CHECK(b.human(Approve{{}, {2}}).rejection->error.what.find("1. look") != std::string::npos);
  CHECK(b.human(Approve{{}, {1, 2, 7}}).exit() == 2);
  const Done done = b.human(Approve{{}, {1, 2}});
  CHECK(done.body<Decided>().checked == std::vector<std::string>{"look", "listen"});
}

}  // namespace pf::bubble
