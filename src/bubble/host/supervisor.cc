#include "bubble/host/supervisor.h"

#include <fmt/format.h>

#include <boost/asio.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <list>
#include <map>

#include "base/codec.h"
#include "base/error_text.h"
#include "base/text.h"
#include "bubble/host/hook_intake.h"
#include "bubble/host/performer.h"
#include "bubble/host/presence.h"
#include "bubble/host/screen_watch.h"
#include "bubble/host/supervision.h"
#include "bubble/host/wakes.h"
#include "loop/detached.h"
#include "tmux/control.h"

namespace pf {
namespace {

namespace asio = boost::asio;
using Descriptor = asio::posix::stream_descriptor;

// A descriptor somebody else owns, waited for by the loop.
class Borrowed {
 public:
  Borrowed(asio::io_context& io, int fd) : descriptor_(io, fd) {}
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  ~Borrowed() { descriptor_.release(); }
  Descriptor& operator*() { return descriptor_; }

 private:
  Descriptor descriptor_;
};

// One agent's socket: a caller speaks as that agent.
struct Channel {
  AgentName agent;
  std::unique_ptr<Listener> listener;
  std::unique_ptr<Borrowed> called;
};

// A connection by which no word has come yet.
struct Call {
  Channel& channel;
  Descriptor connection;
  bool waited_for = false;
};
constexpr std::size_t kMaxSilentCalls = 64;  // the oldest is hung up on then

class Supervisor {
 public:
  Supervisor(BubbleLoop& bubble, const Lock& lease, std::unique_ptr<Bell> bell,
             const bubble::State& first)
      : bubble_(bubble),
        performer_(bubble, lease),
        core_(first),
        bell_(std::move(bell)),
        rung_(io_, bell_->fd()),
        timer_(io_),
        rest_(io_) {}

  Status run() {
    open_channels();  // before anybody is launched who might call
    tick();
    bubble_.os().processes.tell_ready(failure_ ? in_short(*failure_) : "ready");
    if (!finished_) {
      wait_for_bell();
      io_.run();
    }
    performer_.kill_children();
    (void)remove_runtime(bubble_.os(), bubble_.paths());
    (void)bubble_.os().files.remove_all(bubble_.paths().channels);
    if (failure_) return std::unexpected(*failure_);
    return {};
  }

 private:
  void log(std::string_view what) {
    bubble_.os().env.print(
        Stream::err, fmt::format("{} {}\n", iso8601(bubble_.os().clock.wall()), printable(what)));
  }

  // One wake: settle, announce, show, and decide when to wake next.
  void tick() {
    if (finished_) return;
    bell_->silence();
    if (auto done = settle(); !done) {
      log(in_short(done.error()));
      // The control directory is gone or damaged: there is nothing to supervise.
      failure_ = done.error();
      finish();
    }
  }

  Status settle() {
    if (Child* setup = performer_.setup())
      if (const auto code = setup->ended()) {
        ended_.reset();
        TRY(performer_.finish_setup(*code));
      }
    if (Child* checks = performer_.checks())
      if (const auto code = checks->ended()) {
        checked_.reset();
        TRY(performer_.finish_checks(*code));
      }
    TRY(performer_.settle());
    bubble::State state = TRY(bubble_.load());
    SupervisorCore::Plan plan = core_.step(state, performer_.wants_retry(), now_for(state));
    if (plan.release) {
      TRY(bubble_.report(bubble::ReportFreed{*plan.release, true}));
      asio::post(io_, [this] { tick(); });
    }
    if (plan.check_idle) {
      TRY(bubble_.report(bubble::CheckIdle{}, state.turn));
      asio::post(io_, [this] { tick(); });
    }
    announce(plan.notices);
    show(state);
    if (plan.finish) {
      finish();
      return {};
    }
    watch_processes();
    listen_to_tmux(state);
    set_timer();
    return {};
  }

  SupervisorCore::Now now_for(const bubble::State& state) {
    Os& os = bubble_.os();
    SupervisorCore::Now now{os.clock.moment(), os.clock.wall()};
    if (state.active_agent)
      if (const auto presence = read_presence(os, bubble_.paths(), *state.active_agent))
        now.sign = presence->moment;
    now.due = performer_.wake_at();
    return now;
  }

  void announce(const std::vector<Notice>& notices) {
    if (notices.empty()) return;
    if (const auto settings = bubble_.settings())
      for (const Notice notice : notices)
        notify(bubble_.os(), *settings, notice, bubble_.paths().errors);
  }

  void show(const bubble::State& state) {
    Runtime runtime;
    runtime.pid = bubble_.os().env.pid();
    runtime.bubble = state.id.str();
    runtime.session = performer_.session();
    if (const auto settings = bubble_.settings())
      runtime.socket = tmux_socket(bubble_.os(), *settings);
    for (const PaneSeen& pane : performer_.panes())
      if (pane.holder != "status")
        runtime.panes.push_back({pane.pane, pane.holder,
                                 std::string(name_of(state.role_of(AgentName(pane.holder)))),
                                 pane.key, pane.pid, pane.dead});
    runtime.troubles = performer_.troubles();
    if (runtime.troubles != logged_)
      for (const std::string& trouble : logged_ = runtime.troubles) log(trouble);
    if (auto written = write_runtime(bubble_.os(), bubble_.paths(), runtime); !written)
      log(in_short(written.error()));
  }

  void open_channels() {
    const auto state = bubble_.load();
    if (!state || finished_) return;
    for (const bubble::Agent& agent : state->agents) {
      auto listener = bubble_.os().files.open_listener(bubble_.paths().channel(agent.name));
      if (!listener) {
        log(in_short(listener.error()));
        continue;
      }
      const int fd = (*listener)->fd();
      channels_.push_back({agent.name, std::move(*listener), std::make_unique<Borrowed>(io_, fd)});
    }
    for (Channel& channel : channels_) await_call(channel);
  }

  void await_call(Channel& channel) {
    (**channel.called).async_wait(Descriptor::wait_read, [this, &channel](auto error) {
      if (error || finished_) return;
      if (const int connection = channel.listener->accept(); connection >= 0) {
        calls_.push_back({channel, Descriptor(io_, connection)});
        take_calls();
        if (calls_.size() > kMaxSilentCalls) calls_.pop_front();
      }
      await_call(channel);
    });
  }

  // In the order in which they came, so that the last sign of life is the last one kept.
  void take_calls() {
    for (auto call = calls_.begin(); call != calls_.end();)
      call = take(*call) ? calls_.erase(call) : std::next(call);
  }

  // Signs of life are taken here; anything else is the work of a process of its own.
  bool take(Call& call) {
    const auto words = peek(call.connection.native_handle());
    if (!words) {
      if (!std::exchange(call.waited_for, true))
        call.connection.async_wait(Descriptor::wait_read, [this](auto error) {
          if (!error && !finished_) take_calls();
        });
      return false;
    }
    const auto ask = parse_ask(*words);
    if (const auto event = ask ? sign_of_life(*ask) : std::nullopt) {
      const auto state = bubble_.load();
      const auto taken = state ? take_tool_use(bubble_, *state, call.channel.agent, *event)
                               : std::unexpected(state.error());
      if (!taken) log(in_short(taken.error()));
      return true;
    }
    boost::system::error_code ignored;
    call.connection.non_blocking(false, ignored);  // waiting for it made it so
    serve(call.channel, call.connection.release());
    return true;
  }

  // The connection is the child's: it answers even when we are killed meanwhile.
  void serve(const Channel& channel, int connection) {
    Os& os = bubble_.os();
    const BubblePaths& paths = bubble_.paths();
    Command command{{os.env.executable().string(), "relay"}, paths.repository.top};
    command.environment = {{"PAIRFLOW_REPO", paths.repository.top.string()},
                           {"PAIRFLOW_BUBBLE", paths.id.str()},
                           {"PAIRFLOW_AGENT", channel.agent.str()}};
    auto child = os.processes.serve(command, connection, paths.errors);
    if (!child) return log(in_short(child.error()));
    std::erase_if(serving_, [](const auto& one) { return one->ended().has_value(); });
    serving_.push_back(std::move(*child));
  }

  // Wakes when a pane's process or the setup command ends.
  void watch_processes() {
    std::map<int, std::unique_ptr<Descriptor>> watched;
    for (const PaneSeen& pane : performer_.panes()) {
      if (pane.pid <= 0 || pane.dead) continue;
      auto known = watched_.extract(pane.pid);
      if (known) {
        watched.insert(std::move(known));
        continue;
      }
      const int fd = bubble_.os().processes.watch_end(pane.pid);
      if (fd < 0) {
        asio::post(io_, [this] { tick(); });  // ended meanwhile
        continue;
      }
      auto& end = watched[pane.pid] = std::make_unique<Descriptor>(io_, fd);
      end->async_wait(Descriptor::wait_read, [this](auto error) {
        if (!error) tick();
      });
    }
    watched_ = std::move(watched);
    watch_child(performer_.setup(), ended_, watched_setup_);
    watch_child(performer_.checks(), checked_, watched_checks_);
  }

  // Another child than the one waited for so far is waited for from now on.
  void watch_child(Child* child, std::unique_ptr<Borrowed>& end, int& watched) {
    const int pid = child == nullptr ? 0 : child->pid();
    if (pid == watched && end) return;
    end.reset();
    watched = pid;
    if (child == nullptr) return;
    end = std::make_unique<Borrowed>(io_, child->pidfd());
    (**end).async_wait(Descriptor::wait_read, [this](auto error) {
      if (!error) tick();
    });
  }

  void note_painted(const std::string& pane) {
    for (const PaneSeen& seen : performer_.panes())
      if (seen.pane == pane && seen.holder != "status")
        screens_.painted(seen.holder, bubble_.os().clock.mono());
    if (!looking_) look_later();
  }

  void look_later() {
    const auto at = screens_.wake_at();
    looking_ = at.has_value();
    if (!at) return;
    rest_.expires_at(std::chrono::steady_clock::time_point(at->since_boot));
    rest_.async_wait([this](auto error) {
      if (!error && !finished_) look_at_screens();
    });
  }

  void look_at_screens() {
    bool news = performer_.wants_retry();
    for (const auto& [holder, still] : screens_.take_due(bubble_.os().clock.mono())) {
      const auto filed = performer_.look_at(holder, still);
      if (!filed) log(in_short(filed.error()));
      news |= filed && *filed;
    }
    look_later();
    if (news) tick();
  }

  // tmux tells what is painted, when a pane leaves copy mode and when the session ends.
  void listen_to_tmux(const bubble::State& state) {
    if (performer_.panes().empty() || heard_) return;
    auto terminal = bubble_.terminal(state);
    if (!terminal || !terminal->observe()) return;
    auto speaker = terminal->listen();
    if (!speaker) return log(in_short(speaker.error()));
    control_client_ = std::move(*speaker);
    heard_ = std::make_unique<Borrowed>(io_, control_client_->output());
    hear();
  }

  void hear() {
    (**heard_).async_read_some(asio::buffer(buffer_), [this](auto error, std::size_t bytes) {
      if (error == asio::error::operation_aborted) return;
      bool news = static_cast<bool>(error);
      for (const ControlEvent& event : control_.feed({buffer_.data(), bytes}))
        if (event.kind == ControlEvent::Kind::painted)
          note_painted(event.pane);
        else
          news = true;
      if (error) {
        heard_.reset();
        control_client_.reset();
        control_ = {};
      } else {
        hear();
      }
      if (news) tick();
    });
  }

  void set_timer() {
    timer_.cancel();
    if (const auto at = core_.wake_at())
      timer_.expires_at(std::chrono::steady_clock::time_point(at->since_boot));
    else
      timer_.expires_after(kLongestSleep);
    timer_.async_wait([this](auto error) {
      if (!error) tick();
    });
  }

  void wait_for_bell() {
    (*rung_).async_wait(Descriptor::wait_read, [this](auto error) {
      if (error || finished_) return;
      tick();
      if (!finished_) wait_for_bell();
    });
  }

  void finish() {
    finished_ = true;
    io_.stop();
  }

  BubbleLoop& bubble_;
  Performer performer_;
  SupervisorCore core_;
  asio::io_context io_{1};
  std::unique_ptr<Bell> bell_;
  Borrowed rung_;
  asio::steady_timer timer_, rest_;
  ScreenWatch screens_;
  bool looking_ = false;                                // rest_ is set
  std::map<int, std::unique_ptr<Descriptor>> watched_;  // by pid
  std::unique_ptr<Borrowed> ended_, checked_;           // the setup command, the checks
  int watched_setup_ = 0, watched_checks_ = 0;          // their pids
  std::list<Channel> channels_;
  std::list<Call> calls_;
  std::vector<std::unique_ptr<Child>> serving_;  // not reaped yet
  std::unique_ptr<HeldChild> control_client_;
  std::unique_ptr<Borrowed> heard_;
  std::array<char, 4096> buffer_{};
  ControlReader control_;
  std::vector<std::string> logged_;  // troubles, as last written to the log
  std::optional<Error> failure_;
  bool finished_ = false;
};

}  // namespace

Status supervise(BubbleLoop& loop) {
  Os& os = loop.os();
  auto bell = TRY(os.files.listen(loop.paths().bells));  // whoever holds the lease can be reached
  const auto lease = TRY(take_lease(os, loop.paths().lease));
  if (!lease) return {};
  const bubble::State first = TRY(loop.load());
  Supervisor supervisor(loop, *lease, std::move(bell), first);
  return supervisor.run();
}

}  // namespace pf
