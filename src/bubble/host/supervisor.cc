#include <fmt/format.h>

#include <algorithm>
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
#include "loop/agent_process.h"
#include "loop/driver.h"
#include "loop/hidden_places.h"
#include "os/descriptor.h"
#include "tmux/control.h"

namespace pf {
namespace {

// One agent's socket: a caller speaks as that agent.
struct Channel {
  AgentName agent;
  std::unique_ptr<Listener> listener;
};

// A connection by which no word has come yet.
struct Call {
  const Channel& channel;
  Descriptor connection;
};
constexpr std::size_t kMaxSilentCalls = 64;  // the oldest is hung up on then

class Supervisor : public DrivenWork {
 public:
  Supervisor(BubbleLoop& bubble, const Lock& lease, const bubble::State& first)
      : bubble_(bubble), os_(bubble.os()), performer_(bubble, lease), core_(first) {
    open_channels(first);  // before anybody is launched who might call
  }
  ~Supervisor() override {
    performer_.kill_children();
    (void)remove_runtime(os_, bubble_.paths());
    (void)os_.files.remove_all(bubble_.paths().channels);
  }

  Result<Standing> advance() override {
    auto standing = settle();
    if (standing) return standing;
    // The control directory is gone or damaged: there is nothing to supervise.
    log(in_short(standing.error()));
    os_.processes.tell_ready(in_short(standing.error()));
    return standing;
  }

  std::vector<int> descriptors() const override {
    std::vector<int> all = performer_.children();
    for (const auto& [pid, end] : watched_)
      if (end) all.push_back(end.get());
    for (const Channel& channel : channels_) all.push_back(channel.listener->fd());
    for (const Call& call : calls_) all.push_back(call.connection.get());
    if (control_client_) all.push_back(control_client_->output());
    return all;
  }

  std::optional<MonoTime> wake_at() const override {
    return std::min(due_, screens_.wake_at().value_or(due_));
  }

  Result<bool> hear(const std::vector<int>& readable) override {
    const auto woke = [&](int fd) { return std::ranges::find(readable, fd) != readable.end(); };
    bool news = os_.clock.mono() >= due_ || std::ranges::any_of(performer_.children(), woke);
    for (auto& [pid, end] : watched_)
      if (end && woke(end.get())) {
        end.reset();
        news = true;
      }
    for (const Channel& channel : channels_)
      if (woke(channel.listener->fd())) answer(channel);
    take_calls();
    if (control_client_ && woke(control_client_->output())) news |= hear_tmux();
    return look_at_screens() || news;
  }

  Status leave(const Error*) override { return {}; }

 private:
  void log(std::string_view what) {
    os_.env.print(Stream::err, fmt::format("{} {}\n", iso8601(os_.clock.wall()), printable(what)));
  }

  // Settles, announces, shows, and decides when to wake next.
  Result<Standing> settle() {
    TRY(performer_.settle());
    const bubble::State state = TRY(bubble_.load());
    const SupervisorCore::Plan plan = core_.step(state, performer_.wants_retry(), now_for(state));
    if (plan.release) TRY(bubble_.report(bubble::ReportFreed{*plan.release, true}));
    if (plan.check_idle) TRY(bubble_.report(bubble::CheckIdle{}, state.turn));
    announce(plan.notices);
    show(state);
    if (plan.finish) return Standing{state.last_seq, true};
    const MonoTime now = os_.clock.mono();
    const bool again = !watch_processes() || plan.release || plan.check_idle;
    due_ = again ? now : core_.wake_at().value_or(now + kLongestSleep);
    listen_to_tmux(state);
    return Standing{state.last_seq, false};
  }

  SupervisorCore::Now now_for(const bubble::State& state) {
    SupervisorCore::Now now{os_.clock.moment(), os_.clock.wall()};
    if (state.active_agent)
      if (const auto presence = read_presence(os_, bubble_.paths(), *state.active_agent))
        now.sign = presence->moment;
    now.due = performer_.wake_at();
    return now;
  }

  void announce(const std::vector<Notice>& notices) {
    if (notices.empty()) return;
    if (const auto settings = bubble_.settings())
      for (const Notice notice : notices) notify(os_, *settings, notice, bubble_.paths().errors);
  }

  void show(const bubble::State& state) {
    Runtime runtime;
    runtime.pid = os_.env.pid();
    runtime.bubble = state.id.str();
    runtime.session = performer_.session();
    if (const auto settings = bubble_.settings()) runtime.socket = tmux_socket(os_, *settings);
    for (const PaneSeen& pane : performer_.panes())
      if (pane.holder != "status")
        runtime.panes.push_back({pane.pane, pane.holder,
                                 std::string(name_of(state.role_of(AgentName(pane.holder)))),
                                 pane.key, pane.pid, pane.dead});
    runtime.troubles = performer_.troubles();
    if (runtime.troubles != logged_)
      for (const std::string& trouble : logged_ = runtime.troubles) log(trouble);
    if (auto written = write_runtime(os_, bubble_.paths(), runtime); !written)
      log(in_short(written.error()));
  }

  void open_channels(const bubble::State& state) {
    for (const bubble::Agent& agent : state.agents)
      if (auto listener = os_.files.open_listener(bubble_.paths().channel(agent.name)))
        channels_.push_back({agent.name, std::move(*listener)});
      else
        log(in_short(listener.error()));
  }

  void answer(const Channel& channel) {
    const int connection = channel.listener->accept();
    if (connection < 0) return;
    calls_.push_back({channel, Descriptor(connection)});
    take_calls();
    if (calls_.size() > kMaxSilentCalls) calls_.pop_front();
  }

  // In the order in which they came, so that the last sign of life is the last one kept.
  void take_calls() {
    std::erase_if(calls_, [&](Call& call) { return take(call); });
  }

  // Signs of life are taken here; anything else is the work of a process of its own.
  bool take(Call& call) {
    const auto words = peek(call.connection.get());
    if (!words) return false;
    const auto ask = parse_ask(*words);
    if (const auto event = ask ? sign_of_life(*ask) : std::nullopt) {
      const auto state = bubble_.load();
      const auto taken = state ? take_tool_use(bubble_, *state, call.channel.agent, *event)
                               : std::unexpected(state.error());
      if (!taken) log(in_short(taken.error()));
      return true;
    }
    const BubblePaths& paths = bubble_.paths();
    const auto served = relays_.serve(os_, call.connection.release(),
                                      {paths.repository.top,
                                       paths.errors,
                                       {{"PAIRFLOW_REPO", paths.repository.top.string()},
                                        {"PAIRFLOW_BUBBLE", paths.id.str()},
                                        {"PAIRFLOW_AGENT", call.channel.agent.str()}}});
    if (!served) log(in_short(served.error()));
    return true;
  }

  // Waits for the end of every pane's process; false when one has ended already.
  bool watch_processes() {
    bool all = true;
    std::map<int, Descriptor> watched;
    for (const PaneSeen& pane : performer_.panes()) {
      if (pane.pid <= 0 || pane.dead) continue;
      if (auto known = watched_.extract(pane.pid)) {
        watched.insert(std::move(known));
        continue;
      }
      Descriptor end(os_.processes.watch_end(pane.pid));
      if (end)
        watched[pane.pid] = std::move(end);
      else
        all = false;
    }
    watched_ = std::move(watched);
    return all;
  }

  // tmux tells what is painted, when a pane leaves copy mode and when the session ends.
  void listen_to_tmux(const bubble::State& state) {
    if (performer_.panes().empty() || control_client_) return;
    auto terminal = bubble_.terminal(state);
    if (!terminal || !terminal->observe()) return;
    auto client = terminal->listen();
    if (!client) return log(in_short(client.error()));
    control_client_ = std::move(*client);
  }

  // True when more than paint has come.
  bool hear_tmux() {
    const auto words = control_client_->read_some();
    bool news = !words;
    for (const ControlEvent& event : control_.feed(words.value_or("")))
      if (event.kind == ControlEvent::Kind::painted)
        note_painted(event.pane);
      else
        news = true;
    if (!words) {
      control_client_.reset();
      control_ = {};
    }
    return news;
  }

  void note_painted(const std::string& pane) {
    for (const PaneSeen& seen : performer_.panes())
      if (seen.pane == pane && seen.holder != "status")
        screens_.painted(seen.holder, os_.clock.mono());
  }

  // True when a screen has led to something, or something is to be tried again.
  bool look_at_screens() {
    const auto looks = screens_.take_due(os_.clock.mono());
    bool news = !looks.empty() && performer_.wants_retry();
    for (const auto& [holder, still] : looks) {
      const auto filed = performer_.look_at(holder, still);
      if (!filed) log(in_short(filed.error()));
      news |= filed && *filed;
    }
    return news;
  }

  BubbleLoop& bubble_;
  Os& os_;
  Performer performer_;
  SupervisorCore core_;
  MonoTime due_;  // when to settle whatever happens
  ScreenWatch screens_;
  std::map<int, Descriptor> watched_;  // by pid; empty once its end was heard
  std::vector<Channel> channels_;
  std::list<Call> calls_;
  Relays relays_;
  std::unique_ptr<HeldChild> control_client_;
  ControlReader control_;
  std::vector<std::string> logged_;  // troubles, as last written to the log
};

}  // namespace

Status supervise(BubbleLoop& loop) {
  const auto begin = [&](const Lock& lease) -> Result<std::unique_ptr<DrivenWork>> {
    return std::make_unique<Supervisor>(loop, lease, TRY(loop.load()));
  };
  return drive(loop, begin, false);
}

}  // namespace pf
