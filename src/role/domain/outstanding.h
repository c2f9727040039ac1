#pragma once
#include <variant>

#include "base/compiled_once.h"
#include "base/facts.h"
#include "role/domain/state.h"

// What is still to be done in the world so that it matches the journal. Computed anew on each wake,
// so that a normal run and the recovery from a crash are the same code.
namespace pf::role {

// A process that was started for a run, and what is known of its end.
struct RunView {
  int run = 0;
  Role role = Role::planner;
  AgentName agent = {};
  bool alive = false;
  std::optional<int> exit = {};  // nothing: nobody saw it end
};
struct FileView {
  std::string path;
  Hash hash;
};
struct Observed {
  Hash reg = {};  // of state.json; "" when it is not there
  std::vector<FileView> tasks = {};
  std::vector<BranchFact> branches = {};
  std::string checked_out = {};
  std::vector<RunView> runs = {};
  std::vector<std::string> children = {};  // that are there, whatever their state
  bool feature_left = true;                // see has_open_feature
  std::vector<std::string> foreign_changes =
      {};           // see foreign_changes_in; looked for before a feature begins
  Moment now = {};  // while a run is at work
};

// Writes `text` when the file is as `before` says ("" for none), and says so: ReportWritten.
struct WriteFile {
  std::string path;
  Hash before;
  std::string text = {};  // of state.json; a task's is document::set_task_status of what is there
};
struct RecordWritten {
  std::string path;
  Hash hash;
};
struct LookAtDocuments {};  // somebody edited state.json
// Makes the branches that are missing, checks one out, has its files come back: ReportBranch.
// Nothing that is not committed is lost, state.json stays as it is on disk.
struct MakeBranch {
  BranchWanted branch;
};
struct RecordBranch {
  std::string name;
};
// Makes a commit object of the worktree on top of the branch (a feature's with closing_text and
// without docs/current/), keeps it and what is removed under refs/pairflow/: ReportPrepared.
struct PrepareCommit {
  Landing landing;
};
// Runs the checks on the commit, or on the merge of it: ReportChecks.
struct RunChecks {
  int landing = 0;
  CommitId commit;
  bool of_merge = false;
};
// Makes the merge object of its commit and the branch it goes into: ReportMerge. Our own files
// never conflict: closing_text says what they are.
struct PrepareMerge {
  Landing landing;
};
// Moves the branch by compare-and-swap. The index follows where it is checked out.
struct MoveBranch {
  int landing = 0;
  Stage stage = Stage::commit;
  std::string branch;
  CommitId from, to;
  bool with_files = false;   // they follow too; else they are there already
  std::string salvage = {};  // the ref that keeps a roadmap which `from` does not have
};
struct RecordMoved {
  int landing = 0;
};
// What was declined is on the feature's branch, or cannot come there: ReportKept.
struct RecordKept {
  int landing = 0;
  std::string error = {};
};
// BeginPull, then the command when that was taken, then ReportPull.
struct OpenPull {
  int landing = 0;
  std::string branch, base, title, body;
};
// It was begun, and nobody knows what came of it: ReportPull.
struct RecordPull {
  int landing = 0;
  std::string url = {}, error = {};
};
// Checks `to` out, without docs/current/ when the landing is a feature's; state.json stays as it is
// on disk: ReportCleared.
struct ClearTree {
  int landing = 0;
  LandingKind kind = LandingKind::task;
  std::string to;
  CommitId commit;      // keeps the files as they were approved, but for those in
  std::string salvage;  // this ref; "" for none
};
struct RecordTrouble {
  int landing = 0;
  Stage stage = Stage::prepare;
  std::string what;
};
struct PostSummary {
  int landing = 0;
};
struct LaunchAgent {
  int run = 0;
  Role role = Role::planner;
  AgentName agent = {};
  bool sent_back = false;
};
struct RecordStart {
  int run = 0;
  Role role = Role::planner;
  AgentName agent = {};
};
struct StopRun {
  int run = 0;
  bool switched = false;  // it may say its last words
};
struct RecordEnd {
  int run = 0;
  std::optional<int> exit = {};
};
struct Delegate {
  CoderBy by = CoderBy::plan;  // ReportDelegated first, then the child is made
};
struct MakeChild {
  Child child;
};
struct EndAutomation {
  std::string why;
};

struct Effect
    : std::variant<WriteFile, RecordWritten, LookAtDocuments, MakeBranch, RecordBranch,
                   PrepareCommit, RunChecks, PrepareMerge, MoveBranch, RecordMoved, RecordKept,
                   OpenPull, RecordPull, ClearTree, RecordTrouble, PostSummary, LaunchAgent,
                   RecordStart, StopRun, RecordEnd, Delegate, MakeChild, EndAutomation> {
  using variant::variant;
  PF_COMPILED_ONCE(Effect);
};

// In the order they are to be done; harmless twice, marked first, or with a completion of their
// own. An agent is launched when everything else is done.
std::vector<Effect> outstanding(const State& state, const Observed& observed);

// Blocked, and an agent that is launched can answer.
bool is_answerable(const State& state);
// The automation goes on and it is an agent's turn; or a plan's or a bubble's.
bool wants_agent(const State& state);
bool wants_child(const State& state);

// The roadmap, as it stands, has a feature that nobody has finished yet. One that is not sound
// counts as having one: the planner is told.
bool has_open_feature(const State& state, std::string_view roadmap);

}  // namespace pf::role
