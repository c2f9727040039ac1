// What agents are told to do is what the decider takes.
#include "role/domain/testing.h"
#include "role/domain/views.h"

namespace pf::role {
namespace {

using namespace testing;

Around around(const Repo& r) {
  std::vector<FileFact> facts;
  for (const auto& [path, text] : r.files) facts.push_back({path, true, hash_of(text), text});
  return around_of(r.state, read_files(r.state, facts));
}

TEST_CASE("to do: the planner chooses, the coder has its task's file, the reviewer judges it") {
  Repo r = Repo::begun();
  CHECK(to_do(r.state, Role::planner, true, around(r)) ==
        "You are the PLANNER now. Go on:\n"
        "1. Choose a feature of docs/ROADMAP.md (F001, F002), and write its tasks as "
        "docs/current/T01-<task>.md, T02-<task>.md, …: what is to be done, and how one sees that "
        "it is.\n"
        "2. End your turn with one of these commands, and with it your run:\n"
        "   pairflow role handoff --to CODER --feature F001 --message \"<the task and its file>\"\n"
        "   pairflow role block --by HUMAN --message \"<your questions?>\"\n");
  r = Repo::coding();
  CHECK(to_do(r.state, Role::coder, false, around(r)) ==
        "1. Take the role:\n"
        "   pairflow role start\n"
        "2. Do T01 of F001 Log in, which is described in docs/current/T01-part-1.md. Write its "
        "tests, too.\n"
        "3. End your turn with one of these commands, and with it your run:\n"
        "   pairflow role handoff --to REVIEWER --message \"<what you did, with paths>\"\n"
        "   pairflow role block --by PLANNER --message \"<your questions?>\"\n"
        "   pairflow role block --by HUMAN --message \"<your questions?>\"\n");
  r.code(Handoff{Role::reviewer, "done"});
  const std::string review = to_do(r.state, Role::reviewer, true, around(r));
  CHECK(
      review.contains("Judge T01 of F001 Log in, which is described in "
                      "docs/current/T01-part-1.md: read what was changed, run the checks.\n"));
  CHECK(
      review.contains("   pairflow role approve-task --message \"<a word about it>\"\n"
                      "   pairflow role handoff --to CODER --message \"<what has to change>\"\n"));
}

TEST_CASE("to do: on the first run the roadmap comes before the start") {
  Repo r;
  r.files.clear();
  r.human(Init{test_policy()}), r.settle();
  const std::string text = to_do(r.state, Role::planner, false, around(r));
  CHECK(text.starts_with("1. Write docs/ROADMAP.md"));
  CHECK(text.find("ROADMAP.md") < text.find("pairflow role start"));
  CHECK_FALSE(text.contains("block"));  // which init does not allow
  r.files[std::string(kRoadmapFile)] = kRoadmap;
  CHECK(to_do(r.state, Role::planner, false, around(r)).starts_with("1. Take the role"));
}

TEST_CASE("to do: nothing ends the run before the last step") {
  Repo r = Repo::coding();
  for (const Role role : {Role::planner, Role::coder, Role::reviewer})
    for (const bool started : {false, true}) {
      const std::string text = to_do(r.state, role, started, around(r));
      CHECK(text.find("End your turn") > text.rfind(started ? "1. " : "2. "));
      CHECK_FALSE(text.contains("Recorded"));
    }
}

}  // namespace
}  // namespace pf::role
