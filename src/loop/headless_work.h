#pragma once
#include "loop/driver.h"
#include "loop/headless.h"
#include "loop/live_stream.h"

namespace pf {

// The work of a loop (a PlanLoop, a RoleLoop) whose agents run headless, one at a time. `Started`
// is the command that reports the start of a run.
template <class L, class Started>
class HeadlessWork : public DrivenWork {
 public:
  std::vector<int> descriptors() const override {
    return run_ ? run_->process->descriptors() : std::vector<int>{};
  }
  std::optional<MonoTime> wake_at() const override { return wake_at_; }
  // Hears the run's process and serves calls by its channel.
  Result<bool> hear(const std::vector<int>& readable) override {
    if (!run_) return true;
    for (const StreamItem& item : TRY(run_->process->read())) TRY(take(item));
    if (run_->process->is_called(readable)) TRY(run_->process->serve());
    return true;
  }

 protected:
  explicit HeadlessWork(L& loop) : loop_(loop), stream_(loop.os(), loop.paths().stream) {}

  // What the run has said.
  virtual Status take(const StreamItem& item) = 0;
  // True when that was news.
  virtual Result<bool> report(const typename L::Command& command) = 0;

  bool is_at_work(int run) const { return run_ && run_->started.run == run; }

  // Tells viewers, now.
  void say(const std::string& type, std::string prefix, std::string text) {
    const auto state = loop_.load();
    if (!state) return;
    Os& os = loop_.os();
    stream_.add({type, iso8601(os.clock.wall()), std::move(prefix), std::move(text)},
                state->last_seq);
    os.files.ring(loop_.paths().bells);
  }

  Result<bool> record_start(int run) {
    if (!is_at_work(run)) return false;
    auto filed = report(run_->started);
    if (filed || filed.error().exit != Exit::refused) return filed;
    run_.reset();  // it is not wanted any more
    return true;
  }

  // One that has handed over has time for its last words.
  Result<bool> stop(int run, bool handed_over) {
    if (!is_at_work(run)) return false;
    if (!handed_over) return run_->process->stop(), true;
    wake_at_ = run_->process->stop_soon(loop_.os().clock.mono());
    return !wake_at_;
  }

  // The run's process is ended, and what it said last is heard.
  Status stop_now() {
    if (!run_->process->ended()) run_->process->stop();
    TRY(hear({}));
    return {};
  }

  // The run whose process is there.
  struct Run {
    Started started;
    std::unique_ptr<AgentRun> process;
  };
  L& loop_;
  std::optional<Run> run_;
  std::optional<MonoTime> wake_at_;

 private:
  StreamWriter stream_;
};

}  // namespace pf
