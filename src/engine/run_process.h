#pragma once
#include "engine/live_run.h"

namespace pf {

// A child of ours: the agent's program.
class RunProcess : public LiveRun {
 public:
  // Writes the prompt and how the process begins, then starts it. `afresh`: not in the
  // conversation that the run was to continue.
  static Result<std::unique_ptr<LiveRun>> start(PlanLoop& loop, const plan::State& state,
                                                const plan::Run& run, bool afresh);
  RunProcess(const RunProcess&) = delete;
  RunProcess& operator=(const RunProcess&) = delete;
  ~RunProcess() override;

  plan::Role role() const override { return role_; }
  std::vector<int> descriptors() const override;
  Result<std::vector<StreamItem>> read() override;
  Status serve() override;
  bool is_called(const std::vector<int>& readable) const override;
  bool has_no_conversation() const override { return forgotten_; }
  std::optional<int> ended() override;
  void stop() override;

  const plan::FileRunStarted& started() const override { return started_; }
  plan::FileRunEnded end_report(std::optional<int> exit) const override;
  bool is_finished() const override { return finished_; }

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
