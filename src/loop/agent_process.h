#pragma once
#include <memory>

#include "agents/stream.h"
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

// One headless run of an agent's program, a child of ours: what it says, who calls by its channel,
// how it ended. It dies with us; the destructor ends it.
class AgentProcess {
 public:
  static Result<std::unique_ptr<AgentProcess>> start(Os& os, const Command& command,
                                                     const AgentKind& kind, AgentFiles files);
  AgentProcess(const AgentProcess&) = delete;
  AgentProcess& operator=(const AgentProcess&) = delete;
  ~AgentProcess();

  // To be waited for: its words, its end, and calls by its channel.
  std::vector<int> descriptors() const;
  // What it has said since, kept in its transcript too.
  Result<std::vector<StreamItem>> read();
  bool is_called(const std::vector<int>& readable) const;
  // Starts a command for whoever calls; the connection is the command's.
  Status serve();
  std::optional<int> ended();
  void stop();

  bool has_no_conversation() const { return forgotten_; }  // that it was to go on in
  bool is_finished() const { return finished_; }  // by its own word, whatever its process does
  const std::string& conversation() const { return conversation_; }
  std::int64_t input_tokens() const { return input_tokens_; }
  std::int64_t output_tokens() const { return output_tokens_; }
  // Its exit code, or what stands for one when it was stopped after it had finished.
  int code(std::optional<int> exit) const;
  // Why it ended, in its own words where it has some.
  std::string last_words(int code) const;

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
  std::int64_t input_tokens_ = 0, output_tokens_ = 0;
  bool silent_ = false;  // its output has come to an end
  bool forgotten_ = false;
  bool finished_ = false;
  bool stopped_at_its_end_ = false;  // its exit code says nothing
};

}  // namespace pf
