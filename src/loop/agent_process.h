#pragma once
#include <memory>

#include "loop/agent_run.h"
#include "loop/git_in_reach.h"
#include "os/os.h"

namespace pf {

// For whom the commands run that an agent calls by its channel.
struct ServedFor {
  Path top;     // where they run
  Path errors;  // what they write to their standard error
  // What tells them for whom.
  std::vector<std::pair<std::string, std::optional<std::string>>> variables = {};
};

// Those commands: each is a process of its own, to which its caller's connection belongs, so it
// answers even when we are gone.
class Relays {
 public:
  Status serve(Os& os, int connection, const ServedFor& whom);
  void kill();

 private:
  std::vector<std::unique_ptr<Child>> serving_;  // not reaped yet
};

// Where the process of one headless run keeps what belongs to it.
struct AgentFiles {
  Path transcript, log;  // what it said; what it wrote to its standard error
  Path channel;          // the socket of its commands; the directory is its own
  ServedFor served;
  Path worktree = {};
  Path editable = {};  // what of it it may write: what git obeys and came up is told at its end
  Path build = {};     // removed at its end
};

// A child of ours.
class AgentProcess : public AgentRun {
 public:
  static Result<std::unique_ptr<AgentRun>> start(Os& os, const Command& command,
                                                 const AgentKind& kind, AgentFiles files);
  ~AgentProcess() override;

  std::vector<int> descriptors() const override;
  Result<std::vector<StreamItem>> read() override;
  bool is_called(const std::vector<int>& readable) const override;
  Status serve() override;
  std::optional<int> ended() override;
  void stop() override;

  Told told() const override { return told_; }
  int code(std::optional<int> exit) const override;
  std::string last_words(int code) const override;

 private:
  AgentProcess(Os& os, const AgentKind& kind, AgentFiles files);
  void note(const StreamItem& item);
  std::string errors() const;
  std::vector<StreamItem> left_for_git();

  Os& os_;
  AgentFiles files_;
  StreamReader reader_;
  std::unique_ptr<Listener> calls_;
  std::unique_ptr<PipedChild> child_;
  Relays relays_;
  std::unique_ptr<File> transcript_;
  std::uint64_t written_ = 0;
  Told told_;
  std::string said_, error_;
  GitSeen before_;                   // in `editable` when it began
  bool silent_ = false;              // its output has come to an end
  bool looked_ = false;              // for what it left, at its end
  bool stopped_at_its_end_ = false;  // its exit code says nothing
};

}  // namespace pf
