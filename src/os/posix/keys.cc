#include <poll.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <termios.h>

#include <array>
#include <chrono>

#include "os/descriptor.h"
#include "os/posix/os.h"
#include "os/system_error.h"

namespace pf {
namespace {

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
      std::array<char, 4096> buffer;
      const auto got =
          uninterrupted([&] { return ::read(STDIN_FILENO, buffer.data(), buffer.size()); });
      if (got <= 0) return keys.empty() ? std::nullopt : std::optional(keys);
      keys.append(buffer.data(), static_cast<std::size_t>(got));
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
