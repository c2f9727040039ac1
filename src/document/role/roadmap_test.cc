#include "document/role/roadmap.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "base/codec.h"
#include "base/text.h"
#include "document/role/branch_name.h"
#include "document/role/task_file.h"

namespace pf::document {
namespace {

// "F001 Login planned|…", or "line 3: what"
std::string features_in(std::string_view text) {
  const auto roadmap = read_roadmap(text);
  if (!roadmap)
    return "line " + std::to_string(roadmap.error()[0].line) + ": " + roadmap.error()[0].what;
  std::vector<std::string> all;
  for (const Feature& f : roadmap->features)
    all.push_back(f.id + " " + f.title + " " + std::string(name_of(f.status)));
  return join(all, "|");
}
std::string done(std::string_view text, std::string_view id = "F001") {
  return *set_feature_status(text, id, WorkStatus::done);
}

TEST_CASE("features are read in the forms people use") {
  CHECK(
      features_in("# Roadmap\n- [ ] F001: Login\n* [x] **F002** — Log out\n1. [~] F003 Search\n") ==
      "F001 Login planned|F002 Log out done|F003 Search in_progress");
  CHECK(features_in("- F001: Login (in progress)\n- F002 - Out - Done\n- F003\n- F004: a (b)\n") ==
        "F001 Login in_progress|F002 Out done|F003  planned|F004 a (b) planned");
  CHECK(features_in("## F001: Login\n\n**Status:** `Done`\n\nText.\n## F002 – Out\ntext\n"
                    "## Notes\nStatus: x\n") == "F001 Login done|F002 Out planned");
  CHECK(features_in("| ID | Feature | Status |\n|---|---|---|\n| F001 | Login | Planned |\n"
                    "| F002 | Out | |\n\n- F009 is no feature here\n") ==
        "F001 Login planned|F002 Out planned");
  CHECK(features_in("```\n- [ ] F009: code\n```\n<!--\n- [ ] F008\n-->\n- [ ] F001: Login\n") ==
        "F001 Login planned");
}

TEST_CASE("a broken roadmap is an error with a line") {
  CHECK(features_in("# Roadmap\n\nnothing\n") == "line 1: the roadmap names no feature");
  CHECK(features_in("- [ ] F001: a\n- [ ] F01: b\n") == "line 2: `F01` is no feature's id");
  CHECK(features_in("- [ ] F001: a\n\n- [x] F001: b\n") ==
        "line 3: F001 is there twice, first on line 1");
  CHECK(features_in("- [?] F001: a\n") == "line 1: the status of F001 is `?`, which is no status");
  CHECK(features_in("# R\n## F001: a\nStatus: soonish\n") ==
        "line 2: the status of F001 is `soonish`, which is no status");
  CHECK(features_in("x\n\xff\n") == "line 2: not UTF-8");
  CHECK_FALSE(set_feature_status("- [ ] F001: a\n", "F002", WorkStatus::done));
}

TEST_CASE("a status is changed where it stands and nothing else is") {
  CHECK(done("\xEF\xBB\xBF# R\r\n- [ ] F001: a\r\n- [ ] F002: b") ==
        "\xEF\xBB\xBF# R\r\n- [x] F001: a\r\n- [ ] F002: b");
  CHECK(done("- [ ] F001: a\r\n- [ ] F002: b", "F002") == "- [ ] F001: a\r\n- [x] F002: b");
  CHECK(done("- F001: a (In progress)\n") == "- F001: a (Done)\n");
  CHECK(done("- F001: a\n") == "- [x] F001: a\n");
  CHECK(done("## F001: a\n* Status: planned\nx") == "## F001: a\n* Status: done\nx");
  CHECK(done("## F001: a\r\n\r\ntext\r\n") == "## F001: a\r\n\r\nStatus: done\r\n\r\ntext\r\n");
  CHECK(done("## F001: a") == "## F001: a\n\nStatus: done\n");
  CHECK(done("|id|what|status|by|\n|-|-|-|-|\n|F001|a||x|\n|F002|b| wip |\n") ==
        "|id|what|status|by|\n|-|-|-|-|\n|F001|a| done |x|\n|F002|b| wip |\n");
  CHECK(done("|id|what|Status|\n|-|-|-|\n|F001|a|  Open  |\n") ==
        "|id|what|Status|\n|-|-|-|\n|F001|a|  Done  |\n");
  CHECK(done("- [X] F001: a\n") == "- [X] F001: a\n");
}

TEST_CASE("any roadmap out of these scraps is read and, when sound, changed in one place") {
  CHECK(rc::check([](const std::vector<unsigned>& picks) {
    static constexpr std::array<std::string_view, 20> kScraps = {
        "- [ ] F001: a", "- [x] F002", "## F003 b", "Status: done",
        "Status:",       "\n",         "\r\n",      "|",
        "| Status |",    "|F004|",     "F005",      "(done)",
        "```",           "<!--",       "- ",        " planned ",
        "\xEF\xBB\xBF",  "\xff",       "F1",        "— done"};
    std::string text;
    for (const unsigned pick : picks) text += kScraps[pick % kScraps.size()];
    const auto roadmap = read_roadmap(text);
    if (!roadmap) {
      RC_ASSERT(!roadmap.error().empty() && roadmap.error()[0].line >= 1);
      return;
    }
    for (const Feature& feature : roadmap->features) {
      const auto changed = set_feature_status(text, feature.id, WorkStatus::done);
      RC_ASSERT(changed.has_value());
      const auto again = read_roadmap(*changed);
      RC_ASSERT(again.has_value());
      RC_ASSERT(again->features.size() == roadmap->features.size());
      RC_ASSERT(again->find(feature.id)->status == WorkStatus::done);
      for (const Feature& other : roadmap->features)
        if (other.id != feature.id) RC_ASSERT(again->find(other.id)->status == other.status);
    }
  }));
}

TEST_CASE("branches are named after the feature") {
  const auto types = default_branch_types();
  const auto name = parse_branch("feat/F001-login", types);
  REQUIRE(name);
  CHECK(*name == BranchName{"feat", "F001", "login"});
  const auto task = parse_branch("fix/F012-log-in--T02-form", types);
  REQUIRE(task);
  CHECK(task->task == "T02");
  CHECK(task->feature_branch() == "fix/F012-log-in");
  CHECK(task->str() == "fix/F012-log-in--T02-form");
  for (const auto* bad : {"main", "feat/login", "feat/F01-login", "feat/F001", "feat/F001-Login",
                          "feature/F001-login", "feat/F001-login--T1-x", "feat/F001-login--x",
                          "feat/F001-a--T01-b--T02-c", "feat/F001-a b", "/F001-a", ""})
    CHECK_MESSAGE(!parse_branch(bad, types), bad);
  CHECK(parse_branch("spike/F001-a", {"spike"}));
  CHECK(kebab_of("Log in, größer!") == "log-in-grosser");
  CHECK(is_kebab(kebab_of(std::string(100, 'a'))));
}

TEST_CASE("tasks are read by name, title and status") {
  const auto task =
      read_task("docs/current/T02-login-form.md", "# T02: The form\n\nStatus: open\n");
  REQUIRE(task);
  CHECK(task->id + task->slug + task->title == "T02login-formThe form");
  CHECK(task->number == 2);
  CHECK(task->status == WorkStatus::planned);
  CHECK(read_task("T10-x.md", "no title\n")->title == "x");
  CHECK_FALSE(read_task("T10-x.md", "# a\n## b\nStatus: done\n")->status);
  CHECK(read_task("T10-x.md", "---\nstatus: done\n---\n# a\n")->status == WorkStatus::done);
  CHECK(read_task("T10-x.md", "# a\n\nStatus: maybe\n").error().line == 3);
  CHECK(parse_task_name("notes.md")->has_value() == false);
  CHECK(parse_task_name("Todo.md")->has_value() == false);
  CHECK_FALSE(parse_task_name("T1-x.md"));
  CHECK_FALSE(parse_task_name("T01.md"));
  CHECK_FALSE(parse_task_name("T01-Big Name.md"));
}

TEST_CASE("a task's status is changed where it stands, and never added") {
  const auto set = [](std::string_view text) {
    return *set_task_status("T01-x.md", text, WorkStatus::done);
  };
  CHECK(set("# a\r\n- **Status**: Open\r\nx") == "# a\r\n- **Status**: Done\r\nx");
  CHECK(set("---\nstatus: \"wip\" # now\n---\n# a\n") == "---\nstatus: \"done\" # now\n---\n# a\n");
  CHECK(set("---\nstatus:\n---\n# a\n") == "---\nstatus: done\n---\n# a\n");
  CHECK(set("# a\ntext") == "# a\ntext");
}

}  // namespace
}  // namespace pf::document
