#pragma once
#include "agents/stream.h"
#include "engine/plan_loop.h"

namespace pf {

// The process of one run: what it says, who calls it by its channel, and how it ended. It dies with
// us, and is killed by the destructor.
class RunProcess {
 public:
  // Writes the prompt and how the process begins, then starts it. `afresh`: not in the
  // conversation that the run was to continue.
  static Result<std::unique_ptr<RunProcess>> start(PlanLoop& loop, const plan::State& state,
                                                   const plan::Run& run, bool afresh);
  RunProcess(const RunProcess&) = delete;
  RunProcess& operator=(const RunProcess&) = delete;
  ~RunProcess();

  int run() const { return started_.run; }
  plan::Role role() const { return role_; }
  // To be waited for: its words, its end, and calls by its channel.
  std::vector<int> descriptors() const;
  // What it has said since, kept in its transcript too.
  Result<std::vector<StreamItem>> read();
  // Starts a command for whoever calls; the connection is the command's.
  Status serve();
  bool is_called(const std::vector<int>& readable) const;
  bool has_no_conversation() const { return forgotten_; }  // that it was to go on in
  std::optional<int> ended();
  void stop();

  const plan::FileRunStarted& started() const { return started_; }
  plan::FileRunEnded end_report(std::optional<int> exit) const;

  bool is_finished() const { return finished_; }  // by its own word, whatever its process does

  std::optional<MonoTime> stop_at;  // it may say its last words until then

 private:
  RunProcess(PlanLoop& loop, const plan::Run& run, std::string_view kind);
  Status open_files(const plan::Run& run);
  void note(const StreamItem& item);
  std::string errors() const;

  PlanLoop& loop_;
  plan::Role role_;
  AgentName agent_;
  StreamReader reader_;
  std::unique_ptr<Listener> calls_;
  std::unique_ptr<Talker> child_;
  std::vector<std::unique_ptr<Child>> serving_;  // not reaped yet
  std::unique_ptr<File> transcript_;
  std::uint64_t written_ = 0;
  plan::FileRunStarted started_;
  std::string conversation_, last_words_, error_;
  Path log_;
  std::int64_t input_tokens_ = 0, output_tokens_ = 0;
  bool silent_ = false;  // its output has come to an end
  bool forgotten_ = false;
  bool finished_ = false;
  bool stopped_at_its_end_ = false;  // its exit code says nothing
};

// Of a run whose driver was killed: the conversation that its transcript tells of.
std::string conversation_of_lost(PlanLoop& loop, const plan::Run& run);

}  // namespace pf
