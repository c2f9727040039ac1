#include <fmt/format.h>

#include <algorithm>

#include "base/error_text.h"
#include "bubble/view/status_view.h"
#include "loop/kept_running.h"
#include "os/descriptor.h"
#include "screen/terminal.h"

namespace pf {
namespace {

// A lease whose holder cannot be watched (a command, a supervisor that has just started) is looked
// at again after this.
constexpr Duration kUnknownHolder = std::chrono::seconds(1);

class Watch {
 public:
  Watch(BubbleLoop& loop, std::unique_ptr<SignalWatch> signals, std::unique_ptr<Bell> bell)
      : loop_(loop),
        os_(loop.os()),
        signals_(std::move(signals)),
        bell_(std::move(bell)),
        terminal_(os_.env) {}

  Status run() {
    for (;;) {
      bell_->silence();
      const StatusModel model = TRY(look());
      terminal_.draw({render_status(model, os_.env.terminal_columns(), os_.env.terminal_rows())});
      if (bubble::is_final(model.state.phase) && model.state.closed) return {};
      if (model.restart && model.restart->at <= os_.clock.mono()) {
        start_supervisor();
        continue;
      }
      sleep(model);
      if (asked_to_end_) return {};
    }
  }

 private:
  Result<StatusModel> look() {
    auto state = loop_.load();
    if (!state) return std::unexpected(why_unreadable(state.error()));
    TRY(hang_bell_again());
    StatusModel model = read_status(loop_, std::move(*state));
    unknown_holder_ = false;
    if (!wants_supervisor(model.state)) return model;
    model.supervised = is_watched(model) || find_supervisor(model);
    if (model.supervised)
      restarts_.running(), why_.clear();
    else
      model.restart = StatusModel::Restart{restarts_.missing(os_.clock.mono()), why_};
    return model;
  }

  Error why_unreadable(const Error& error) {
    const Path& directory = loop_.paths().directory;
    const auto there = os_.files.exists(directory);
    if (!there || *there) return error;
    return {Exit::machine, fmt::format("the bubble '{}' is gone", loop_.paths().id.str()),
            fmt::format("{} was removed while it was watched", directory.string()),
            "see: pairflow bubble list"};
  }

  // The runtime directory may be deleted at any time.
  Status hang_bell_again() {
    if (TRY(os_.files.exists(loop_.paths().bells))) return {};
    TRY(end_deaf(os_, supervisor_of(loop_.paths())));
    bell_ = TRY(os_.files.listen(loop_.paths().bells));
    return {};
  }

  // The process whose end we wait for is the one that runs.
  bool is_watched(const StatusModel& model) const {
    return supervisor_end_ && model.runtime && model.runtime->pid == supervisor_;
  }

  // Asks the lease, and waits for the end of its holder from now on.
  bool find_supervisor(const StatusModel& model) {
    supervisor_end_.reset();
    const auto held = is_driven(os_, loop_.paths());
    if (!held) why_ = in_short(held.error());
    if (!held || !*held) return false;
    supervisor_ = model.runtime ? model.runtime->pid : 0;
    supervisor_end_ = Descriptor(supervisor_ > 0 ? os_.processes.watch_end(supervisor_) : -1);
    unknown_holder_ = !supervisor_end_;
    return true;
  }

  void start_supervisor() {
    const auto started = ensure_running(os_, supervisor_of(loop_.paths()));
    why_ = started ? "" : in_short(started.error());
    restarts_.started(os_.clock.mono());
  }

  // Until something happens, or the text changes by itself.
  void sleep(const StatusModel& model) {
    Duration time = stays_for(model).value_or(Duration::max());
    if (model.restart) time = std::min(time, model.restart->at - os_.clock.mono());
    if (unknown_holder_) time = std::min(time, kUnknownHolder);
    std::vector<int> others = {signals_->fd()};
    if (supervisor_end_) others.push_back(supervisor_end_.get());
    const auto readable = bell_->wait_or_readable(std::max(time, Duration::zero()), others);
    const auto woke = [&](int fd) { return std::ranges::find(readable, fd) != readable.end(); };
    if (supervisor_end_ && woke(supervisor_end_.get())) supervisor_end_.reset();
    if (!woke(signals_->fd())) return;
    const SignalWatch::News news = signals_->take_news();
    if (news.resized) terminal_.forget();
    asked_to_end_ = news.end;
  }

  BubbleLoop& loop_;
  Os& os_;
  std::unique_ptr<SignalWatch> signals_;
  std::unique_ptr<Bell> bell_;
  screen::Terminal terminal_;
  int supervisor_ = 0;
  Descriptor supervisor_end_;
  bool unknown_holder_ = false;
  Restarts restarts_;
  std::string why_;  // the last start failed, or the lease could not be asked
  bool asked_to_end_ = false;
};

}  // namespace

Status watch_status(BubbleLoop& loop) {
  Os& os = loop.os();
  if (!os.env.is_terminal(Stream::out))
    return fail(Exit::usage, "--watch needs a terminal to draw on", "",
                "leave out --watch for the status as plain text");
  TRY(loop.load());
  auto bell = TRY(os.files.listen(loop.paths().bells));
  auto signals = TRY(os.env.watch_signals());
  return Watch(loop, std::move(signals), std::move(bell)).run();
}

}  // namespace pf
