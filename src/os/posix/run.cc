#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <span>

#include "base/bounded_log.h"
#include "os/posix/os.h"
#include "os/posix/spawn.h"
#include "os/posix/wait.h"

// How run() works. It polls both outputs and the child's pidfd. Once the child has ended, what is
// in the pipes is taken and the answer given, even if a descendant still holds them open. After a
// timeout the group gets TERM; when child and pipes have ended, or after the grace, it gets KILL.
// The child is reaped last, so that the group's number cannot become another's before that.
// With ends_with_us it also polls the signals that would end us: they stay pending while the group
// gets KILL, and all that is marked, and act when EndingSignals lets them through.
namespace pf {
namespace {

constexpr Duration kLookAtDisk = std::chrono::milliseconds(250);  // a fast disk takes 1 GB in this

class Output {
 public:
  Output(Descriptor fd, const Command& command)
      : fd_(std::move(fd)), log_(command.output_limit, command.output_tail) {}

  int fd() const { return fd_.get(); }
  bool open() const { return static_cast<bool>(fd_); }
  bool cut() const { return log_.cut(); }
  std::string take() { return log_.text(); }

  // Takes one buffer of what is there; false when there is nothing for now, or at the end.
  bool read_some() {
    if (!open()) return false;
    const auto some = pf::read_some(fd());
    if (!some) fd_.reset();
    if (!some || some->empty()) return false;
    log_.append(*some);
    read_ += some->size();
    return true;
  }

  // All that fits in the pipe at once: a descendant that goes on writing cannot hold us.
  void drain() {
    if (!open()) return;
    const auto capacity = static_cast<std::size_t>(std::max(0, ::fcntl(fd(), F_GETPIPE_SZ)));
    const std::size_t enough = read_ + capacity;
    while (read_ < enough && read_some()) {
    }
  }

 private:
  Descriptor fd_;
  BoundedLog log_;
  std::size_t read_ = 0;
};

// Holds back the signals that would end us; the destructor lets them through.
class EndingSignals {
 public:
  explicit EndingSignals(bool wanted) {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
      if (wanted && would_end_us(signal)) sigaddset(&signals, signal);
    ::sigprocmask(SIG_BLOCK, &signals, &old_);
    if (wanted) pending_ = Descriptor(::signalfd(-1, &signals, SFD_CLOEXEC));
  }
  EndingSignals(const EndingSignals&) = delete;
  EndingSignals& operator=(const EndingSignals&) = delete;
  ~EndingSignals() { ::sigprocmask(SIG_SETMASK, &old_, nullptr); }
  int fd() const { return pending_.get(); }  // readable when there is one; not to be read

 private:
  static bool would_end_us(int signal) {
    struct sigaction action{};
    return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_DFL;
  }

  sigset_t old_{};
  Descriptor pending_;
};

// The process that feeds another one; the destructor ends it.
class Feeder {
 public:
  Feeder() = default;
  Feeder(const Feeder&) = delete;
  Feeder& operator=(const Feeder&) = delete;
  ~Feeder() {
    if (child_.pid < 0) return;
    ::kill(-child_.pid, SIGKILL);
    wait_readable(child_.pidfd.get(), kTerminateGrace);
    reap(child_.pid);
  }

  // What it says can be read from the descriptor.
  Result<Descriptor> start(const Command& command, int err) {
    const auto nothing = TRY(input_descriptor(""));
    auto between = TRY(make_pipe());
    child_ = TRY(spawn(command, {.in = nothing.get(), .out = between.write.get(), .err = err}));
    ::fcntl(between.read.get(), F_SETFL, 0);  // a program that reads it waits
    return std::move(between.read);
  }

 private:
  Spawned child_;
};

class Run {
 public:
  Run(Spawned child, Output out, Output err, const Command& command, int ending)
      : child_(std::move(child)),
        ending_(ending),
        out_(std::move(out)),
        err_(std::move(err)),
        directory_(command.directory.empty() ? Path(".") : command.directory),
        keep_free_(command.keep_free) {
    if (command.timeout) deadline_ = clock_.mono() + std::min(*command.timeout, kForever);
  }

  Finished finish() {
    while (!ended_) step();
    if (stopped()) kill_rest();
    out_.drain();
    err_.drain();
    const bool over = wait_readable(child_.pidfd.get(), kTerminateGrace);
    finished_.code = over ? reap_ended(child_.pid) : reap(child_.pid).value_or(128 + SIGKILL);
    finished_.cut = out_.cut() || err_.cut();
    finished_.out = out_.take();
    finished_.err = err_.take();
    return std::move(finished_);
  }

 private:
  // One wait for output, the end or the deadline.
  void step() {
    std::array<pollfd, 4> fds{pollfd{child_.pidfd.get(), POLLIN, 0}, pollfd{out_.fd(), POLLIN, 0},
                              pollfd{err_.fd(), POLLIN, 0}, pollfd{ending_, POLLIN, 0}};
    poll_until_deadline(fds);
    if (fds[1].revents != 0) out_.read_some();
    if (fds[2].revents != 0) err_.read_some();
    if (fds[3].revents != 0) ::kill(-child_.pid, SIGKILL);
    ended_ = fds[0].revents != 0 || fds[3].revents != 0;
    if (ended_) return;
    if (stopped()) {
      ended_ = passed();
    } else if (passed() || is_short_of_room()) {
      (passed() ? finished_.timed_out : finished_.no_room) = true;
      ::kill(-child_.pid, SIGTERM);
      deadline_ = clock_.mono() + kTerminateGrace;
    }
  }

  bool stopped() const { return finished_.timed_out || finished_.no_room; }

  bool is_short_of_room() const {
    struct statvfs disk{};
    return keep_free_ > 0 && ::statvfs(directory_.c_str(), &disk) == 0 &&
           static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize < keep_free_;
  }

  // After TERM: leaves the descendants that still hold a pipe the rest of the grace.
  void kill_rest() {
    while ((out_.open() || err_.open()) && !passed()) {
      std::array<pollfd, 2> fds{pollfd{out_.fd(), POLLIN, 0}, pollfd{err_.fd(), POLLIN, 0}};
      poll_until_deadline(fds);
      if (fds[0].revents != 0) out_.read_some();
      if (fds[1].revents != 0) err_.read_some();
    }
    ::kill(-child_.pid, SIGKILL);
  }

  bool passed() { return deadline_ && clock_.mono() >= *deadline_; }

  void poll_until_deadline(std::span<pollfd> fds) {
    Duration left = deadline_ ? *deadline_ - clock_.mono() : kForever;
    if (keep_free_ > 0) left = std::min(left, kLookAtDisk);
    const timespec timeout = to_timespec(std::max(left, Duration::zero()));
    if (::ppoll(fds.data(), fds.size(), &timeout, nullptr) < 0)
      for (pollfd& fd : fds) fd.revents = 0;
  }

  PosixClock clock_;
  Spawned child_;
  int ending_;
  Output out_;
  Output err_;
  Path directory_;
  std::uint64_t keep_free_;
  std::optional<MonoTime> deadline_;
  Finished finished_;
  bool ended_ = false;
};

}  // namespace

Result<Finished> PosixProcesses::run(const Command& command) {
  reap_detached();
  const auto given = TRY(given_descriptor(command.given));
  auto out = TRY(make_pipe());
  auto err = TRY(make_pipe());
  const EndingSignals ending(command.ends_with_us);
  Feeder feeder;
  const auto in = command.fed_by == nullptr ? TRY(input_descriptor(command.input))
                                            : TRY(feeder.start(*command.fed_by, err.write.get()));
  auto spawned = TRY(spawn(
      command,
      {.in = in.get(), .out = out.write.get(), .err = err.write.get(), .given = given.get()}));
  out.write.reset();
  err.write.reset();
  Finished finished = Run(std::move(spawned), Output(std::move(out.read), command),
                          Output(std::move(err.read), command), command, ending.fd())
                          .finish();
  if (!command.mark.empty()) end_marked(command.mark);
  return finished;
}

}  // namespace pf
