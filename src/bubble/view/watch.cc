#include <fmt/format.h>

#include <algorithm>

#include "base/error_text.h"
#include "bubble/view/status_view.h"
#include "loop/kept_running.h"
#include "screen/terminal.h"

namespace pf {
namespace {

class Watch {
 public:
  Watch(BubbleLoop& loop, std::unique_ptr<SignalWatch> signals, std::unique_ptr<Bell> bell)
      : loop_(loop),
        os_(loop.os()),
        signals_(std::move(signals)),
        bell_(std::move(bell)),
        terminal_(os_.env),
        supervisor_(os_, supervisor_of(loop.paths())) {}

  Status run() {
    for (;;) {
      bell_->silence();
      const StatusModel model = TRY(look());
      terminal_.draw({render_status(model, os_.env.terminal_columns(), os_.env.terminal_rows())});
      if (bubble::is_final(model.state.phase) && model.state.closed) return {};
      const bool due = model.restart && model.restart->at <= os_.clock.mono();
      if (!due) sleep(model);
      if (is_asked_to_end()) return {};
      if (due) start_supervisor();
    }
  }

 private:
  Result<StatusModel> look() {
    auto state = loop_.load();
    if (!state) return std::unexpected(why_unreadable(state.error()));
    TRY(hang_bell_again());
    StatusModel model = read_status(loop_, std::move(*state), base_);
    base_ = model.base;
    if (!wants_supervisor(model.state)) {
      supervisor_.forget();
      return model;
    }
    model.supervised = supervisor_.runs();
    if (model.supervised)
      why_.clear();
    else
      model.restart = StatusModel::Restart{*supervisor_.wake_at(), why_};
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

  void start_supervisor() {
    const auto started = supervisor_.start();
    why_ = started ? "" : in_short(started.error());
  }

  // Until something happens, or the text changes by itself.
  void sleep(const StatusModel& model) {
    Duration time = stays_for(model).value_or(Duration::max());
    if (const auto at = supervisor_.wake_at()) time = std::min(time, *at - os_.clock.mono());
    std::vector<int> others = {signals_->fd()};
    if (supervisor_.end() >= 0) others.push_back(supervisor_.end());
    const auto readable = bell_->wait_or_readable(std::max(time, Duration::zero()), others);
    if (std::ranges::find(readable, supervisor_.end()) != readable.end()) supervisor_.forget();
  }

  bool is_asked_to_end() {
    const SignalWatch::News news = signals_->take_news();
    if (news.resized) terminal_.forget();
    return news.end;
  }

  BubbleLoop& loop_;
  Os& os_;
  std::unique_ptr<SignalWatch> signals_;
  std::unique_ptr<Bell> bell_;
  screen::Terminal terminal_;
  KeptRunning supervisor_;
  std::string why_;  // the last start failed
  std::optional<Distance> base_;
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
