#pragma once
// A repository without a world: commands are decided, their events go through the codec as through
// a journal (encode → encode_line → decode_line → fold); files are texts, git is a map of branches.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "base/codec.h"
#include "base/hash.h"
#include "document/task_file.h"
#include "role/decide.h"
#include "role/outstanding.h"
#include "role/strangers.h"

namespace pf::role::testing {

inline const AgentName kPlan("claude");
inline const AgentName kCode("codex");
inline const AgentName kRead("gemini");

// Fails a doctest case as well as a rapidcheck property.
inline void must(bool condition, const std::string& what) {
  if (!condition) throw std::logic_error(what);
}

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

// "role.started claude>both, …"
inline std::string envelopes(const std::vector<Event>& events) {
  std::string out;
  for (const Event& e : events)
    out +=
        fmt::format("{}{} {}>{}", out.empty() ? "" : ", ", type_of(e.body), e.sender, e.recipient);
  return out;
}

// "CODER handoff feat/F001-log-in"
inline std::string where(const State& state) {
  return fmt::format("{} {} {}", name_of(state.reg.current_role), name_of(state.reg.state),
                     state.reg.branch.value_or("-"));
}

// All of the state that a refusal must not touch.
inline std::string essence(const State& state) {
  JsonObject object = codec::encode(state).get_object();
  for (const auto* key :
       {"last_seq", "actions", "warnings", "last_command_at", "requests", "last_mark"})
    object.erase(key);
  return dump(object);
}

struct Done {
  std::optional<Rejection> rejection = {};
  std::vector<Event> events = {};  // as read back
  bool warned = false;
  bool repeated = false;
  bool ok() const { return !rejection; }
  int exit() const { return rejection ? static_cast<int>(rejection->error.exit) : 0; }
  std::string reason() const { return rejection ? rejection->reason : ""; }
  std::string what() const {
    return rejection ? rejection->error.what + "; " + rejection->error.why : "";
  }
};

// Branches, what is checked out, what a commit's roadmap says.
class FakeGit {
 public:
  std::map<std::string, CommitId> branches = {{"main", CommitId("c0")}};
  std::string checked_out = "main";
  std::vector<std::string> dirty;
  std::map<CommitId, std::string> roadmaps = {{CommitId("c0"), kRoadmap}};
  std::vector<std::string> conflicts;  // of any merge

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

class Repo {
 public:
  State state;
  std::map<std::string, std::string> files = {{std::string(kRoadmapFile), kRoadmap}};
  FakeGit git;
  bool checks_pass = true;
  std::string pull_error;
  std::vector<std::string> pulls, summaries, launched;
  std::vector<RunView> processes;
  std::vector<std::string> children;
  std::vector<std::string> log;      // the text of each line
  std::vector<std::size_t> batches;  // how many lines there were after each batch
  std::int64_t seconds = 0;          // of the calendar

  // As the engine does: a request that was answered before is answered the same again.
  Done run(const Request& request, const Command& command) {
    if (state.requests.find(request.id) != nullptr) return again(request, command);
    Facts facts;
    for (int gathering = 0; gathering < 4; ++gathering) {
      auto decision = decide(state, request, command, facts);
      if (const auto* needs = std::get_if<std::vector<Need>>(&decision)) {
        for (const Need need : *needs) gather(need, command, facts);
        continue;
      }
      if (const auto* rejection = std::get_if<Rejection>(&decision))
        return refused(request, command, *rejection);
      return {{}, append(std::get<std::vector<Event>>(decision), request.id)};
    }
    throw std::logic_error("the decider never has enough facts");
  }
  Request request(Principal who, Seq turn = Seq::none) {
    return {RequestId(fmt::format("r{}", ++requests_)), std::move(who), turn};
  }
  Done as(const AgentName& agent, const Command& command, Seq turn = Seq::none) {
    return run(request({PrincipalKind::agent, agent, Assurance::ancestry}, turn), command);
  }
  Done human(const Command& command, Seq turn = Seq::none) {
    return run(request({PrincipalKind::human, {}, Assurance::ancestry}, turn), command);
  }
  Done orchestrator(const Command& command) {
    return run(request({PrincipalKind::orchestrator, {}, Assurance::self}), command);
  }
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
    if (!state.work && !state.clean) seen.strangers = strangers_in(git.dirty);
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
  void perform(const RecordWritten& e) { orchestrator(FileWriteDone{e.path, e.hash}); }
  void perform(const LookAtDocuments&) { orchestrator(CheckDocuments{}); }
  void perform(const MakeBranch& e) {
    if (!e.branch.base.empty()) git.branches.emplace(e.branch.base, e.branch.at);
    git.branches.emplace(e.branch.name, e.branch.at);
    check_out(e.branch.name);
  }
  void perform(const RecordBranch& e) { orchestrator(FileBranch{e.name}); }
  void perform(const PrepareCommit& e) {
    const Landing& landing = *state.landing(e.landing);
    const std::string& roadmap = files[std::string(kRoadmapFile)];
    const auto closing = closing_text(landing, kRoadmapFile, roadmap);
    orchestrator(FilePrepared{e.landing, git.make(closing.value_or(roadmap)), "refs/pairflow/x"});
  }
  void perform(const RunChecks& e) {
    orchestrator(FileChecks{
        e.landing, e.commit, checks_pass, checks_pass ? "" : "1 of 9 failed", {"logs/checks.log"}});
  }
  void perform(const PrepareMerge& e) {
    const CommitId onto = git.branches.at(e.into);
    const Landing& landing = *state.landing(e.landing);
    const auto text = closing_text(landing, kRoadmapFile, git.roadmaps.at(onto));
    orchestrator(FileMerge{e.landing, onto, git.make(text.value_or(git.roadmaps.at(e.commit))),
                           git.conflicts});
  }
  void perform(const MoveBranch& e) {
    must(git.branches.at(e.branch) == e.from, "compare and swap");
    git.branches[e.branch] = e.to;
    if (git.checked_out == e.branch) git.dirty.clear();
  }
  void perform(const RecordMoved& e) { orchestrator(FileMoved{e.landing}); }
  void perform(const OpenPull& e) {
    if (!orchestrator(BeginPull{e.landing}).ok()) return;
    const Landing& landing = *state.landing(e.landing);
    if (pull_error.empty()) pulls.push_back(landing.branch + "@" + landing.commit.str());
    orchestrator(
        FilePull{e.landing, pull_error.empty() ? "https://example.org/1" : "", pull_error});
  }
  void perform(const RecordPull& e) { orchestrator(FilePull{e.landing, e.url, e.error}); }
  void perform(const ClearTree& e) {
    if (state.landing(e.landing)->kind == LandingKind::feature)
      std::erase_if(files, [](const auto& f) { return f.first.starts_with(kCurrentFolder); });
    git.dirty.clear();
    check_out(e.to);
    orchestrator(FileCleared{e.landing});
  }
  void perform(const RecordTrouble& e) {
    orchestrator(FileLandingTrouble{e.landing, e.stage, e.what});
  }
  void perform(const PostSummary& e) {
    summaries.push_back(e.text);
    orchestrator(FileSummary{e.landing});
  }
  void perform(const LaunchAgent& e) {
    launched.push_back(fmt::format("{} {}", name_of(e.role), e.agent.str()));
    processes.push_back({e.run, e.role, e.agent, true, {}});
  }
  void perform(const RecordStart& e) {
    if (!orchestrator(FileRunStarted{e.run, e.role, e.agent}).ok()) end_process(e.run);
  }
  void perform(const StopRun& e) { end_process(e.run); }
  void perform(const RecordEnd& e) {
    orchestrator(FileRunEnded{e.run, e.exit.value_or(0), !e.exit.has_value()});
    end_process(e.run);
  }
  void perform(const Delegate&) { orchestrator(FileDelegated{"child-1"}); }
  void perform(const MakeChild& e) { children.push_back(e.child.id); }
  void perform(const EndAutomation& e) { orchestrator(StopAutomation{e.why}); }

  void end_process(int run) {
    std::erase_if(processes, [&](const RunView& view) { return view.run == run; });
  }
  void check_out(const std::string& branch) {
    git.checked_out = branch;
    files[std::string(kRoadmapFile)] = git.roadmaps.at(git.branches.at(branch));
  }

  void gather(Need need, const Command& command, Facts& facts) {
    if (need == Need::time) {
      facts.time = WallTime{1'771'675'200'000 + seconds * 1000};
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
      facts.merge = MergeFact{CommitId("x"), false, "", {}, git.conflicts};
    } else {
      throw std::logic_error("a fact that nobody gathers");
    }
  }

  Done again(const Request& request, const Command& command) {
    Done done{{}, {}, false, true};
    for (const std::string& text : log) {
      const Line line = *decode_line(text);
      if (line.request == request.id) done.events.push_back(*decode(line));
    }
    if (!answers(done.events.at(0), request, command))
      done.rejection = Rejection{{Exit::usage, "this request id has been used"}};
    return done;
  }

  Done refused(const Request& request, const Command& command, const Rejection& rejection) {
    Done done{rejection};
    if (!rejection.warn) return done;
    const auto event = warning_event(state, request, command, rejection);
    if (!event) return done;
    const std::string before = essence(state);
    append({*event}, request.id);
    must(essence(state) == before, "a refusal changed the state");
    done.warned = true;
    return done;
  }

  std::vector<Event> append(const std::vector<Event>& events, const RequestId& request) {
    std::vector<Event> read;
    for (std::size_t i = 0; i < events.size(); ++i) {
      const Seq seq = next(state.last_seq);
      const WallTime now{1'771'675'200'000 + seconds++ * 1000};
      Line line{message_id(now, seq),
                iso8601(now),
                "role",
                encode(events[i]),
                seq,
                static_cast<int>(events.size() - i - 1),
                state.mark.hash,
                request,
                {},
                {}};
      const std::string text = encode_line(line);
      auto decoded = decode_line(text);
      must(decoded.has_value(), "a line cannot be read back: " + text);
      decoded->mark = {seq, state.mark.end, state.mark.end + text.size() + 1, hash_of(text)};
      auto folded = fold(state, *decoded);
      must(folded.has_value(), "a line cannot be folded: " + text);
      Event event = events[i];
      event.seq = seq, event.id = line.id, event.ts = line.ts;
      must(essence(apply(state, event)) == essence(apply(state, *decode(*decoded))),
           "an event is another after the codec: " + text);
      state = std::move(*folded);
      log.push_back(text);
      read.push_back(*decode(*decoded));
    }
    if (!events.empty()) batches.push_back(log.size());
    return read;
  }

  int requests_ = 0;
};

}  // namespace pf::role::testing
