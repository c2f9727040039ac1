#include <poll.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <termios.h>

#include <chrono>
#include <csignal>

#include "os/descriptor.h"
#include "os/posix/os.h"
#include "os/posix/spawn.h"
#include "os/system_error.h"

namespace pf {
namespace {

sigset_t our_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGWINCH, SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

bool output_hung_up() {
  pollfd output{STDOUT_FILENO, 0, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP)) != 0;
}

class PosixSignalWatch : public SignalWatch {
 public:
  // Blocks the signals, so that they stay with `told`.
  PosixSignalWatch(Descriptor told, Descriptor either)
      : told_(std::move(told)), either_(std::move(either)) {
    const sigset_t signals = our_signals();
    ::sigprocmask(SIG_BLOCK, &signals, &old_signals_);
    is_terminal_ = ::tcgetattr(STDIN_FILENO, &old_modes_) == 0;
    if (!is_terminal_) return;
    termios modes = old_modes_;
    modes.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON);
    modes.c_cc[VSUSP] = _POSIX_VDISABLE;  // nobody would put the terminal right
    ::tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
  }
  PosixSignalWatch(const PosixSignalWatch&) = delete;
  PosixSignalWatch& operator=(const PosixSignalWatch&) = delete;
  ~PosixSignalWatch() override {
    // Keys typed meanwhile are for nobody.
    if (is_terminal_) ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &old_modes_);
    take_news();
    ::sigprocmask(SIG_SETMASK, &old_signals_, nullptr);
  }

  int fd() const override { return either_.get(); }
  News take_news() override {
    News news;
    signalfd_siginfo signal{};
    while (uninterrupted([&] { return ::read(told_.get(), &signal, sizeof signal); }) ==
           static_cast<ssize_t>(sizeof signal))
      (signal.ssi_signo == SIGWINCH ? news.resized : news.end) = true;
    news.end |= output_hung_up();
    return news;
  }

 private:
  Descriptor told_;
  Descriptor either_;  // readable when there is a signal, or the output hung up
  sigset_t old_signals_{};
  termios old_modes_{};
  bool is_terminal_ = false;
};

class PosixKeys : public Keys {
 public:
  PosixKeys(Descriptor either, Descriptor timer, const termios& modes)
      : either_(std::move(either)), timer_(std::move(timer)), old_modes_(modes) {
    termios raw = modes;
    raw.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | ISIG | IEXTEN);
    raw.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL | INLCR | IGNCR | ISTRIP);
    raw.c_cc[VMIN] = 1, raw.c_cc[VTIME] = 0;
    ::tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
  }
  PosixKeys(const PosixKeys&) = delete;
  PosixKeys& operator=(const PosixKeys&) = delete;
  // Keys typed meanwhile are for nobody.
  ~PosixKeys() override { ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &old_modes_); }

  int fd() const override { return either_.get(); }

  void wake_after(Duration time) override {
    const auto ns = std::max<Duration>(time, std::chrono::milliseconds(1)).count();
    const itimerspec when{{0, 0}, {ns / 1'000'000'000, ns % 1'000'000'000}};
    ::timerfd_settime(timer_.get(), 0, &when, nullptr);
  }

  std::optional<std::string> take() override {
    std::uint64_t ignored = 0;
    (void)!::read(timer_.get(), &ignored, sizeof ignored);
    std::string keys;
    while (has_input()) {
      const auto some = read_some(STDIN_FILENO);
      if (!some || some->empty()) return keys.empty() ? std::nullopt : std::optional(keys);
      keys += *some;
    }
    return keys;
  }

 private:
  static bool has_input() {
    pollfd waiting{STDIN_FILENO, POLLIN, 0};
    return uninterrupted([&] { return ::poll(&waiting, 1, 0); }) > 0;
  }

  Descriptor either_, timer_;
  termios old_modes_;
};

}  // namespace

Result<std::unique_ptr<SignalWatch>> PosixEnvironment::watch_signals() {
  const sigset_t signals = our_signals();
  Descriptor told(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!told) return std::unexpected(system_error(errno, "cannot listen to the terminal"));
  Descriptor either(::epoll_create1(EPOLL_CLOEXEC));
  epoll_event signal{EPOLLIN, {}}, hang_up{0, {}};
  if (!either || ::epoll_ctl(either.get(), EPOLL_CTL_ADD, told.get(), &signal) < 0)
    return std::unexpected(system_error(errno, "cannot listen to the terminal"));
  // A file cannot hang up, and is refused.
  (void)::epoll_ctl(either.get(), EPOLL_CTL_ADD, STDOUT_FILENO, &hang_up);
  return std::make_unique<PosixSignalWatch>(std::move(told), std::move(either));
}

Result<std::unique_ptr<Keys>> PosixEnvironment::take_keys() {
  termios modes{};
  if (::tcgetattr(STDIN_FILENO, &modes) != 0)
    return std::unexpected(system_error(errno, "standard input is no terminal"));
  Descriptor either(::epoll_create1(EPOLL_CLOEXEC));
  Descriptor timer(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  for (const int fd : {STDIN_FILENO, timer.get()}) {
    epoll_event event{.events = EPOLLIN, .data = {.fd = fd}};
    if (::epoll_ctl(either.get(), EPOLL_CTL_ADD, fd, &event) != 0)
      return std::unexpected(system_error(errno, "cannot listen to the keyboard"));
  }
  return std::make_unique<PosixKeys>(std::move(either), std::move(timer), modes);
}

}  // namespace pf
