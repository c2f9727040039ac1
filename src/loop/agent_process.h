#pragma once
#include <memory>

#include "loop/agent_run.h"
#include "os/os.h"

namespace pf {

// Where the process of one headless run keeps what belongs to it.
struct AgentFiles {
  Path transcript, log;  // what it said; what it wrote to its standard error
  Path channel;          // the socket of its commands; the directory is its own
  Path errors;           // of the commands that serve it
  Path top;              // where those run
  // What tells them for whom.
  std::vector<std::pair<std::string, std::optional<std::string>>> served_as = {};
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

  bool has_no_conversation() const override { return forgotten_; }
  bool is_finished() const override { return finished_; }
  std::string conversation() const override { return conversation_; }
  Usage usage() const override { return usage_; }
  int code(std::optional<int> exit) const override;
  std::string last_words(int code) const override;

 private:
  AgentProcess(Os& os, const AgentKind& kind, AgentFiles files);
  void note(const StreamItem& item);
  std::string errors() const;

  Os& os_;
  AgentFiles files_;
  StreamReader reader_;
  std::unique_ptr<Listener> calls_;
  std::unique_ptr<PipedChild> child_;
  std::vector<std::unique_ptr<Child>> serving_;  // not reaped yet
  std::unique_ptr<File> transcript_;
  std::uint64_t written_ = 0;
  std::string conversation_, said_, error_;
  Usage usage_;
  bool silent_ = false;  // its output has come to an end
  bool forgotten_ = false;
  bool finished_ = false;
  bool stopped_at_its_end_ = false;  // its exit code says nothing
};

}  // namespace pf
