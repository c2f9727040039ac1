#pragma once
// A repository without a world: files are texts, git is a map of branches.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/decided_loop.h"
#include "document/role/task_file.h"
#include "role/domain/decide.h"
#include "role/domain/outstanding.h"
#include "role/domain/reading.h"

namespace pf::role::testing {

inline const AgentName kPlan("claude");
inline const AgentName kCode("codex");
inline const AgentName kRead("gemini");

using pf::testing::envelopes;
using pf::testing::must;

inline Policy test_policy() {
  Policy policy;
  policy.planner = kPlan, policy.coder = kCode, policy.reviewer = kRead;
  policy.has_checks = true;
  return policy;
}

inline const std::string kRoadmap = "# Roadmap\n\n- [ ] F001: Log in\n- [ ] F002: Search\n";
inline std::string task_path(const std::string& name) {
  return std::string(kCurrentFolder) + name + ".md";
}

// "CODER handoff feat/F001-log-in"
inline std::string where(const State& state) {
  return fmt::format("{} {} {}", name_of(state.reg.current_role), name_of(state.reg.state),
                     state.reg.branch.value_or("-"));
}

// "prepare checks approval commit landed"
inline std::string stages(const Landing& landing) {
  std::string out;
  for (const Stage stage : stages_of(landing))
    out += fmt::format("{}{}", out.empty() ? "" : " ", name_of(stage));
  return out;
}

// Branches, what is checked out, what a commit's roadmap says.
class FakeGit {
 public:
  std::map<std::string, CommitId> branches = {{"main", CommitId("c0")}};
  std::string checked_out = "main";
  std::vector<std::string> dirty;
  std::map<CommitId, std::string> roadmaps = {{CommitId("c0"), kRoadmap}};
  std::vector<std::string> conflicts;   // of any merge
  std::vector<std::string> in_the_way;  // not committed where it would be merged
  std::string merged_tree;              // of any merge; "": it is one of its sides

  CommitId make(const std::string& roadmap) {
    const CommitId id(fmt::format("c{}", ++commits_));
    roadmaps[id] = roadmap;
    return id;
  }
  std::vector<BranchFact> facts() const {
    std::vector<BranchFact> all;
    for (const auto& [name, tip] : branches) all.push_back({name, tip});
    return all;
  }

 private:
  int commits_ = 0;
};

class Repo : public pf::testing::DecidedLoop<Repo, State, Event, Command> {
 public:
  static constexpr std::string_view kId = "role";
  static constexpr std::array kPassing = {"last_seq", "actions",   "warnings",  "last_command_at",
                                          "requests", "last_mark", "last_boot", "last_mono_ms"};
  std::map<std::string, std::string> files = {{std::string(kRoadmapFile), kRoadmap}};
  FakeGit git;
  bool checks_pass = true;
  bool merges_pass = true;                // the checks on what a merge would make
  std::vector<std::string> merge_checks;  // the commits they ran on
  std::string pull_error;
  std::vector<std::string> pulls, summaries, launched;
  std::vector<RunView> processes;
  std::vector<std::string> children;
  ClaimFact claimed;                                                   // by another loop
  std::map<std::string, std::map<std::string, std::string>> salvaged;  // files by their ref

  // The same, and the world catches up.
  Done plan(const Command& command) { return settled(as(kPlan, command)); }
  Done code(const Command& command) { return settled(as(kCode, command)); }
  Done review(const Command& command) { return settled(as(kRead, command)); }
  Done me(const Command& command) { return settled(human(command)); }

  static Repo begun(Policy policy = test_policy()) {
    Repo repo;
    must(repo.human(Init{std::move(policy)}).ok(), "init");
    repo.settle();
    must(repo.plan(Start{}).ok(), "start");
    return repo;
  }
  // A feature with tasks, handed over to the coder.
  static Repo coding(int tasks = 2, Policy policy = test_policy()) {
    Repo repo = begun(std::move(policy));
    repo.write_tasks(tasks);
    must(repo.plan(Handoff{Role::coder, "T01 is next", {}, "F001"}).ok(), "handoff");
    return repo;
  }
  static Repo reviewing(int tasks = 2, Policy policy = test_policy()) {
    Repo repo = coding(tasks, std::move(policy));
    must(repo.code(Handoff{Role::reviewer, "done"}).ok(), "handoff");
    repo.git.dirty = {"src/a.cc"};
    return repo;
  }
  void write_tasks(int tasks) {
    for (int i = 1; i <= tasks; ++i)
      files[task_path(fmt::format("T{:02}-part-{}", i, i))] =
          fmt::format("# T{:02}: Part {}\n\nStatus: open\n", i, i);
  }
  std::string& register_text() { return files[std::string(kRegisterFile)]; }

  Observed observed() const {
    Observed seen{hash_at(std::string(kRegisterFile)),
                  {},
                  git.facts(),
                  git.checked_out,
                  processes,
                  children,
                  true};
    for (const auto& [path, text] : files)
      if (path.starts_with(kCurrentFolder)) seen.tasks.push_back({path, hash_of(text)});
    const auto roadmap = files.find(std::string(kRoadmapFile));
    seen.feature_left = roadmap == files.end() || has_open_feature(state, roadmap->second);
    if (!state.work && !state.clean) seen.foreign_changes = foreign_changes_in(git.dirty);
    return seen;
  }

  // Does what is outstanding, as the supervisor would, until nothing is. At most `most` effects.
  void settle(int most = 200) {
    while (most > 0) {
      const auto effects = outstanding(state, observed());
      if (effects.empty()) return;
      perform_effect(effects.front());
      --most;
    }
    must(stop_early, "there is always something outstanding");
  }
  bool stop_early = false;

 private:
  Done settled(Done done) {
    settle();
    return done;
  }
  Hash hash_at(const std::string& path) const {
    const auto at = files.find(path);
    return at == files.end() ? Hash{} : hash_of(at->second);
  }
  void perform_effect(const Effect& effect) {
    std::visit([this](const auto& e) { perform(e); }, effect);
  }

  void perform(const WriteFile& e) {
    must(hash_at(e.path) == e.before, "an edit in between is seen");
    if (e.path == kRegisterFile)
      files[e.path] = e.text;
    else
      files[e.path] = *document::set_task_status(e.path, files[e.path], document::WorkStatus::done);
  }
  void perform(const RecordWritten& e) { orchestrator(ReportWritten{e.path, e.hash}); }
  void perform(const LookAtDocuments&) { orchestrator(CheckDocuments{}); }
  void perform(const MakeBranch& e) {
    if (!e.branch.base.empty()) git.branches.emplace(e.branch.base, e.branch.at);
    git.branches.emplace(e.branch.name, e.branch.at);
    check_out(e.branch.name);
    if (e.branch.files.empty()) return;
    for (const auto& [path, text] : salvaged.at(e.branch.files)) files[path] = text;
    git.dirty = {"src/a.cc"};
    orchestrator(ReportBranch{e.branch.name});
  }
  void perform(const RecordBranch& e) { orchestrator(ReportBranch{e.name}); }
  void perform(const PrepareCommit& e) {
    const std::string& roadmap = files[std::string(kRoadmapFile)];
    const auto closing = closing_text(e.landing, kRoadmapFile, roadmap);
    const std::string salvage = fmt::format("refs/pairflow/{}", e.landing.number);
    salvaged[salvage] = files;
    salvaged[salvage].erase(std::string(kRegisterFile));
    orchestrator(ReportPrepared{{e.landing.number, git.make(closing.value_or(roadmap)), salvage}});
  }
  void perform(const RunChecks& e) {
    const bool pass = e.of_merge ? merges_pass : checks_pass;
    if (e.of_merge) merge_checks.push_back(e.commit.str());
    orchestrator(ReportChecks{e.landing,
                              e.commit,
                              pass,
                              pass ? "" : "1 of 9 failed",
                              {"logs/checks.log"},
                              pass ? "" : "form_test: no such field"});
  }
  void perform(const PrepareMerge& e) {
    const CommitId onto = git.branches.at(e.landing.into);
    const auto text = closing_text(e.landing, kRoadmapFile, git.roadmaps.at(onto));
    const std::string& own = git.roadmaps.at(e.landing.commit);
    orchestrator(ReportMerge{e.landing.number, onto, git.make(text.value_or(own)), git.conflicts,
                             TreeId(git.merged_tree)});
  }
  void perform(const MoveBranch& e) {
    must(git.branches.at(e.branch) == e.from, "compare and swap");
    git.branches[e.branch] = e.to;
    if (git.checked_out == e.branch) git.dirty.clear();
  }
  void perform(const RecordMoved& e) { orchestrator(ReportMoved{e.landing}); }
  void perform(const RecordKept& e) { orchestrator(ReportKept{{e.landing, e.error}}); }
  void perform(const OpenPull& e) {
    if (!orchestrator(BeginPull{e.landing}).ok()) return;
    const CommitId head = state.landing(e.landing)->commit;
    if (pull_error.empty()) pulls.push_back(e.branch + "@" + head.str());
    orchestrator(
        ReportPull{e.landing, pull_error.empty() ? "https://example.org/1" : "", pull_error});
  }
  void perform(const RecordPull& e) { orchestrator(ReportPull{e.landing, e.url, e.error}); }
  void perform(const ClearTree& e) {
    if (e.kind == LandingKind::feature)
      std::erase_if(files, [](const auto& f) { return f.first.starts_with(kCurrentFolder); });
    git.dirty.clear();
    check_out(e.to);
    orchestrator(ReportCleared{e.landing});
  }
  void perform(const RecordTrouble& e) {
    orchestrator(ReportLandingTrouble{e.landing, e.stage, e.what});
  }
  void perform(const PostSummary& e) {
    const Done done = orchestrator(ReportSummary{e.landing});
    summaries.push_back(std::get<SummaryPosted>(done.events.at(0).body).text);
  }
  void perform(const LaunchAgent& e) {
    launched.push_back(fmt::format("{} {}", name_of(e.role), e.agent.str()));
    processes.push_back({e.run, e.role, e.agent, true, {}});
  }
  void perform(const RecordStart& e) {
    if (!orchestrator(ReportRunStarted{e.run, e.role, e.agent}).ok()) end_process(e.run);
  }
  void perform(const StopRun& e) { end_process(e.run); }
  void perform(const RecordEnd& e) {
    orchestrator(ReportRunEnded{e.run, e.exit.value_or(0), !e.exit.has_value()});
    end_process(e.run);
  }
  void perform(const Delegate&) { orchestrator(ReportDelegated{"child-1"}); }
  void perform(const MakeChild& e) { children.push_back(e.child.id); }
  void perform(const EndAutomation& e) { orchestrator(StopAutomation{e.why}); }

  void end_process(int run) {
    std::erase_if(processes, [&](const RunView& view) { return view.run == run; });
  }
  void check_out(const std::string& branch) {
    git.checked_out = branch;
    files[std::string(kRoadmapFile)] = git.roadmaps.at(git.branches.at(branch));
  }

  friend DecidedLoop;
  static Result<Event> decode(const Line& line) { return role::decode(line); }
  void gather(Need need, const Command& command, Facts& facts) {
    if (need == Need::time) {
      facts.time = now();
    } else if (need == Need::documents) {
      facts.documents.emplace();
      for (const auto& [path, text] : files)
        facts.documents->push_back({path, true, hash_of(text), text});
    } else if (need == Need::repository) {
      facts.repository =
          RepositoryFact{git.checked_out, git.branches.at(git.checked_out), git.facts(), git.dirty};
      for (const auto& [path, text] : files)
        if (path.starts_with(kCurrentFolder)) facts.repository->leftovers.push_back(path);
    } else if (need == Need::merge) {
      must(merge_asked(state, command).has_value(), "which merge is asked about");
      facts.merge = MergeFact{CommitId("x"), false, "", git.in_the_way, git.conflicts};
    } else if (need == Need::claim) {
      facts.claim = claimed;
    } else {
      throw std::logic_error("a fact that nobody gathers");
    }
  }
};

using Done = Repo::Done;

// A feature whose tasks are before the reviewer.
inline Repo at_level(Autopilot level, int tasks = 1, Policy policy = test_policy()) {
  Repo r = Repo::reviewing(tasks, std::move(policy));
  r.me(SetAutopilot{level});
  return r;
}

}  // namespace pf::role::testing

// It takes seconds to compile: once, in testing.cc.
extern template class pf::testing::DecidedLoop<pf::role::testing::Repo, pf::role::State,
                                               pf::role::Event, pf::role::Command>;
